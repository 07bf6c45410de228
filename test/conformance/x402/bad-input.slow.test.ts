import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { PAYMENT_BYTES } from '@ti/service/access/x402/payment.ts'
import { HEADER_BYTES } from '@ti/service/faces/http/malformed.ts'
import type { Answer } from '../../support/exchange.ts'
import { KEYS } from '../../support/fake-service.ts'
import { encode, inV1, inV2, memo, mutants } from '../../support/payments-fixtures.ts'
import { nextClient, PATHS } from './door.ts'
import { OTHER, openScene, type Scene } from './scene.ts'

/** Whatever is sent as a payment: a documented status, a clear message, nothing charged, nothing that looks like our fault. */
const NAMES = ['PAYMENT-SIGNATURE', 'X-PAYMENT'] as const
const messageOf = (answer: Answer): string =>
  (JSON.parse(answer.body.toString()) as { error: { message: string } }).error.message

async function assertRefused(scene: Scene, headers: Record<string, string>, reason: RegExp, path = PATHS.new) {
  const answer = await scene.ask(path, headers, { from: nextClient() })
  assert.equal(answer.status, 402, answer.body.toString())
  assert.match(messageOf(answer), reason)
  for (const name of answer.headers.keys()) assert.doesNotMatch(name, /injected/i)
}

test('encodings that are almost right are refused with the reason', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const { v2Text, v2 } = payment
  const text = (value: string | Buffer): string => Buffer.from(value).toString('base64')
  const json = JSON.stringify(v2)
  const cases: readonly [string, RegExp][] = [
    ['', /not base64/],
    [`${v2Text.slice(0, 100)} ${v2Text.slice(100)}`, /not base64/],
    [`${v2Text.slice(0, 100)}\t${v2Text.slice(100)}`, /not base64/],
    [Buffer.from(`${json}?>?>`).toString('base64url'), /not base64/],
    [v2Text.replace(/.$/, ''), /not base64/],
    [`${v2Text}====`, /not base64/],
    [`"${v2Text}"`, /not base64/],
    [`Bearer ${v2Text}`, /not base64/],
    [text(text(json)), /not base64 of JSON/],
    [text(`${json}x`), /not base64 of JSON/],
    [text(json.replace('"', "'")), /not base64 of JSON/],
    [text(Buffer.concat([Buffer.from(json.slice(0, -2)), Buffer.from([0xff, 0xfe])])), /not base64 of JSON/],
    [text('['.repeat(5_000)), /not base64 of JSON/],
    [text(`${'['.repeat(3_000)}${']'.repeat(3_000)}`), /not a JSON object/],
    ...[null, true, 7, 'text', [], [v2]].map((value): [string, RegExp] => [encode(value), /not a JSON object/]),
    ['A'.repeat(PAYMENT_BYTES), /not base64 of JSON/],
    ['A'.repeat(PAYMENT_BYTES + 4), /larger than 8192 bytes/],
  ]
  for (const [sent, reason] of cases) {
    for (const name of NAMES) await assertRefused(scene, { [name]: sent }, reason)
    if (sent !== '') {
      const tool = await scene.post(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_new_tokens', arguments: { x_payment: sent } },
        },
        {},
        nextClient(),
      )
      assert.match(tool.body.toString(), reason)
    }
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
})

