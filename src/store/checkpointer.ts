import { Worker } from 'node:worker_threads'
import type { Connection } from './connection.ts'

/** Moves the write-ahead log of a state file into the file. */
export interface Checkpointer {
  /** `wait`: the caller is held until it is done. `done` is called once everything that was committed is in the file */
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

/** In the caller's own thread: for folding history, where nobody waits for an answer. */
export function createCheckpointer(connection: Connection): Checkpointer {
  // it waits for nobody: what a reader still needs stays where it is
  const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')
  return {
    run(_, done) {
      if (isComplete(connection.guarded(() => checkpoint.get()) as unknown as Outcome)) done()
    },
    running: () => false,
    close: async () => {},
  }
}

/**
 * In a thread of its own, because a checkpoint waits for the disk: commits and readings go on beside it. Where it does not
 * keep up, the caller is made to wait.
 */
export function createThreadedCheckpointer(connection: Connection): Checkpointer {
  const own = import.meta.url.endsWith('.ts') ? './checkpoint-thread.ts' : './checkpoint-thread.js'
  const worker = new Worker(new URL(own, import.meta.url), { workerData: connection.path })
  const inline = createCheckpointer(connection)
  let finish: (() => void) | null = null
  let failed = false
  worker.unref()
  const stopped = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.on('message', (complete: boolean) => {
    const done = finish
    finish = null
    if (complete) done?.()
  })
  worker.on('error', () => {
    failed = true
    finish = null
  })
  return {
    run(wait, done) {
      if (wait || failed) return inline.run(wait, done)
      finish = done
      worker.postMessage('checkpoint')
    },
    running: () => finish !== null,
    async close() {
      if (failed) return
      worker.postMessage('close')
      worker.ref()
      await stopped
    },
  }
}
