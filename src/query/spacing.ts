/** Those of LIMITS with the same names. */
export type SpacingBounds = Readonly<
  Record<'readingShare' | 'readingOldMs' | 'readingRenewMs' | 'renderedAnswers', number>
>

/**
 * What costs much to read is not read anew at every block. A reading that took c ms of the event loop stands for c ÷
 * `readingShare` ms, and while several such together would take more than that share, the kept ones stand longer,
 * `readingRenewMs` at most; until `readingOldMs` they are given while the next one is made. What was never read is waited for.
 */
export interface Spacing<T> {
  /** what stands for `id`, for somebody who has asked since `sinceMs`; undefined: it is to be read first */
  kept(id: number, sinceMs: number): Standing<T> | undefined
  made(id: number, value: T, costMs: number): void
}

export interface Standing<T> {
  readonly value: T
  /** it is to be read anew */
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
