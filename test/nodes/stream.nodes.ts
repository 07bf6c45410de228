import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorError } from '@ti/service/base/errors.ts'
import { JETSTREAM } from '@ti/service/log/jetstream/connect.ts'
import { openNatsStream } from '@ti/service/log/jetstream/nats.ts'
import { LogLost, type LogStream, Overtaken } from '@ti/service/log/jetstream/stream.ts'
import { openMutedNats } from '../muted-nats.ts'
import { type NatsServer, startNats, withNats } from '../nats.ts'
import { eventually } from '../support/wait.ts'

/** What the log needs of a server, asked of a real one. */
const open = (url: string, keep: number | null = null, bounds = JETSTREAM): Promise<LogStream> =>
  openNatsStream({ servers: url.split(','), bounds, keep, signal: new AbortController().signal })

const message = (id: string, seq: number, part = 0, parts = 1) => ({
  id,
  seq,
  part,
  parts,
  bytes: Buffer.from(id),
  chain: '',
})

/** Servers that have only just met, or were cut off, may not know yet who takes it: the same words again are no second message. */
const writeAtLast = (stream: LogStream, ...words: Parameters<LogStream['write']>): Promise<void> =>
  eventually(`${words[0].id} is taken`, () =>
    stream.write(...words).then(
      () => true,
      () => false,
    ),
  )

test('what does not come behind what its writer knows is refused, and repeated words are one', withNats, async (t) => {
  const { url } = await startNats(t, 1)
  const stream = await open(url)
  t.after(() => stream.close())
  assert.equal(await stream.write(message('a', 0), { sequence: 0, messageId: null }), 1)
  assert.equal(await stream.write(message('a', 0), { sequence: 0, messageId: null }), 1, 'the same message again')
  await assert.rejects(stream.write(message('b', 0), { sequence: 0, messageId: null }), Overtaken)
  await assert.rejects(stream.write(message('b', 1), { sequence: 1, messageId: 'x.0' }), Overtaken)
  assert.equal(await stream.write(message('b', 1), { sequence: 1, messageId: 'a.0' }), 2)
  assert.equal(await stream.last(), 2)
})

test('a place is found by entry number: before, behind and ahead of what is kept', withNats, async (t) => {
  const { url } = await startNats(t, 1)
  const stream = await open(url, 4)
  t.after(() => stream.close())
  assert.deepEqual(await stream.locate(-1), { after: 0 })
  assert.deepEqual(await stream.locate(7), { ahead: -1, sequence: 0 }, 'an empty log ends before everything')
  let sequence = 0
  const put = async (...given: Parameters<typeof message>): Promise<void> => {
    sequence = await stream.write(message(...given), { sequence, messageId: null })
  }
  await put('a', 0)
  await put('b', 1, 0, 2)
  await put('b', 1, 1, 2)
  assert.deepEqual(await stream.locate(-1), { after: 0 })
  assert.deepEqual(await stream.locate(0), { after: 1 })
  assert.deepEqual(await stream.locate(1), { after: 3 })
  assert.deepEqual(await stream.locate(2), { ahead: 1, sequence: 3 })
  for (const [i, id] of ['c', 'd', 'e'].entries()) await put(id, 2 + i)
  // four are kept: the second half of b and what came after it
  assert.deepEqual(await stream.locate(0), { behind: 1 }, 'half an entry is none')
  assert.deepEqual(await stream.locate(1), { after: 3 })
  await put('f', 5)
  assert.deepEqual(await stream.locate(0), { behind: 2 })
  assert.deepEqual(await stream.locate(5), { after: 7 })
})

test(
  'a reader that has more than the stream ends, and does not wait for what it has read already',
  withNats,
  async (t) => {
    const { url } = await startNats(t, 1)
    const stream = await open(url, null, { ...JETSTREAM, startMs: 300 })
    t.after(() => stream.close())
    await stream.write(message('a', 0), { sequence: 0, messageId: null })
    const reading = stream.messages(5, new AbortController().signal)[Symbol.asyncIterator]()
    await assert.rejects(reading.next(), /message 5 was read, and ti-log ends at 1/)
  },
)

