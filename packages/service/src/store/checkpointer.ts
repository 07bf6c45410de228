import { startThread } from '../base/thread.ts'
import type { Connection } from './connection.ts'

/** Moves the write-ahead log of a state file into the file. */
export interface Checkpointer {
  /**
   * `wait` blocks the caller until this checkpoint, and a running one, are done. `done` is called, now or later, once
   * everything committed is in the file.
   */
  run(wait: boolean, done: () => void): void
  running(): boolean
  close(): Promise<void>
}

interface Outcome {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

export const isComplete = ({ busy, log, checkpointed }: Outcome): boolean => busy === 0 && log === checkpointed

/** Runs in the caller's thread: for folding history, while nothing is served. */
export function createCheckpointer(connection: Connection): Checkpointer {
  // never blocks: pages that a reader still needs stay in the write-ahead log
  const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')
  return {
    run(_, done) {
      if (isComplete(connection.guarded(() => checkpoint.get()) as unknown as Outcome)) done()
    },
    running: () => false,
    close: async () => {},
  }
}

/** Words of the shared memory. */
export const BUSY = 0
export const COMPLETE = 1

export interface CheckpointThreadData {
  readonly path: string
  readonly shared: Int32Array
}

/** milliseconds to wait for a running checkpoint; the caller then does the rest */
const WAIT_MS = 30_000

/**
 * Runs in a thread of its own, because a checkpoint waits for the disk, while commits and reads continue. If it falls
 * behind, the caller waits, so that the write-ahead log stays bounded.
 */
export function createThreadedCheckpointer(connection: Connection): Checkpointer {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const workerData: CheckpointThreadData = { path: connection.path, shared }
  const worker = startThread('store/checkpoint-thread', { workerData })
  const inline = createCheckpointer(connection)
  let pending: (() => void) | null = null
  let failed = false
  worker.unref()
  const stopped = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('error', () => {
    failed = true
    pending = null
  })

  const running = (): boolean => {
    if (pending === null || failed) return false
    if (Atomics.load(shared, BUSY) === 1) return true
    const done = pending
    pending = null
    if (Atomics.load(shared, COMPLETE) === 1) done()
    return false
  }

  return {
    run(wait, done) {
      if (wait && running()) {
        Atomics.wait(shared, BUSY, 1, WAIT_MS)
        running()
      }
      if (wait || failed) return inline.run(wait, done)
      pending = done
      Atomics.store(shared, BUSY, 1)
      worker.postMessage('checkpoint')
    },
    running,
    async close() {
      if (failed) return
      worker.postMessage('close')
      worker.ref()
      await stopped
    },
  }
}
