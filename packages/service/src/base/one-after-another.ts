/** Runs `work` alone; a call during a run gets the next run, which begins after the call. */
export function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => {
    next = null
    const run = work().finally(() => {
      if (running === run) running = null
    })
    running = run
    return run
  }
  return () => {
    if (running === null) return start()
    next ??= running.then(start)
    return next
  }
}
