import assert from 'node:assert/strict'
import { base58Encode } from '@ti/core/base/base58.ts'
import { ALL_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { URL_BYTES } from '@ti/service/faces/http/malformed.ts'
import { type Answer, exchange, requestText } from '../../support/exchange.ts'
import fc from '../../support/property.ts'
import { type DocumentedOperation, type DocumentedParameter, type Judge, judgeOf } from './judge.ts'

export interface FuzzTarget {
  readonly baseUrl: string
  /** Pro keys: enough of them that none comes to its rate limit */
  readonly keys: readonly string[]
  /** addresses the service answers with 200; any may be empty */
  readonly known: {
    readonly mints: readonly string[]
    readonly wallets: readonly string[]
    readonly deployers: readonly string[]
  }
  /** requests per operation */
  readonly runs: number
}

/** What a parameter's text is, as sent on the wire, and whether the contract takes it. */
interface Sent {
  readonly wire: string
  readonly ok: boolean
}

const good = (wire: string): Sent => ({ wire, ok: true })
const bad = (wire: string): Sent => ({ wire, ok: false })
const encoded = (text: string): string =>
  [...Buffer.from(text)].map((b) => `%${b.toString(16).padStart(2, '0')}`).join('')

const randomKey = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => base58Encode(Buffer.from(bytes).toString('latin1')))

/** Text that is no address, no group and no number whatever it decodes to. */
const unicode = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => bad(encoded(`¿${text}`)))
const huge = fc.integer({ min: 300, max: 6000 }).map((length) => bad('z'.repeat(length)))

function pathParameter(known: readonly string[]): fc.Arbitrary<Sent> {
  const valid = fc.oneof(randomKey(32), ...known.map((address) => fc.constant(address)))
  return fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...known.map((address) => fc.constant(good(address))), randomKey(32).map(good)) },
    valid.map((address) => good(`%${address.charCodeAt(0).toString(16)}${address.slice(1)}`)),
    fc.oneof(randomKey(31), randomKey(33)).map(bad),
    fc.constantFrom('', '0', 'null', '%00', '%zz', '%', '%2e%2e%2f', '%2F', 'O0Il', '..%5c', '%F0%9F', '-1').map(bad),
    valid.map((address) => bad(`${address}%20`)),
    unicode,
    huge,
  )
}

/** An actor's name or number; an address is neither. */
const actorParameter = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '41', '999999999', 'act_7hQ2mVx9TzKc').map(good) },
  fc.constantFrom('', '-1', '01', '1.5', 'act_', 'act_0', '%00', '%zz', '1234567890', 'act_7hQ2mVx9TzKc1').map(bad),
  randomKey(32).map(bad),
  unicode,
  huge,
)

function fieldsParameter(groups: readonly string[]): fc.Arbitrary<Sent> {
  const list = fc.array(fc.constantFrom(...groups, '', '%20', '+'), { maxLength: 14 })
  return fc.oneof(
    { weight: 3, arbitrary: list.map((items) => good(items.join(','))) },
    list.map((items) => good(items.join('%2c'))),
    list.map((items) => bad([...items, 'prices'].join(','))),
    fc.constantFrom('META', '*', '__proto__', 'meta;score', 'meta%00', '%00').map(bad),
    unicode,
    huge,
  )
}

function integerParameter(name: string): fc.Arbitrary<Sent> {
  const least = name === 'limit' ? 1 : 0
  // every market has read a slot as low as this
  const most = name === 'min_slot' ? 500 : 1_000_000
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: least, max: most }).map((n) => good(String(n))) },
    fc.constantFrom(String(least), '99', '100', '101', '007').map(good),
    fc.integer({ max: least - 1 }).map((n) => bad(String(n))),
    fc
      .constantFrom('', '1.5', '1e2', '0x1', 'NaN', 'ten', '%31%20', '+1', '%00', '1%2c2', '٣')
      .map((text) => bad(encodeURI(decodeURI(text)))),
    unicode,
  )
}

interface Case {
  readonly path: string
  readonly ok: boolean
}

const GONE: ReadonlySet<string> = new Set(['at_slot', 'cursor'])

