import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Logger } from '../base/log.ts'
import type { Surroundings } from './clock.ts'
import type { Observer } from './types.ts'

interface RepeatedOptions {
  readonly name: string
  readonly counts: Counts
  readonly everyMs: number
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly logger: Logger
  readonly around: Surroundings
}

/** An observer that does one thing again and again; the next pause begins when it is done. */
export function createRepeated({ name, counts, everyMs, run, logger, around }: RepeatedOptions): Observer {
  const stop = new AbortController()
  let running: Promise<void> | null = null
  let cancel = (): void => {}

  function round(): void {
    running = run(stop.signal)
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        count(counts, 'fault')
        logger.error({ observer: name, error }, 'an observer failed')
      })
      .finally(() => {
        running = null
        // a tenth more or less, so that nodes started together do not stay together
        if (!stop.signal.aborted) cancel = around.clock.after(everyMs * (0.9 + around.random() / 5), round)
      })
  }
  return {
    start: round,
    async close() {
      stop.abort()
      cancel()
      await running
    },
    status: () => ({ name, waiting: 0, inFlight: running === null ? 0 : 1, counts }),
  }
}
