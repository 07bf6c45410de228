import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { ErrorEnvelope } from '@ti/core/contract/resources.ts'
import { createMemoryWindows, RATES, WINDOW_MS } from '@ti/service/access/rate-limits/windows.ts'
import type { Answer } from '../../support/exchange.ts'
import { signPayment } from '../../support/payments-fixtures.ts'
import { bearer, callOf, dataOf, errorOf, LIST, open, PING, post, rateOf, resultOf } from './raw.ts'
import { type createFakeCashier, KEYS, type McpService } from './service.ts'

/** Who may call, how often, what becomes of a client that leaves, and what is told about it. */
const { mint } = EXAMPLE_ADDRESSES

describe('who may', () => {
  test('cookies and payment headers of HTTP say nothing here', async (t) => {
    const { service, cashier } = await open(t)
    const { v2Text, v1Text } = await signPayment(10_000)
    const headers = { cookie: `session=${KEYS.pro}`, 'payment-signature': v2Text, 'x-payment': v1Text }
    assert.equal(resultOf(await post(service, LIST, headers)).isError, true)
    assert.equal(cashier.seen.length, 0)
    assert.deepEqual(service.subjects, ['unpaid:203.0.113.7 60'])
  })

  test('without payments: keys only, and the error says so', async (t) => {
    const { service } = await open(t, { cashier: null })
    const { v2Text } = await signPayment(10_000)
    for (const args of [{}, { x_payment: v2Text }]) {
      const error = errorOf(await post(service, callOf('list_new_tokens', args)))
      assert.equal(error.code, 'payment_required')
      assert.match(error.message, /does not take payments per call/)
      assert.equal(error.upgrade_url, 'https://api.example.com/account')
    }
    const answer = await post(service, callOf('list_new_tokens', { x_payment: v2Text }), bearer(KEYS.free))
    assert.equal(resultOf(answer).isError, undefined)
    assert.ok(service.subjects.every((subject) => !subject.startsWith('paid:')))
    const listed = (await post(service, { ...PING, method: 'tools/list' })).body.toString()
    assert.ok(!listed.includes('"x_payment"') && listed.includes('Needs an API key.'))
  })

  test('not ready: an error for who may ask, nothing paid, the offer for who may not', async (t) => {
    const status = () => ({ ready: false, starting: true, reason: null })
    const { service, cashier } = await open(t, { status })
    const { v2Text } = await signPayment(10_000)
    for (const answer of [
      await post(service, LIST, bearer(KEYS.pro)),
      await post(service, LIST, bearer(KEYS.free)),
      await post(service, callOf('list_new_tokens', { x_payment: v2Text })),
    ]) {
      const error = errorOf(answer)
      assert.equal(`${error.code}: ${error.message}`, 'internal_error: the service is starting')
      assert.equal(error.retry_after, 5)
    }
    assert.equal('accepts' in resultOf(await post(service, LIST)).structuredContent, true)
    assert.equal(cashier.seen.length, 0)
  })

  test('an empty list is answered and not charged', async (t) => {
    const empty = { bytes: Buffer.from('[]'), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 }
    const { service, cashier } = await open(t, { query: { list: () => empty } })
    const { v2Text } = await signPayment(10_000)
    for (let i = 0; i < 2; i++) {
      const answer = await post(service, callOf('list_new_tokens', { x_payment: v2Text }))
      assert.deepEqual(dataOf(answer).data, [])
      assert.deepEqual(resultOf(answer)._meta, { 'token-intelligence/slot': 500 })
    }
    assert.equal(cashier.paid, 0)
  })

  test('an exception of ours: an error without a word about it, logged once, nothing charged', async (t) => {
    const trades = () => {
      throw new Error('secret of the store')
    }
    const { service, cashier } = await open(t, { query: { trades } })
    const { v2Text } = await signPayment(10_000)
    const answer = await post(service, callOf('token_trades', { mint, x_payment: v2Text }))
    assert.equal(errorOf(answer).message, 'internal error')
    assert.ok(!answer.body.includes('secret'))
    assert.equal(service.logged.filter((line) => line.includes('"level":"error"')).length, 1)
    assert.equal(cashier.paid, 0)
  })
})

