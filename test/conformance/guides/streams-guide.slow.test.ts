import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { Frame, STREAM_EVENTS, TokenEvent } from '@ti/core/contract/streams.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { KEY_READING } from '@ti/service/access/accounts/key-reader.ts'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { TRIALS } from '@ti/service/access/trials.ts'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { EventSource } from 'eventsource'
import type { Socket } from 'phoenix'
import { WebSocket } from 'ws'
import { KEYS } from '../../support/fake-service.ts'
import { codeOf, exportsOf, ROOT } from '../../support/guides.ts'
import { fakeStreams, openLive, soon, startLive, until } from '../../support/live-service.ts'
import { sharedWith } from '../../support/shared.ts'

/** The examples of docs/streams.md: parsed, sent, compiled and run. */
const PAGE = 'docs/streams.md'
const GUIDE = readFileSync(join(ROOT, PAGE), 'utf8')
const blocks = (language: string): string[] => codeOf(PAGE, language).map((code) => code.trim())

test('every message on the page has the shape of the contract, and every kind is there', () => {
  const kinds = new Set<string>()
  for (const line of blocks('json').flatMap((block) => block.split('\n'))) {
    const message: unknown = JSON.parse(line)
    assert.ok(Array.isArray(message), line)
    const [joinRef, ref, topic, event, payload] = message
    assert.equal(message.length, 5)
    assert.ok(joinRef === null || typeof joinRef === 'string', line)
    assert.equal(ref, null)
    assert.equal(event, STREAM_EVENTS[topic as keyof typeof STREAM_EVENTS], line)
    const parsed = topic === 'frames:live' ? Frame.parse(payload) : TokenEvent.parse(payload)
    assert.deepEqual(parsed, payload, 'a field that the contract does not have')
    kinds.add('type' in parsed ? parsed.type : event)
  }
  const all = [...TokenEvent.options.map((option) => option.shape.type.value), 'frame']
  assert.deepEqual([...kinds].sort(), all.sort())
})

