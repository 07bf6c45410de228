import type { RawTransaction } from '@ti/core/model/raw.ts'

/**
 * Transactions of one slot that were fetched one by one, in the order of the block where the node gave all their places.
 * Where it gave some, those would stand among invented ones, so the order they came in is all that is known.
 */
export function placed(transactions: readonly RawTransaction[]): readonly RawTransaction[] {
  const places = new Set(transactions.map(({ index }) => index))
  if (!places.has(-1) && places.size === transactions.length) return [...transactions].sort((a, b) => a.index - b.index)
  return transactions.map((tx) => (tx.index < 0 ? tx : { ...tx, index: -1 }))
}
