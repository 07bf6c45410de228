import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JETSTREAM } from '../log/jetstream/connect.ts'
import type { Located, LogStream } from '../log/jetstream/stream.ts'
import { createSharedEntryStream } from './shared.ts'

/** An empty log whose `locate` the test controls. */
function standing({ locate, ...rest }: Pick<LogStream, 'locate'> & Partial<LogStream>) {
  const read: number[] = []
  const stream: LogStream = {
    partBytes: 1_000,
    write: () => assert.fail('nothing is written'),
    async *messages(after) {
      read.push(after)
      yield* []
    },
    last: async () => 0,
    locate,
    chain: async () => null,
    renew: async () => {},
    isAway: () => false,
    close: async () => {},
    ...rest,
  }
  return { stream, read }
}

/** of a node that began with a checkpoint */
const NOTHING = { oldest: () => -1, bytes: () => [] }

async function follow(stream: LogStream, signal = new AbortController().signal, startMs = 50): Promise<void> {
  const position = () => ({ seq: 7, slot: 70, time: 1e9, facts: 0, chain: '' })
  const entries = createSharedEntryStream({
    stream,
    position,
    own: NOTHING,
    source: null,
    bounds: { ...JETSTREAM, reconnectMs: 1, startMs },
  })
  for await (const _ of entries.batches({ slot: 70, time: 1e9, facts: 0 }, signal)) assert.fail('nothing is there')
}

test('a log that ends too early is looked at again: servers that come back count up', async () => {
  const answers: Located[] = [{ ahead: 3, sequence: 3 }, { ahead: 6, sequence: 6 }, { after: 9 }]
  const { stream, read } = standing({ locate: async () => answers.shift()! })
  await follow(stream, undefined, 600_000)
  assert.deepEqual([read, answers], [[9], []])
})

test('a log that stays too short is another one, or has lost its end', async () => {
  const { stream, read } = standing({ locate: async () => ({ ahead: 3, sequence: 3 }) })
  await assert.rejects(follow(stream), /this node has entries up to 7, and the log ends at 3.*Nothing was changed/)
  assert.deepEqual(read, [])
})

test('who stops while servers are away ends without a failure', async () => {
  const leave = new AbortController()
  const { stream } = standing({
    async locate() {
      leave.abort()
      throw new Error('JetStream system temporarily unavailable')
    },
  })
  await follow(stream, leave.signal)
  await assert.rejects(follow(stream), /temporarily unavailable/)
})
