import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createBucket, inTurn, perSecond } from '../../base/bucket.ts'
import { backoff, type Clock } from '../../base/clock.ts'
import { createRpcClient, type RpcAnswer } from './json-rpc.ts'
import type { Transport } from './node-transport.ts'

const { signal } = new AbortController()

/** Time that passes only by waiting. */
function fakeClock(): Clock & { slept: number[] } {
  let now = 1_000
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    async sleep(ms, stop) {
      if (stop.aborted) return
      slept.push(ms)
      now += ms
    },
  }
}

/** A clock whose deadlines never pass: only waits of the bucket and between tries are short enough to be slept. */
const patient = (clock: Clock): Clock => ({
  now: clock.now,
  sleep: (ms, stop) =>
    ms === 20_000 ? new Promise((done) => stop.addEventListener('abort', () => done())) : clock.sleep(ms, stop),
})

type Said = { status?: number; retryAfter?: string; text?: string | null } | Error

function scripted(...said: readonly Said[]) {
  const bodies: { id: number; method: string; params: unknown }[] = []
  const transport: Transport = {
    async post(body) {
      const request = JSON.parse(body)
      const answer = said[Math.min(bodies.push(request), said.length) - 1]!
      if (answer instanceof Error) throw answer
      const { status = 200, retryAfter = null, text } = answer
      return { status, retryAfter, text: text === undefined ? JSON.stringify({ id: request.id, result: 7 }) : text }
    },
    close: async () => {},
  }
  const clock = fakeClock()
  const client = createRpcClient({
    url: new URL('http://node.example/?api-key=s3cret'),
    requestsPerSecond: 10,
    transport,
    clock: patient(clock),
    random: () => 0.5,
  })
  return { client, bodies, clock, ask: () => client.call('getSlot', [], signal) }
}

const result: RpcAnswer = { ok: true, result: 7 }
const error = (code: number) => ({ text: JSON.stringify({ id: 1, error: { code, message: 'no' } }) })

test('an answer is its result; what the node refuses is its code, at once', async () => {
  assert.deepEqual(await scripted({}).ask(), result)
  const { ask, bodies, client } = scripted({ status: 400, ...error(-32602) })
  assert.deepEqual(await ask(), { ok: false, reason: 'refused', code: -32602, message: 'no' })
  assert.equal(bodies.length, 1)
  assert.equal(client.reachable, true)
})

test('what is no answer is tried again, six times in all', async () => {
  const nothing: readonly [Said, string][] = [
    [new Error('connect'), 'unreachable'],
    [{ status: 502 }, 'http'],
    [{ status: 302, text: '' }, 'http'],
    [{ text: '<!doctype html>' }, 'malformed'],
    [{ text: '{"id":99,"result":1}' }, 'malformed'],
    [{ text: '[]' }, 'malformed'],
    [{ text: '{"id":1}' }, 'malformed'],
  ]
  for (const [said, reason] of nothing) {
    const { ask, bodies, client } = scripted(said)
    assert.deepEqual(await ask(), { ok: false, reason, code: null }, reason)
    assert.equal(bodies.length, 6)
    assert.equal(client.reachable, false)
    assert.equal(client.counts.get(`rpc_failed:${reason}`), 6)
  }
  assert.deepEqual(await scripted(new Error('reset'), { status: 502 }, {}).ask(), result)
  const { ask, bodies } = scripted({ text: null })
  assert.deepEqual(await ask(), { ok: false, reason: 'too_large', code: null })
  assert.equal(bodies.length, 1, 'it will not shrink')
})

test('too many requests: nobody asks until the node said, within reason', async () => {
  const waits = async (...said: readonly Said[]): Promise<number> => {
    const { ask, clock } = scripted(...said, {})
    const from = clock.now()
    assert.deepEqual(await ask(), result)
    return clock.now() - from
  }
  assert.ok((await waits({ status: 429, retryAfter: '7' })) >= 7_000, 'seconds')
  const date = new Date(Date.now() + 9_000).toUTCString()
  const dated = await waits({ status: 429, retryAfter: date })
  assert.ok(dated >= 6_000 && dated < 12_000, `a date: ${dated}`)
  const day = await waits({ status: 503, retryAfter: '86400' })
  assert.ok(day >= 60_000 && day < 75_000, `bounded: ${day}`)
  for (const odd of ['-5', 'soon', '1e9', ''])
    assert.ok((await waits({ status: 429, retryAfter: odd })) < 61_000, `odd value ${odd}`)
  assert.ok((await waits({ status: 429 })) >= 1_000, 'without a header')
  assert.ok((await waits(error(-32429))) >= 1_000, 'as an error of the node')
})