function queryText(parameter: DocumentedParameter, groups: readonly string[]): fc.Arbitrary<Sent> {
  const drawn = parameter.schema.type === 'integer' ? integerParameter(parameter.name) : fieldsParameter(groups)
  // no slot of the past is kept here, and no page came before
  const value = GONE.has(parameter.name) ? drawn.map(({ wire }) => bad(wire)) : drawn
  const once = value.map(({ wire, ok }) => ({ wire: `&${parameter.name}=${wire}`, ok }))
  const twice = fc.tuple(value, value).map(([a, b]) => bad(`&${parameter.name}=${a.wire}&${parameter.name}=${b.wire}`))
  const absent = { weight: GONE.has(parameter.name) ? 8 : 3, arbitrary: fc.constant(good('')) }
  return fc.oneof(absent, { weight: 6, arbitrary: once }, twice)
}

const noise = fc.constantFrom(
  '',
  '',
  '',
  '&unknown=1',
  '&__proto__=x',
  '&constructor=1&toString=2',
  '&&&=',
  '&%zz=%zz',
  '&Limit=zero',
)

function cases(operation: DocumentedOperation, target: FuzzTarget, judge: Judge): fc.Arbitrary<Case> {
  const { mints, wallets, deployers } = target.known
  const known = operation.path.includes('{mint}') ? mints : operation.id.startsWith('deployer') ? deployers : wallets
  const inPath = operation.parameters.some((parameter) => parameter.in === 'path')
    ? operation.path.includes('{id}')
      ? actorParameter
      : pathParameter(known)
    : fc.constant(good(''))
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .tuple(inPath, fc.tuple(...inQuery.map((parameter) => queryText(parameter, judge.snapshotGroups))), noise)
    .map(([path, query, extra]) => {
      const search = query.map(({ wire }) => wire).join('') + extra
      return {
        path: operation.path.replace(/\{\w+\}/, () => path.wire) + (search === '' ? '' : `?${search.slice(1)}`),
        ok: path.ok && query.every(({ ok }) => ok),
      }
    })
}

