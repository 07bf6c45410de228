import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isDone } from '@ti/service/access/accounts/key-work.ts'
import fc from '../../../../../test/support/property.ts'
import { type Answer, failed } from '../../api/ask.ts'
import type { send } from '../../api/client.ts'
import { createPrefix } from './sha256.ts'
import { requestKey, solve, type WorkOptions } from './work.ts'

const ascii = (maxLength: number) =>
  fc.array(fc.integer({ min: 32, max: 126 }), { maxLength }).map((codes) => String.fromCharCode(...codes))
const hex = (words: Int32Array): string => Buffer.from(words.slice().reverse().buffer).reverse().toString('hex')

test('the hash is SHA-256, wherever a text is cut and whatever was hashed before', () => {
  fc.assert(
    fc.property(ascii(200), fc.array(ascii(56), { minLength: 1, maxLength: 3 }), (beginning, ends) => {
      const { hash } = createPrefix(beginning)
      for (const end of ends) {
        assert.equal(
          hex(hash(end)),
          createHash('sha256')
            .update(beginning + end)
            .digest('hex'),
        )
      }
    }),
    { numRuns: 1_000 },
  )
  assert.throws(() => createPrefix('').hash('x'.repeat(120)), RangeError)
})

const NONCE = 'aB3_'.repeat(21)
const waiting = (told: number[] = []): WorkOptions => ({
  tell: (done) => void told.push(done),
  signal: new AbortController().signal,
})

test('what the page finds is what the service asks for', async () => {
  const told: number[] = []
  const work = await solve({ required: true, nonce: NONCE, parts: 16, bits: 9 }, waiting(told))
  assert.equal(work?.nonce, NONCE)
  assert.equal(work?.counters.length, 16)
  work?.counters.forEach((counter, part) => {
    assert.ok(isDone(NONCE, part, counter, 9), `part ${part}`)
  })
  assert.deepEqual(told, [...Array(16).keys()])
})

test('work that nobody waits for ends, however hard it is', async () => {
  const gone = new AbortController()
  const working = solve({ required: true, nonce: NONCE, parts: 1, bits: 32 }, { tell() {}, signal: gone.signal })
  gone.abort()
  assert.equal(await working, null)
})

/** A stub that answers in turn and records the requests. */
function service(...answers: Answer<unknown>[]) {
  const asked: { path: string; body: { work?: { nonce: string } } }[] = []
  const post = (async (_method: string, path: string, body: object) => {
    asked.push({ path, body })
    return answers.shift()!
  }) as typeof send
  return { asked, post }
}
const fine = (data: object): Answer<unknown> => ({ ok: true, data, meta: { cached_at: '' } })
const task = (bits: number) => fine({ required: true, nonce: `${bits}${NONCE}`, parts: 2, bits })
const stale: Answer<never> = {
  ok: false,
  status: 400,
  error: { code: 'bad_request', reason: 'work_too_little', message: 'the next costs more' },
}

test('an account that has paid sends no work', async () => {
  const { asked, post } = service(fine({ required: false }), fine({ key: 'k' }))
  assert.ok((await requestKey({ name: 'bot' }, waiting(), post)).ok)
  assert.deepEqual(asked[1], { path: '/account/keys', body: { name: 'bot' } })
})

test('work that came too late is done once more, and not for ever', async () => {
  const late = service(task(2), stale, task(3), fine({ key: 'k' }))
  assert.ok((await requestKey({ name: 'bot' }, waiting(), late.post)).ok)
  assert.equal(late.asked[3]?.body.work?.nonce, `3${NONCE}`)
  const never = service(task(2), stale, task(3), stale)
  assert.deepEqual(await requestKey({ name: 'bot' }, waiting(), never.post), stale)
  const full = service(task(2), failed(400, 'bad_request', 'an account may have 5 live keys: revoke one first'))
  assert.equal((await requestKey({ name: 'bot' }, waiting(), full.post)).ok, false)
  assert.equal(full.asked.length, 2, 'other refusals are final')
})
