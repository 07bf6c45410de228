import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TokenBatch } from '@ti/core/contract/batch.ts'
import { BATCH_ENDPOINTS, type Endpoint, FREE_ENDPOINTS, PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { BATCH_EXAMPLES, FURTHER_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import { PaymentRequiredV2 } from '@ti/core/contract/resources.ts'
import { TOOL_ROWS } from '@ti/core/contract/tools.ts'
import { signPayment } from '../../support/payments-fixtures.ts'
import { CLIENTS, type TestClient, type ToolResult } from './client.ts'
import { createFakeCashier, FAILED, KEYS, RECEIPT, startMcp } from './service.ts'

/** Every tool, with every way in, as three official clients see it; each lists the tools first, so that it checks schemas. */
const { mint, trader, deployer } = EXAMPLE_ADDRESSES
const ALL_EXAMPLES = { ...EXAMPLES, ...FURTHER_EXAMPLES, batch: BATCH_EXAMPLES.batch.answer }
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  scan_token: { mint, fields: 'meta,score' },
  token_trades: { mint },
  profile_wallet: { address: trader },
  deployer_history: { address: deployer, limit: 10 },
  who_is_behind: { mint },
  check_token: { mint },
  explain_score: { mint },
  actor_profile: { id: '41' },
  wallet_positions: { wallet: trader, limit: 10 },
  // one of the two is found
  scan_tokens: { mints: BATCH_EXAMPLES.batch.asked.mints },
}
const rowOf = (tool: string, id: string) => ({
  ...([...PRICED_ENDPOINTS, ...BATCH_ENDPOINTS].find((endpoint) => endpoint.id === id) as Endpoint & {
    readonly id: keyof typeof ALL_EXAMPLES
  }),
  ...{ tool, args: ARGUMENTS[tool] ?? {} },
})
const TOOLS = Object.entries(TOOL_ROWS).flatMap(([tool, { operation }]) =>
  operation === 'accuracy' ? [] : [rowOf(tool, operation)],
)
/** Those that answer another operation on request. */
const WINDOWS = Object.entries(TOOL_ROWS).flatMap(([tool, row]) => ('windows' in row ? [rowOf(tool, row.windows)] : []))

interface Body {
  readonly data: object
  readonly meta: { readonly request_id: string; readonly page?: object }
  readonly error: { readonly code: string; readonly message: string; readonly retry_after?: number }
}

/** What a result says: data once, as text; what went wrong in both forms, which are the same. */
function bodyOf(result: ToolResult): Body {
  assert.equal(result.content.length, 1)
  const body = JSON.parse(result.content[0]!.text!) as Body
  assert.deepEqual(result.structuredContent, result.isError === true ? body : undefined)
  return body
}

function assertData(result: ToolResult, id: (typeof TOOLS)[number]['id']): void {
  assert.notEqual(result.isError, true, JSON.stringify(result))
  const { data, meta } = bodyOf(result)
  const example = ALL_EXAMPLES[id].data
  if (id === 'batch') return assert.deepEqual((data as TokenBatch).not_found, ALL_EXAMPLES.batch.data.not_found)
  if (id === 'snapshot') assert.deepEqual(Object.keys(data), ['meta', 'score'])
  else assert.deepEqual(data, JSON.parse(JSON.stringify(example)))
  assert.match(meta.request_id, /^req_\d+$/)
}

function assertOffer(result: ToolResult, tool: (typeof TOOLS)[number], message: RegExp): void {
  assert.equal(result.isError, true)
  const offer = PaymentRequiredV2.parse(bodyOf(result))
  assert.equal(offer.x402Version, 2)
  assert.equal(offer.resource.url, `mcp://tool/${tool.tool}`)
  assert.equal(offer.accepts[0]!.amount, String(tool.priceUnits))
  assert.match(offer.error, message)
  const error = result._meta!['token-intelligence/error'] as Record<string, string>
  assert.equal(error.code, 'payment_required')
  assert.equal(error.message, offer.error)
  assert.equal(error.upgrade_url, 'https://api.example.com/account')
}

function assertError(result: ToolResult, code: string, message: RegExp): Body['error'] {
  assert.equal(result.isError, true)
  const { error } = bodyOf(result)
  assert.equal(error.code, code)
  assert.match(error.message, message)
  return error
}

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(name, () => {
    async function open(t: { after(fn: () => Promise<void>): void }, key?: string) {
      const cashier = createFakeCashier()
      const service = await startMcp({ cashier })
      t.after(service.close)
      const client = await connect(service.url, key === undefined ? {} : { authorization: `Bearer ${key}` })
      t.after(client.close)
      await client.listTools()
      return { cashier, service, client }
    }

    async function each(client: TestClient, judge: (tool: (typeof TOOLS)[number], result: ToolResult) => void) {
      for (const tool of TOOLS) judge(tool, await client.callTool(tool.tool, tool.args))
    }

    test('lists the tools of the endpoint table', async (t) => {
      const { client, service } = await open(t)
      const listed = await client.listTools()
      assert.deepEqual(
        listed.map((tool) => tool.name),
        [...TOOLS, ...FREE_ENDPOINTS].map((tool) => tool.tool),
      )
      const priced = listed.slice(0, TOOLS.length)
      for (const [i, { title, annotations, inputSchema, description }] of priced.entries()) {
        const { parameters, summary, priceUnits } = TOOLS[i]!
        const own = parameters.filter((one) => one !== 'min_slot' && one !== 'at_slot')
        // what a tool adds to its operation, beside the payment
        const given = Object.keys(inputSchema.properties!).filter((one) => !['limit', 'cursor', 'detail'].includes(one))
        assert.deepEqual(given, [...own.filter((one) => !['limit', 'cursor'].includes(one)), 'x_payment'])
        assert.equal(title, summary)
        assert.match(description!, new RegExp(`\\$0\\.0${priceUnits / 10_000} a (call|token found)`))
        assert.deepEqual(annotations, {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        })
      }
      assert.deepEqual([...new Set(service.subjects)], ['unpaid:203.0.113.7 60'])
    })

    test('what is free is answered without key and payment, and says so', async (t) => {
      const { client, cashier } = await open(t)
      for (const { tool } of FREE_ENDPOINTS) {
        const { description } = (await client.listTools()).find(({ name }) => name === tool)!
        assert.match(description!, /free/i)
        const result = await client.callTool(tool, {})
        assert.notEqual(result.isError, true)
        assert.ok(bodyOf(result).data !== undefined)
      }
      assert.equal(cashier.seen.length, 0)
    })

    test('without key and payment: the offer', async (t) => {
      const { client, cashier } = await open(t)
      await each(client, (tool, result) => assertOffer(result, tool, /^No API key and no payment was sent/))
      assert.equal(cashier.seen.length, 0)
    })

    test('with a Pro key: the data, no payment touched', async (t) => {
      const { client, cashier, service } = await open(t, KEYS.pro)
      await each(client, (tool, result) => assertData(result, tool.id))
      const { v2Text } = await signPayment(20_000)
      assertData(await client.callTool('scan_token', { ...ARGUMENTS.scan_token, x_payment: v2Text }), 'snapshot')
      assert.equal(cashier.seen.length, 0)
      assert.deepEqual([...new Set(service.subjects)], ['key:key-pro 600'])
    })

    test('with a free key: the data, counted in its few calls; a payment comes first', async (t) => {
      const { client, cashier, service } = await open(t, KEYS.free)
      const before = service.subjects.length
      assert.ok(before > 0 && service.subjects.every((subject) => subject === 'unpaid:203.0.113.7 60'))
      await each(client, (tool, result) => assertData(result, tool.id))
      assert.deepEqual([...new Set(service.subjects.slice(before))], ['free:a 5', 'free-address:203.0.113.7 15'])
      const { v2Text } = await signPayment(10_000)
      const result = await client.callTool('token_trades', { mint, x_payment: v2Text })
      assert.equal(result._meta!['x402/payment-response'] !== undefined, true)
      assert.equal(cashier.seen.length, 1)
      assert.equal(service.subjects.at(-1), 'paid:203.0.113.7 600')
    })

    test('with a key that is none: the offer says why', async (t) => {
      const reasons = { [KEYS.unknown]: /unknown/, [KEYS.revoked]: /was revoked/, [KEYS.expired]: /has expired/ }
      for (const [key, message] of Object.entries(reasons)) {
        const { client } = await open(t, key)
        await each(client, (tool, result) => assertOffer(result, tool, message))
      }
    })

    for (const place of ['x_payment, V2', 'x_payment, V1', '_meta, V2', '_meta, V1', 'both'] as const) {
      test(`with a payment in ${place}: the data and a receipt`, async (t) => {
        const { client, cashier, service } = await open(t)
        for (const tool of TOOLS) {
          const { v1, v2, v1Text, v2Text } = await signPayment(tool.priceUnits)
          const meta = place === '_meta, V1' ? v1 : place === '_meta, V2' || place === 'both' ? v2 : undefined
          const text =
            place === 'x_payment, V1' ? v1Text : place === 'x_payment, V2' || place === 'both' ? v2Text : undefined
          const args = text === undefined ? tool.args : { ...tool.args, x_payment: text }
          const result = await client.callTool(tool.tool, args, meta && { 'x402/payment': meta })
          assertData(result, tool.id)
          const network = place.endsWith('V1') ? 'solana' : RECEIPT.network
          assert.deepEqual(result._meta!['x402/payment-response'], { ...RECEIPT, network })
          const { call, payment } = cashier.seen.at(-1)!
          assert.equal(call.operation, tool.id)
          assert.equal(call.amount, tool.priceUnits)
          assert.equal(call.resource, `mcp://tool/${tool.tool}`)
          assert.equal(payment.version, place.endsWith('V1') ? 1 : 2)
          assert.equal(service.subjects.at(-1), 'paid:203.0.113.7 600')
        }
        assert.equal(cashier.paid, TOOLS.length)
        assert.equal(service.logged.filter((line) => line.includes('"level":"error"')).length, 0)
      })
    }

    test('a used payment is refused with the offer', async (t) => {
      const { client, service } = await open(t)
      const { v2Text } = await signPayment(10_000)
      const call = () => client.callTool('token_trades', { mint, x_payment: v2Text })
      assertData(await call(), 'trades')
      assertOffer(await call(), TOOLS.find(({ tool }) => tool === 'token_trades')!, /already used/)
      assert.deepEqual(service.subjects.slice(-3), [
        'paid:203.0.113.7 600',
        'failed:203.0.113.7 60',
        'unpaid:203.0.113.7 60',
      ])
    })

    test('a failed settlement: the offer with the receipt, never the data', async (t) => {
      const { client, cashier } = await open(t)
      cashier.fate = 'refused'
      for (const tool of TOOLS) {
        const { v2 } = await signPayment(tool.priceUnits)
        const result = await client.callTool(tool.tool, tool.args, { 'x402/payment': v2 })
        assertOffer(result, tool, /insufficient_funds/)
        assert.deepEqual(result._meta!['x402/payment-response'], FAILED)
      }
    })

    test('an open settlement: an error with the receipt and when to repeat the same payment', async (t) => {
      const { client, cashier } = await open(t)
      const { v1Text } = await signPayment(10_000)
      cashier.fate = 'uncertain'
      const result = await client.callTool('list_new_tokens', { x_payment: v1Text })
      assert.equal(assertError(result, 'internal_error', /settlement is open/).retry_after, 3)
      assert.deepEqual(result._meta!['x402/payment-response'], { ...FAILED, network: 'solana' })
      cashier.fate = 'unavailable'
      const other = await client.callTool('list_new_tokens', { x_payment: v1Text })
      assert.equal(assertError(other, 'internal_error', /cannot be taken/).retry_after, 4)
    })

    test('two different payments, and payments that are none', async (t) => {
      const { client, cashier, service } = await open(t)
      const [one, other] = [await signPayment(10_000), await signPayment(10_000)]
      const both = await client.callTool('list_new_tokens', { x_payment: one.v2Text }, { 'x402/payment': other.v2 })
      assertError(both, 'bad_request', /different payments/)
      const half = await client.callTool('list_new_tokens', { x_payment: 'junk!' }, { 'x402/payment': other.v2 })
      assertError(half, 'bad_request', /different payments/)
      const tool = TOOLS.find((row) => row.tool === 'list_new_tokens')!
      for (const junk of ['junk!', 'anVuaw==', 'A'.repeat(20_000), 7, { x402Version: 2 }, ['x']]) {
        const before = service.subjects.length
        assertOffer(await client.callTool(tool.tool, { x_payment: junk }), tool, /^The payment was not taken: /)
        assert.deepEqual(service.subjects.slice(before), [
          'paid:203.0.113.7 600',
          'failed:203.0.113.7 60',
          'unpaid:203.0.113.7 60',
        ])
        assertOffer(
          await client.callTool(tool.tool, {}, { 'x402/payment': junk }),
          tool,
          /^The payment was not taken: /,
        )
      }
      assert.equal(cashier.seen.length, 0)
      for (const nothing of ['', null])
        assertOffer(await client.callTool(tool.tool, { x_payment: nothing }), tool, /^No API key/)
    })

    test('not found is an error and not paid for', async (t) => {
      const { client, cashier } = await open(t)
      const nowhere = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
      for (const tool of TOOLS.filter(({ notFound }) => notFound !== null)) {
        const { v2Text } = await signPayment(tool.priceUnits)
        const key = tool.parameters[0]!
        const result = await client.callTool(tool.tool, { [key]: key === 'id' ? '999999' : nowhere, x_payment: v2Text })
        assertError(result, 'not_found', new RegExp(tool.notFound!))
        assert.equal(result._meta?.['x402/payment-response'], undefined)
        assertData(await client.callTool(tool.tool, { ...tool.args, x_payment: v2Text }), tool.id)
      }
      assert.equal(cashier.paid, TOOLS.filter(({ notFound }) => notFound !== null).length)
    })

    test('arguments: missing, odd, and as models write them', async (t) => {
      const { client } = await open(t, KEYS.pro)
      const bad: [string, Record<string, unknown>, RegExp][] = [
        ['scan_token', {}, /mint must be/],
        ['scan_token', { mint: 'x' }, /mint must be/],
        ['scan_token', { mint: 5 }, /mint must be/],
        ['scan_token', { mint: [mint] }, /mint must be/],
        ['scan_token', { mint: null }, /mint must be/],
        ['scan_token', { mint, fields: 'nope' }, /unknown groups: nope/],
        ['scan_token', { mint, fields: { meta: 1 } }, /unknown groups/],
        ['scan_token', { mint, fields: ['meta', 'nope'] }, /unknown groups: nope/],
        ['scan_tokens', { mints: [] }, /mints must be a list/],
        ['scan_tokens', { mints: [mint, { mint }] }, /mint addresses/],
        ['token_trades', { mint: `${mint} ` }, /mint must be/],
        ['profile_wallet', { mint }, /address must be/],
        ['deployer_history', { address: deployer, limit: 0 }, /limit must be at least 1/],
        ['deployer_history', { address: deployer, limit: 1.5 }, /limit must be an integer/],
        ['deployer_history', { address: deployer, limit: true }, /limit must be an integer/],
        ['deployer_history', { address: deployer, offset: -1 }, /offset must be at least 0/],
        ['deployer_history', { address: deployer, detail: 'long' }, /detail must be short or full or windows/],
        ['check_token', { mint, detail: 'windows' }, /detail must be short or full/],
        ['who_is_behind', { mint, limit: 0 }, /limit must be at least 1/],
        ['scan_tokens', { mints: Array(11).fill(mint) }, /11 items: at most 10 fit/],
      ]
      for (const [tool, args, message] of bad) assertError(await client.callTool(tool, args), 'bad_request', message)
      const page = async (args: object) =>
        bodyOf(await client.callTool('deployer_history', { address: deployer, ...args })).meta.page
      assert.deepEqual(await page({}), { limit: 20, offset: 0, returned: 1 })
      assert.deepEqual(await page({ detail: 'full' }), { limit: 50, offset: 0, returned: 1 })
      assert.deepEqual(await page({ limit: '7', offset: null }), { limit: 7, offset: 0, returned: 1 })
      assert.deepEqual(await page({ limit: 1000, offset: 1, extra: {} }), { limit: 100, offset: 1, returned: 0 })
      const whole = bodyOf(await client.callTool('scan_token', { mint, fields: '' }))
      assert.equal(Object.keys(whole.data).length, 10)
      for (const { tool, id, args } of WINDOWS)
        assertData(await client.callTool(tool, { ...args, detail: 'windows' }), id)
      const part = bodyOf(await client.callTool('scan_token', { mint, fields: ['meta', 'score'] }))
      assert.deepEqual(Object.keys(part.data), ['meta', 'score'])
    })

    test('an unknown tool is a protocol error', async (t) => {
      const { client } = await open(t)
      await assert.rejects(
        client.callTool('survivors', {}),
        (error: Error & { code?: number }) => error.code === -32_602,
      )
    })
  })
}