function authorizations(keys: readonly string[]): fc.Arbitrary<{ header: string | null; ok: boolean }> {
  const key = keys[0]!
  const flipped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  const refused = [
    '',
    'Bearer',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer ${flipped}`,
    `Bearer ${key}A`,
    `Bearer ${key.slice(1)}`,
  ]
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...keys).map((known) => ({ header: `Bearer ${known}`, ok: true })) },
    fc.constant({ header: `bearer ${key}`, ok: true }),
    fc.constant({ header: null, ok: false }),
    fc.constantFrom(...refused).map((header) => ({ header, ok: false })),
    fc
      .string({ unit: 'binary-ascii', maxLength: 300 })
      .map((junk) => ({ header: `x${junk.replaceAll(/[^\x20-\x7e]/g, '?')}`, ok: false })),
  )
}

/** The order of the contract: size, then parameters, then authorisation, then the lookup. */
function expected({ path, ok }: Case, isAdmitted: boolean): readonly number[] {
  if (path.length > URL_BYTES) return [414]
  if (!ok) return [400]
  return isAdmitted ? [200, 404] : [402]
}

const text = (answer: Answer) => answer.body.toString()

interface Data {
  readonly data: unknown
  readonly summary?: unknown
  readonly meta: { readonly cached_at: string }
}

/** Asking again gives the same data as long as it was not rendered anew. */
function sameData(first: Answer, second: Answer, context: string): void {
  const [a, b] = [JSON.parse(text(first)) as Data, JSON.parse(text(second)) as Data]
  if (a.meta.cached_at === b.meta.cached_at) assert.deepEqual([a.data, a.summary], [b.data, b.summary], context)
}

let clients = 0

/** Every request comes from another address, so that none of them comes to its rate limit. */
function nextClient(): string {
  const n = clients++ % (250 * 250)
  return `127.9.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`
}

async function ask(baseUrl: string, method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await exchange(baseUrl, requestText(method, path, headers), method !== 'HEAD', nextClient())
  assert.ok(answer !== null, `${method} ${path}: closed without an answer`)
  return answer
}

async function fuzzOperation(
  operation: DocumentedOperation,
  target: FuzzTarget,
  judge: Judge,
  seen: Map<string, number>,
): Promise<void> {
  const methods = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'PROPFIND')
  const property = fc.asyncProperty(
    cases(operation, target, judge),
    authorizations(target.keys),
    methods,
    async (request, auth, method) => {
      const headers: Record<string, string> = auth.header === null ? {} : { authorization: auth.header }
      const context = `${method} ${request.path} with ${auth.header}`
      const answer = await ask(target.baseUrl, method, request.path, headers)
      seen.set(`${operation.id} ${answer.status}`, (seen.get(`${operation.id} ${answer.status}`) ?? 0) + 1)
      if (method === 'GET' || method === 'HEAD') {
        assert.ok(
          expected(request, auth.ok || operation.isFree).includes(answer.status),
          `${context}: ${answer.status} ${text(answer)}`,
        )
        operation.judge(answer, context, method)
        if (answer.status === 200 && method === 'GET') {
          sameData(answer, await ask(target.baseUrl, method, request.path, headers), context)
        }
      } else if (request.path.length > URL_BYTES) {
        operation.judge(answer, context)
      } else if (method === 'OPTIONS' && answer.status === 204) {
        assert.equal(answer.headers.get('access-control-allow-origin'), '*', context)
        assert.ok(answer.headers.has('x-request-id'), context)
      } else {
        // broken percent-encoding is a broken request before it is a method
        assert.ok([method === 'OPTIONS' ? 204 : 405, 400].includes(answer.status), `${context}: ${answer.status}`)
        operation.judge(answer, context)
      }
    },
  )
  await fc.assert(property, { numRuns: target.runs, includeErrorInReport: true })
}

/** A body, and whether the contract takes it. */
function bodies(known: readonly string[], groups: readonly string[]): fc.Arbitrary<Sent> {
  const mint = fc.oneof(randomKey(32), ...known.map((address) => fc.constant(address)))
  const wrong = fc.oneof(
    randomKey(31),
    fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => `¿${text}`),
  )
  const mints = fc.array(mint, { minLength: 1, maxLength: 50 })
  const whole = (body: fc.Arbitrary<object>) => body.map((value) => good(JSON.stringify(value)))
  return fc.oneof(
    { weight: 4, arbitrary: whole(fc.record({ mints, fields: fc.constantFrom(...groups, '') })) },
    whole(fc.record({ mints, unknown: fc.jsonValue() })),
    whole(fc.record({ mints, fields: fc.array(fc.constantFrom(...groups), { maxLength: 3 }) })),
    fc.tuple(mints, wrong).map(([some, one]) => bad(JSON.stringify({ mints: [...some.slice(1), one] }))),
    fc.array(mint, { minLength: 51, maxLength: 80 }).map((many) => bad(JSON.stringify({ mints: many }))),
    mints.map((some) => bad(JSON.stringify({ mints: some, fields: 'prices' }))),
    fc
      .record({ mints: fc.oneof(fc.constant([]), fc.integer(), fc.constant({}), fc.constant(null)) })
      .map((value) => bad(JSON.stringify(value))),
    fc.jsonValue().map((value) => bad(JSON.stringify([value]))),
    fc.constantFrom('', '{', '{"mints":', 'null', '"x"', '{"__proto__":1}', '['.repeat(3_000)).map(bad),
  )
}

async function fuzzPosted(
  operation: DocumentedOperation,
  target: FuzzTarget,
  judge: Judge,
  seen: Map<string, number>,
): Promise<void> {
  const methods = fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'HEAD', 'DELETE', 'OPTIONS')
  const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', '')
  const property = fc.asyncProperty(
    bodies(target.known.mints, judge.snapshotGroups),
    authorizations(target.keys),
    methods,
    type,
    async (sent, auth, method, contentType) => {
      const body = Buffer.from(sent.wire).toString('latin1')
      const headers: Record<string, string> = {
        ...(auth.header !== null && { authorization: auth.header }),
        'content-length': `${body.length}`,
        ...(contentType !== '' && { 'content-type': contentType }),
      }
      const request = `${requestText(method, operation.path, headers)}${body}`
      const answer = await exchange(target.baseUrl, request, method !== 'HEAD', nextClient())
      const context = `${method} ${sent.wire.slice(0, 300)} as ${contentType} with ${auth.header}`
      assert.ok(answer !== null, context)
      seen.set(`${operation.id} ${answer.status}`, (seen.get(`${operation.id} ${answer.status}`) ?? 0) + 1)
      // a body that no other method has is too large for it before anything else
      if (method === 'OPTIONS') return assert.ok([204, 413].includes(answer.status), context)
      operation.judge(answer, context, method)
      if (method !== 'POST') return assert.ok([405, 413].includes(answer.status), `${context}: ${answer.status}`)
      const ok = sent.ok && contentType.startsWith('application/json')
      // nothing is sold where nothing is found
      const possible = !ok ? [400] : auth.ok ? [200, 404] : [402, 404]
      assert.ok(possible.includes(answer.status), `${context}: ${answer.status} ${text(answer)}`)
    },
  )
  await fc.assert(property, { numRuns: target.runs, includeErrorInReport: true })
}

/** Requests no client library would send: an answer in our envelope, or a closed connection, never a 500. */
async function fuzzWire(target: FuzzTarget, judge: Judge): Promise<void> {
  const line = fc.constantFrom(
    'GET / HTTP/1.1',
    'GET /v1/tokens/new HTTP/1.1',
    'POST /v1/tokens/new HTTP/1.1',
    'BREW / HTTP/1.1',
    'GET /',
    'get / HTTP/1.1',
    'GET / HTTP/9.9',
    'GET http://[::1/ HTTP/1.1',
    'GET // HTTP/1.1',
    'GET ? HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'CONNECT x:1 HTTP/1.1',
    '\x16\x03\x01',
    'GET /\xff\x00 HTTP/1.1',
  )
  const header = fc.oneof(
    fc.constantFrom(
      'Host: x',
      'Host: x',
      'Host',
      ': x',
      'Content-Length: 5',
      'Content-Length: -1',
      'Content-Length: 99999999',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip',
      'Expect: banana',
      'Expect: 100-continue',
      'Upgrade: websocket',
      'Connection: upgrade',
      'Connection: upgrade\r\nUpgrade: h2c',
      'X: \x00',
      'A b: c',
    ),
    fc.integer({ min: 1, max: 40_000 }).map((length) => `X-Long: ${'a'.repeat(length)}`),
  )
  const body = fc.oneof(
    fc.constant(''),
    fc.constant('5\r\nhello\r\n0\r\n\r\n'),
    fc.constant('zz\r\n'),
    fc.integer({ min: 1, max: 5000 }).map((n) => `${n.toString(16)}\r\n${'b'.repeat(n)}\r\n0\r\n\r\n`),
  )
  const built = fc
    .tuple(line, fc.array(header, { maxLength: 4 }), body)
    .map(([a, b, c]) => `${[a, ...b].join('\r\n')}\r\n\r\n${c}`)
  const junk = fc
    .uint8Array({ minLength: 1, maxLength: 400 })
    .map((bytes) => `${Buffer.from(bytes).toString('latin1')}\r\n\r\n`)
  // what is still missing after the text is never sent: ask for an end by sending another, broken request
  const property = fc.asyncProperty(fc.oneof(built, junk), async (bytes) => {
    const answer = await exchange(target.baseUrl, `${bytes}\r\n\r\n\x00\r\n\r\n${' '.repeat(5)}\r\n\r\n`)
    if (answer === null || answer.status === 204) return
    const context = JSON.stringify(bytes.slice(0, 400))
    assert.notEqual(answer.status, 500, context)
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/, context)
    if (answer.status >= 400 && answer.status !== 402) judge.judgeError(answer, context)
  })
  await fc.assert(property, { numRuns: target.runs, includeErrorInReport: true })
}

const DATA_PATHS = new Set<string>(ALL_ENDPOINTS.map(({ path }) => path))

/**
 * Every operation on data of the service's own OpenAPI document under hostile input. Answers how often each status was seen. The stream and
 * the operations of accounts answer in other ways, and have tests of their own.
 */
export async function fuzzHttp(target: FuzzTarget): Promise<ReadonlyMap<string, number>> {
  const judge = await judgeOf(target.baseUrl)
  const seen = new Map<string, number>()
  for (const operation of judge.operations.filter(({ path }) => DATA_PATHS.has(path))) {
    if (operation.method === 'POST') await fuzzPosted(operation, target, judge, seen)
    else await fuzzOperation(operation, target, judge, seen)
  }
  await fuzzWire(target, judge)
  return seen
}
