import type { Trade } from '@ti/core/contract/resources.ts'

/** Merges trades from the answer and the stream, each once. */

/** trades in one answer of the service */
export const TRADES_MAX = 100

/** `later` is in chain order; the result is newest first. */
export function withLater(held: readonly Trade[], later: readonly Trade[]): readonly Trade[] {
  const known = new Set(held.map(({ unique_id }) => unique_id))
  const fresh: Trade[] = []
  for (const trade of later) {
    if (known.has(trade.unique_id)) continue
    known.add(trade.unique_id)
    fresh.push(trade)
  }
  if (fresh.length === 0) return held
  return inOrder([...fresh.reverse(), ...held]).slice(0, TRADES_MAX)
}

/** Replaces the held trades by an answer, but keeps newer ones from the stream. */
export function withAnswer(held: readonly Trade[], answer: readonly Trade[]): readonly Trade[] {
  const newest = answer[0]?.slot ?? -1
  const later = held.filter(({ slot }) => slot > newest).reverse()
  return withLater(answer, later)
}

/** Sorts by slot, newest first; equal slots keep their order. */
const inOrder = (trades: Trade[]): Trade[] => trades.sort((a, b) => b.slot - a.slot)

export const FILTERS = {
  all: ['All', () => true],
  buys: ['Buys', ({ is_buy }: Trade) => is_buy],
  sells: ['Sells', ({ is_buy }: Trade) => !is_buy],
  bundled: ['Bundled', ({ bundled }: Trade) => bundled],
  known: ['Smart or named', ({ smart_money, user_name }: Trade) => smart_money || user_name !== null],
} as const satisfies Record<string, readonly [label: string, keeps: (trade: Trade) => boolean]>
export type FilterName = keyof typeof FILTERS
