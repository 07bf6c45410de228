import { isOnCurve } from '../base/curve.ts'
import type { Key } from '../base/ids.ts'
import { LIQUIDITY, type LiquidityChange, type LiquidityEvent } from '../model/events.ts'
import type { RawInstruction } from '../model/raw.ts'
import { accountOf, type Emission, skip } from './emission.ts'
import { type PoolFacts, pairFacts, quotedAs, statedDecimals } from './pools.ts'

/** A change of a pool's liquidity in the program's terms: base and quote, or A and B. */
export interface PoolChange {
  readonly change: LiquidityChange
  readonly pool: Key
  readonly owner: Key
  readonly base: number
  readonly quote: number
  /** Reserves after the change, -1 if unknown. */
  readonly baseReserve: number
  readonly quoteReserve: number
  readonly units: number
  readonly total: number
  readonly locked: number
}

/** Emits the change in the token's terms: in a reversed pool the program's base is the quote asset. */
export function pushLiquidity(at: Emission, name: string, facts: PoolFacts, of: PoolChange): void {
  if (facts.skip !== null) return skip(at, `${facts.skip}:${name}`)
  const { sig, txIndex, outer, inner } = at
  const { change, pool, owner, units, total, locked } = of
  const { mint, quote, reversed } = facts
  const event: LiquidityEvent = {
    kind: 'liquidity',
    sig,
    txIndex,
    outer,
    inner,
    mint,
    program: !isOnCurve(owner),
    change,
    quote,
    pool,
    owner,
    tokens: reversed ? of.quote : of.base,
    quoteAmount: reversed ? of.base : of.quote,
    quoteReserve: reversed ? of.baseReserve : of.quoteReserve,
    baseReserve: reversed ? of.quoteReserve : of.baseReserve,
    units,
    total,
    locked,
  }
  at.out.push(quotedAs(event, facts))
}

/** The pair of a pool whose instruction names its mints at `base` and the next position. */
export function pairOf(at: Emission, pool: Key, call: RawInstruction | null, base: number): PoolFacts | undefined {
  const known = at.pools.get(pool)
  if (known !== undefined) return known
  const first = base < 0 ? null : accountOf(at, call, base)
  const second = base < 0 ? null : accountOf(at, call, base + 1)
  if (first === null || second === null) return at.pools.stored(pool)
  const facts = pairFacts(first, second, (mint) => statedDecimals(at.tx, mint))
  at.pools.set(pool, facts)
  return facts
}

/** A pool’s reserve of one side after a deposit or withdrawal, from the one before. */
export const reserveAfter = (change: LiquidityChange, before: number, moved: number): number =>
  Math.max(0, change === LIQUIDITY.withdraw ? before - moved : before + moved)
