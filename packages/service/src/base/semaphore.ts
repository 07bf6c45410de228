/** A semaphore with a bounded queue: `atOnce` run, `waiting` more wait in order, and further calls are refused. */
export function createSemaphore({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }) {
  let running = 0
  const queue: (() => void)[] = []
  return {
    /** runs the work when there is room; null if the queue is full */
    async run<T>(work: () => Promise<T>): Promise<T | null> {
      if (running >= atOnce) {
        if (queue.length >= waiting) return null
        // the place passes directly to the next in the queue
        await new Promise<void>((resolve) => queue.push(resolve))
      } else running++
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next === undefined) running--
        else next()
      }
    },
  }
}
