import { candidates, isDerived } from '../base/derived.ts'
import { type Key, keyAt } from '../base/ids.ts'
import { type Graduate, LAUNCHPAD, VENUE } from '../model/events.ts'
import { PUMP, PUMPSWAP, quoteMintOf } from '../model/programs.ts'
import { POOL_CHANGES, readCreatorChange } from './creators.ts'
import { accountOf, burn, type Emission, pushMigration, pushPool, refuse, skip, tradeOf } from './emission.ts'
import { type PoolFacts, pairFacts, pairFromBalances, quotedAs, statedDecimals } from './pools.ts'
import { decodeLiquidity, openLiquidity } from './pumpswap-liquidity.ts'
import { i128, isZeroKey, tag, tagged, u32, u64 } from './reader.ts'

const BUY = tag('67f4521f2cf57777')
const SELL = tag('3e2f370aa503dc2a')
const CREATE_POOL = tag('b1310cd2a076a774')
const BOOST = tag('3f451c16305cc2b9')
const DEPOSIT = tag('78f83d531f8e6b90')
const WITHDRAW = tag('1609851aa02c47c0')

/** Instructions whose accounts begin with pool, a signer, config, base mint, quote mint. */
const SWAPS = new Set(
  [
    '66063d1201daebea',
    '33e685a4017f83ad',
    'c62e1552b4d9e870',
    '694406af000723a2',
    'b817ee6167c5d33d',
    '5df6823ce7e940b2',
    'c2ab1c46684d5b2f',
  ].map((hex) => tag(hex).lo | 0),
)
const MULTI_HOP = tag('2b644913e9f66f94')
/** A route's accounts: 16, then five a hop: base mint, quote mint, pool or curve, and its two token accounts. */
const ROUTE = { first: 16, step: 5 } as const
/** The longest known instruction name has 23 bytes. */
const IX_NAME_MAX = 64
/** The end of the March 2025 layout, without coin creator. */
const OLDEST_BYTES = 312
const PLAIN_BUY = Buffer.from('buy')
const EXACT_QUOTE = 'buy_exact_quote_in'

/** Decodes the PumpSwap event payload whose discriminator is at `o`. */
export function decodePumpSwap(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:pump_amm')
  if (tagged(b, o, BUY)) return decodeSwap(b, o, at, true)
  if (tagged(b, o, SELL)) return decodeSwap(b, o, at, false)
  if (tagged(b, o, CREATE_POOL)) return decodeCreatePool(b, o, at)
  if (tagged(b, o, BOOST)) return decodeBoost(b, o, at)
  if (tagged(b, o, DEPOSIT)) return decodeLiquidity(b, o, at, true)
  if (tagged(b, o, WITHDRAW)) return decodeLiquidity(b, o, at, false)
  if (!readCreatorChange(POOL_CHANGES, b, o, at)) skip(at, 'unknown_event:pump_amm')
}

/** The length of a buy's ix_name: 0 if the payload predates the field, -1 if it is impossible. */
function nameLength(b: Buffer, o: number, size: number): number {
  if (size < 405) return 0
  const length = u32(b, o + 401)
  return length > IX_NAME_MAX || 405 + length > size ? -1 : length
}

function isPlainBuy(b: Buffer, o: number, length: number): boolean {
  if (length !== PLAIN_BUY.length) return false
  for (let i = 0; i < length; i++) if (b[o + 405 + i] !== PLAIN_BUY[i]) return false
  return true
}

/**
 * True if the buyer gave the amount to spend. Then `quote_amount_in` (64) is that amount and `user_quote_amount_in`
 * (112) is what reached the curve, swapped compared with a plain buy. The instruction's name decides; for an unknown
 * name the amounts do, because field 104 is always the curve's amount plus the liquidity fee.
 */
function isExactQuote(b: Buffer, o: number, length: number): boolean {
  if (length <= 0 || isPlainBuy(b, o, length)) return false
  const name = b.toString('latin1', o + 405, o + 405 + length)
  if (name.startsWith(EXACT_QUOTE)) return true
  const withLpFee = u64(b, o + 104)
  const lpFee = u64(b, o + 80)
  return u64(b, o + 112) + lpFee === withLpFee && u64(b, o + 64) + lpFee !== withLpFee
}

