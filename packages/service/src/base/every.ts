import { processTroubles } from './troubles.ts'

interface Repeated {
  /** label under which failures are noted */
  readonly what: string
  /** milliseconds between two runs */
  readonly ms: number
  readonly run: () => unknown
  /** records failures */
  readonly troubles?: { note(what: string, error: unknown): void }
}

/**
 * The one way to do something at an interval, whether the run before has ended or not: a run that throws or rejects is noted and the next one comes all the same. An
 * exception in a bare interval would end the process. It does not keep the process alive. The answer stops it.
 */
export function every({ what, ms, run, troubles = processTroubles }: Repeated): () => void {
  const failed = (error: unknown): void => troubles.note(what, error)
  const guarded = (): void => {
    try {
      const result = run()
      if (result instanceof Promise) result.catch(failed)
    } catch (error) {
      failed(error)
    }
  }
  const timer = setInterval(guarded, ms)
  timer.unref()
  return () => clearInterval(timer)
}
