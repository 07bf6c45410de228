import { address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit'
import * as svm from '@x402/svm'
import { createOracle, type OracleEvent, type Value } from '../conformance/bytes/idl.ts'
import { dexParser, fixedAccount, IDLS, type IdlAccount, instructionOf, type Program } from '../outside/witness.ts'

/**
 * What an event payload must give, by the published interfaces and without a look at `src`. Keys in base58, amounts as
 * numbers in base units. Meanings that no interface states are those of docs/methodology.md.
 */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

/** A payload as it stands in events.json. */
export interface GoldenEvent {
  readonly id: string
  /** short name of the program; of programs that are not read, their address */
  readonly program: string
  readonly event: string
  readonly signature: string | null
  readonly slot: number | null
  /** repository that recorded it; null where the recording does not name one */
  readonly source: string | null
  readonly payload: string
  /** null: no event of ours, or none that a published interface describes */
  readonly gives: Facts | null
  readonly why?: string
}

const oracles = {
  pump: createOracle(IDLS.pump),
  pump_amm: createOracle(IDLS.pump_amm),
  pump_fees: createOracle(IDLS.pump_fees),
  launchlab: createOracle(IDLS.launchlab),
}
type Judged = keyof typeof oracles
export const isProgram = (name: string): name is Judged => Object.hasOwn(oracles, name)

/** The event by the interface of its program: its fields as far as the payload reaches. */
export const readEvent = (program: string, payload: Buffer): OracleEvent | null =>
  isProgram(program) ? oracles[program](payload) : null

const SOL = fixedAccount('pump', 'migrate', 'wsol_mint')
const NATIVE = dexParser.TOKENS.NATIVE!
/** QUOTE of the service: 0 SOL, 1 USDC; of other mints -1 */
const quoteOf = (mint: string): number =>
  mint === SOL || mint === NATIVE ? 0 : mint === svm.USDC_MAINNET_ADDRESS ? 1 : -1

const base58 = (hex: Value | undefined): string => getAddressDecoder().decode(Buffer.from(hex as string, 'hex'))
/** Seeds of an account, from the interface; `values` are keys in base58 by their seed's path. */
export async function derived(
  program: Program,
  { pda }: Pick<IdlAccount, 'pda'>,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  if (pda === undefined) throw new Error('no seeds')
  const seeds = pda.seeds.map((seed) =>
    seed.kind === 'const' ? Uint8Array.from(seed.value) : getAddressEncoder().encode(address(values[seed.path]!)),
  )
  const programAddress = address(
    pda.program === undefined ? IDLS[program].address : fixedAccount('pump', 'migrate', 'pump_amm'),
  )
  const [found] = await getProgramDerivedAddress({ programAddress, seeds })
  return found
}

const accountOf = (program: Program, instruction: string, name: string): IdlAccount =>
  instructionOf(program, instruction).accounts.find((one) => one.name === name)!
/** The bonding curve of a mint. */
export const curveOf = (mint: string): Promise<string> =>
  derived('pump', accountOf('pump', 'buy', 'bonding_curve'), { mint })
/** The pool that a migration opens for a mint. */
export async function canonicalPool(mint: string): Promise<string> {
  const pool_authority = await derived('pump', accountOf('pump', 'migrate_v2', 'pool_authority'), { base_mint: mint })
  return derived('pump', accountOf('pump', 'migrate_v2', 'pool'), { pool_authority, base_mint: mint, quote_mint: SOL })
}

type Fields = OracleEvent['fields']
const number = (f: Fields, name: string): number => Number((f[name] ?? 0n) as bigint)

function pumpTrade(f: Fields): Facts {
  const mint = f.quote_mint === undefined ? NATIVE : base58(f.quote_mint)
  const [amount, reserve] =
    mint === NATIVE ? ['sol_amount', 'virtual_sol_reserves'] : ['quote_amount', 'virtual_quote_reserves']
  const fees = number(f, 'fee') + number(f, 'creator_fee') + number(f, 'cashback')
  return {
    kind: 'trade',
    mint: base58(f.mint),
    user: base58(f.user),
    isBuy: f.is_buy as boolean,
    quote: quoteOf(mint),
    quoteAmount: number(f, amount!),
    userQuote: number(f, amount!) + (f.is_buy === true ? fees : -fees),
    tokenAmount: number(f, 'token_amount'),
    quoteReserve: number(f, reserve!),
    baseReserve: number(f, 'virtual_token_reserves'),
    realToken: number(f, 'real_token_reserves'),
    creator: f.creator === undefined ? null : base58(f.creator),
  }
}

/** Every curve starts with 10^9 tokens of six decimals; the oldest layout does not state it. */
const CURVE_SUPPLY = 1e15

function pumpCreate(f: Fields): Facts {
  const mint = f.quote_mint === undefined ? NATIVE : base58(f.quote_mint)
  return {
    kind: 'create',
    mint: base58(f.mint),
    pool: base58(f.bonding_curve),
    // a program signs for its accounts, which are no launchers
    user: isOffCurveAddress(address(base58(f.user))) ? NATIVE : base58(f.user),
    creator: f.creator === undefined ? NATIVE : base58(f.creator),
    // one line: spaces around it are not told
    name: (f.name as string).trim(),
    symbol: (f.symbol as string).trim(),
    uri: f.uri as string,
    quote: quoteOf(mint),
    supply: f.token_total_supply === undefined ? CURVE_SUPPLY : number(f, 'token_total_supply'),
    quoteReserve: number(f, mint === NATIVE ? 'virtual_sol_reserves' : 'virtual_quote_reserves'),
    baseReserve: number(f, 'virtual_token_reserves'),
    mayhem: f.is_mayhem_mode === true,
  }
}

/**
 * The pool's reserves are those before the swap. An instruction that names what to spend (`buy_exact_quote_in`) states the
 * spent sum and the one on the curve the other way round than the others.
 */
function swap(f: Fields, isBuy: boolean): Facts {
  const [onCurve, ofUser] = isBuy
    ? ['quote_amount_in', 'user_quote_amount_in']
    : ['quote_amount_out', 'user_quote_amount_out']
  const exact = typeof f.ix_name === 'string' && f.ix_name.startsWith('buy_exact_quote_in')
  const quote = number(f, exact ? ofUser! : onCurve!)
  const base = number(f, isBuy ? 'base_amount_out' : 'base_amount_in')
  const sign = isBuy ? 1 : -1
  const creator = f.coin_creator === undefined ? NATIVE : base58(f.coin_creator)
  return {
    kind: 'trade',
    pool: base58(f.pool),
    user: base58(f.user),
    isBuy,
    quoteAmount: quote,
    userQuote: number(f, exact ? onCurve! : ofUser!),
    tokenAmount: base,
    quoteReserve:
      number(f, 'pool_quote_token_reserves') + sign * quote + number(f, 'lp_fee') + number(f, 'virtual_quote_reserves'),
    baseReserve: number(f, 'pool_base_token_reserves') - sign * base,
    quoteBefore: number(f, 'pool_quote_token_reserves'),
    supply: f.base_supply === undefined ? -1 : number(f, 'base_supply'),
    creator: creator === NATIVE ? null : creator,
  }
}

/** A pool whose base is SOL is no market of a token's own: no pool event. */
function pool(f: Fields): Facts | null {
  if (quoteOf(base58(f.base_mint)) >= 0) return null
  return {
    kind: 'pool',
    mint: base58(f.base_mint),
    pool: base58(f.pool),
    quote: quoteOf(base58(f.quote_mint)),
    decimals: number(f, 'base_mint_decimals'),
  }
}

/** `real_base` counts what the curve has sold. 138 bytes are the layout before creator_fee and exact_in. */
function labTrade(f: Fields): Facts {
  const moved = (name: string): number => number(f, `${name}_after`) - number(f, `${name}_before`)
  const isBuy = moved('real_base') > 0
  return {
    kind: 'trade',
    pool: base58(f.pool_state),
    isBuy,
    quoteAmount: Math.abs(moved('real_quote')),
    userQuote: number(f, isBuy ? 'amount_in' : 'amount_out'),
    tokenAmount: number(f, isBuy ? 'amount_out' : 'amount_in'),
    quoteReserve: number(f, 'virtual_quote') + number(f, 'real_quote_after'),
    baseReserve: number(f, 'virtual_base') - number(f, 'real_base_after'),
    realToken: number(f, 'total_base_sell') - number(f, 'real_base_after'),
  }
}

/** FEE_CHANGE of the service: 2 set by pump, 3 taken from the metadata, 4 a sharing configuration. */
const creatorOf = (f: Fields, how: number, name: string): Facts => ({
  kind: 'creator',
  mint: base58(f.mint),
  how,
  creator: base58(f[name]),
})

/** FEE_CHANGE of the service: 8 a new configuration, 9 an update of its owners, 10 a reset. */
function sharesOf(f: Fields, how: number, name: string): Facts {
  const owners = f[name] as { address: string; share_bps: bigint }[]
  return {
    ...{ kind: 'shares', mint: base58(f.mint), how },
    owners: owners.map(({ address: owner }) => base58(owner)).join(),
    shares: owners.map(({ share_bps }) => share_bps).join(),
  }
}

const MEANING: Readonly<Record<string, (fields: Fields) => Facts | null>> = {
  'pump.TradeEvent': pumpTrade,
  'pump.CreateEvent': pumpCreate,
  'pump.CompleteEvent': (f) => ({ kind: 'complete', mint: base58(f.mint) }),
  'pump.CompletePumpAmmMigrationEvent': (f) => ({ kind: 'migrate', mint: base58(f.mint), pool: base58(f.pool) }),
  'pump_amm.BuyEvent': (f) => swap(f, true),
  'pump_amm.SellEvent': (f) => swap(f, false),
  'pump_amm.CreatePoolEvent': pool,
  'pump.SetCreatorEvent': (f) => creatorOf(f, 2, 'creator'),
  'pump.SetMetaplexCreatorEvent': (f) => creatorOf(f, 3, 'creator'),
  'pump.MigrateBondingCurveCreatorEvent': (f) => creatorOf(f, 4, 'new_creator'),
  'pump_fees.CreateFeeSharingConfigEvent': (f) => sharesOf(f, 8, 'initial_shareholders'),
  'pump_fees.UpdateFeeSharesEvent': (f) => sharesOf(f, 9, 'new_shareholders'),
  'pump_fees.ResetFeeSharingConfigEvent': (f) => sharesOf(f, 10, 'new_shareholders'),
  'launchlab.TradeEvent': labTrade,
}

/** What the payload must give; null when it is no event that the service folds, or no interface describes it. */
export function factsOf(program: string, payload: Buffer): Facts | null {
  const event = readEvent(program, payload)
  return event === null ? null : (MEANING[`${program}.${event.name}`]?.(event.fields) ?? null)
}
