/** Time as the observers see it; tests bring their own. */
export interface Clock {
  /** milliseconds that only grow, for pauses and budgets */
  ms(): number
  /** Unix seconds, the time of reported facts */
  seconds(): number
  /** runs once, `ms` from now; the answer cancels it */
  after(ms: number, run: () => void): () => void
}

export const SYSTEM_CLOCK: Clock = {
  ms: () => performance.now(),
  seconds: () => Date.now() / 1_000,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** The surroundings of every observer. */
export interface Surroundings {
  readonly clock: Clock
  /** 0 ≤ x < 1 */
  readonly random: () => number
}
