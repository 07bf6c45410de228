import type { QueryBounds } from './bounds.ts'

/**
 * Limits the rate of expensive readings. A reading that took c ms of the event loop is valid for c ÷ `readingShare` ms.
 * If several would exceed that share together, cached ones stay valid longer, up to `readingRenewMs`. Until
 * `readingOldMs` a stale one is served while the next is made. A first reading is waited for.
 */
interface Spacing<T> {
  /** The cached reading of `id` for a request that arrived at `sinceMs`; undefined if it must be made first. */
  kept(id: number, sinceMs: number): Standing<T> | undefined
  made(id: number, value: T, costMs: number): void
}

interface Standing<T> {
  readonly value: T
  /** It should be renewed. */
  readonly isDue: boolean
}

interface Kept<T> {
  readonly value: T
  readonly madeMs: number
  readonly costMs: number
}

export function createSpacing<T>(bounds: QueryBounds, now: () => number): Spacing<T> {
  const { readingShare, readingOldMs, readingRenewMs, renderedAnswers } = bounds
  const all = new Map<number, Kept<T>>()
  /** until then the time spent exceeds its share */
  let overMs = Number.NEGATIVE_INFINITY
  return {
    kept(id, sinceMs) {
      const known = all.get(id)
      if (known === undefined || sinceMs - known.madeMs >= readingOldMs) return undefined
      const dueMs = Math.max(known.madeMs + known.costMs / readingShare, overMs)
      return { value: known.value, isDue: now() >= Math.min(dueMs, known.madeMs + readingRenewMs) }
    },
    made(id, value, costMs) {
      const at = now()
      overMs = Math.max(overMs, at) + costMs / readingShare
      // moved to the end: the first one is the least recently made
      all.delete(id)
      all.set(id, { value, madeMs: at, costMs })
      if (all.size <= renderedAnswers) return
      for (const oldest of all.keys()) {
        all.delete(oldest)
        break
      }
    },
  }
}
