/** A semaphore with a bounded queue: `atOnce` run, `waiting` more wait in turn, the rest is turned away. */
interface Semaphore {
  /** runs it when there is room; null where too many wait already */
  run<T>(work: () => Promise<T>): Promise<T | null>
}

export function createSemaphore({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Semaphore {
  let running = 0
  const queue: (() => void)[] = []
  return {
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return null
        // the place passes to the next in line
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
