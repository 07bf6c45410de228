import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { AppSession } from '@ti/core/contract/app.ts'
import { type Answer, failed } from './ask.ts'
import { get } from './client.ts'
import { establish } from './establish.ts'
import { withHelp } from './too-many.ts'

const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})

const clock = (ms: number): string => `${ms} ms`
const tooMany = (retry_after?: number): Answer<never> => {
  const answer = failed(429, 'rate_limited', 'more than 15 requests a minute; the window resets in 20 s')
  assert.ok(!answer.ok)
  return retry_after === undefined ? answer : { ...answer, error: { ...answer.error, retry_after } }
}
const messageOf = (answer: Answer<unknown>): string => (answer.ok ? '' : answer.error.message)
const reader = (access: AppSession['access'], plan: AppSession['plan']) => ({ access, plan, signed_in: plan !== null })

test('a free account whose reads are used up is told until when, and to subscribe', () => {
  const answer = withHelp(tooMany(20), reader('signed-in', 'free'), 1_000, clock)
  assert.match(messageOf(answer), /free account/)
  assert.match(messageOf(answer), /continues at 21000 ms/)
  assert.match(messageOf(answer), /subscribe on the Account page/)
  assert.equal(answer.ok ? 0 : answer.error.retry_after, 20)
  assert.match(messageOf(withHelp(tooMany(), reader('signed-in', 'free'), 1_000, clock)), /continues in a minute/)
})

test('nobody is told to subscribe whom it does not help: Pro, strangers, and where everybody may read', () => {
  for (const one of [
    reader('signed-in', 'pro'),
    reader('open', 'free'),
    reader('open', 'pro'),
    reader('open', null),
    null,
  ]) {
    const message = messageOf(withHelp(tooMany(20), one, 1_000, clock))
    assert.match(message, /continues at 21000 ms/)
    assert.doesNotMatch(message, /[Ss]ubscribe/)
  }
})

test('every other answer stays as it is', () => {
  const fine: Answer<number> = { ok: true, data: 1, meta: { cached_at: '' } }
  for (const answer of [fine, failed(503, 'internal_error', 'x'), failed(402, 'payment_required', 'x')]) {
    assert.equal(withHelp(answer, reader('signed-in', 'free'), 1_000, clock), answer)
  }
})

test('what the page reads says it', async () => {
  const session = { ...reader('signed-in', 'free'), may_read: true }
  globalThis.fetch = async (path) =>
    String(path).includes('session')
      ? Response.json({ data: session })
      : Response.json({ error: { code: 'rate_limited', message: 'slow down', retry_after: 9 } }, { status: 429 })
  await establish()
  const answer = await get('/v1/tokens/new')
  assert.match(messageOf(answer), /subscribe on the Account page/)
})