describe('rate windows', () => {
  const clocked = () => {
    const clock = { ms: 0 }
    return { clock, windows: createMemoryWindows(() => clock.ms) }
  }
  /** A call is told so by its result; what is no call has none. */
  function assertLimited(answer: Answer, limit: number, isCall = true): void {
    assert.equal(answer.status, isCall ? 200 : 429)
    assert.equal(answer.headers.get('retry-after') ?? null, isCall ? null : '60')
    assert.equal(rateOf(answer), `0/${limit} 60`)
    const error = isCall ? errorOf(answer) : ErrorEnvelope.parse(JSON.parse(answer.body.toString())).error
    assert.equal(error.code, 'rate_limited')
    assert.equal(error.retry_after, 60)
    assert.equal(error.request_id, answer.headers.get('x-request-id'))
  }

  test('without key and payment, whatever is asked; a new window after a minute', async (t) => {
    const { clock, windows } = clocked()
    const { service } = await open(t, { windows })
    const asked = [PING, LIST, '{', { ...PING, method: 'tools/list' }]
    for (let i = 0; i < RATES.unpaid; i++) {
      assert.equal(rateOf(await post(service, asked[i % asked.length])), `${RATES.unpaid - 1 - i}/60 60`)
    }
    for (const message of asked) assertLimited(await post(service, message), RATES.unpaid, message === LIST)
    assert.equal((await post(service, LIST, bearer(KEYS.pro))).status, 200)
    clock.ms += WINDOW_MS
    assert.equal((await post(service, LIST)).status, 200)
  })

  test('a free key has five calls; the rest of the protocol is counted elsewhere', async (t) => {
    const { windows } = clocked()
    const { service } = await open(t, { windows })
    const headers = bearer(KEYS.free)
    for (let i = 0; i < 10; i++) assert.equal((await post(service, PING, headers)).status, 200)
    for (let i = 0; i < RATES.free; i++) assert.equal((await post(service, LIST, headers)).status, 200)
    assertLimited(await post(service, LIST, headers), RATES.free)
    assert.equal((await post(service, { ...PING, method: 'tools/list' }, headers)).status, 200)
  })

  test('refused payments take from the unpaid window and close the door to payments', async (t) => {
    const { clock, windows } = clocked()
    const { service, cashier } = await open(t, { windows })
    const junk = callOf('list_new_tokens', { x_payment: 'junk' })
    for (let i = 0; i < RATES.unpaid; i++) assert.equal((await post(service, junk)).status, 200)
    assertLimited(await post(service, junk), RATES.unpaid)
    assertLimited(await post(service, LIST), RATES.unpaid)
    const { v2Text } = await signPayment(10_000)
    const honest = callOf('list_new_tokens', { x_payment: v2Text })
    assertLimited(await post(service, honest), RATES.unpaid)
    assert.equal(cashier.seen.length, 0)
    clock.ms += WINDOW_MS
    assert.equal(resultOf(await post(service, honest)).isError, undefined)
  })

  test('a payment opens the larger window only to a tool that exists', async (t) => {
    const { service } = await open(t)
    await post(service, callOf('survivors', { x_payment: 'junk' }))
    await post(service, { ...PING, params: { arguments: { x_payment: 'junk' } } })
    assert.deepEqual([...new Set(service.subjects)], ['unpaid:203.0.113.7 60'])
  })
})

describe('a client that goes away', () => {
  /** Sends a call, waits until the cashier has it, goes away, and waits until the face has noticed. */
  async function leave(service: McpService, cashier: ReturnType<typeof createFakeCashier>, text: string) {
    let release = () => {}
    cashier.hold = new Promise((done) => {
      release = done
    })
    const body = JSON.stringify(callOf('list_new_tokens', { x_payment: text }))
    const socket = connect(Number(service.url.port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await until(() => cashier.seen.length > 0)
    socket.destroy()
    await until(() => service.statuses.includes(499))
    cashier.hold = null
    release()
  }

  async function until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + 20_000
    while (!condition()) {
      assert.ok(Date.now() < deadline, 'it never happened')
      await new Promise((done) => setImmediate(done))
    }
  }

  test('before settlement: nothing is settled, the payment stays good', async (t) => {
    const { service, cashier } = await open(t)
    const { v2Text } = await signPayment(10_000)
    await leave(service, cashier, v2Text)
    const again = resultOf(await post(service, callOf('list_new_tokens', { x_payment: v2Text })))
    assert.equal(again.isError, undefined)
    assert.equal(cashier.paid, 1)
  })

  test('in the middle of its message', async (t) => {
    const { service } = await open(t)
    const socket = connect(Number(service.url.port), '127.0.0.1')
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    )
    await until(() => socket.bytesWritten > 0)
    socket.destroySoon()
    await until(() => service.statuses.includes(499))
  })
})

test('payments and keys are nowhere in the logs, whatever becomes of them', async (t) => {
  const { service, cashier } = await open(t)
  const { v1, v2, v1Text, v2Text } = await signPayment(10_000)
  const { payload } = v2 as { payload: { transaction: string } }
  const arguments_ = { x_payment: v2Text }
  for (const fate of ['settle', 'refused', 'uncertain', 'unavailable', 'settle'] as const) {
    cashier.fate = fate
    await post(service, callOf('list_new_tokens', arguments_), bearer('sk_live_secret'))
    await post(service, { ...LIST, params: { ...LIST.params, _meta: { 'x402/payment': v1 } } }, bearer(KEYS.free))
  }
  await post(service, `${JSON.stringify(callOf('scan_token', { x_payment: v1Text }))}}`)
  await post(service, callOf('scan_token', { mint: v1Text, x_payment: v1Text.slice(1) }))
  await post(service, { ...LIST, method: v2Text })
  await post(service, callOf(v2Text, arguments_))
  await post(service, LIST, { 'mcp-protocol-version': v2Text })
  await post(service, { ...LIST, params: { name: 5, arguments: arguments_ } })
  const log = service.logged.join('\n')
  assert.ok(service.logged.length > 10)
  for (const secret of [v1Text, v2Text, payload.transaction, 'sk_live_secret', KEYS.free]) {
    assert.ok(!log.includes(secret.slice(0, 60)), secret)
  }
})

test('calls are counted by what became of them', async (t) => {
  const { service } = await open(t)
  const { v2Text } = await signPayment(10_000)
  await post(service, LIST)
  await post(service, LIST, bearer(KEYS.pro))
  await post(service, callOf('list_new_tokens', { x_payment: v2Text }))
  await post(service, callOf('list_new_tokens', { x_payment: v2Text }))
  await post(service, callOf('scan_token', {}))
  const text = await service.metrics.text()
  for (const [tool, outcome] of [
    ['list_new_tokens', 'offered'],
    ['list_new_tokens', 'pro'],
    ['list_new_tokens', 'paid'],
    ['list_new_tokens', 'refused'],
    ['scan_token', 'bad_request'],
  ]) {
    assert.ok(text.includes(`mcp_tool_calls_total{tool="${tool}",outcome="${outcome}"} 1`), `${tool} ${outcome}`)
  }
})