test('a stream that was made anew is not written or read until its client says so', withNats, async (t) => {
  const nats = await startNats(t, 1)
  const [stream, other] = [await open(nats.url), await open(nats.url)]
  t.after(() => Promise.all([stream.close(), other.close()]))
  await stream.write(message('a', 0), { sequence: 0, messageId: null })
  const reading = stream.messages(0, new AbortController().signal)[Symbol.asyncIterator]()
  assert.equal((await reading.next()).value![0]!.id, 'a')
  const lost = assert.rejects(reading.next(), LogLost)
  await nats.servers[0]!.replaceDisk()
  await assert.rejects(stream.last(), LogLost)
  await lost
  await other.renew()
  assert.equal(await other.last(), 0)
  // it ends where the other one did: only that it was made later tells them apart
  await other.write(message('x', 7), { sequence: 0, messageId: null })
  await assert.rejects(stream.write(message('b', 1), { sequence: 1, messageId: null }), LogLost)
  await stream.renew()
  assert.deepEqual(await stream.locate(7), { after: 1 })
  assert.deepEqual(await stream.locate(0), { behind: 7 })
})

test('a reader from whom a delivery was lost gets it, also where nothing follows', withNats, async (t) => {
  const { url } = await startNats(t, 1)
  const way = await openMutedNats(t, url)
  const [writer, reader] = [await open(url), await open(way.url, null, { ...JETSTREAM, silentMs: 300 })]
  const end = new AbortController()
  t.after(async () => {
    end.abort()
    await Promise.all([writer.close(), reader.close()])
  })
  const seen: string[] = []
  const reading = (async () => {
    for await (const batch of reader.messages(0, end.signal)) seen.push(...batch.map(({ id }) => id))
  })()
  await writer.write(message('a', 0), { sequence: 0, messageId: null })
  await eventually('it reads', () => seen.length === 1)
  const unmute = way.mute()
  await writer.write(message('b', 1), { sequence: 1, messageId: 'a.0' })
  await eventually('a delivery is lost', () => way.lost > 0)
  unmute()
  await eventually('it has what was lost', () => seen.length > 1)
  assert.deepEqual(seen, ['a', 'b'])
  end.abort()
  await reading
})

test('user and password come from the address, and no message repeats them', withNats, async (t) => {
  const { url } = await startNats(t, 1, { login: { user: 'node', password: 'p:/ %' } })
  const stream = await open(url.replace('//', '//node:p%3A%2F%20%25@'))
  assert.equal(await stream.last(), 0)
  await stream.close()
  await assert.rejects(
    open(url.replace('//', '//node:other-word@')),
    (error) => error instanceof OperatorError && !error.message.includes('other-word'),
  )
})

test('what servers without a leader cannot say is asked for until they can', withNats, async (t) => {
  const nats = await startNats(t, 3)
  const stream = await open(nats.url)
  t.after(() => stream.close())
  await writeAtLast(stream, message('a', 0), { sequence: 0, messageId: null })
  await nats.settled()
  const [one, two] = nats.servers
  await Promise.all([one!.kill(), two!.kill()])
  const asked = stream.locate(0)
  // until then it has been told that there is no leader
  await assert.rejects(
    stream.write(message('b', 1), { sequence: 1, messageId: null }),
    (error) => !(error instanceof Overtaken),
  )
  await Promise.all([one!.start(), two!.start()])
  assert.deepEqual(await asked, { after: 1 })
})

test('who is connected to a server that is cut off from the others goes to another', withNats, async (t) => {
  const nats = await startNats(t, 3)
  const alone = nats.servers[0]!
  const bounds = { ...JETSTREAM, answerMs: 500, silentMs: 1_500 }
  const [writer, reader] = [await openAt(alone), await openAt(alone)]

  /** a client takes the servers in an order of chance */
  async function openAt(server: NatsServer): Promise<LogStream> {
    for (;;) {
      const before = await nats.clients(server)
      const stream = await open(nats.url, null, bounds)
      if ((await nats.clients(server)) > before) return stream
      await stream.close()
    }
  }

  const end = new AbortController()
  t.after(async () => {
    end.abort()
    await Promise.all([writer, reader].map((stream) => stream.close()))
  })
  const seen: string[] = []
  const reading = (async () => {
    for await (const batch of reader.messages(0, end.signal)) seen.push(...batch.map(({ id }) => id))
  })()
  await writeAtLast(writer, message('a', 0), { sequence: 0, messageId: null })
  await eventually('it is read', () => seen.length === 1)
  await nats.settled()
  const mend = nats.partition(alone)
  await eventually('it is alone', async () => (await nats.routes(alone)) === 0)
  await writeAtLast(writer, message('b', 1), { sequence: 1, messageId: 'a.0' })
  await eventually('it is read', () => seen.length === 2)
  assert.equal(await nats.routes(alone), 0)
  assert.deepEqual(seen, ['a', 'b'])
  mend()
  end.abort()
  await reading
})
