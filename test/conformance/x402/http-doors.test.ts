import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { exchange, requestText } from '../../support/exchange.ts'
import { decode, inV1, inV2, receiptIn } from '../../support/payments-fixtures.ts'
import { PATHS, readTool } from './door.ts'
import { OTHER, openScene, SNAPSHOT } from './scene.ts'

/** Side doors: other methods, other spellings of a path, other protocols. None leads to data without its price. */
const { mint } = EXAMPLE_ADDRESSES
const encodedMint = `%${mint.charCodeAt(0).toString(16)}${mint.slice(1)}`

/** Spellings of a path, and what each is answered without a payment. */
const SPELLINGS: readonly (readonly [path: string, status: number])[] = [
  ...['?', '?x=1', '?free=1&price=0', '?api_key=x', '?%zz=%zz', '#x', '?x402Version=2'].map(
    (tail) => [`${PATHS.new}${tail}`, tail === '#x' ? 400 : 402] as const,
  ),
  [`${PATHS.new}/`, 404],
  [`${PATHS.new}/.`, 404],
  [`${PATHS.new}//`, 404],
  [`/${PATHS.new}`, 404],
  ['/v1//tokens/new', 404],
  ['/v1/./tokens/new', 404],
  ['/v1/x/../tokens/new', 404],
  ['/%76%31/tokens/new', 404],
  ['/v1%2Ftokens%2Fnew', 404],
  ['/v1\\tokens\\new', 404],
  ['/V1/tokens/new', 404],
  ['/v1/Tokens/new', 404],
  ['/mcp/../v1/tokens/new', 404],
  ['/account/../v1/tokens/new', 404],
  ['http://localhost/v1/tokens/new', 404],
  // these are mints as far as the path goes
  ['/v1/tokens/NEW', 400],
  ['/v1/tokens/%6eew', 400],
  ['/v1/tokens/new%00', 400],
  ['/v1/tokens/new;x', 400],
  ['/v1/tokens/new%2f', 400],
  ['/v1/tokens/new.json', 400],
  [`/v1/tokens/${mint}%2Ftrades`, 400],
  [`/v1/tokens/${encodedMint}`, 402],
  [`/v1/tokens/${mint}?fields=meta`, 402],
  [`/v1/tokens/${mint}/trades/`, 404],
  [`/v1/tokens/${mint}//trades`, 404],
  [`/v1/tokens/${mint}/Trades`, 404],
]

test('18. no spelling of a path is a way round the price, and a cent is none round the snapshot’s', async (t) => {
  const scene = await openScene(t)
  const cheap = await scene.sign(await scene.buyer())
  for (const [path, status] of SPELLINGS) {
    const answer = await scene.ask(path)
    assert.equal(answer.status, status, path)
    assert.doesNotMatch(answer.body.toString(), /"data"/)
    if (status !== 402) continue
    const offer = answer.body.toString()
    assert.match(offer, path.includes(mint.slice(1)) ? /"maxAmountRequired":"20000"/ : /"maxAmountRequired":"10000"/)
  }
  assert.equal(SPELLINGS.filter(([, status]) => status === 402).length, 8)
  scene.nextMinute()
  // with a payment, whatever does not lead to the operation takes nothing
  for (const [path, status] of SPELLINGS) {
    const dear = path.includes(mint.slice(1))
    if (status === 402 && !dear) continue
    const answer = await scene.ask(path, inV2(cheap))
    assert.equal(answer.status, status, path)
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  // the same mint, written otherwise, is the same request: it has the same answer
  const dear = await scene.sign(await scene.buyer(), SNAPSHOT)
  assert.equal((await scene.ask(`/v1/tokens/${encodedMint}?fields=`, inV2(dear))).status, 200)
  for (const path of [PATHS.snapshot, `/v1/tokens/${encodedMint}`]) {
    assert.equal((await scene.ask(path, inV1(dear))).status, 200)
  }
  assert.deepEqual([scene.earned(), scene.calls.settle], [SNAPSHOT, 1])
})

test('18. a V2 payment that names a resource is good for that resource alone', async (t) => {
  const scene = await openScene(t)
  const offered = async (path: string) => {
    const { headers } = await scene.ask(path)
    return (decode(headers.get('payment-required')!) as { resource: { url: string } }).resource
  }
  const named = async (resource: unknown) => {
    const { v2 } = await scene.sign(await scene.buyer())
    return { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify({ ...v2, resource })).toString('base64') }
  }
  const [own, other] = [await offered(PATHS.new), await offered(PATHS.graduated)]
  const wrong = [
    other,
    { url: `${own.url}?x=1` },
    { url: own.url.toUpperCase() },
    { url: 7 },
    {},
    own.url,
    [own],
    'mcp://tool/tokens_new',
  ]
  for (const resource of [...wrong, { url: 'mcp://tool/tokens_new' }]) {
    const answer = await scene.ask(PATHS.new, await named(resource))
    assert.equal(answer.status, 402, JSON.stringify(resource))
    assert.match(answer.body.toString(), /`resource`/)
    scene.nextMinute()
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  const taken = [own, { url: own.url, description: 'mine', more: 1 }, null]
  for (const resource of taken) assert.equal((await scene.ask(PATHS.new, await named(resource))).status, 200)
  assert.equal(scene.calls.settle, taken.length)
})

test('18. HEAD, OPTIONS and other methods: no data, and no payment is taken with them', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  for (const headers of [{}, inV2(payment), inV1(payment)]) {
    const head = await scene.ask(PATHS.new, headers, { method: 'HEAD' })
    assert.deepEqual([head.status, head.body.length, receiptIn(head.headers)], [402, 0, null])
    assert.ok(head.headers.has('payment-required'))
    const options = await scene.ask(PATHS.new, { ...headers, origin: 'https://x.test' }, { method: 'OPTIONS' })
    assert.deepEqual([options.status, options.body.length], [204, 0])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      const answer = await scene.ask(PATHS.new, { ...headers, 'x-http-method-override': 'GET' }, { method })
      // a method that this version of Node cannot read is a malformed request
      assert.ok([405, 400].includes(answer.status), `${method}: ${answer.status}`)
      assert.doesNotMatch(answer.body.toString(), /"data"/)
    }
    const detour = { 'x-original-url': PATHS.new, 'x-rewrite-url': PATHS.new }
    assert.equal((await scene.ask('/healthz', { ...headers, ...detour })).status, 200)
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal(await scene.state(payment), undefined)
  assert.equal((await scene.ask(PATHS.new, inV2(payment))).status, 200)
  assert.equal(scene.earned(), OTHER)
})