/** The messages of an exchange that are about channels; what topics tell is left out. */
async function converse(url: string, sent: readonly string[], isV1: boolean): Promise<string[]> {
  const heard: string[] = []
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${KEYS.pro}` } })
  const last = isV1
    ? '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"the last"}'
    : '[null,"the last","phoenix","heartbeat",{}]'
  socket.on('message', (text) => {
    if (!/"(frame|token_event)"/.test(String(text))) heard.push(String(text))
  })
  await once(socket, 'open')
  for (const message of [...sent, last]) socket.send(message)
  await until('the last answer', () => heard.some((text) => text.includes('"the last"')))
  socket.close()
  return heard.filter((text) => !text.includes('"the last"'))
}

test('the service answers as the page says', async (t) => {
  const exchanges = blocks('text')
  assert.equal(exchanges.length, 4)
  const topics = fakeStreams()
  for (let seq = 1; seq <= 2454; seq++) topics.append('tokens:live')
  const service = await openLive(t, { topics })
  for (const exchange of exchanges) {
    const lines = exchange.split('\n')
    const said = (arrow: string) => lines.filter((line) => line.startsWith(arrow)).map((line) => line.slice(2))
    const sent = said('→ ')
    assert.equal(sent.length + said('← ').length, lines.length, 'a line without an arrow')
    const isV1 = sent[0]!.startsWith('{')
    const url = `${service.socketUrl}/websocket${isV1 ? '' : '?vsn=2.0.0'}`
    assert.deepEqual(await converse(url, sent, isV1), said('← '))
  }
})

const [trade] = EXAMPLES.trades.data
const frame = { signature: '', mint: EXAMPLE_ADDRESSES.mint, slot: 1, timestamp: null, trades: [trade] }

test('the first function follows through a restart, every frame once', async (t) => {
  const topics = fakeStreams()
  const first = await startLive({ topics })
  for (let i = 0; i < 5; i++) topics.append('frames:live', frame)
  const seqs: number[] = []
  type FollowFrames = (url: string, key: string, lastSeq: number | null, onFrame: (frame: Frame) => void) => Socket
  const { followFrames } = await exportsOf<{ followFrames: FollowFrames }>(PAGE, 'function followFrames')
  const socket = followFrames(first.socketUrl, KEYS.pro, 2, ({ data }) => void seqs.push(data.seq))
  t.after(() => new Promise<void>((done) => socket.disconnect(() => done())))
  await until('the first are received', () => seqs.length === 3)
  await first.close()
  topics.append('frames:live', frame)
  const second = await openLive(t, { topics, port: first.port })
  await until('the next is received', () => seqs.length === 4)
  second.publish('frames:live', frame)
  await until('the last is received', () => seqs.length === 5)
  assert.deepEqual(seqs, [3, 4, 5, 6, 7])
})

test('the second function hears events until the end, and is told of the end', async (t) => {
  const service = await startLive()
  t.after(() => service.close())
  type Listen = (
    url: string,
    key: string,
    onEvent: (event: unknown) => void,
    onEnd: (code: number) => void,
  ) => WebSocket
  const { listen } = await exportsOf<{ listen: Listen }>(PAGE, 'function listen')
  const events: unknown[] = []
  const { promise, done } = ending()
  listen(service.socketUrl, KEYS.pro, (event) => void events.push(event), done)
  await until(
    'it listens',
    async () => (await service.metric('ti_live_readers{topic="tokens:live",state="live"}')) === 1,
  )
  service.publish('tokens:live')
  await until('it has heard', () => events.length === 1)
  assert.deepEqual(events, [{ type: 't', data: { seq: 1 } }])
  await service.close()
  assert.equal(await soon('the end', promise), 1012)
  const refused = ending()
  const strict = await openLive(t)
  t.mock.method(console, 'error', () => {})
  listen(strict.socketUrl, KEYS.revoked, () => {}, refused.done)
  assert.equal(await soon('the end', refused.promise), 1006)
})

function ending() {
  let done: (code: number) => void = () => {}
  const promise = new Promise<number>((resolve_) => {
    done = resolve_
  })
  return { promise, done }
}

test('the bounds on the page are those of the service', () => {
  const { sockets } = SHARED
  const said: [RegExp, number[]][] = [
    [
      /^\| sockets and event streams \| (\d+) per Pro key, (\d+) per free account, ([\d,]+) in all \|$/m,
      [sockets.share.pro, sockets.share.free, sockets.pool.pro + sockets.pool.free],
    ],
    [/^\| a free account \| (\d+) minutes within any hour/m, [TRIALS.ms / 60_000]],
    [
      /^\| a message to the service \| (\d+) KiB, at most (\d+) in a second \|$/m,
      [LIVE.frameBytes / 1024, LIVE.messagesPerSecond],
    ],
    [/^\| silence \| (\d+) seconds/m, [LIVE.idleMs / 1_000]],
    [
      /^\| a slow reader \| (\d+) MiB waiting, or no byte taken for (\d+) seconds \|$/m,
      [LIVE.unreadBytes / 2 ** 20, LIVE.stallMs / 1_000],
    ],
    [/a free one has (\d+) minutes/, [TRIALS.ms / 60_000]],
  ]
  for (const [pattern, numbers] of said) {
    const found = pattern.exec(GUIDE)
    assert.ok(found, String(pattern))
    assert.deepEqual(
      found
        .slice(1)
        .filter((text) => text !== undefined)
        .map((text) => Number(text.replace(',', ''))),
      numbers,
    )
  }
  assert.equal(QUERY_BOUNDS.resumeMessages, 1_000_000, 'the page says a million')
  assert.equal(LIVE.visitMs + KEY_READING.refreshMs <= 5_000, true, 'the page says 5 seconds')
})

test('the statuses on the page are those of refused connections', async (t) => {
  const statuses = [...GUIDE.matchAll(/^\| ([45]\d\d) \|/gm)].map((match) => Number(match[1]))
  assert.deepEqual(statuses, [400, 403, 404, 429, 503])
  const trials = { open: async () => ({ ok: false, retryAfterS: 60 }) as const }
  const service = await openLive(t, { trials })
  const full = await openLive(t, { shared: sharedWith({ sockets: { pool: { pro: 0 } } }) })
  const refusal = async (socketUrl: string, path: string, key: string = KEYS.pro): Promise<number> => {
    const socket = new WebSocket(socketUrl + path, { headers: { authorization: `Bearer ${key}` } })
    socket.on('error', () => {})
    const [, response] = await once(socket, 'unexpected-response')
    socket.terminate()
    return response.statusCode
  }
  assert.equal((await fetch(`${service.baseUrl}/socket/websocket`)).status, 400)
  assert.equal(await refusal(service.socketUrl, '/websocket?vsn=2.0.0', KEYS.revoked), 403)
  assert.equal(await refusal(service.socketUrl, '/websocket?vsn=2.1.0'), 403)
  assert.equal(await refusal(service.socketUrl, '/longpoll?vsn=2.0.0'), 404)
  assert.equal(await refusal(service.socketUrl, '/websocket?vsn=2.0.0', KEYS.free), 429)
  assert.equal(await refusal(full.socketUrl, '/websocket?vsn=2.0.0'), 503)
})

test('what the page shows of server-sent events is what is sent, and its client hears it', async (t) => {
  const [shown] = blocks('events')
  const [command] = blocks('sh').filter((block) => block.includes('/v1/stream'))
  const topics = fakeStreams()
  for (let seq = 1; seq <= 2454; seq++) topics.append('tokens:live')
  const service = await openLive(t, { topics, bounds: { visitMs: 60, visitSlots: 3, eventsBeatMs: 100 } })
  const path = /"http:\/\/127\.0\.0\.1:4000(\S+)"/.exec(command!)![1]!
  const response = await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${KEYS.pro}` } })
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes(': beat')) break
  }
  const [before] = text.replace('"type":"t"', '"type":"token_graduated"').split(': beat')
  assert.equal(`${before}: beat`, shown)

  const heard: unknown[][] = []
  t.mock.method(console, 'log', (...words: unknown[]) => void heard.push(words))
  // a browser has one
  Object.assign(globalThis, { EventSource })
  type WatchTrades = (url: string, token: string) => EventSource
  const { watchTrades } = await exportsOf<{ watchTrades: WatchTrades }>(PAGE, 'function watchTrades')
  const source = watchTrades(service.baseUrl, KEYS.pro)
  t.after(() => source.close())
  await until('it has joined', () => heard.length === 1)
  service.publish('frames:live')
  await until('it has heard', () => heard.length === 2)
  assert.deepEqual(heard[1], ['frame', 1])
})
