/** Something done one at a time: the pause begins when a run has ended, unlike that of `every`. */
interface Rounds {
  start(): void
  /** resolves when a running one has ended */
  stop(): Promise<void>
}

/** `run` never fails. Without `pauseMs` nothing runs by itself. */
export function createRounds(run: () => Promise<void>, pauseMs: number | null): Rounds {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  function schedule(): void {
    if (stopped || pauseMs === null) return
    timer = setTimeout(() => {
      running = run().finally(schedule)
    }, pauseMs)
    timer.unref()
  }
  return {
    start: schedule,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