test('a budget ends the asking', async () => {
  const transport: Transport = {
    post: async (body) => ({
      status: 200,
      retryAfter: null,
      text: JSON.stringify({ id: JSON.parse(body).id, result: 1 }),
    }),
    close: async () => {},
  }
  const client = createRpcClient({ url: new URL('http://x/'), requestsMax: 2, clock: patient(fakeClock()), transport })
  for (const ok of [true, true, false]) assert.equal((await client.call('a', [], signal)).ok, ok)
  assert.equal(client.exhausted, true)
  assert.equal(client.requests, 2)
})

test('the bucket: a second at once, then its pace, in turn', async () => {
  const clock = fakeClock()
  const take = inTurn(createBucket(perSecond(10), clock.now), clock)
  const from = clock.now()
  const done: number[] = []
  await Promise.all(Array.from({ length: 30 }, (_, i) => take(signal).then(() => done.push(i))))
  assert.ok(clock.now() - from >= 1_990 && clock.now() - from < 2_100, `${clock.now() - from} ms`)
  assert.deepEqual(
    done,
    [...done].sort((a, b) => a - b),
  )
  assert.equal(await take(AbortSignal.abort()), false)
})

test('waits between tries grow, and stay in their bounds', () => {
  for (let n = 0; n < 80; n++) {
    for (const random of [0, 0.999]) {
      const wait = backoff(n, 250, 10_000, () => random)
      assert.ok(wait >= 125 && wait <= 10_000, `${n}: ${wait}`)
    }
  }
  assert.equal(
    backoff(2, 250, 10_000, () => 0),
    500,
  )
})

/** A server on loopback, and a client that gives it `ms`. */
async function served(listener: RequestListener, ms = 300) {
  const server = createServer(listener)
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const url = new URL(`http://u:p%20w@127.0.0.1:${(server.address() as AddressInfo).port}/path?api-key=k`)
  const client = createRpcClient({ url, timeoutMs: ms })
  const close = async (): Promise<void> => {
    await client.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { client, close, ask: () => client.call('getSlot', [], signal, { attempts: 1 }) }
}

test('over HTTP: slow, endless, bombs, redirects, half answers', async () => {
  const seen: string[] = []
  const bomb = gzipSync(Buffer.alloc(65 << 20))
  const answers: readonly [RequestListener, string][] = [
    [() => {}, 'timeout'],
    [(_, response) => void setInterval(() => response.write('x'), 5).unref(), 'timeout'],
    [(_, response) => void response.writeHead(302, { location: '/elsewhere' }).end(), 'http'],
    [(_, response) => void response.destroy(), 'unreachable'],
    [
      (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
      'unreachable',
    ],
    [(_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'), 'unreachable'],
    [(_, response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('br'), 'unreachable'],
    [(_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb), 'too_large'],
  ]
  for (const [listener, reason] of answers) {
    const { ask, close } = await served(
      (request, response) => {
        seen.push(`${request.url} ${request.headers.authorization}`)
        listener(request, response)
      },
      // only what is to take too long may take too long
      reason === 'timeout' ? 300 : 60_000,
    )
    // a server that is left open keeps the process alive
    const answer = await ask().finally(close)
    assert.deepEqual(answer, { ok: false, reason, code: null }, reason)
  }
  const basic = `Basic ${Buffer.from('u:p w').toString('base64')}`
  assert.deepEqual([...new Set(seen)], [`/path?api-key=k ${basic}`], 'no redirect was followed')
})

test('an abort ends a request that hangs', async () => {
  const { client, close } = await served(() => {}, 60_000)
  const stop = new AbortController()
  const answer = client.call('getSlot', [], stop.signal)
  await sleep(30)
  stop.abort()
  assert.deepEqual(await answer, { ok: false, reason: 'aborted', code: null })
  await close()
})
