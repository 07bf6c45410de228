import { type Key, keyAt } from '../base/ids.ts'
import { LAUNCHPAD, VENUE } from '../model/events.ts'
import { quoteOf } from '../model/programs.ts'
import type { RawInstruction } from '../model/raw.ts'
import { accountOf, createOf, type Emission, pushMigration, signedToo, skip, tradeOf } from './emission.ts'
import { decimalsOf, quotedIn } from './pools.ts'
import { difference, tag, tagged, u32, u64 } from './reader.ts'
import { textsAt } from './texts.ts'

const TRADE = tag('bddb7fd34ee661ee')
const POOL_CREATE = tag('97d7e20976a173ae')
/** Accounts added before the pool's in a new instruction: one is likely, two are possible. */
const POOL_PLACE_MAX = 8
/** Fixed-price and linear curves use virtual reserves differently; the product decides (rounding is below 1e-9). */
const PRODUCT_TOLERANCE = 1e-6

/** Account positions of mint, quote, opened pool and launch pool in the instructions that end a launch. */
const MIGRATIONS = new Map<number, { mint: number; quote: number; pool: number; launch: number }>([
  [tag('cf52c091fecf91df').lo, { mint: 1, quote: 2, pool: 13, launch: 23 }], // migrate_to_amm
  [tag('885cc8671cda908c').lo, { mint: 1, quote: 2, pool: 5, launch: 17 }], // migrate_to_cpswap
])

/**
 * Reads an instruction that ends a launch. The program emits no event when a launch moves to another program's pool, so
 * the instruction in a successful transaction is the only evidence. Returns true if `call` is one.
 */
export function readLaunchLabCall(call: RawInstruction, at: Emission): boolean {
  const place = call.data.length >= 8 ? MIGRATIONS.get(u32(call.data, 0)) : undefined
  if (place === undefined) return false
  const [mint, quoteMint, pool, launch] = [place.mint, place.quote, place.pool, place.launch].map((position) =>
    accountOf(at, call, position),
  )
  if (!mint || !quoteMint || !pool || !launch) return leave(at, 'no_accounts:launchlab.migration')
  at.vaults.push(pool, launch)
  const graduate = {
    launchpad: LAUNCHPAD.launchlab,
    quote: quoteOf(quoteMint),
    decimals: decimalsOf(at.tx, mint),
    quoteReserve: 0,
    baseReserve: 0,
    earlier: false,
  }
  pushMigration(at, mint, pool, quotedIn(graduate, at.tx, quoteMint))
  return true
}

function leave(at: Emission, reason: string): false {
  skip(at, reason)
  return false
}

/** Decodes the LaunchLab event payload whose discriminator is at `o`. */
export function decodeLaunchLab(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:launchlab')
  if (tagged(b, o, TRADE)) return decodeTrade(b, o, at)
  if (tagged(b, o, POOL_CREATE)) return decodePoolCreate(b, o, at)
  skip(at, 'unknown_event:launchlab')
}

