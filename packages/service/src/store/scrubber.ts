import type { Worker } from 'node:worker_threads'
import { createPoller } from '../base/poller.ts'
import { startThread } from '../base/thread.ts'

/** The result of one verification of the whole log and state. */
interface ScrubPass {
  /** Unix milliseconds. */
  readonly endedMs: number
  /** Records of the state and bytes of the log that were read. */
  readonly records: number
  readonly logBytes: number
  /** Faults of the log as text; those of the state go to `onDamagedState`. */
  readonly damage: readonly string[]
}

interface ScrubPace {
  /** The largest share of one core, including waits for the disk. */
  readonly share: number
  /** Milliseconds between passes, and between checks whether one is due; the first check starts the first pass. */
  readonly pauseMs: number
  readonly lookMs: number
}

/**
 * Two percent of a core do not disturb the service and read some 5 GB an hour. The first pass waits until the start is
 * over; the hour between passes keeps a small directory from being read endlessly.
 */
const PACE: ScrubPace = { share: 0.02, pauseMs: 3_600_000, lookMs: 60_000 }

export interface ScrubThreadData {
  readonly dataDir: string
  readonly share: number
}

export type FromScrub =
  | { readonly kind: 'pass'; readonly pass: ScrubPass }
  | { readonly kind: 'damaged'; readonly what: string }

interface ScrubberOptions {
  readonly pace?: ScrubPace
  /** The state was found damaged and marked: close and reopen it. */
  readonly onDamagedState: (what: string) => void
  readonly onDamagedLog: (damage: readonly string[]) => void
  /** A pass failed; the next one is tried. */
  readonly onFailed: (error: Error) => void
}

/** MB of a thread's heap, which holds one piece of records at a time */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 3 }

/**
 * Reads log and state of `dataDir` while the service writes them, to find damage that no request touches. It runs in a
 * thread, because it waits for the disk, and in a new one per pass, because a thread takes 15 MB.
 */
export function startScrubber(dataDir: string, options: ScrubberOptions) {
  const { pace = PACE, onDamagedState, onDamagedLog, onFailed } = options
  const workerData: ScrubThreadData = { dataDir, share: pace.share }
  let last: ScrubPass | null = null
  let worker: Worker | null = null
  let endedAt = Number.NEGATIVE_INFINITY

  async function pass(): Promise<void> {
    worker = startThread('store/scrub-thread', { workerData, resourceLimits: HEAP })
    worker.unref()
    worker.on('error', onFailed)
    worker.on('message', (message: FromScrub) => {
      if (message.kind === 'damaged') return onDamagedState(message.what)
      last = message.pass
      if (last.damage.length > 0) onDamagedLog(last.damage)
    })
    await new Promise<void>((resolve) => worker!.once('exit', () => resolve()))
    worker = null
    endedAt = performance.now()
  }
  const passes = createPoller({
    what: 'scrub',
    everyMs: pace.lookMs,
    run: () => (performance.now() - endedAt >= pace.pauseMs ? pass() : null),
  })

  return {
    /** The last complete pass, null before the first. */
    last: (): ScrubPass | null => last,
    async close(): Promise<void> {
      worker?.ref()
      // a thread that is ended while SQLite works in it takes the process along
      worker?.postMessage('stop')
      await passes.stop()
    },
  }
}
