import type { Key } from '../base/ids.ts'
import type { RawTokenBalance, RawTransaction } from '../source/types.ts'
import type { Quote } from './events.ts'
import { quoteOf } from './programs.ts'

/**
 * What an AMM pool trades. `reversed`: the quote asset is the pool's base and the token its quote. `skip` names why its trades
 * are not read: neither side is a quote asset, or both are.
 */
export interface PoolFacts {
  readonly mint: Key
  readonly quote: Quote
  readonly decimals: number
  readonly reversed: boolean
  readonly skip: 'no_token' | 'quote_unknown' | null
}

export type ResolvePool = (pool: Key) => { mint: Key; quote: Quote; decimals: number } | undefined

/** Pools seen so far, bounded: the pair of a pool never changes, so forgetting one costs a look-up, never a wrong fact. */
export interface PoolBook {
  get(pool: Key): PoolFacts | undefined
  set(pool: Key, facts: PoolFacts): void
}

/** About 100 bytes each: far more pools than trade within a day. */
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
    get(pool) {
      const known = recent.get(pool)
      if (known !== undefined) return known
      const found = older.get(pool) ?? withoutSkip(resolvePool?.(pool))
      if (found !== undefined) set(pool, found)
      return found
    },
  }
}

const withoutSkip = (found: ReturnType<ResolvePool>): PoolFacts | undefined =>
  found === undefined
    ? undefined
    : { mint: found.mint, quote: found.quote, decimals: found.decimals, reversed: false, skip: null }

/** Facts of a pool whose pair is known; `decimals` of a mint are asked for once. */
export function pairFacts(base: Key, quoteMint: Key, decimals: (mint: Key) => number): PoolFacts {
  const quote = quoteOf(quoteMint)
  const baseQuote = quoteOf(base)
  if (baseQuote !== null) {
    const skip = quote === null ? null : 'no_token'
    return { mint: quoteMint, quote: baseQuote, decimals: decimals(quoteMint), reversed: true, skip }
  }
  const skip = quote === null ? 'quote_unknown' : null
  return { mint: base, quote: quote ?? 0, decimals: decimals(base), reversed: false, skip }
}

/** Decimals as the transaction's token balances state them, else what pump tokens have. */
export function decimalsOf(tx: RawTransaction, mint: Key): number {
  for (const row of tx.postTokens) if (row.mint === mint) return row.decimals
  for (const row of tx.preTokens) if (row.mint === mint) return row.decimals
  return 6
}

/**
 * The pair from the pool's own token accounts. Anyone can send any token to a pool, so an account counts only when it
 * held exactly the reserve the event states before the trade.
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
