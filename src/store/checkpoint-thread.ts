import { parentPort, workerData } from 'node:worker_threads'
import { isComplete } from './checkpointer.ts'
import { openConnection } from './connection.ts'

/** KiB: a checkpoint reads pages past the cache */
const CACHE_KIB = 256

/** Runs checkpoints of the state file `workerData` when it is asked to. */
const connection = openConnection(workerData as string, { cacheKiB: CACHE_KIB })
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')

parentPort!.on('message', (word) => {
  if (word === 'close') {
    connection.close()
    parentPort!.close()
    return
  }
  const outcome = checkpoint.get() as unknown as Parameters<typeof isComplete>[0]
  parentPort!.postMessage(isComplete(outcome))
})
