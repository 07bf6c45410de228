import { Worker } from 'node:worker_threads'
import type { StoreOptions } from './open.ts'

/** One verification of all of log and state. */
interface ScrubPass {
  /** Unix milliseconds */
  readonly endedMs: number
  /** records of the state and bytes of the log that were read */
  readonly records: number
  readonly logBytes: number
  /** faults of the log in words; those of the state are told by `onDamagedState` */
  readonly damage: readonly string[]
}

interface ScrubPace {
  /** share of one core, waits for the disk included, that the thread has at most */
  readonly share: number
  /** milliseconds from the start to the first pass, and between two */
  readonly firstMs: number
  readonly pauseMs: number
}

/**
 * Two percent of a core are not noticed beside the service, and read some 5 GB an hour. The first pass leaves the start alone;
 * the hour between two keeps a small directory from being read without end.
 */
const PACE: ScrubPace = { share: 0.02, firstMs: 60_000, pauseMs: 3_600_000 }

export interface ScrubThreadData extends StoreOptions {
  readonly dataDir: string
  readonly pace: ScrubPace
}

export type FromScrub =
  | { readonly kind: 'pass'; readonly pass: ScrubPass }
  | { readonly kind: 'damaged'; readonly what: string }
  | { readonly kind: 'failed'; readonly message: string }

interface ScrubberOptions extends StoreOptions {
  readonly pace?: ScrubPace
  /** the state was found damaged, and is marked so: close it and open it again */
  readonly onDamagedState: (what: string) => void
  readonly onDamagedLog: (damage: readonly string[]) => void
  /** a pass could not be made; the next one is tried */
  readonly onFailed: (error: Error) => void
}

interface Scrubber {
  /** the last whole pass, null before the first */
  last(): ScrubPass | null
  close(): Promise<void>
}

/** MB of the thread's heap: it holds one piece of records at a time, and the positions of one token */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 4 }

/** Reads log and state of `dataDir` in a thread of its own, beside the service that writes them, to find damage that no request meets. */
export function startScrubber(dataDir: string, options: ScrubberOptions): Scrubber {
  const { formulasVersion, pace = PACE, onDamagedState, onDamagedLog, onFailed } = options
  const own = import.meta.url.endsWith('.ts') ? './scrub-thread.ts' : './scrub-thread.js'
  const workerData: ScrubThreadData = { dataDir, formulasVersion, pace }
  const worker = new Worker(new URL(own, import.meta.url), { workerData, resourceLimits: HEAP })
  worker.unref()
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  let last: ScrubPass | null = null
  worker.on('error', onFailed)
  worker.on('message', (message: FromScrub) => {
    if (message.kind === 'damaged') return onDamagedState(message.what)
    if (message.kind === 'failed') return onFailed(new Error(message.message))
    last = message.pass
    if (last.damage.length > 0) onDamagedLog(last.damage)
  })
  return {
    last: () => last,
    async close() {
      worker.ref()
      // a thread that is ended while SQLite works in it takes the process along
      worker.postMessage('stop')
      await exited
    },
  }
}