test('18. what a browser may read and send is said', async (t) => {
  const scene = await openScene(t)
  const asks = { origin: 'https://x.test', 'access-control-request-method': 'GET' }
  const preflight = await scene.ask(PATHS.new, asks, { method: 'OPTIONS' })
  const allowed = preflight.headers.get('access-control-allow-headers') ?? ''
  for (const name of ['Authorization', 'PAYMENT-SIGNATURE', 'X-PAYMENT']) assert.ok(allowed.includes(name), name)
  const payment = await scene.sign(await scene.buyer())
  for (const headers of [{}, inV2(payment)]) {
    const answer = await scene.ask(PATHS.new, { ...headers, origin: 'https://x.test' })
    const exposed = answer.headers.get('access-control-expose-headers') ?? ''
    for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE', 'X-Request-Id', 'Retry-After']) {
      assert.ok(exposed.split(', ').includes(name), name)
    }
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
  assert.equal(scene.earned(), OTHER)
})

test('19. a payment on a WebSocket upgrade is not looked at, however often it is tried', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  for (let i = 0; i < 3; i++) {
    for (const path of ['/socket/websocket?vsn=2.0.0', '/socket/websocket?vsn=2.0.0&api_key=none', PATHS.new]) {
      const headers = { ...upgrade, ...inV2(payment), ...inV1(payment) }
      const text = requestText(path === PATHS.new ? 'HEAD' : 'GET', path, headers)
      const answer = await exchange(scene.baseUrl, text, path !== PATHS.new)
      assert.ok(answer !== null)
      assert.ok((path === PATHS.new ? [402] : [403, 404]).includes(answer.status), `${path}: ${answer.status}`)
      assert.equal(receiptIn(answer.headers), null)
    }
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal(await scene.state(payment), undefined)
  // an upgrade that nobody takes up is an ordinary request
  const answer = await scene.ask(PATHS.new, { ...upgrade, ...inV2(payment) })
  assert.equal(answer.status, 200)
  assert.equal(scene.earned(), OTHER)
})

test('20. MCP: batches, notifications, repeated ids, headers, two different payments', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const [a, b] = [await scene.sign(buyer), await scene.sign(buyer)]
  const call = (id: unknown, x_payment: unknown = a.v2Text, meta?: object) => ({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    method: 'tools/call',
    params: { name: 'token_trades', arguments: { mint, x_payment }, ...(meta && { _meta: { 'x402/payment': meta } }) },
  })
  for (const batch of [[call(1)], [call(1), call(2)], [call(1), call(1, b.v2Text)], []]) {
    const answer = await scene.post(batch)
    assert.equal(answer.status, 400)
    assert.match(answer.body.toString(), /one message a request/)
  }
  // nobody would hear the answer
  const notification = await scene.post(call(undefined))
  assert.ok(notification.status === 202 || notification.status === 400, `${notification.status}`)
  // a header is no place for a payment here
  const unpaid = readTool(await scene.post(call(1, ''), { ...inV2(a), ...inV1(a) }))
  assert.deepEqual([unpaid.isError, unpaid.content.x402Version], [true, 2])
  const conflicts = [
    call(1, a.v2Text, b.v2),
    call(1, b.v1Text, a.v2),
    call(1, 'junk', a.v2),
    call(1, a.v2Text, { x: 1 }),
  ]
  for (const message of conflicts) {
    const conflict = readTool(await scene.post(message))
    assert.deepEqual([conflict.isError, (conflict.content.error as { code: string }).code], [true, 'bad_request'])
  }
  assert.deepEqual(scene.calls, { verify: 0, settle: 0 })
  assert.equal(await scene.state(a), undefined)
  // one id, one payment, many requests: one is paid; the id comes back as it was
  const answers = await Promise.all(Array.from({ length: 10 }, () => scene.post(call('same', a.v2Text, a.v1))))
  for (const answer of answers) assert.equal((JSON.parse(answer.body.toString()) as { id: unknown }).id, 'same')
  const paid = answers.map(readTool).filter(({ isError, receipt }) => !isError && receipt?.success === true)
  assert.equal(paid.length, 1)
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
})