/** A swap in the pool's terms. Reserves are after it; `onCurve` excludes and `paid` includes all fees. */
interface Swap {
  readonly isBuy: boolean
  readonly base: number
  readonly onCurve: number
  readonly paid: number
  readonly baseReserve: number
  readonly quoteReserve: number
  readonly poolBase: number
  readonly poolQuote: number
  readonly supply: number
}

/** Null, and counted, if the payload is impossible. */
function readSwap(b: Buffer, o: number, at: Emission, isBuy: boolean, name: string): Swap | null {
  const size = b.length - o
  if (size < OLDEST_BYTES) return refuse(at, `too_short:${name}`)
  const length = isBuy ? nameLength(b, o, size) : 0
  if (length < 0) skip(at, `guard:${name}`)
  // virtual_quote_reserves, can_boost, base_supply
  const v = isBuy ? 405 + length + 32 : 392
  const newest = length >= 0 && size >= v + 16
  const exactQuote = isBuy && isExactQuote(b, o, length)
  const base = u64(b, o + 16)
  const poolBase = u64(b, o + 48)
  const poolQuote = u64(b, o + 56)
  const onCurve = u64(b, o + (exactQuote ? 112 : 64))
  const paid = u64(b, o + (exactQuote ? 64 : 112))
  const virtualQuote = newest ? i128(b, o + v) : 0
  const supply = newest && size >= v + 25 ? u64(b, o + v + 17) : -1
  // the event states reserves before the trade; the liquidity fee stays in the pool either way
  const quoteReserve = (isBuy ? poolQuote + onCurve : poolQuote - onCurve) + u64(b, o + 80) + virtualQuote
  const baseReserve = isBuy ? poolBase - base : poolBase + base
  if (quoteReserve <= 0 || baseReserve <= 0) return refuse(at, `zero_reserve:${name}`)
  return { isBuy, base, onCurve, paid, baseReserve, quoteReserve, poolBase, poolQuote, supply }
}

function decodeSwap(b: Buffer, o: number, at: Emission, isBuy: boolean): void {
  const name = isBuy ? 'pump_amm.BuyEvent' : 'pump_amm.SellEvent'
  const swap = readSwap(b, o, at, isBuy, name)
  if (swap === null) return
  const pool = keyAt(b, o + 120)
  const facts = factsOf(at, pool, swap.poolBase, swap.poolQuote)
  if (facts === undefined) return skip(at, `pool_unknown:${name}`)
  if (facts.skip !== null) return skip(at, `${facts.skip}:${name}`)
  const user = keyAt(b, o + 152)
  at.vaults.push(pool)
  // the program's own buy has no account for the tokens
  if (isBuy && isZeroKey(b, o + 184)) burn(at, user, facts.mint)
  // pools opened by hand and the oldest events have no creator
  const creator = b.length - o < 344 || isZeroKey(b, o + 312) ? null : keyAt(b, o + 312)
  emitSwap(at, swap, facts, pool, user, creator)
}

function emitSwap(at: Emission, swap: Swap, facts: PoolFacts, pool: Key, user: Key, creator: Key | null): void {
  const { reversed } = facts
  const event = tradeOf(at, {
    venue: VENUE.pumpswap,
    mint: facts.mint,
    pool,
    user,
    // in a reversed pool SOL is the base: buying it sells the token, and fees are paid in the token
    isBuy: swap.isBuy !== reversed,
    quote: facts.quote,
    quoteAmount: reversed ? swap.base : swap.onCurve,
    userQuote: reversed ? swap.base : swap.paid,
    tokenAmount: reversed ? swap.paid : swap.base,
    quoteReserve: reversed ? swap.baseReserve : swap.quoteReserve,
    baseReserve: reversed ? swap.quoteReserve : swap.baseReserve,
    quoteBefore: reversed ? swap.poolBase : swap.poolQuote,
    realToken: -1,
    supply: reversed ? -1 : swap.supply,
    decimals: facts.decimals,
    creator: reversed ? null : creator,
    mayhem: at.mayhem,
  })
  at.out.push(quotedAs(event, facts))
}

