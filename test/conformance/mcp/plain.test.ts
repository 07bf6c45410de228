import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { isSpecType } from '@modelcontextprotocol/client'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { ANSWER_BYTES } from '@ti/core/contract/tools.ts'
import { latin1 } from '@ti/core/query/envelope.ts'
import { plainCall } from '@ti/service/faces/mcp/plain.ts'
import { bearer, callOf, messageOf, open, post } from './raw.ts'
import { KEYS } from './service.ts'

/** Calls that go past the SDK: the SDK is the judge of which may, and of their answers. */
const { mint } = EXAMPLE_ADDRESSES
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const modern = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
})
const callWith = (name: string, given: object, more: object, id: unknown = 1) => {
  const made = callOf(name, given, id)
  return { ...made, params: { ...made.params, ...more } }
}

/** A field that the SDK ignores, and that keeps a message off the short way. */
const BEHIND = { unknown: true }

/** What differs between two answers to the same call. */
const comparable = (text: string): unknown =>
  JSON.parse(text.replace(/req_\d+/g, 'req').replace(/cached_at\\":\\"[^\\]*/g, 'time'))

const CALLS: readonly (readonly [name: string, given: object])[] = [
  ['scan_token', { mint }],
  ['scan_token', { mint, fields: ['meta', 'score'] }],
  ['list_new_tokens', {}],
  ['deployer_history', { address: EXAMPLE_ADDRESSES.deployer, limit: 1 }],
  ['check_token', { mint }],
  ['scan_token', { mint: 'é"\\ ' }],
  ['scan_token', {}],
]

for (const isModern of [false, true]) {
  for (const key of [KEYS.pro, KEYS.revoked]) {
    test(`the same answer as the SDK's: ${isModern ? 2026 : 2025}, ${key}`, async (t) => {
      const { service } = await open(t)
      for (const [name, given] of CALLS) {
        const headers = { ...bearer(key), ...(isModern && modern(name)) }
        const meta = isModern ? { _meta: META } : {}
        const [short, long] = [callWith(name, given, meta, 'é'), callWith(name, given, { ...meta, ...BEHIND }, 'é')]
        assert.ok(plainCall({ ...short }, { ...short.params }, headers) !== null, name)
        assert.equal(plainCall({ ...long }, { ...long.params }, headers), null)
        const answers = [await post(service, short, headers), await post(service, long, headers)] as const
        const [ours, theirs] = answers.map(({ body }) => comparable(body.toString()))
        assert.deepEqual(ours, theirs, name)
        const { result } = messageOf(answers[0])
        assert.ok(isSpecType.CallToolResult(result) && isSpecType.JSONRPCResultResponse(messageOf(answers[0])))
        assert.deepEqual([...answers[0].headers.keys()].sort(), [...answers[1].headers.keys()].sort())
        assert.equal(answers[0].status, answers[1].status)
      }
    })
  }
}

test('a compressed answer is the same', async (t) => {
  const { service } = await open(t)
  const plain = await post(service, callOf('list_new_tokens'), bearer(KEYS.pro))
  for (const _ of [1, 2]) {
    const coded = await post(service, callOf('list_new_tokens'), { ...bearer(KEYS.pro), 'accept-encoding': 'gzip' })
    assert.equal(coded.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(comparable(gunzipSync(coded.body).toString()), comparable(plain.body.toString()))
  }
})

test('bytes above 127 and quotes inside the data come back whole', async (t) => {
  const data = { name: 'Ünï "q" \\ \u2028 😀', pad: 'x'.repeat(2_000) }
  const rendered = { bytes: Buffer.from(JSON.stringify(data)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 5 }
  const { service } = await open(t, { query: { snapshot: () => rendered } })
  const answer = await post(service, callOf('scan_token', { mint }), bearer(KEYS.pro))
  const [{ text }] = messageOf(answer).result!.content as [{ text: string }]
  assert.deepEqual(JSON.parse(text).data, data)
  assert.equal(latin1(answer.body).length, Number(answer.headers.get('content-length')))
})

test('an answer too long is cut alike on both ways, and whole on request; a limit begins pages', async (t) => {
  const rows = Array.from({ length: 100 }, (_, slot) => ({ ...EXAMPLES.trades.data[0]!, slot, user_name: 'é “😀”' }))
  const long = { bytes: Buffer.from(JSON.stringify(rows)), renderedAt: '2026-10-01T01:25:24.000000Z', slot: 5 }
  const history = () => ({ data: long, returned: 100, next: { slot: 5, no: 1 } })
  const { service } = await open(t, { query: { trades: () => long, history } })
  const read = async (given: object, more = {}) => {
    const [{ text }] = messageOf(
      await post(service, callWith('token_trades', { mint, ...given }, more), bearer(KEYS.pro)),
    ).result!.content as [{ text: string }]
    const { data, meta } = JSON.parse(text) as { data: object[]; meta: { left_out?: object; page?: object } }
    return { bytes: Buffer.byteLength(text), data, left: meta.left_out, page: meta.page }
  }
  const short = await read({})
  assert.ok(short.bytes <= ANSWER_BYTES && short.left !== undefined)
  for (const way of [{}, { _meta: BEHIND }]) {
    assert.deepEqual(await read({}, way), short)
    assert.deepEqual((await read({ detail: 'full' }, way)).data, rows)
    const page = await read({ limit: 100 }, way)
    assert.deepEqual([page.data, page.left], [rows, undefined])
    assert.deepEqual(page.page, { limit: 100, returned: 100, next_cursor: '5-1' })
    assert.deepEqual((await read({ cursor: '5-1' }, way)).page, { limit: 12, returned: 100, next_cursor: '5-1' })
  }
})

/** Each of these the SDK refuses, or answers with something else than the call's result. */
const ODD: readonly (readonly [what: string, message: object, headers: Record<string, string>])[] = [
  ['no id', { ...callOf('scan_token'), id: undefined }, {}],
  ['a broken id', callOf('scan_token', {}, 1.5), {}],
  ['an id of null', callOf('scan_token', {}, null), {}],
  ['another version of JSON-RPC', { ...callOf('scan_token'), jsonrpc: '1.0' }, {}],
  ['a list for arguments', callWith('scan_token', {}, { arguments: [] }), {}],
  ['null for arguments', callWith('scan_token', {}, { arguments: null }), {}],
  ['a token of progress', callWith('scan_token', {}, { _meta: { progressToken: {} } }), {}],
  ['an unknown version of the protocol', callOf('scan_token'), { 'mcp-protocol-version': '2001-01-01' }],
  ['a modern header without an envelope', callOf('scan_token'), modern('scan_token')],
  ['an envelope without a header', callWith('scan_token', {}, { _meta: META }), {}],
  ['another name in the header', callWith('scan_token', {}, { _meta: META }), modern('list_new_tokens')],
  [
    'an envelope of another version',
    callWith('scan_token', {}, { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2025-06-18' } }),
    modern('scan_token'),
  ],
  [
    'a broken client',
    callWith('scan_token', {}, { _meta: { ...META, 'io.modelcontextprotocol/clientInfo': 5 } }),
    modern('scan_token'),
  ],
]

test('whatever the SDK has a word on goes to the SDK', async (t) => {
  const { service } = await open(t)
  for (const [what, message, headers] of ODD) {
    const sent = JSON.parse(JSON.stringify(message))
    assert.equal(plainCall(sent, sent.params, headers), null, what)
    const { status, body } = await post(service, message, { ...bearer(KEYS.pro), ...headers })
    assert.ok(status >= 400 || body.length === 0 || messageOf({ body } as never).error !== undefined, what)
  }
})