test('headers beyond every bound, twice, folded, and of other cases', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const huge = await scene.ask(PATHS.new, { 'PAYMENT-SIGNATURE': 'A'.repeat(HEADER_BYTES) })
  assert.equal(huge.status, 413)
  assert.match(messageOf(huge), /headers are larger than 16384 bytes/)
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-filler-${i}`, 'a'.repeat(500)]))
  assert.equal((await scene.ask(PATHS.new, { ...many, ...inV2(payment) })).status, 413)
  // two of one kind are not a choice
  for (const name of NAMES) {
    const value = name === 'X-PAYMENT' ? payment.v1Text : payment.v2Text
    await assertRefused(scene, { [name]: value, [name.toLowerCase()]: value }, /not base64/)
    await assertRefused(scene, { [name]: '', [name.toLowerCase()]: value }, /not base64/)
  }
  const folded = await scene.ask(PATHS.new, {
    'PAYMENT-SIGNATURE': `${payment.v2Text.slice(0, 9)}\r\n ${payment.v2Text}`,
  })
  assert.ok([400, 402].includes(folded.status))
  const split = await scene.ask(PATHS.new, { 'PAYMENT-SIGNATURE': 'x\r\nX-Injected: 1\r\nAuthorization: Bearer x' })
  assert.equal(split.status, 402)
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  // names of headers know no case, and spaces around a value are none of it
  const fine = await scene.ask(PATHS.new, { 'pAyMeNt-SiGnAtUrE': `  ${payment.v2Text}  ` })
  assert.equal(fine.status, 200)
  assert.equal(scene.earned(), OTHER)
})

const HOSTILE = [
  "'; drop table payments; --",
  "' or '1'='1",
  '1); delete from payment_events; --',
  '\r\nX-Injected: 1\r\n\r\n<html>',
  '\u0000',
  '\ud800',
  '{{7*7}}%s%n$(id)`id`',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '\u001b[31m',
  'x'.repeat(3_000),
  '__proto__',
  '',
] as const
const TYPES = [null, true, 0, -1, 1e308, 1.5, [], {}, [[]], { toString: 'x' }, { length: 1 }] as const

test('hostile texts and wrong types in every field of both envelopes', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  let sent = 0
  for (const other of [...HOSTILE, ...TYPES]) {
    for (const envelope of [payment.v2, payment.v1]) {
      for (const changed of mutants(envelope, other)) {
        const text = encode(changed)
        if (text === payment.v1Text || text === payment.v2Text) continue
        for (const name of NAMES) await assertRefused(scene, { [name]: text }, /The payment was not taken: .{10,}/)
        sent++
      }
    }
  }
  assert.ok(sent > 400, `${sent}`)
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal(await scene.state(payment), undefined)
  // an object of JSON may name what an object of the language has
  for (const json of ['{"__proto__":{"x402Version":1}}', '{"constructor":{"prototype":{"x402Version":1}}}']) {
    await assertRefused(scene, { 'X-PAYMENT': Buffer.from(json).toString('base64') }, /x402Version/)
  }
  assert.equal(({} as { x402Version?: unknown }).x402Version, undefined)
  // what nobody asked for is of no account, and a memo is the payer's own affair
  const { accepted } = payment.v2 as { accepted: object }
  const more = Object.fromEntries(HOSTILE.slice(0, 6).map((text, i) => [`${text}${i}`, text]))
  const decorated = {
    ...more,
    ...payment.v2,
    accepted: { ...accepted, ...more },
    extensions: more,
  }
  assert.equal((await scene.ask(PATHS.new, { 'PAYMENT-SIGNATURE': encode(decorated) })).status, 200)
  const injecting = await scene.byHand({ buyer: await scene.buyer(), rest: [memo(HOSTILE[0])] })
  assert.equal((await scene.ask(PATHS.new, inV1(injecting))).status, 200)
  assert.deepEqual([scene.earned(), scene.sales.units], [2 * OTHER, 2 * OTHER])
})

test('junk counts as calls without a payment, and too much of it closes the door for a minute', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const from = nextClient()
  for (let i = 0; i < RATES.unpaid; i++) {
    const answer = await scene.ask(PATHS.new, { [NAMES[i % 2]!]: 'junk' }, { from })
    assert.equal(answer.status, 402, `${i}`)
  }
  for (const headers of [{ 'X-PAYMENT': 'junk' }, inV2(payment), {}]) {
    const answer = await scene.ask(PATHS.new, headers, { from })
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  const key = { authorization: `Bearer ${KEYS.pro}` }
  assert.equal((await scene.ask(PATHS.new, { ...key, 'X-PAYMENT': 'junk' }, { from })).status, 200, 'keys go on')
  assert.equal((await scene.ask(PATHS.new, {}, { from: nextClient() })).status, 402, 'others go on')
  scene.nextMinute()
  assert.equal((await scene.ask(PATHS.new, inV2(payment), { from })).status, 200)
  assert.equal(scene.earned(), OTHER)
})
