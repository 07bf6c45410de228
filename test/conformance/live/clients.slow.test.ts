import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KEYS } from '../../support/fake-service.ts'
import { fakeStreams, openLive, revocableKeys, startLive, until, untilQuiet } from '../../support/live-service.ts'
import { CLIENTS, connectClient, type Followed, follow } from './official.ts'

const range = (to: number): number[] => Array.from({ length: to }, (_, i) => i + 1)
const QUICK = { visitMs: 60, visitSlots: 3 }
/** resumes behind what was received */
const resume = ({ seqs }: Followed) => ({ after_seq: seqs.at(-1) ?? 0 })

for (const [name, Socket] of CLIENTS) {
  describe(name, { concurrency: true }, () => {
    test('joins both topics and receives what is published, in order; a heartbeat keeps it', async (t) => {
      const service = await openLive(t, { bounds: { ...QUICK, idleMs: 6_000 } })
      // a reply that is later than the next beat makes the client connect anew
      const client = connectClient(t, Socket, service.socketUrl, { heartbeatIntervalMs: 2_000 })
      const [tokens, frames] = [await follow(client, 'tokens:live'), await follow(client, 'frames:live')]
      const start = performance.now()
      let count = 0
      while (performance.now() - start < 9_000) {
        service.publish('frames:live', { n: ++count, text: 'é😀' })
        service.publish('tokens:live')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await until('all has come', () => frames.seqs.length === count && tokens.seqs.length === count)
      assert.deepEqual([frames.seqs, tokens.seqs], [range(count), range(count)])
      assert.deepEqual(frames.payloads.at(-1), { data: { seq: count, n: count, text: 'é😀' } })
      assert.deepEqual(tokens.payloads[0], { type: 't', data: { seq: 1 } })
      assert.deepEqual(frames.joins, [{ seq: 0, oldest_seq: 1, resumed: false }])
      assert.ok(client.beats() >= 3, `${client.beats()} heartbeats`)
      assert.deepEqual(client.story, ['open'])
    })

    test('without heartbeats it is closed with 1002, comes back, and goes on', async (t) => {
      const service = await openLive(t, { bounds: { ...QUICK, idleMs: 400 } })
      const client = connectClient(t, Socket, service.socketUrl)
      const frames = await follow(client, 'frames:live', resume)
      let published = 0
      await until('it was away twice', () => {
        published = service.publish('frames:live')
        return frames.joins.length === 3
      })
      await until('all has come', () => frames.seqs.length >= published)
      assert.deepEqual(frames.seqs, range(published))
      assert.deepEqual(client.story.slice(0, 4), ['open', 1002, 'open', 1002])
    })

    test('two channels of one topic: the older one ends, each broadcast comes once', async (t) => {
      const service = await openLive(t)
      const client = connectClient(t, Socket, service.socketUrl)
      const old = await follow(client, 'frames:live')
      service.publish('frames:live')
      await until('the first has come', () => old.seqs.length === 1)
      const young = await follow(client, 'frames:live')
      await until('the older one has ended', () => old.story.includes('closed'))
      service.publish('frames:live')
      service.publish('frames:live')
      await until('both have come', () => young.seqs.length === 2)
      assert.deepEqual([old.seqs, young.seqs], [[1], [2, 3]])
      assert.deepEqual([old.story, young.story], [['joined', 'closed'], ['joined']])
      assert.equal(await service.metric('ti_live_readers{topic="frames:live",state="live"}'), 1)
      assert.deepEqual(client.story, ['open'])
    })

    test('leaves, hears nothing more, and may join again', async (t) => {
      const service = await openLive(t)
      const client = connectClient(t, Socket, service.socketUrl)
      const [frames, tokens] = [await follow(client, 'frames:live'), await follow(client, 'tokens:live')]
      let answer = ''
      frames.channel.leave().receive('ok', () => {
        answer = 'ok'
      })
      await until('the leave is answered', () => answer === 'ok' && frames.story.includes('closed'))
      await until(
        'it does not follow',
        async () => (await service.metric('ti_live_readers{topic="frames:live",state="live"}')) === 0,
      )
      service.publish('frames:live')
      service.publish('tokens:live')
      await until('the other topic goes on', () => tokens.seqs.length === 1)
      const again = await follow(client, 'frames:live')
      service.publish('frames:live')
      await until('it follows again', () => again.seqs.length === 1)
      assert.deepEqual([frames.seqs, again.seqs, again.joins], [[], [2], [{ seq: 1, oldest_seq: 1, resumed: false }]])
      client.socket.disconnect()
      await untilQuiet(service)
    })

    test('an unknown topic and a bad after_seq are refused with a reason, and the socket stays', async (t) => {
      const service = await openLive(t)
      const client = connectClient(t, Socket, service.socketUrl, { rejoinAfterMs: () => 60_000 })
      const dead = await follow(client, 'frames:dead')
      assert.deepEqual(dead.story, ['refused: unmatched topic'])
      dead.channel.leave()
      for (const after_seq of ['1', -1, 1.5, null, {}]) {
        const { channel, story } = await follow(client, 'frames:live', { after_seq })
        assert.deepEqual(story, ['refused: bad after_seq'], String(after_seq))
        channel.leave()
      }
      const { channel, story } = await follow(client, 'frames:live')
      let reason = ''
      channel.push('shout', {}).receive('error', (response) => {
        reason = response.reason
      })
      await until('the push is answered', () => reason !== '')
      assert.deepEqual([reason, story, client.story], ['unknown event', ['joined'], ['open']])
    })

    test('a resume from too far back goes on live and says so', async (t) => {
      const service = await openLive(t, { topics: fakeStreams(5) })
      for (let i = 0; i < 10; i++) service.append('frames:live')
      const client = connectClient(t, Socket, service.socketUrl)
      const late = await follow(client, 'frames:live', { after_seq: 3 })
      service.publish('frames:live')
      await until('it follows', () => late.seqs.length === 1)
      assert.deepEqual([late.joins, late.seqs], [[{ seq: 10, oldest_seq: 6, resumed: false }], [11]])
    })

    test('a key that is revoked: 1001, and the client that comes back meets 403', async (t) => {
      const { keys, revoke } = revocableKeys()
      const service = await openLive(t, { keys, bounds: QUICK })
      const client = connectClient(t, Socket, service.socketUrl)
      const frames = await follow(client, 'frames:live')
      revoke(KEYS.pro)
      await until('it was refused twice', () => client.story.length >= 4)
      assert.deepEqual(client.story.slice(0, 4), ['open', 1001, 403, 403])
      assert.deepEqual(frames.story.slice(0, 2), ['joined', 'error'])
      await untilQuiet(service)
    })

    test('a bad key meets 403', async (t) => {
      const service = await openLive(t)
      for (const params of [{}, { api_key: 'nonsense' }, { api_key: KEYS.expired }]) {
        const client = connectClient(t, Socket, service.socketUrl, { params })
        await until('it was refused', () => client.story.length > 0)
        assert.equal(client.story[0], 403)
        client.socket.disconnect()
      }
    })

    test('a trial that is over: 1001, then 429 until there is time again', async (t) => {
      let time = true
      const seat = { hasTime: () => time, release() {} }
      const trials = {
        open: async () => (time ? ({ ok: true, seat } as const) : ({ ok: false, retryAfterS: 9 } as const)),
      }
      const service = await openLive(t, { trials, bounds: QUICK })
      const client = connectClient(t, Socket, service.socketUrl, { params: { api_key: KEYS.free } })
      const frames = await follow(client, 'frames:live', resume)
      service.publish('frames:live')
      await until('it has come', () => frames.seqs.length === 1)
      time = false
      await until('it was refused', () => client.story.includes(429))
      service.publish('frames:live')
      time = true
      await until('it is back', () => frames.seqs.length === 2)
      assert.deepEqual(frames.seqs, [1, 2])
      assert.deepEqual(client.story.slice(0, 3), ['open', 1001, 429])
    })

    test('a server that stops: 1012; on its successor both topics go on without a gap or a repetition', async (t) => {
      const topics = fakeStreams()
      const first = await startLive({ topics })
      const client = connectClient(t, Socket, first.socketUrl)
      const [tokens, frames] = [
        await follow(client, 'tokens:live', resume),
        await follow(client, 'frames:live', resume),
      ]
      const publish = (where: { publish: typeof first.publish }, count: number) => {
        for (let i = 0; i < count; i++)
          for (const topic of ['tokens:live', 'frames:live'] as const) where.publish(topic)
      }
      publish(first, 20)
      // what is on its way when the server stops comes before the close, or is asked for again
      const stopped = first.close()
      publish({ publish: (topic) => topics.append(topic).seq }, 500)
      await stopped
      await until('it is away', () => client.story.includes(1012))
      const second = await openLive(t, { topics, port: first.port })
      publish(second, 20)
      await until('it is back', () => frames.joins.length === 2 && tokens.joins.length === 2)
      publish(second, 20)
      await until('all has come', () => frames.seqs.length >= 560 && tokens.seqs.length >= 560)
      assert.deepEqual([frames.seqs, tokens.seqs], [range(560), range(560)])
      assert.equal((frames.joins[1] as { resumed: boolean }).resumed, true)
      assert.deepEqual(
        client.story.filter((one) => one !== 503),
        ['open', 1012, 'open'],
      )
    })

    test('a connection that breaks again and again: still without a gap or a repetition', async (t) => {
      const cut: (() => void)[] = []
      const service = await openLive(t, { onSocket: (socket) => cut.push(() => socket.resetAndDestroy()) })
      const client = connectClient(t, Socket, service.socketUrl)
      const frames = await follow(client, 'frames:live', resume)
      for (let round = 1; round <= 8; round++) {
        for (let i = 0; i < 50; i++) service.publish('frames:live', { pad: 'x'.repeat(2_000) })
        // in the middle of what is on its way
        await until('some has come', () => frames.seqs.length > 50 * (round - 1))
        cut.at(-1)!()
        await until('it is back', () => frames.joins.length === round + 1)
      }
      await until('all has come', () => frames.seqs.length >= 400)
      assert.deepEqual(frames.seqs, range(400))
      assert.equal(client.story.filter((one) => one === 'open').length, 9)
    })

    test('a key in the subprotocol instead of the URL', async (t) => {
      const service = await openLive(t)
      const client = connectClient(t, Socket, service.socketUrl, { params: {}, authToken: KEYS.pro })
      const frames = await follow(client, 'frames:live')
      service.publish('frames:live')
      await until('it has come', () => frames.seqs.length === 1)
      assert.equal((client.socket as unknown as { conn: { protocol: string } }).conn.protocol, 'phoenix')
      assert.ok(!client.socket.endPointURL().includes('sk_live_'), 'the key is in the URL')
      const stranger = connectClient(t, Socket, service.socketUrl, { params: {}, authToken: KEYS.revoked })
      await until('it was refused', () => stranger.story.length > 0)
      assert.equal(stranger.story[0], 403)
    })
  })
}
