import { bool, int, key, keys, num, numbers, type Sealed, table, text, textOrNull, type Union } from './field.ts'

/**
 * Facts the chain does not carry. Each has its origin and enters the log before the engine sees it.
 * The tables are part of the formats of log and captures.
 */
const SOL_PRICE = table('SolPriceFact', {
  /** USD for one SOL */
  usd: num,
})
export interface SolPriceFact extends Sealed<typeof SOL_PRICE> {
  readonly kind: 'sol_price'
}

/** Links are as served; the `*Norm` forms are for the duplication check. Null = the metadata has no such field. */
const METADATA = table('MetadataFact', {
  mint: key,
  description: textOrNull,
  image: textOrNull,
  twitter: textOrNull,
  telegram: textOrNull,
  website: textOrNull,
  twitterNorm: textOrNull,
  telegramNorm: textOrNull,
  websiteNorm: textOrNull,
})
export interface MetadataFact extends Sealed<typeof METADATA> {
  readonly kind: 'metadata'
}

const IMAGE_HASH = table('ImageHashFact', {
  mint: key,
  /** SHA-256 of the image's bytes, hex */
  sha256: text,
})
export interface ImageHashFact extends Sealed<typeof IMAGE_HASH> {
  readonly kind: 'image_hash'
}

/** A DEX listing order was approved. `time`: Unix seconds. */
const DEX_PAID = table('DexPaidFact', { mint: key, time: num })
export interface DexPaidFact extends Sealed<typeof DEX_PAID> {
  readonly kind: 'dex_paid'
}

/** Who sent a wallet its first SOL, and when. */
const FUNDER = table('FunderFact', {
  wallet: key,
  funder: key,
  /** chain slot of that transfer */
  slot: int,
  /** the funder is a known exchange: common to strangers */
  exchange: bool,
})
export interface FunderFact extends Sealed<typeof FUNDER> {
  readonly kind: 'funder'
}

/** The same with the lamports of that transfer: a kind of its own, because the number of values of a kind never changes. */
const FUNDING = table('FundingFact', {
  wallet: key,
  funder: key,
  slot: int,
  exchange: bool,
  lamports: int,
})
export interface FundingFact extends Sealed<typeof FUNDING> {
  readonly kind: 'funding'
}

/** A tracked influencer's wallet; `name` null: no longer tracked. */
const KOL = table('KolFact', { wallet: key, name: textOrNull })
export interface KolFact extends Sealed<typeof KOL> {
  readonly kind: 'kol'
}

/** A wallet that the operator shows as a trading agent; `name` null: no longer. */
const AGENT = table('AgentFact', { wallet: key, name: textOrNull })
export interface AgentFact extends Sealed<typeof AGENT> {
  readonly kind: 'agent'
}

/** The largest balances of a mint as a node reported them: what moved without a trade shows here first. */
const HOLDERS = table('HoldersFact', {
  mint: key,
  /** chain slot of the balances */
  slot: int,
  /** distinct wallets and what each has, base units, largest first; accounts of programs are left out */
  owners: keys,
  amounts: numbers,
  /** nobody else has more than this, base units; 0: nobody else has any */
  rest: int,
})
export interface HoldersFact extends Sealed<typeof HOLDERS> {
  readonly kind: 'holders'
}

export type Fact =
  | (SolPriceFact | MetadataFact | ImageHashFact | DexPaidFact)
  | (FunderFact | KolFact | AgentFact | FundingFact | HoldersFact)
export const FACTS = {
  ...{ name: 'Fact', head: table('FactHead', {}) },
  kinds: [
    ...([
      ['sol_price', SOL_PRICE],
      ['metadata', METADATA],
      ['image_hash', IMAGE_HASH],
      ['dex_paid', DEX_PAID],
    ] as const),
    ...([
      ['funder', FUNDER],
      ['kol', KOL],
      ['agent', AGENT],
      ['funding', FUNDING],
      ['holders', HOLDERS],
    ] as const),
  ],
} as const satisfies Union
