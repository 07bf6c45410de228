import { type Key, keyAt } from '../base/ids.ts'
import { LIQUIDITY } from '../model/events.ts'
import { METEORA_DAMM_AUTHORITY } from '../model/programs.ts'
import type { RawInstruction } from '../model/raw.ts'
import { accountOf, type Emission, skip } from './emission.ts'
import { pairOf, pushLiquidity } from './liquidity.ts'
import { priceAt } from './meteora-math.ts'
import type { PoolFacts } from './pools.ts'
import { type Tag, tag, tagged, u64, u128 } from './reader.ts'

/**
 * Liquidity of DAMM v2 pools. All positions of a pool span the pool's whole range of prices, so units, reserves and
 * amounts are in proportion. Claimed fees and rewards are not liquidity; splitting a position moves none.
 */
const CALL = {
  add: tag('b59d59438fb63448'),
  remove: tag('5055d14818ceb16c'),
  removeAll: tag('0a333d2370691855'),
}

/** Position of token A's mint and of the pool. Removals begin with the pool authority. */
const PLACES: readonly (readonly [call: Tag, pool: number, mint: number])[] = [
  [CALL.add, 0, 6],
  [CALL.remove, 1, 7],
  [CALL.removeAll, 1, 7],
]

function mintPlace(at: Emission, call: RawInstruction | null, pool: Key): number {
  if (call === null || call.data.length < 8) return -1
  const found = PLACES.find(([its, place]) => tagged(call.data, 0, its) && accountOf(at, call, place) === pool)
  return found === undefined ? -1 : found[2]
}

/** EvtLiquidityChange states the reserves after it, and the amounts that the pool got or gave. */
export function decodeLiquidityChange(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_damm_v2.EvtLiquidityChange'
  if (b.length - o < 185) return skip(at, `too_short:${name}`)
  const kind = b[o + 184]!
  if (kind > 1) return skip(at, `guard:${name}`)
  const pool = keyAt(b, o + 8)
  const facts = pairOf(at, pool, at.call, mintPlace(at, at.call, pool))
  at.vaults.push(METEORA_DAMM_AUTHORITY)
  if (facts === undefined) return skip(at, `pool_unknown:${name}`)
  const isDeposit = kind === 0
  const base = u64(b, o + 104)
  const quote = u64(b, o + 112)
  const baseReserve = u64(b, o + 136)
  const quoteReserve = u64(b, o + 144)
  const units = u128(b, o + 152)
  // the larger amount has the smaller error of rounding
  const [moved, left] = base > quote ? [base, baseReserve] : [quote, quoteReserve]
  pushLiquidity(at, name, facts, {
    change: isDeposit ? LIQUIDITY.deposit : LIQUIDITY.withdraw,
    pool,
    owner: keyAt(b, o + 72),
    base,
    quote,
    baseReserve,
    quoteReserve,
    units,
    total: moved === 0 ? -1 : units * (left / moved),
    locked: -1,
  })
}

/** EvtPermanentLockPosition. A vesting lock (EvtLockPosition) ends, so its liquidity can still be pulled. */
export function decodeLock(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_damm_v2.EvtPermanentLockPosition'
  if (b.length - o < 104) return skip(at, `too_short:${name}`)
  const pool = keyAt(b, o + 8)
  const facts = pairOf(at, pool, null, -1)
  at.vaults.push(METEORA_DAMM_AUTHORITY)
  if (facts === undefined) return skip(at, `pool_unknown:${name}`)
  // accounts of permanent_lock_position: pool, position, its NFT, owner
  const owner = accountOf(at, at.call, 3)
  if (owner === null || accountOf(at, at.call, 0) !== pool) return skip(at, `no_instruction:${name}`)
  const unknown = { base: 0, quote: 0, baseReserve: -1, quoteReserve: -1, total: -1 }
  const amounts = { units: u128(b, o + 72), locked: u128(b, o + 88) }
  pushLiquidity(at, name, facts, { change: LIQUIDITY.lock, pool, owner, ...unknown, ...amounts })
}

/** Bytes of EvtInitializePool up to the fees, of the fees, and of the optional dynamic fee among them. */
const FEES_AT = 200
const FEES_BYTES = 31
const DYNAMIC_FEE_BYTES = 32
/** Bytes from the lowest price on. */
const REST_BYTES = 109

/** The first deposit, of EvtInitializePool; of an unknown layout nothing is read. */
export function openLiquidity(b: Buffer, o: number, at: Emission, pool: Key, facts: PoolFacts): void {
  const name = 'meteora_damm_v2.EvtInitializePool'
  const flagAt = o + FEES_AT + FEES_BYTES - 1
  if (flagAt >= b.length) return skip(at, `too_short:${name}`)
  const p = flagAt + 1 + (b[flagAt] === 1 ? DYNAMIC_FEE_BYTES : 0)
  if (b.length - p < REST_BYTES) return skip(at, `too_short:${name}`)
  const units = u128(b, p + 34)
  const base = u64(b, p + 76)
  const quote = u64(b, p + 84)
  const price = priceAt(b, p + 50)
  if (price === 0) return skip(at, `zero_reserve:${name}`)
  pushLiquidity(at, name, facts, {
    change: LIQUIDITY.open,
    pool,
    owner: keyAt(b, o + 104),
    base,
    quote,
    // as in a swap, the token's reserve follows from the price
    baseReserve: facts.reversed ? base : Math.round(quote / price),
    quoteReserve: facts.reversed ? Math.round(base * price) : quote,
    units,
    total: units,
    locked: 0,
  })
}
