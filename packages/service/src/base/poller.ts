import { processTroubles } from './troubles.ts'

interface PollerOptions {
  /** label under which failures are noted */
  readonly what: string
  readonly run: () => unknown
  /** milliseconds from the end of a run to the next one; null: a run begins only on request */
  readonly everyMs?: number | (() => number) | null
  /** receives failures of runs without a waiting caller; by default the troubles of the process */
  readonly onError?: (error: unknown) => void
  /** runs once, `ms` from now, and returns a function that cancels it; for tests */
  readonly after?: (ms: number, run: () => void) => () => void
}

/**
 * One task that is repeated: at an interval, when it is woken, or both. It never runs twice at once, and a wake during a run
 * causes one more run, which begins after the wake even where the current run fails.
 */
export type Poller = ReturnType<typeof createPoller>

/** Starts the interval, if there is one. Its timer does not keep the process alive. */
export function createPoller({ what, run: work, everyMs = null, onError, after = unrefTimer }: PollerOptions) {
  const report = onError ?? ((error: unknown) => processTroubles.note(what, error))
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  let cancel = (): void => {}
  let isStopped = false

  function schedule(): void {
    cancel()
    if (everyMs === null || isStopped) return
    cancel = after(typeof everyMs === 'number' ? everyMs : everyMs(), wake)
  }

  function begin(): Promise<void> {
    cancel()
    next = null
    current = (async () => {
      try {
        await work()
      } finally {
        current = null
        schedule()
      }
    })()
    return current
  }

  function run(): Promise<void> {
    if (next !== null) return next
    if (current === null) return begin()
    next = current.then(begin, begin)
    return next
  }

  function wake(): void {
    if (!isStopped) run().catch(report)
  }

  schedule()
  return {
    /** Runs now, or once more after the current run. Settles with that run's result. */
    run,
    /** The same for callers that don't wait; its failure is noted. Nothing happens once the poller is stopped. */
    wake,
    get isRunning(): boolean {
      return current !== null
    },
    /** Ends the repetition. Resolves when the current run, and a run requested during it, have ended. */
    async stop(): Promise<void> {
      isStopped = true
      cancel()
      await Promise.allSettled([current, next])
    },
  }
}

function unrefTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
