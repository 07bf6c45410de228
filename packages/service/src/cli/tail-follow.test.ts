import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { KEYS } from '../../../../test/support/fake-service.ts'
import { fakeStreams, openLive, revocableKeys, soon, startLive, until } from '../../../../test/support/live-service.ts'
import { sharedWith } from '../../../../test/support/shared.ts'
import { OperatorError } from '../base/errors.ts'
import { createFollower, type FollowOptions } from './tail-follow.ts'
import { MESSAGE_BYTES } from './tail-transport.ts'

const TOPIC = 'frames:live'

/** Follows until the end of the test and records everything reported. */
function startFollower(t: TestContext, change: Partial<FollowOptions> & Pick<FollowOptions, 'url'>) {
  const seqs: number[] = []
  const noted: string[] = []
  const seqOf = (payload: object) => {
    const { data } = payload as { data?: { seq?: unknown } }
    return typeof data?.seq === 'number' ? data.seq : null
  }
  const follower = createFollower({
    key: KEYS.pro,
    topic: TOPIC,
    afterSeq: null,
    filter: null,
    seqOf,
    onMessage: (payload) => void seqs.push(seqOf(payload)!),
    onToken: null,
    onStatus: (line) => void noted.push(line),
    ...change,
  })
  t.after(() => follower.leave())
  const says = (pattern: RegExp) => until(`it says ${pattern}`, () => noted.some((line) => pattern.test(line)))
  const has = (newest: number) => until(`${newest} is received`, () => seqs.includes(newest))
  return { follower, seqs, noted, says, has }
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

async function failureOf(follower: { failed: Promise<never> }): Promise<string> {
  const error = await soon(
    'the failure',
    follower.failed.then(() => null).catch((thrown: unknown) => thrown),
  )
  assert.ok(error instanceof OperatorError, String(error))
  assert.equal(error.exitCode, 1)
  return error.message
}

test('follows from the newest, and writes the key down nowhere', async (t) => {
  const service = await openLive(t)
  service.publish(TOPIC)
  const { seqs, noted, says, has } = startFollower(t, { url: service.baseUrl })
  await says(/^connected: frames:live at .*, after seq 1$/)
  service.publish(TOPIC)
  service.publish('tokens:live')
  service.publish(TOPIC)
  await has(3)
  assert.deepEqual(seqs, [2, 3])
  assert.equal([...noted, ...service.logged].join('\n').includes(KEYS.pro), false, 'the key was written down')
})

test('the service restarts on its port: every message once, and what came meanwhile is counted', async (t) => {
  const topics = fakeStreams()
  const first = await startLive({ topics })
  const { seqs, noted, says, has } = startFollower(t, { url: first.baseUrl })
  await says(/^connected/)
  for (const seq of upTo(20)) assert.equal(first.publish(TOPIC), seq)
  await has(20)
  await first.close()
  await says(/^connection lost \(1012\)/)
  for (const _ of upTo(5)) topics.append(TOPIC)
  await says(/cannot reach/)
  const second = await openLive(t, { topics, port: first.port })
  await says(/^resumed: 5 messages since seq 20$/)
  second.publish(TOPIC)
  await has(26)
  assert.deepEqual(seqs, upTo(26))
  assert.equal(noted.length, 4, noted.join('\n'))
})

test('a connection that is cut is made again, again and again', async (t) => {
  const cuts: (() => void)[] = []
  const service = await openLive(t, { onSocket: (socket) => void cuts.push(() => socket.destroy()) })
  const { seqs, says, has, noted } = startFollower(t, { url: service.baseUrl })
  await says(/^connected/)
  for (const round of upTo(5)) {
    service.publish(TOPIC)
    cuts.at(-1)!()
    service.publish(TOPIC)
    await has(2 * round)
  }
  assert.deepEqual(seqs, upTo(10))
  assert.equal(
    noted.some((line) => line.includes('missing')),
    false,
    noted.join('\n'),
  )
})

test('what is out of reach is said with its numbers, at the start and after a break', async (t) => {
  const topics = fakeStreams(10)
  const first = await startLive({ topics })
  for (const _ of upTo(30)) topics.append(TOPIC)
  const { seqs, says, has } = startFollower(t, { url: first.baseUrl, afterSeq: 5 })
  await says(/^not resumed: seqs 6 to 30 are missing, the oldest still held is 21$/)
  first.publish(TOPIC)
  await has(31)
  await first.close()
  for (const _ of upTo(30)) topics.append(TOPIC)
  const second = await openLive(t, { topics, port: first.port })
  await says(/^not resumed: seqs 32 to 61 are missing, the oldest still held is 52$/)
  second.publish(TOPIC)
  await has(62)
  assert.deepEqual(seqs, [31, 62])
})

test('a service whose numbers began again is followed on from its newest', async (t) => {
  const first = await startLive()
  for (const _ of upTo(9)) first.append(TOPIC)
  const { seqs, says } = startFollower(t, { url: first.baseUrl })
  await says(/after seq 9$/)
  await first.close()
  const second = await openLive(t, { port: first.port })
  await says(/^not resumed: the service does not know seq 9, its newest is 0; continuing from there$/)
  for (const _ of upTo(3)) second.publish(TOPIC)
  await until('they are received', () => seqs.length === 3)
  assert.deepEqual(seqs, [1, 2, 3])
})

test('from a seq: what is held since comes first', async (t) => {
  const service = await openLive(t)
  for (const _ of upTo(300)) service.append(TOPIC)
  const { seqs, says, has } = startFollower(t, { url: service.baseUrl, afterSeq: 0 })
  await says(/^connected: 300 messages since seq 0$/)
  service.publish(TOPIC)
  await has(301)
  assert.deepEqual(seqs, upTo(301))
})

test('through a filter: what does not match is no gap', async (t) => {
  const service = await openLive(t)
  for (const n of upTo(9)) service.append(TOPIC, { mint: 'm', trades: [{ sol_amount: n }] })
  const { seqs, noted, has } = startFollower(t, {
    url: service.baseUrl,
    afterSeq: 0,
    filter: 'sol_amount == 2 or sol_amount == 5 or sol_amount == 9',
  })
  await has(9)
  assert.deepEqual([seqs, noted.filter((line) => /missing/.test(line))], [[2, 5, 9], []])
})

test('held, it lets the connection go and takes nothing; then it goes on where it was', async (t) => {
  const service = await openLive(t)
  const { follower, seqs, noted, says, has } = startFollower(t, { url: service.baseUrl })
  await says(/^connected/)
  service.publish(TOPIC)
  await has(1)
  follower.hold()
  service.publish(TOPIC)
  await until('the connection is let go', async () => (await service.metric('ti_live_sockets')) === 0)
  service.publish(TOPIC)
  assert.deepEqual(seqs, [1])
  follower.goOn()
  await has(3)
  follower.hold()
  follower.goOn()
  service.publish(TOPIC)
  await has(4)
  assert.deepEqual(seqs, [1, 2, 3, 4])
  // reported once, however often it happens
  assert.match(noted.slice(1).join('|'), /^the output is read too slowly[^|]*$/)
})

test('held, then a service that is away: what was said about that is followed by its end', async (t) => {
  const topics = fakeStreams()
  const first = await startLive({ topics })
  const { follower, seqs, noted, says, has } = startFollower(t, { url: first.baseUrl })
  await says(/^connected/)
  first.publish(TOPIC)
  await has(1)
  follower.hold()
  await first.close()
  topics.append(TOPIC)
  follower.goOn()
  await says(/cannot reach/)
  const second = await openLive(t, { topics, port: first.port })
  await says(/^resumed: 1 messages since seq 1$/)
  second.publish(TOPIC)
  await has(3)
  assert.deepEqual(seqs, [1, 2, 3])
  assert.equal(noted.length, 4, noted.join('\n'))
})

test('leaving is a leave and a close with 1000', async (t) => {
  const service = await openLive(t)
  const { follower, says } = startFollower(t, { url: service.baseUrl })
  await says(/^connected/)
  await soon('the leaving', follower.leave())
  await until('the service has seen it', async () => (await service.metric('ti_live_sockets')) === 0)
  assert.equal(await service.metric('ti_live_closed_total{why="client"}'), 1)
})

test('403: the ways it can come about, also when the key is revoked later', async (t) => {
  const service = await openLive(t)
  const { follower } = startFollower(t, { url: service.baseUrl, key: KEYS.revoked })
  const message = await failureOf(follower)
  assert.match(message, /403/)
  for (const word of ['wrong', 'revoked', 'expired', 'keys create', '2.0.0']) assert.ok(message.includes(word), word)
  assert.equal(message.includes(KEYS.revoked), false, 'the key was written down')

  const { keys, revoke } = revocableKeys()
  const later = await openLive(t, { keys, bounds: { visitMs: 100 } })
  const second = startFollower(t, { url: later.baseUrl })
  await second.says(/^connected/)
  revoke(KEYS.pro)
  await second.says(/^connection lost \(1001\)/)
  assert.match(await failureOf(second.follower), /403/)
})

test('503 passes: the service is waited for', async (t) => {
  const topics = fakeStreams()
  const full = await startLive({ topics, shared: sharedWith({ sockets: { pool: { pro: 0 } } }) })
  const { says, noted } = startFollower(t, { url: full.baseUrl })
  await says(/^the service answers 503; waiting for it$/)
  assert.equal(noted.length, 1, noted.join('\n'))
  await full.close()
})

test('429: when to come back', async (t) => {
  const trials = { open: async () => ({ ok: false, retryAfterS: 754 }) as const }
  const service = await openLive(t, { trials })
  const { follower } = startFollower(t, { url: service.baseUrl, key: KEYS.free })
  assert.match(await failureOf(follower), /429[\s\S]*trial[\s\S]*Come back in 13 min, at \d\d:\d\d:\d\d UTC\.$/)
})

test('no service: the first attempt is the last', async (t) => {
  const service = await startLive()
  await service.close()
  const { follower, noted } = startFollower(t, { url: service.baseUrl })
  assert.match(await failureOf(follower), /no service answers at http.*npm start.*TI_URL/)
  assert.deepEqual(noted, [])
})

test('another address of a service is no place for streams', async (t) => {
  const service = await openLive(t)
  const { follower } = startFollower(t, { url: `${service.baseUrl}/elsewhere` })
  assert.match(await failureOf(follower), /answered 404/)
})

/** A Phoenix Channels server whose answers the test controls. */
async function startRude(
  t: TestContext,
  onJoin: (say: (raw: string | Buffer) => void, ref: string, join: number) => void,
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'phoenix' })
  await once(server, 'listening')
  const state = { joins: [] as unknown[], sockets: [] as WebSocket[], asked: [] as string[] }
  server.on('connection', (socket, { url = '' }) => {
    state.sockets.push(socket)
    state.asked.push(url)
    socket.on('message', (raw) => {
      const [, ref, , event, payload] = JSON.parse(String(raw))
      if (event !== 'phx_join') return
      state.joins.push(payload)
      onJoin((text) => socket.send(text), ref, state.joins.length)
    })
  })
  t.after(async () => {
    for (const socket of state.sockets) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  })
  return { ...state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const reply = (ref: string, status: string, response: unknown) =>
  JSON.stringify([ref, ref, TOPIC, 'phx_reply', { status, response }])
const live = (payload: unknown) => JSON.stringify([null, null, TOPIC, 'frame', payload])
const place = { seq: 0, oldest_seq: 1, resumed: false }

test('what is malformed is skipped with one warning; gaps are said, repetitions dropped', async (t) => {
  const { url } = await startRude(t, (say, ref) => {
    say('no json at all')
    say('null')
    say('[1,2]')
    say(`["${ref}","${ref}","${TOPIC}","phx_reply",null]`)
    say(reply(ref, 'ok', place))
    say(Buffer.from([2, 0, 0]))
    say(`[null,null,"${TOPIC}","frame",null]`)
    say(`[null,null,"${TOPIC}","frame","text"]`)
    say(`[{"a":1},[],"${TOPIC}","frame",{"data":{"seq":1}}]`)
    say(`[null,null,"${TOPIC}",7,{}]`)
    say(`[null,null,"${TOPIC}","frame",${'['.repeat(200_000)}${']'.repeat(200_000)}]`)
    say(live({ data: { seq: 1 } }))
    say(live({ data: { seq: 1 } }))
    say(live({ data: null }))
    say(live([]))
    say(live({ data: { seq: 4 } }))
    say(live({ data: { seq: 3 } }))
    say(live({ data: { seq: 5 } }))
  })
  const { seqs, noted, has } = startFollower(t, { url })
  await has(5)
  assert.deepEqual(seqs, [1, 4, 5])
  assert.deepEqual(noted, [
    'a malformed message was skipped; more are skipped without a word',
    `connected: ${TOPIC} at ${url}, after seq 0`,
    'seqs 2 to 3 are missing',
  ])
})

test('a message larger than its bound ends the connection, not the program', async (t) => {
  const { url, joins, asked } = await startRude(t, (say, ref, join) => {
    say(reply(ref, 'ok', { ...place, resumed: join > 1 }))
    if (join === 1) say(live({ data: { seq: 1, much: 'x'.repeat(MESSAGE_BYTES) } }))
    else say(live({ data: { seq: 1 } }))
  })
  const { seqs, has } = startFollower(t, { url })
  await has(1)
  assert.deepEqual(seqs, [1])
  assert.deepEqual(joins, [{}, { after_seq: 0 }])
  assert.deepEqual(new Set(asked), new Set(['/socket/websocket?vsn=2.0.0']))
})

test('an answer to the join without a place, or with a refusal', async (t) => {
  const odd = await startRude(t, (say, ref) => {
    say(reply(ref, 'ok', null))
    say(live({ data: { seq: 7 } }))
  })
  const first = startFollower(t, { url: odd.url })
  await first.has(7)
  assert.match(first.noted.join('\n'), /does not say where it begins/)

  const strict = await startRude(t, (say, ref) => say(reply(ref, 'error', { reason: 'no\u001b[2Jway' })))
  const second = startFollower(t, { url: strict.url })
  assert.equal(await failureOf(second.follower), `the service refused ${TOPIC}: no[2Jway`)

  const ending = await startRude(t, (say, ref) => {
    say(reply(ref, 'ok', place))
    say(JSON.stringify([ref, ref, TOPIC, 'phx_close', {}]))
  })
  const third = startFollower(t, { url: ending.url })
  assert.match(await failureOf(third.follower), /the service ended frames:live/)
})
