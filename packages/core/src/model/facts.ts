import { type CreateEvent, NAMED } from './events.ts'
import {
  bool,
  flag,
  int,
  key,
  keys,
  num,
  numbers,
  type Sealed,
  sameOrNull,
  sig,
  table,
  text,
  textOrNull,
  type Union,
} from './field.ts'

/**
 * Facts that are not on chain. Each has its own source and enters the log before the engine sees it. The tables are
 * part of the formats of log and captures.
 */
const SOL_PRICE = table('SolPriceFact', {
  /** USD per SOL. */
  usd: num,
})
export interface SolPriceFact extends Sealed<typeof SOL_PRICE> {
  readonly kind: 'sol_price'
}

/** Links as served; the `*Norm` forms are for the duplication check. Null if the metadata has no such field. */
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
  /** SHA-256 of the image's bytes, hex. */
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

/** The sender of a wallet's first SOL. */
const FUNDING = table('FundingFact', {
  wallet: key,
  funder: key,
  /** Chain slot of that transfer. */
  slot: int,
  /** The funder is a known exchange, which unrelated wallets share. */
  exchange: bool,
  /** Lamports of that transfer. */
  lamports: int,
})
export interface FundingFact extends Sealed<typeof FUNDING> {
  readonly kind: 'funding'
}

/** A tracked influencer's wallet; a null `name` ends the tracking. */
const KOL = table('KolFact', { wallet: key, name: textOrNull })
export interface KolFact extends Sealed<typeof KOL> {
  readonly kind: 'kol'
}

/** A wallet that the operator lists as a trading agent; a null `name` removes it. */
const AGENT = table('AgentFact', { wallet: key, name: textOrNull })
export interface AgentFact extends Sealed<typeof AGENT> {
  readonly kind: 'agent'
}

/** The largest balances of a mint according to a node. They reveal transfers that no source showed. */
const HOLDERS = table('HoldersFact', {
  mint: key,
  /** Chain slot of the balances. */
  slot: int,
  /** Distinct wallets and their base units, largest first, without accounts of programs. */
  owners: keys,
  amounts: numbers,
  /** An upper bound of every other wallet's balance, base units; 0 if there are none. */
  rest: int,
})
export interface HoldersFact extends Sealed<typeof HOLDERS> {
  readonly kind: 'holders'
}

/** The creation of a token that was first met later, as found in the history of its mint; fields as in CreateEvent. */
const LAUNCH = table('LaunchFact', {
  mint: key,
  launcher: key,
  creator: key,
  payer: sameOrNull(1, 'launcher'),
  signed: flag(4, 2),
  /** Chain slot and signature of the creation. */
  slot: int,
  sig,
  ...NAMED,
})
export interface LaunchFact extends Sealed<typeof LAUNCH> {
  readonly kind: 'launch'
}

/** The launch that a creation in this chain slot tells. */
export function launchOf(creation: CreateEvent, slot: number): LaunchFact {
  const { mint, user: launcher, creator, payer, signed, sig, name, symbol, uri, nameNorm, symbolNorm } = creation
  const { supply, decimals } = creation
  const by = { kind: 'launch', mint, launcher, creator, payer, signed, slot, sig } as const
  return { ...by, name, symbol, uri, nameNorm, symbolNorm, supply, decimals }
}

export type Fact =
  | (SolPriceFact | MetadataFact | ImageHashFact | DexPaidFact)
  | (KolFact | AgentFact | FundingFact | HoldersFact | LaunchFact)
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
      ['funding', FUNDING],
      ['kol', KOL],
      ['agent', AGENT],
      ['holders', HOLDERS],
    ] as const),
    ['launch', LAUNCH],
  ],
} as const satisfies Union
