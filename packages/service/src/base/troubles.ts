import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'

/** A shortage or a failure of the process outside a client's request. */
interface Trouble {
  /** the affected part, in a word or two: the label of the metric */
  readonly what: string
  readonly message: string
  /** Unix milliseconds it was noted last, and how often since the start */
  readonly lastMs: number
  readonly times: number
}

/**
 * Shortages and failures of the process. Timers and servers note them here instead of throwing, because an exception
 * outside a request ends the process; `/readyz` shows the recent ones and the metrics count all.
 */
interface Troubles {
  note(what: string, error: unknown): void
  /** troubles noted within SHOWN_MS, in the order of their first occurrence */
  recent(): readonly Trouble[]
  /** by `what`, since the start */
  readonly counts: Counts
  /** called at every note; null: no listener */
  onNote: ((trouble: Trouble) => void) | null
}

/** milliseconds a trouble is shown after it was last noted: three rounds of the slowest probe */
export const SHOWN_MS = 3_000

export function createTroubles(now: () => number = Date.now): Troubles {
  const noted = new Map<string, Trouble>()
  const counts = createCounts()
  const troubles: Troubles = {
    note(what, error) {
      count(counts, what)
      const trouble = { what, message: wordsOf(error), lastMs: now(), times: counts.get(what)! }
      noted.set(what, trouble)
      troubles.onNote?.(trouble)
    },
    recent() {
      const since = now() - SHOWN_MS
      return [...noted.values()].filter(({ lastMs }) => lastMs > since)
    },
    counts,
    onNote: null,
  }
  return troubles
}

/** The troubles of this process: its parts share its descriptors, memory and disk. */
export const processTroubles = createTroubles()

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
