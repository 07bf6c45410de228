/** Those of LIMITS with the same names. */
export type SpacingBounds = Readonly<
  Record<'readingShare' | 'readingOldMs' | 'readingRenewMs' | 'renderedAnswers', number>
>

/**
 * Expensive readings are not repeated at every block. A reading that took c ms of the event loop is valid for c ÷
 * `readingShare` ms. While several together would exceed that share, cached ones stay valid longer, at most
 * `readingRenewMs`; until `readingOldMs` they are served while the next one is made. A first reading is waited for.
 */
interface Spacing<T> {
  /** the cached reading of `id`, for a request that arrived at `sinceMs`; undefined: it has to be read first */
  kept(id: number, sinceMs: number): Standing<T> | undefined
  made(id: number, value: T, costMs: number): void
}

interface Standing<T> {
  readonly value: T
  /** it has to be read again */
  readonly isDue: boolean
}

interface Kept<T> {
  readonly value: T
  readonly madeMs: number
  readonly costMs: number
}

export function createSpacing<T>(bounds: SpacingBounds, now: () => number): Spacing<T> {
  const { readingShare, readingOldMs, readingRenewMs, renderedAnswers } = bounds
  const all = new Map<number, Kept<T>>()
  /** until then what was spent is more than the share of the time since */
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
      // behind the others: the first is the one that was not read for longest
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