/** Marks the buyer of the preceding BuyEvent as the vault whose tokens were burned. */
function decodeBoost(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 168) return skip(at, 'too_short:pump_amm.BoostBuyAndBurnEvent')
  const pool = keyAt(b, o + 80)
  const bought = at.out.at(-1)
  if (bought?.kind !== 'trade' || bought.sig !== at.sig || bought.pool !== pool || !bought.isBuy) return
  if (bought.tokenAmount === u64(b, o + 160)) burn(at, bought.user, bought.mint)
}

/** The pool's pair, which buy and sell events lack: from the cache, the accounts, or the pool's balances. */
function factsOf(at: Emission, pool: Key, poolBase: number, poolQuote: number): PoolFacts | undefined {
  const known = at.pools.get(pool)
  if (known !== undefined) return known
  // the state knows the token's unit, in which a pool opened by hand may not trade
  const stored = at.pools.stored(pool)
  const facts = pairFromCall(at, pool) ?? pairFromBalances(at.tx, pool, poolBase, poolQuote) ?? stored
  if (facts === undefined) return undefined
  at.pools.set(pool, facts)
  const isNew = stored === undefined && facts.skip === null && !facts.reversed
  if (isNew && isCanonical(pool, facts)) emitGraduate(at, pool, facts)
  return facts
}

/** Seeds of the address of the pool that pump opens (`pool_authority` and `pool` of `migrate_v2` in the IDL). */
const AUTHORITY_SEED = 'pool-authority'
const POOL_SEED = 'pool\0\0'

/** True for the pool that pump opened at the token's graduation; anyone can open others. */
function isCanonical(pool: Key, facts: PoolFacts): boolean {
  const { mint } = facts
  const pair = mint + quoteMintOf(facts)
  for (const authority of candidates(AUTHORITY_SEED + mint, PUMP))
    if (isDerived(pool, POOL_SEED + authority + pair, PUMPSWAP)) return true
  return false
}

/** Emits an earlier graduation for a canonical pool that first appears in a trade. */
function emitGraduate(at: Emission, pool: Key, facts: PoolFacts): void {
  const { mint, quote, decimals } = facts
  const launchpad = LAUNCHPAD.pumpfun
  const token: Graduate = { launchpad, quote, decimals, quoteReserve: 0, baseReserve: 0, earlier: true }
  // before every event of its instruction
  pushMigration(at, mint, pool, quotedAs(token, facts), -1 - at.inner)
}

function pairFromCall(at: Emission, pool: Key): PoolFacts | undefined {
  const { call } = at
  const data = call?.data
  if (data === undefined || data.length < 8) return undefined
  const baseAt = SWAPS.has(u32(data, 0) | 0) ? 3 : tagged(data, 0, MULTI_HOP) ? hopOf(at, pool) : -1
  if (baseAt < 0 || (baseAt === 3 && accountOf(at, call, 0) !== pool)) return undefined
  const base = accountOf(at, call, baseAt)
  const quote = accountOf(at, call, baseAt + 1)
  if (base === null || quote === null) return undefined
  return pairFacts(base, quote, (mint) => statedDecimals(at.tx, mint))
}

/** The place of the base mint of the hop through `pool`; -1 if the route has none. */
function hopOf(at: Emission, pool: Key): number {
  const { call } = at
  for (let place = ROUTE.first; place + 2 < call!.accounts.length; place += ROUTE.step)
    if (accountOf(at, call, place + 2) === pool) return place
  return -1
}

function decodeCreatePool(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 237) return skip(at, 'too_short:pump_amm.CreatePoolEvent')
  const pool = keyAt(b, o + 173)
  const base = keyAt(b, o + 50)
  const facts = pairFacts(base, keyAt(b, o + 82), (mint) => b[o + (mint === base ? 114 : 115)]!)
  at.pools.set(pool, facts)
  at.vaults.push(pool)
  if (facts.skip !== null) return skip(at, `${facts.skip}:pump_amm.CreatePoolEvent`)
  // the state takes the token as the base of every pool that it maps to one
  if (!facts.reversed) pushPool(at, pool, facts)
  openLiquidity(b, o, at, pool, facts)
}
