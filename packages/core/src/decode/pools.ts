import type { Key } from '../base/ids.ts'
import { QUOTE, type Quoted } from '../model/events.ts'
import { quoteOf } from '../model/programs.ts'
import type { RawTokenBalance, RawTransaction } from '../model/raw.ts'

/**
 * The pair of an AMM pool. `reversed`: the quote asset is the pool's base and the token its quote. `skip`: why trades
 * are not read (both sides are quote assets of known price). If neither side is one, the base is the token.
 */
export interface PoolFacts extends Quoted {
  readonly mint: Key
  readonly decimals: number
  readonly reversed: boolean
  readonly skip: 'no_token' | null
}

export type ResolvePool = (pool: Key) => (Quoted & { mint: Key; decimals: number }) | undefined

/** A bounded cache of pools. A pool's pair never changes, so evicting one costs a lookup but is never wrong. */
export interface PoolBook {
  get(pool: Key): PoolFacts | undefined
  /** Reads the committed state, which knows the pair in which the token is followed. */
  stored(pool: Key): PoolFacts | undefined
  set(pool: Key, facts: PoolFacts): void
  /** What the configurations of bonding curves created in view plan for the liquidity after graduation. */
  readonly plans: Map<Key, LiquidityPlan>
}

/** Percent of the liquidity after graduation. */
export interface LiquidityPlan {
  /** Locked for ever, for any owner. */
  readonly locked: number
  /** Of the creator, and not locked for ever. */
  readonly creator: number
}

/** About 100 bytes each. The bound is far above the pools that trade within a day. */
const POOLS_MAX = 200_000

export function createPoolBook(resolvePool?: ResolvePool, poolsMax = POOLS_MAX): PoolBook {
  let recent = new Map<Key, PoolFacts>()
  let older = new Map<Key, PoolFacts>()
  const set = (pool: Key, facts: PoolFacts): void => {
    if (recent.size >= poolsMax / 2) {
      older = recent
      recent = new Map()
    }
    recent.set(pool, facts)
  }
  return {
    set,
    plans: new Map(),
    get(pool) {
      const known = recent.get(pool)
      if (known !== undefined) return known
      const found = older.get(pool)
      if (found !== undefined) set(pool, found)
      return found
    },
    stored: (pool) => withoutSkip(resolvePool?.(pool)),
  }
}

const withoutSkip = (found: ReturnType<ResolvePool>): PoolFacts | undefined =>
  found === undefined
    ? undefined
    : { ...quotedBy(found), mint: found.mint, decimals: found.decimals, reversed: false, skip: null }

const quotedBy = ({ quote, asset }: Quoted): Quoted => (asset === undefined ? { quote } : { quote, asset })

/** The facts of a pool with a known pair. `decimals` returns -1 for unknown ones; pump's tokens have 6. */
export function pairFacts(base: Key, quoteMint: Key, decimals: (mint: Key) => number): PoolFacts {
  const quote = quoteOf(quoteMint)
  const baseQuote = quoteOf(base)
  const tokenDecimals = (mint: Key): number => (decimals(mint) < 0 ? 6 : decimals(mint))
  if (baseQuote !== QUOTE.other) {
    const skip = quote === QUOTE.other ? null : 'no_token'
    return { mint: quoteMint, quote: baseQuote, decimals: tokenDecimals(quoteMint), reversed: true, skip }
  }
  const asset = quote === QUOTE.other ? { asset: { mint: quoteMint, decimals: decimals(quoteMint) } } : {}
  return { mint: base, quote, ...asset, decimals: tokenDecimals(base), reversed: false, skip: null }
}

/** Decimals according to the transaction's token balances; -1 if not stated. */
export function statedDecimals(tx: RawTransaction, mint: Key): number {
  for (const row of tx.postTokens) if (row.mint === mint) return row.decimals
  for (const row of tx.preTokens) if (row.mint === mint) return row.decimals
  return -1
}

/** The stated decimals, or those of the launchpad's tokens. */
export function decimalsOf(tx: RawTransaction, mint: Key, usual = 6): number {
  const stated = statedDecimals(tx, mint)
  return stated < 0 ? usual : stated
}

/** The event with its quote asset, if that has no known price. */
export function quotedIn<E extends Quoted>(event: E, tx: RawTransaction, mint: Key): E {
  if (event.quote !== QUOTE.other) return event
  return { ...event, asset: { mint, decimals: statedDecimals(tx, mint) } }
}

/** The event with the quote asset of a known pool, if that has no known price. */
export const quotedAs = <E extends Quoted>(event: E, { asset }: Quoted): E =>
  asset === undefined ? event : { ...event, asset }

/**
 * The pair from the pool's own token accounts. Anyone can send tokens to a pool, so an account counts only if it held
 * exactly the reserve that the event states before the trade.
 */
export function pairFromBalances(tx: RawTransaction, pool: Key, base: number, quote: number): PoolFacts | undefined {
  const held = (amount: number): RawTokenBalance | null => {
    let found: RawTokenBalance | null = null
    for (const row of tx.preTokens) {
      if (row.owner !== pool || row.amount !== amount) continue
      if (found !== null) return null
      found = row
    }
    return found
  }
  const baseRow = held(base)
  const quoteRow = held(quote)
  if (baseRow === null || quoteRow === null || baseRow.mint === quoteRow.mint) return undefined
  return pairFacts(baseRow.mint, quoteRow.mint, (mint) => (mint === baseRow.mint ? baseRow : quoteRow).decimals)
}
