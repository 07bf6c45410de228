import { setTimeout as pause } from 'node:timers/promises'

/**
 * Runs `work` once for all who ask at the same time. A run begins after it was asked for, so its result is never older than the
 * question, and runs begin at least `everyMs` after the end of the one before.
 */
export function createSharedRun<T>(work: () => Promise<T>, everyMs: number): () => Promise<T> {
  let next: Promise<T> | null = null
  let rest: Promise<unknown> = Promise.resolve()

  async function run(): Promise<T> {
    await rest
    next = null
    const result = work()
    rest = result.catch(() => {}).then(() => pause(everyMs))
    return result
  }

  return () => {
    next ??= run()
    return next
  }
}
