import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'

/** Something the process is short of, or failed at, without having been asked by a client. */
interface Trouble {
  /** what it happened to, in a word or two: the label of the metric */
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
  /** those noted within SHOWN_MS, in the order in which they first came */
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

/** Those of this process: descriptors, memory and disk belong to it as a whole, whichever part runs into their end. */
export const processTroubles = createTroubles()

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