function decodeTrade(b: Buffer, o: number, at: Emission): void {
  const size = b.length - o
  if (size < 138) return skip(at, 'too_short:launchlab.TradeEvent')
  // the layout of 147 bytes added creator_fee before share_fee, and exact_in at the end
  const newer = size >= 147
  const direction = b[o + (newer ? 144 : 136)]!
  if (direction > 1) return skip(at, 'guard:launchlab.TradeEvent')
  const pool = keyAt(b, o + 8)
  // accounts of buy and sell: payer, authority, …, pool state (4), …, base mint (9), quote mint (10)
  const user = accountOf(at, at.call, 0)
  const mint = accountOf(at, at.call, 9)
  const quoteMint = accountOf(at, at.call, 10)
  const authority = accountOf(at, at.call, 1)
  if (user === null || mint === null || quoteMint === null || authority === null || accountOf(at, at.call, 4) !== pool)
    return skip(at, 'no_instruction:launchlab.TradeEvent')
  const virtualBase = u64(b, o + 48)
  const virtualQuote = u64(b, o + 56)
  const raisedAfter = u64(b, o + 88)
  const fees = u64(b, o + 112) + u64(b, o + 120) + u64(b, o + 128) + (newer ? u64(b, o + 136) : 0)
  const isBuy = direction === 0
  const quoteAmount = Math.abs(difference(b, o + 88, o + 72))
  const tokenAmount = Math.abs(difference(b, o + 80, o + 64))
  const userQuote = isBuy ? quoteAmount + fees : Math.max(0, quoteAmount - fees)
  const quoteReserve = virtualQuote + raisedAfter
  // real_base counts the tokens sold so far
  const baseReserve = difference(b, o + 48, o + 80)
  if (quoteReserve <= 0 || baseReserve <= 0) return skip(at, 'zero_reserve:launchlab.TradeEvent')
  const before = difference(b, o + 48, o + 64) * (virtualQuote + u64(b, o + 72))
  if (Math.abs(before / (baseReserve * quoteReserve) - 1) > PRODUCT_TOLERANCE)
    return skip(at, 'other_curve:launchlab.TradeEvent')
  const left = difference(b, o + 40, o + 80)
  const { tx } = at
  at.vaults.push(pool, authority)
  const event = tradeOf(at, {
    venue: VENUE.launchlab,
    mint,
    pool,
    user,
    isBuy,
    quote: quoteOf(quoteMint),
    quoteAmount,
    userQuote,
    tokenAmount,
    quoteReserve,
    baseReserve,
    quoteBefore: -1,
    realToken: left >= 0 ? left : -1,
    supply: supplyOf(u64(b, o + 40), virtualBase),
    decimals: decimalsOf(tx, mint),
    creator: null,
    mayhem: false,
  })
  at.out.push(quotedIn(event, tx, quoteMint))
}

/**
 * Supply of a constant-product launch, from the amount on sale (S) and its virtual base (V): V = S² / (2 S − supply),
 * Raydium's formula for a curve without locked tokens and migration fee. Rounded to 9 digits, since V was; -1 if
 * implausible.
 */
function supplyOf(sells: number, virtualBase: number): number {
  const supply = Number((2 * sells - (sells / virtualBase) * sells).toPrecision(9))
  return supply >= sells && supply <= 2 * sells ? supply : -1
}

/**
 * Accounts of initialize and its successors: payer, creator, …, authority (4), pool state (5), base mint (6), quote mint
 * (7). `initialize_with_permission` is named but not laid out in public, so the pool's place is looked up.
 */
function decodePoolCreate(b: Buffer, o: number, at: Emission): void {
  const end = b.length
  if (end - o < 105) return skip(at, 'too_short:launchlab.PoolCreateEvent')
  const said = textsAt(b, o + 105)
  if (said === null) return skip(at, 'guard:launchlab.PoolCreateEvent')
  const { texts, end: p } = said
  // a byte for the curve kind, followed by the supply in all three kinds
  if (end - p < 9) return skip(at, 'too_short:launchlab.PoolCreateEvent')
  const supply = u64(b, p + 1)
  const pool = keyAt(b, o + 8)
  const user = accountOf(at, at.call, 0)
  let place = 5
  while (place < POOL_PLACE_MAX && accountOf(at, at.call, place) !== pool) place++
  const authority = accountOf(at, at.call, place - 1)
  const mint = accountOf(at, at.call, place + 1)
  const quoteMint: Key | null = accountOf(at, at.call, place + 2)
  if (user === null || mint === null || quoteMint === null || authority === null || place === POOL_PLACE_MAX)
    return skip(at, 'no_instruction:launchlab.PoolCreateEvent')
  const creator = keyAt(b, o + 40)
  at.vaults.push(pool, authority)
  const event = createOf(at, {
    launchpad: LAUNCHPAD.launchlab,
    mint,
    pool,
    creator,
    user,
    signed: signedToo(at, creator, user),
    ...texts,
    quote: quoteOf(quoteMint),
    supply,
    decimals: b[o + 104]!,
    quoteReserve: 0,
    baseReserve: 0,
    mayhem: false,
  })
  at.out.push(quotedIn(event, at.tx, quoteMint))
}
