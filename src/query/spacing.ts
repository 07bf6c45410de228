/** Those of LIMITS with the same names. */
export type SpacingBounds = Readonly<
  Record<'readingHoldersMin' | 'readingShare' | 'readingOldMs' | 'renderedAnswers', number>
>

/**
 * What costs much to read is not read anew at every block. A reading that held the event loop for c ms stands for c ÷
 * `readingShare` ms, and while several such together would take more than that share, the kept ones stand longer, `readingOldMs`
 * at most. What was never read is read at once.
 */
export interface Spacing<T> {
  /** what stands for `id`; undefined: it is to be read */
  kept(id: number): T | undefined
  /** reading `value`, of so many holders, took `ms` more */
  spent(id: number, value: T, holders: number, ms: number): void
  /** milliseconds that only go forward */
  now(): number
}

interface Kept<T> {
  readonly value: T
  readonly madeMs: number
  readonly costMs: number
}

export function createSpacing<T>(bounds: SpacingBounds, now: () => number = () => performance.now()): Spacing<T> {
  const { readingHoldersMin, readingShare, readingOldMs, renderedAnswers } = bounds
  const all = new Map<number, Kept<T>>()
  /** until then what was spent is more than the share of the time since */
  let overMs = Number.NEGATIVE_INFINITY
  return {
    kept(id) {
      const known = all.get(id)
      if (known === undefined) return undefined
      const at = now()
      const dueMs = Math.max(known.madeMs + known.costMs / readingShare, overMs)
      if (at < Math.min(dueMs, known.madeMs + readingOldMs)) return known.value
      all.delete(id)
      return undefined
    },
    spent(id, value, holders, ms) {
      if (holders < readingHoldersMin) return
      const at = now()
      const before = all.get(id)
      overMs = Math.max(overMs, at) + ms / readingShare
      all.set(id, { value, madeMs: before?.madeMs ?? at, costMs: (before?.costMs ?? 0) + ms })
      if (all.size <= renderedAnswers) return
      for (const oldest of all.keys()) {
        all.delete(oldest)
        break
      }
    },
    now,
  }
}
