import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type Answer, ask, failed } from './ask.ts'
import { noteBudget, pollWaitMs } from './budget.ts'
import { waitMs } from './waits.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})
const answering = (body: string | null, init?: ResponseInit): void => {
  globalThis.fetch = async () => new Response(body, init)
}

test('data, page and summary come through', async () => {
  answering('{"data":[1],"summary":{"total_deployed":1},"meta":{"cached_at":"x","request_id":"y"}}')
  const answer = await ask<number[]>('GET', '/v1/x', undefined)
  assert.ok(answer.ok, 'an answer')
  assert.deepEqual(answer.data, [1])
  assert.equal(answer.summary?.total_deployed, 1)
  assert.equal(answer.meta.cached_at, 'x')
})

test('answers without an envelope or a body are answers', async () => {
  answering('{"nonce":"n"}')
  assert.deepEqual((await ask('POST', '/account/challenge', {})) as unknown, {
    ok: true,
    data: { nonce: 'n' },
    meta: { cached_at: '' },
  })
  answering(null, { status: 204 })
  assert.equal((await ask('DELETE', '/account/session', undefined)).ok, true)
})

test('every failure has words', async () => {
  const error = async () => {
    const answer = await ask('GET', '/v1/x', undefined)
    return answer.ok ? null : { status: answer.status, ...answer.error }
  }
  answering('{"error":{"code":"rate_limited","message":"slow down","request_id":"r","retry_after":7}}', { status: 429 })
  assert.deepEqual(await error(), { status: 429, code: 'rate_limited', message: 'slow down', retry_after: 7 })
  answering('<html>', { status: 502 })
  assert.equal((await error())?.code, 'unreadable')
  answering('{}', { status: 503, headers: { 'retry-after': '3' } })
  assert.equal((await error())?.retry_after, 3)
  answering('null', { status: 200 })
  assert.equal((await error())?.code, 'unreadable')
  globalThis.fetch = async () => {
    throw new TypeError('fetch failed')
  }
  assert.deepEqual((await error())?.code, 'network')
})

test('what nobody waits for any more is no failure of the network', async () => {
  globalThis.fetch = async (_, init) => {
    throw init?.signal?.reason
  }
  const answer = await ask('GET', '/v1/x', undefined, AbortSignal.abort())
  assert.equal(answer.ok ? '' : answer.error.code, 'aborted')
})

test('waits grow, follow what was told, and end where asking is of no use', () => {
  const refused = (status: number, retry_after?: number): Answer<never> => {
    const answer = failed(status, 'x', 'x')
    return retry_after === undefined || answer.ok ? answer : { ...answer, error: { ...answer.error, retry_after } }
  }
  const fine: Answer<null> = { ok: true, data: null, meta: { cached_at: '' } }
  assert.equal(waitMs(fine, 0, 5_000), 5_000)
  assert.equal(waitMs(fine, 0, null), null)
  assert.equal(waitMs(refused(404), 1, null), null)
  assert.equal(waitMs(refused(404), 1, 5_000), 5_000)
  assert.equal(waitMs(refused(503), 1, null), 2_000)
  assert.equal(waitMs(refused(0), 3, 500), 8_000)
  assert.equal(waitMs(refused(429, 30), 1, 5_000), 30_000)
  assert.equal(waitMs(refused(503), 50, 5_000), 60_000)
})

test('of a small window polls leave half', () => {
  const said = (remaining: number) =>
    new Headers({ 'x-ratelimit-limit': '15', 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': '20' })
  noteBudget(said(8), 1_000)
  assert.equal(pollWaitMs(1_000), 0)
  noteBudget(said(7), 1_000)
  assert.equal(pollWaitMs(1_000), 20_000)
})

test('polls leave the last calls of a window to the reader', () => {
  const said = (remaining: number) =>
    new Headers({ 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': '20' })
  noteBudget(said(100), 1_000)
  assert.equal(pollWaitMs(1_000), 0)
  noteBudget(said(10), 1_000)
  assert.equal(pollWaitMs(6_000), 15_000)
  assert.equal(pollWaitMs(21_000), 0)
  noteBudget(new Headers(), 1_000)
  assert.equal(pollWaitMs(6_000), 15_000)
})
