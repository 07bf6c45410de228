import '@ti/lab/register.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startThread } from '@ti/service/base/thread.ts'
import { type FromThread, MORE, STOP, type ThreadData } from '@ti/service/ingest/thread.ts'
import { openNode } from '@ti/service/service/node.ts'

/**
 * A thread that is ended from outside while the database closes in it takes the whole process along, which happens once
 * in thousands of times. So what can be shown each time is that it ends by itself.
 */
for (const after of [0, 1, 20])
  test(`the decoding thread, told to stop after ${after} batches, closes what it has open, says so and ends`, {
    timeout: 60_000,
  }, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'decoding-thread-'))
    const node = await openNode(dataDir)
    t.after(async () => {
      await node.close()
      rmSync(dataDir, { recursive: true, force: true })
    })
    const cursor = { slot: -1, time: 0, facts: 0 }
    const workerData: ThreadData = { spec: 'simulator:speed=0', dataDir, cursor, followed: [], unknownAfter: null }
    const worker = startThread('ingest/decode-thread', { workerData })
    let batches = 0
    let last: FromThread | undefined
    worker.on('message', (message: FromThread) => {
      last = message
      if (message.kind !== 'batch') return
      batches++
      worker.postMessage(batches < after ? MORE : STOP)
    })
    worker.postMessage(after === 0 ? STOP : MORE)
    const [code] = await once(worker, 'exit')
    assert.equal(code, 0)
    assert.equal(last?.kind, 'end')
    assert.equal(batches, after)
  })
