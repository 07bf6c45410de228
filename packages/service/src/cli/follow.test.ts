import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { KEYS } from '../../../../test/support/fake-service.ts'
import { fakeStreams, openLive, revocableKeys, soon, startLive, until } from '../../../../test/support/live-service.ts'
import { sharedWith } from '../../../../test/support/shared.ts'
import { OperatorError } from '../base/errors.ts'
import { DEFINITIONS } from './definitions.ts'
import { followed } from './follow.ts'
import { SILENT } from './io.ts'
import { parse } from './parse.ts'

const TOPIC = 'frames:live'
const TAIL = DEFINITIONS.find(({ name }) => name === 'tail')!

/** Follows until the end of the test and records everything reported. */
function startFollower(t: TestContext, url: string, asked: { afterSeq?: number; filter?: string; key?: string } = {}) {
  const { key = KEYS.pro, ...begin } = asked
  const seqs: number[] = []
  const noted: string[] = []
  const stop = new AbortController()
  const io = { ...SILENT, signal: stop.signal, note: (line: string) => void noted.push(line) }
  const given = parse(TAIL, ['frames', '--url', url, '--key', key])
  async function follow(): Promise<void> {
    for await (const { data } of followed(given, io, { ...begin, topic: TOPIC }, (client, how) => client.frames(how)))
      seqs.push(data.seq)
  }
  const ended = follow()
  ended.catch(() => {})
  t.after(() => stop.abort())
  const says = (pattern: RegExp) => until(`it says ${pattern}`, () => noted.some((line) => pattern.test(line)))
  const has = (newest: number) => until(`${newest} is received`, () => seqs.includes(newest))
  return { ended, stop, seqs, noted, says, has }
}

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

async function failureOf({ ended }: { ended: Promise<void> }): Promise<string> {
  const error = await soon(
    'the failure',
    ended.then(() => null).catch((thrown: unknown) => thrown),
  )
  assert.ok(error instanceof OperatorError, String(error))
  assert.equal(error.exitCode, 1)
  return error.message
}

test('follows from the newest, writes the key down nowhere, and leaves', async (t) => {
  const service = await openLive(t)
  service.publish(TOPIC)
  const { seqs, noted, says, has, stop, ended } = startFollower(t, service.baseUrl)
  await says(/^connected: frames:live at .*, after seq 1$/)
  service.publish(TOPIC)
  service.publish('tokens:live')
  service.publish(TOPIC)
  await has(3)
  assert.deepEqual(seqs, [2, 3])
  stop.abort()
  await soon('the end', ended)
  await until('the service has seen it', async () => (await service.metric('ti_live_sockets')) === 0)
  assert.equal([...noted, ...service.logged].join('\n').includes(KEYS.pro), false, 'the key was written down')
})

test('the service restarts on its port: every message once, and what came meanwhile is counted', async (t) => {
  const topics = fakeStreams()
  const first = await startLive({ topics })
  const { seqs, noted, says, has } = startFollower(t, first.baseUrl)
  await says(/^connected/)
  for (const seq of upTo(20)) assert.equal(first.publish(TOPIC), seq)
  await has(20)
  await first.close()
  await says(/^connection lost/)
  for (const _ of upTo(5)) topics.append(TOPIC)
  await says(/cannot reach/)
  const second = await openLive(t, { topics, port: first.port })
  await says(/^resumed: 5 messages since seq 20$/)
  second.publish(TOPIC)
  await has(26)
  assert.deepEqual(seqs, upTo(26))
  assert.equal(noted.length, 4, noted.join('\n'))
})

test('what is out of reach is said with its numbers, at the start and after a break', async (t) => {
  const topics = fakeStreams(10)
  const first = await startLive({ topics })
  for (const _ of upTo(30)) topics.append(TOPIC)
  const { seqs, says, has } = startFollower(t, first.baseUrl, { afterSeq: 5 })
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
  const { seqs, says } = startFollower(t, first.baseUrl)
  await says(/after seq 9$/)
  await first.close()
  const second = await openLive(t, { port: first.port })
  await says(/^not resumed: the service does not know seq 9, its newest is 0; continuing from there$/)
  for (const _ of upTo(3)) second.publish(TOPIC)
  await until('they are received', () => seqs.length === 3)
  assert.deepEqual(seqs, [1, 2, 3])
})

test('from a seq and through a filter: what is held since and matches comes first', async (t) => {
  const service = await openLive(t)
  for (const n of upTo(9)) service.append(TOPIC, { mint: 'm', trades: [{ sol_amount: n }] })
  const filter = 'sol_amount == 2 or sol_amount == 5 or sol_amount == 9'
  const { seqs, noted, has } = startFollower(t, service.baseUrl, { afterSeq: 0, filter })
  await has(9)
  assert.deepEqual([seqs, noted], [[2, 5, 9], ['connected: 9 messages since seq 0']])
})

test('a key that is refused, at once or later, is said in the words of the service', async (t) => {
  const { keys, revoke } = revocableKeys()
  const service = await openLive(t, { keys, bounds: { visitMs: 100 } })
  const unknown = startFollower(t, service.baseUrl, { key: KEYS.revoked })
  const message = await failureOf(unknown)
  assert.match(message, /API key.*keys create/)
  assert.equal(message.includes(KEYS.revoked), false, 'the key was written down')
  const later = startFollower(t, service.baseUrl)
  await later.says(/^connected/)
  revoke(KEYS.pro)
  assert.match(await failureOf(later), /API key/)
})

test('503 passes: the service is waited for', async (t) => {
  const full = await startLive({ topics: fakeStreams(), shared: sharedWith({ sockets: { pool: { pro: 0 } } }) })
  const { says, noted } = startFollower(t, full.baseUrl)
  await says(/^the service answers 503; waiting for it$/)
  assert.equal(noted.length, 1, noted.join('\n'))
  await full.close()
})

test('429: when to come back', async (t) => {
  const trials = { open: async () => ({ ok: false, retryAfterS: 754 }) as const }
  const service = await openLive(t, { trials })
  const message = await failureOf(startFollower(t, service.baseUrl, { key: KEYS.free }))
  assert.match(message, /429.*used up[\s\S]*Come back in 13 min, at \d\d:\d\d:\d\d UTC\.$/)
})

test('no service, and another address of one', async (t) => {
  const service = await startLive()
  const other = startFollower(t, `${service.baseUrl}/elsewhere`)
  assert.match(await failureOf(other), /answered 404|no such/)
  await service.close()
  const { noted, ...nobody } = startFollower(t, service.baseUrl)
  assert.match(await failureOf(nobody), /no service answers at http.*npm start.*TI_URL/)
  assert.deepEqual(noted, [])
})
