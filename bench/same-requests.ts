import { PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { seededRandom } from '../test/support/random.ts'

/** A service under test, with its own keys, wallets and ports. */
export interface Asked {
  readonly url: string
  /** Keys of the current group of requests. */
  readonly pro: string
  readonly free: string
  /** Signs a payment of this price like the client; returns base64 in the version's envelope, and the value. */
  pay(price: number, version: 1 | 2): Promise<{ readonly text: string; readonly value: object }>
  /** The last payment, to be repeated. */
  readonly last: { readonly text: string; readonly value: object } | null
  /** Page cookies set for this group; '' before. */
  readonly cookie: string
}

export interface Request {
  readonly kind: string
  /** Latin-1. Either side closes the connection after the complete answer. */
  bytes(to: Asked): Promise<string> | string
}

/** Addresses known to the services. */
export interface Known {
  readonly mints: readonly string[]
  readonly wallets: readonly string[]
}

type Headers = Readonly<Record<string, string>>

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

function http(method: string, path: string, headers: Headers = {}, body = ''): string {
  const bytes = latin1(body)
  const length = body === '' && (method === 'GET' || method === 'HEAD') ? {} : { 'content-length': `${bytes.length}` }
  const all = { host: '127.0.0.1:4000', connection: 'close', ...length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${bytes}`
}

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'same-answers', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'same-answers', version: '1' } },
}
const PAGE: Headers = { 'sec-fetch-site': 'same-origin', 'x-page': '1' }
const SERVICE = [
  '/',
  '/healthz',
  '/openapi.json',
  '/docs',
  '/llms.txt',
  '/docs/agents.md',
  '/socket',
  '/nothing',
  '/v1',
]
const ACCOUNT = ['', '/challenge', '/session', '/keys', '/keys/k1', '/work', '/subscription', '/nothing', '//', '/a/b']
const MALFORMED = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'GET / HTTP/9.9\r\nhost: a\r\n\r\n',
  'NONSENSE\r\n\r\n',
  'GET /v1/tokens/new\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n',
  `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: a\r\nx: ${'b'.repeat(20_000)}\r\n\r\n`,
  'POST /account/challenge HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'POST /mcp HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n',
  'GET /v1/tokens/%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
  '\r\n\r\n\r\n\u0000\u0001',
]

/** Requests of every kind, the same for the same seed. A group fits into the rate limits of one address. */
export function createRequests(seed: number, known: Known) {
  const random = seededRandom(seed)
  const int = (below: number): number => Math.floor(random() * below)
  const one = <T>(list: readonly T[]): T => list[int(list.length)]!
  const text = (): string => String.fromCodePoint(...Array.from({ length: 1 + int(12) }, () => 33 + int(900)))
  const odd = (): string =>
    one(['', '0', 'null', '%00', '%2e%2e%2f', 'O0Il', '..%5c', '%F0%9F', 'z'.repeat(int(3_000))])
  const address = (): string =>
    int(5) === 0 ? one([odd(), encodeURIComponent(text())]) : one(int(3) ? known.mints : known.wallets)
  const value = (): unknown =>
    one<() => unknown>([
      () => null,
      () => int(9),
      text,
      () => [text()],
      () => ({ a: text() }),
      () => int(2) === 0,
      () => '',
    ])()

  const query = (): string => {
    const parts = Array.from({ length: int(3) }, () =>
      one([
        () =>
          `fields=${Array.from({ length: int(5) }, () => one([...SNAPSHOT_GROUPS, 'prices', ''])).join(one([',', '%2c']))}`,
        () => `limit=${one(['1', '50', '101', '0', '-1', '1.5', 'ten', '', '%31'])}`,
        () => `offset=${one(['0', '7', '1000001', '-2', 'x'])}`,
        () => `${encodeURIComponent(text())}=${encodeURIComponent(text())}`,
      ])(),
    )
    return parts.length === 0 ? '' : `?${parts.join('&')}`
  }
  const priced = () => {
    const endpoint = one(PRICED_ENDPOINTS)
    return { endpoint, path: endpoint.path.replace(/\{\w+\}/, address()) + query() }
  }
  const keyOf =
    (kind: number) =>
    (to: Asked): Headers => {
      const authorization = [
        `Bearer ${to.pro}`,
        `Bearer ${to.pro}`,
        `Bearer ${to.pro}`,
        `bearer ${to.free}`,
        `Bearer sk_live_${'A'.repeat(43)}`,
        'Basic eA==',
        'Bearer',
      ][kind]
      return authorization === undefined ? {} : { authorization }
    }
  const anyHeaders = (): Headers => ({
    ...(int(4) === 0 && { origin: one(['https://a.example', 'http://127.0.0.1:4000', 'null']) }),
    ...(int(6) === 0 && { accept: one(['text/html', '*/*', 'application/json', 'text/html;q=0.1']) }),
    ...(int(12) === 0 && { 'accept-encoding': one(['gzip', 'br', 'identity;q=0', 'br, gzip']) }),
    ...(int(30) === 0 && { cookie: one(['page=x', 'session=y', '=', text().replace(/[^\x21-\x7e]/g, '')]) }),
  })
  /** An invalid payment, or one that cannot be settled. */
  const false_ = (): unknown =>
    one<() => unknown>([
      () => ({}),
      () => ({ x402Version: int(4), scheme: 'exact', network: 'solana', payload: {} }),
      () => ({ x402Version: 1, scheme: 'exact', network: 'solana', payload: { transaction: text() } }),
      () => ({ x402Version: 2, accepted: { scheme: 'exact', network: 'solana:x' }, payload: { transaction: 'AA==' } }),
      value,
    ])()
  const falseText = (): string => {
    const encoded = Buffer.from(JSON.stringify(false_()) ?? '').toString('base64')
    return one([encoded, encoded.slice(1), 'x', ''])
  }

  const kinds: Readonly<Record<string, readonly [weight: number, make: () => Request['bytes']]>> = {
    data: [
      40,
      () => {
        const [{ path }, key, headers] = [priced(), keyOf(int(8)), anyHeaders()]
        const method = one(['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])
        return (to) => http(method, path, { ...headers, ...key(to) })
      },
    ],
    'false payment': [
      6,
      () => {
        const [{ path }, key, v2, v1, both] = [priced(), keyOf(int(9)), falseText(), falseText(), int(3)]
        const method = int(9) === 0 ? 'HEAD' : 'GET'
        const headers = { ...(both !== 0 && { 'payment-signature': v2 }), ...(both !== 1 && { 'x-payment': v1 }) }
        return (to) => http(method, path, { ...headers, ...key(to) })
      },
    ],
    payment: [
      3,
      () => {
        const [{ endpoint, path }, version, price] = [
          priced(),
          one([1, 2] as const),
          one([null, null, null, 1, 10_000]),
        ]
        return async (to) => {
          const { text } = await to.pay(price ?? endpoint.priceUnits, version)
          return http('GET', path, version === 1 ? { 'x-payment': text } : { 'payment-signature': text })
        }
      },
    ],
    'payment again': [
      2,
      () => {
        const [{ path }, name] = [priced(), one(['x-payment', 'payment-signature'])]
        return (to) => http('GET', path, { [name]: to.last?.text ?? 'none' })
      },
    ],
    mcp: [
      16,
      () => {
        const [key, era, headers] = [keyOf(int(8)), int(2), anyHeaders()]
        const message = one([callOf, callOf, callOf, otherOf])()
        const sent = JSON.stringify(era === 0 ? message : { ...message, params: { ...message.params, _meta: MODERN } })
        const body = int(12) === 0 ? one([sent.slice(1), `[${sent}]`, '', 'null', '1', '"x"']) : sent
        const type = int(20) === 0 ? one(['text/plain', 'application/json; charset=x', '']) : 'application/json'
        const version: Headers = era === 0 ? {} : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': message.method }
        const name: Headers = era === 0 || message.params.name === undefined ? {} : { 'mcp-name': message.params.name }
        const method = int(20) === 0 ? one(['GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']) : 'POST'
        const host: Headers = int(25) === 0 ? { host: one(['evil.example', 'localhost:1']) } : {}
        return (to) =>
          http(method, '/mcp', { 'content-type': type, ...headers, ...version, ...name, ...host, ...key(to) }, body)
      },
    ],
    'mcp payment': [
      2,
      () => {
        const [endpoint, version, place, arg] = [one(TOOLS), one([1, 2] as const), int(3), address()]
        const again = int(3) === 0
        return async (to) => {
          const { text, value } = (again ? to.last : null) ?? (await to.pay(endpoint.priceUnits, version))
          const given = { ...argumentsOf(endpoint, arg), ...(place !== 0 && { x_payment: text }) }
          const meta = place === 1 ? {} : { _meta: { 'x402/payment': value } }
          const params = { name: endpoint.tool, arguments: given, ...meta }
          const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
          return http('POST', '/mcp', { 'content-type': 'application/json' }, body)
        }
      },
    ],
    account: [
      8,
      () => {
        const [path, headers] = [`/account${one(ACCOUNT)}${int(9) === 0 ? '?a=b' : ''}`, anyHeaders()]
        const method = one(['GET', 'POST', 'POST', 'DELETE', 'PATCH', 'PUT', 'OPTIONS', 'HEAD'])
        const body = one([
          () => '',
          () => JSON.stringify({ wallet: one(known.wallets) }),
          () => JSON.stringify({ wallet: text() }),
          () => JSON.stringify({ nonce: text(), signature: text() }),
          () => JSON.stringify({ name: text(), expires_in_days: int(900) - 9 }),
          () => JSON.stringify(value()),
          () => '{"a":',
          () => 'x'.repeat(40_000),
        ])()
        const type: Headers = int(6) === 0 ? {} : { 'content-type': 'application/json' }
        return () => http(method, path, { ...type, ...headers }, method === 'GET' || method === 'HEAD' ? '' : body)
      },
    ],
    page: [
      12,
      () => {
        const path = one([
          () => '/app/session',
          () => `/app/explain/${address()}`,
          () => `/app/line/${address()}`,
          () => '/app/cards',
          () => `/app/search?q=${encodeURIComponent(one([text(), 'a', 'z'.repeat(300)]))}`,
          () => `/app${priced().path}`,
          () => one(['/', '/account', '/token/x', '/assets/x.js', '/favicon.svg', '/robots.txt', '/app/nothing']),
        ])()
        const [headers, own] = [anyHeaders(), int(5) === 0 ? {} : PAGE]
        const method = one(['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'])
        const accept: Headers = int(3) === 0 ? { accept: 'text/html,*/*;q=0.8' } : {}
        return (to) => {
          const cookie: Headers = to.cookie === '' ? {} : { cookie: to.cookie }
          return http(method, path, { ...headers, ...own, ...accept, ...cookie })
        }
      },
    ],
    service: [
      6,
      () => {
        const [method, path] = [one(['GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE']), one(SERVICE)]
        const [headers, mark] = [anyHeaders(), int(5) === 0 ? '?x=1' : '']
        return () => http(method, path + mark, headers)
      },
    ],
    malformed: [
      3,
      () => {
        const bytes = one(MALFORMED)
        return () => bytes
      },
    ],
    bodies: [
      2,
      () => {
        const [{ path }, key, size] = [priced(), keyOf(int(8)), one([1, 100, 70_000])]
        const chunked = int(2) === 0
        const body = 'x'.repeat(size)
        return (to) =>
          chunked
            ? `${http('GET', path, { ...key(to), 'transfer-encoding': 'chunked' })}${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
            : http('GET', path, { ...key(to), 'content-length': `${size}` }) + body
      },
    ],
  }

  const TOOLS = PRICED_ENDPOINTS.filter(({ tool }) => tool !== null)
  function argumentsOf({ parameters }: (typeof PRICED_ENDPOINTS)[number], arg: unknown): Record<string, unknown> {
    return Object.fromEntries(parameters.map((name) => [name, name === 'mint' || name === 'address' ? arg : '']))
  }
  function callOf(): { method: string; params: { name?: string; [other: string]: unknown } } {
    const endpoint = one(TOOLS)
    const given = int(6) === 0 ? (value() as object) : argumentsOf(endpoint, int(6) === 0 ? value() : address())
    const extra = int(6) === 0 ? { x_payment: one([falseText(), '', 5 as never]) } : {}
    const name = int(15) === 0 ? 'no_such_tool' : endpoint.tool!
    const params = { name, arguments: typeof given === 'object' && given !== null ? { ...given, ...extra } : given }
    return Object.assign({ jsonrpc: '2.0', id: int(9) }, { method: 'tools/call', params })
  }
  function otherOf(): { method: string; params: { name?: string } } {
    return one([
      INITIALIZE,
      ...['tools/list', 'ping', 'server/discover', 'resources/list', 'notifications/initialized', 'x'].map(
        (method) => ({
          jsonrpc: '2.0',
          ...(method.startsWith('notifications') ? {} : { id: 2 }),
          method,
          params: {},
        }),
      ),
    ]) as { method: string; params: { name?: string } }
  }

  const drawn = Object.entries(kinds).flatMap(([kind, [weight]]) => Array.from({ length: weight }, () => kind))
  return (): Request => {
    const kind = one(drawn)
    return { kind, bytes: kinds[kind]![1]() }
  }
}
