import { parentPort, workerData } from 'node:worker_threads'
import { BUSY, type CheckpointThreadData, COMPLETE, isComplete } from './checkpointer.ts'
import { openConnection } from './connection.ts'

/** KiB; small, because a checkpoint reads pages past the cache */
const CACHE_KIB = 256

/** Runs WAL checkpoints of a state file on request. */
const { path, shared } = workerData as CheckpointThreadData
const connection = openConnection(path, { cacheKiB: CACHE_KIB })
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')

parentPort!.on('message', (word) => {
  if (word === 'close') {
    connection.close()
    parentPort!.close()
    return
  }
  let complete = false
  try {
    complete = isComplete(checkpoint.get() as unknown as Parameters<typeof isComplete>[0])
  } finally {
    Atomics.store(shared, COMPLETE, complete ? 1 : 0)
    Atomics.store(shared, BUSY, 0)
    Atomics.notify(shared, BUSY)
  }
})
