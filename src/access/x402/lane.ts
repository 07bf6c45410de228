/** A few at once, a few more that wait, the rest is turned away: a semaphore with a bounded queue. */
export interface Lane {
  /** runs it when there is room; null where too many wait already */
  run<T>(work: () => Promise<T>): Promise<T | null>
}

export function createLane({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Lane {
  let running = 0
  const queue: (() => void)[] = []
  return {
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return null
        // whoever leaves hands its place on
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
