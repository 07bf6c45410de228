import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { BATCH_MAX } from '@ti/core/contract/batch.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import type { Cashier } from '@ti/service/access/x402/types.ts'
import { BATCH_BODY_BYTES } from '@ti/service/faces/http/data.ts'
import { exchange, requestText } from '../../support/exchange.ts'
import { KEYS, startFake } from '../../support/fake-service.ts'
import { bearer, callOf, dataOf, errorOf, open, post } from '../mcp/raw.ts'
import { createFakeCashier, KEYS as TOOL_KEYS } from '../mcp/service.ts'

/** Several tokens in one call: what is taken, found, counted and asked for. */
const { mint, holder, trader, deployer } = EXAMPLE_ADDRESSES
const PATH = '/v1/tokens/batch'
const KNOWN: readonly string[] = [mint, trader, deployer]

const snapshot = EXAMPLES.snapshot.data
const rendered = (value: unknown) => ({
  ...{ bytes: Buffer.from(JSON.stringify(value)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 500 },
})
/** Three mints are tracked. */
const query = {
  tracked: (mints: readonly string[]) => mints.filter((one) => KNOWN.includes(one)).length,
  batch(mints: readonly string[]) {
    const tokens = mints.filter((one) => KNOWN.includes(one)).map((one) => ({ mint: one, slot: 500, snapshot }))
    return tokens.length === 0 ? null : rendered({ tokens, not_found: mints.filter((one) => !KNOWN.includes(one)) })
  },
}

async function openBatch(t: TestContext, cashier?: Cashier) {
  const service = await startFake({ query, ...(cashier !== undefined && { cashier }) })
  t.after(service.close)
  return async (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${KEYS.pro}` }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const sent = { 'content-type': 'application/json', 'content-length': `${text.length}`, ...headers }
    const answer = await exchange(service.baseUrl, `${requestText('POST', PATH, sent)}${text}`)
    assert.ok(answer !== null)
    return { ...answer, json: JSON.parse(answer.body.toString()) }
  }
}

test('those that are found, once each and in the order asked, and those that are not', async (t) => {
  const ask = await openBatch(t)
  const { status, json, headers } = await ask({ mints: [trader, holder, mint, trader], colour: 'red' })
  assert.equal(status, 200)
  assert.deepEqual(
    [json.data.tokens.map((token: { mint: string }) => token.mint), json.data.not_found],
    [[trader, mint], [holder]],
  )
  assert.deepEqual([json.meta.slot, headers.get('x-slot'), headers.get('x-ignored-parameters')], [500, '500', 'colour'])
  assert.equal(headers.get('x-ratelimit-remaining'), `${RATES.pro - 2}`, 'one call for each token found')
  const again = await ask(
    { mints: [trader, holder, mint, trader] },
    { authorization: `Bearer ${KEYS.pro}`, 'if-none-match': headers.get('etag')! },
  )
  assert.equal(again.status, 200, 'a POST has no 304')
})

test('a free key gets as many tokens a minute as calls; a batch that is over says what it counts as and uses up nothing', async (t) => {
  const ask = await openBatch(t)
  const free = { authorization: `Bearer ${KEYS.free}` }
  assert.equal((await ask({ mints: KNOWN }, free)).headers.get('x-ratelimit-remaining'), '2')
  for (let n = 0; n < 3; n++) {
    const over = await ask({ mints: KNOWN }, free)
    assert.deepEqual([over.status, over.headers.get('x-ratelimit-remaining')], [429, '2'])
    const { message } = over.json.error
    assert.match(message, /^this batch counts as 3 calls, one for each token found, and 2 of 5 a minute are left/)
  }
  const fits = await ask({ mints: [mint, trader] }, free)
  assert.deepEqual([fits.status, fits.headers.get('x-ratelimit-remaining')], [200, '0'])
  assert.equal((await ask({ mints: [holder] }, free)).status, 429)
})

test('what is asked for is the price of those found; where none is found nothing is', async (t) => {
  const cashier = createFakeCashier()
  const seen: number[] = []
  const ask = await openBatch(t, {
    ...cashier,
    quote(call, problem) {
      seen.push(call.amount)
      return cashier.quote(call, problem)
    },
  })
  assert.equal((await ask({ mints: [...KNOWN, holder, mint] }, {})).status, 402)
  assert.equal((await ask({ mints: [mint] }, {})).status, 402)
  assert.deepEqual(seen, [60_000, 20_000])
  const none = await ask({ mints: [holder] }, {})
  assert.deepEqual([none.status, none.json.error.message], [404, 'none of the mints is tracked'])
  assert.equal(seen.length, 2)
})

test('what is not taken, without a key: 400 before 402', async (t) => {
  const ask = await openBatch(t)
  for (const [body, message] of [
    ['', /not JSON/],
    ['[]', /must be an object/],
    [{}, /mints must be a list/],
    [{ mints: [] }, /mints must be a list/],
    [{ mints: [mint, 5] }, /mint addresses/],
    [{ mints: Array(BATCH_MAX + 1).fill(mint) }, /51 items/],
    [{ mints: [`${mint}1`] }, /base58 of 32 bytes/],
    [{ mints: [mint], fields: 'prices' }, /unknown groups: prices/],
  ] as const) {
    const { status, json } = await ask(body, {})
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(json.error.message, message)
  }
  assert.match((await ask({ mints: [mint] }, { 'content-type': 'text/plain' })).json.error.message, /Content-Type/)
  assert.equal((await ask('x'.repeat(BATCH_BODY_BYTES + 1))).status, 413)
  assert.equal((await ask({ mints: Array(BATCH_MAX).fill(mint), fields: ['meta', 'score'] })).status, 200)
})

test('other methods are told which one it is', async (t) => {
  const service = await startFake()
  t.after(service.close)
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const answer = await exchange(service.baseUrl, requestText(method, PATH), method !== 'HEAD')
    assert.deepEqual([answer!.status, answer!.headers.get('allow')], [405, 'POST, OPTIONS'], method)
  }
  const preflight = await fetch(service.baseUrl + PATH, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  })
  assert.match(preflight.headers.get('access-control-allow-methods')!, /POST/)
})

test('the same over MCP, where the list of tools is short', async (t) => {
  const { service, cashier } = await open(t, { query })
  const answer = await post(service, callOf('scan_tokens', { mints: [mint, holder] }), bearer(TOOL_KEYS.pro))
  const { data, meta } = dataOf(answer) as unknown as { data: { not_found: string[] }; meta: { slot: number } }
  assert.deepEqual([data.not_found, meta.slot], [[holder], 500])
  assert.equal(errorOf(await post(service, callOf('scan_tokens', { mints: [holder] }))).code, 'not_found')
  assert.equal(cashier.seen.length, 0)
  const listed = await post(service, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  assert.ok(listed.body.length < 25_000, `tools/list has ${listed.body.length} bytes`)
})
