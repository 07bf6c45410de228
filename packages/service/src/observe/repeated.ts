import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Logger } from '../base/log.ts'
import { createPoller, type Poller } from '../base/poller.ts'
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
  let poller: Poller | null = null

  function onError(error: unknown): void {
    if (stop.signal.aborted) return
    count(counts, 'fault')
    logger.error({ observer: name, error }, 'an observer failed')
  }
  return {
    start() {
      poller = createPoller({
        what: name,
        run: () => run(stop.signal),
        // a tenth more or less, so that nodes started together do not stay together
        everyMs: () => everyMs * (0.9 + around.random() / 5),
        onError,
        after: around.clock.after,
      })
      poller.wake()
    },
    async close() {
      stop.abort()
      await poller?.stop()
    },
    status: () => ({ name, waiting: 0, inFlight: poller?.isRunning === true ? 1 : 0, counts }),
  }
}
