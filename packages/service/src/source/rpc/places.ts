import type { RawTransaction } from '@ti/core/model/raw.ts'

/**
 * Transactions of one slot that were fetched one by one, in the order of the block if the node gave all their places. If it
 * gave only some, the order of arrival is kept, because the other places would be invented.
 */
export function placed(transactions: readonly RawTransaction[]): readonly RawTransaction[] {
  const places = new Set(transactions.map(({ index }) => index))
  if (!places.has(-1) && places.size === transactions.length) return [...transactions].sort((a, b) => a.index - b.index)
  return transactions.map((tx) => (tx.index < 0 ? tx : { ...tx, index: -1 }))
}
