import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openObjectCheckpoints } from '@ti/service/checkpoints/object-store.ts'
import { JETSTREAM } from '@ti/service/log/jetstream/connect.ts'
import type { Checkpoint } from '@ti/service/store/checkpoint.ts'
import { startNats, withNats } from '../nats.ts'

const HEADER: Checkpoint = {
  checkpoint: 3,
  fingerprint: '0123456789abcdef',
  seq: 7,
  slot: 70,
  madeMs: 1,
  bytes: 3,
  partBytes: 3,
  files: [{ name: 'state/state.db', bytes: 3, parts: ['0'.repeat(64)] }],
}

test('a checkpoint is kept and read over servers that lose their leader meanwhile', withNats, async (t) => {
  const nats = await startNats(t, 3)
  const servers = nats.url.split(',')
  const checkpointStore = await openObjectCheckpoints(servers)
  const hasty = await openObjectCheckpoints(servers, { ...JETSTREAM, answerMs: 300, startMs: 600 })
  t.after(() => Promise.all([checkpointStore.close(), hasty.close()]))
  const [one, two] = nats.servers
  const lose = () => Promise.all([one!.kill(), two!.kill()])
  const back = () => Promise.all([one!.start(), two!.start()])
  await nats.settled()
  const sink = await checkpointStore.add(HEADER)
  await lose()
  const put = sink.put(0, Buffer.from('abc'))
  await assert.rejects(hasty.list(), /CHECKPOINTS: the object store cannot be used/)
  await back()
  await put
  await sink.done()
  await nats.settled()
  await lose()
  const listed = checkpointStore.list()
  await assert.rejects(hasty.list(), /CHECKPOINTS: the object store cannot be used/)
  await back()
  const [kept] = await listed
  assert.deepEqual(kept?.header, HEADER)
  const bytes = await checkpointStore.read(kept.id, (source) => source.part(0))
  assert.equal(bytes.toString(), 'abc')
})
