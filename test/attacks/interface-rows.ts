import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { KEYS } from '../support/fake-service.ts'

const { mint, trader, deployer } = EXAMPLE_ADDRESSES

/** A call with a Pro key that a parser could read as something else. */
export interface ParsingRow {
  readonly name: string
  /** as it stands in the request line */
  readonly path: string
  readonly status: 400 | 402 | 404 | 413 | 414
  readonly headers?: readonly string[]
}

const bad = (name: string, path: string): ParsingRow => ({ name, path, status: 400 })
const none = (name: string, path: string): ParsingRow => ({ name, path, status: 404 })
/** a key that is none is as good as no key: the call is offered for money, and no lookup is made */
const noKey = (name: string, authorization: string): ParsingRow => ({
  name,
  path: `/v1/tokens/${mint}`,
  status: 402,
  headers: [`Authorization: ${authorization}`],
})

const ADDRESSES: readonly ParsingRow[] = [
  bad('a mint with a character that is not base58', `/v1/tokens/${mint.slice(0, -1)}0`),
  bad('a mint that is too short', `/v1/tokens/${mint.slice(0, 20)}`),
  bad('a mint of 33 bytes', `/v1/tokens/${'z'.repeat(45)}`),
  bad('a mint of 44 digits beyond 32 bytes', `/v1/tokens/${'z'.repeat(44)}`),
  bad('a mint with a NUL', `/v1/tokens/${mint}%00`),
  bad('a mint with a line feed', `/v1/tokens/${mint}%0a`),
  bad('a mint with a space', `/v1/tokens/%20${mint}`),
  bad('a mint in wide characters', `/v1/tokens/%EF%BC%91${mint.slice(1)}`),
  bad('bytes that are not UTF-8', `/v1/tokens/%ff%fe`),
  bad('an escape that is none', `/v1/tokens/%zz`),
  bad('an escape that is cut', `/v1/tokens/%4`),
  bad('statements for a database', `/v1/tokens/1'%20or%20'1'='1`),
  bad('a format for a printer', `/v1/traders/%25s%25n`),
  bad('a property of every object', '/v1/tokens/__proto__'),
  bad('a wallet that is a constructor', '/v1/traders/constructor'),
  bad('a deployer that is empty', '/v1/devs/%20/tokens'),
]

const PATHS: readonly ParsingRow[] = [
  none('dots up to a file', '/v1/../../etc/passwd'),
  none('escaped dots up to a file', '/v1/%2e%2e/%2e%2e/etc/passwd'),
  none('an escaped slash in a path', `/v1/tokens%2f${mint}`),
  none('two slashes', `/v1//tokens/${mint}`),
  none('capitals', `/V1/tokens/${mint}`),
  none('a semicolon in a path', `/v1/tokens;x=1/${mint}/trades`),
  none('a backslash', `/v1\\tokens\\${mint}`),
  none('files of the page’s own below an operation', `/v1/tokens/${mint}/../../package.json`),
  { name: 'a URL of 5 kB', path: `/v1/tokens/${mint}?x=${'y'.repeat(5_000)}`, status: 414 },
  {
    name: 'headers of 20 kB',
    path: '/v1/tokens/new',
    status: 413,
    headers: Array.from({ length: 20 }, (_, i) => `X-${i}: ${'y'.repeat(1_000)}`),
  },
]

const QUERIES: readonly ParsingRow[] = [
  bad('fields that are not there', `/v1/tokens/${mint}?fields=secret`),
  bad('fields of every object', `/v1/tokens/${mint}?fields=__proto__`),
  bad('fields twice', `/v1/tokens/${mint}?fields=token&fields=token`),
  bad('a limit of nothing', `/v1/devs/${deployer}/tokens?limit=0`),
  bad('a limit below nothing', `/v1/devs/${deployer}/tokens?limit=-1`),
  bad('a limit in hex', `/v1/devs/${deployer}/tokens?limit=0x10`),
  bad('a limit with an exponent', `/v1/devs/${deployer}/tokens?limit=1e3`),
  bad('a limit of digits of another script', `/v1/devs/${deployer}/tokens?limit=%D9%A3`),
  bad('a limit twice', `/v1/devs/${deployer}/tokens?limit=1&limit=2`),
  bad('an offset beyond every list', `/v1/devs/${deployer}/tokens?offset=${QUERY_BOUNDS.launchesSummed * 100}`),
  bad('an offset beyond 2^53', `/v1/devs/${deployer}/tokens?offset=9007199254740993`),
  bad('an offset as a list', `/v1/devs/${deployer}/tokens?offset=1&offset=`),
]

const CREDENTIALS: readonly ParsingRow[] = [
  noKey('a key that was revoked', `Bearer ${KEYS.revoked}`),
  noKey('a key that has expired', `Bearer ${KEYS.expired}`),
  noKey('a key with a byte more', `Bearer ${KEYS.pro}p`),
  noKey('a key with a byte less', `Bearer ${KEYS.pro.slice(0, -1)}`),
  noKey('a key of other case', `Bearer ${KEYS.pro.toUpperCase()}`),
  noKey('a key with two spaces before it', `Bearer  ${KEYS.pro}`),
  noKey('a key with another scheme', `Basic ${KEYS.pro}`),
  noKey('two keys in one header', `Bearer ${KEYS.revoked}, Bearer ${KEYS.pro}`),
  noKey('a key of 8 kB', `Bearer ${'p'.repeat(8_000)}`),
  { name: 'a key in the URL', path: `/v1/tokens/${mint}?api_key=${KEYS.pro}`, status: 402, headers: [] },
  { name: 'a key in a cookie', path: `/v1/traders/${trader}`, status: 402, headers: [`Cookie: session=${KEYS.pro}`] },
]

export const PARSING: readonly ParsingRow[] = [...ADDRESSES, ...PATHS, ...QUERIES, ...CREDENTIALS]

/** Headers by which a client says that it is somebody else, or whose place another call took. No proxy is trusted. */
export interface WindowRow {
  readonly name: string
  readonly headers: readonly string[]
}

export const WINDOWS: readonly WindowRow[] = [
  { name: 'X-Forwarded-For', headers: ['X-Forwarded-For: 203.0.113.7'] },
  { name: 'X-Forwarded-For twice', headers: ['X-Forwarded-For: 203.0.113.7', 'X-Forwarded-For: 203.0.113.8'] },
  { name: 'X-Forwarded-For with many hops', headers: [`X-Forwarded-For: ${'10.0.0.1, '.repeat(200)}203.0.113.7`] },
  { name: 'Forwarded', headers: ['Forwarded: for="[2001:db8::1]"'] },
  { name: 'X-Real-IP', headers: ['X-Real-IP: 203.0.113.7'] },
  { name: 'CF-Connecting-IP', headers: ['CF-Connecting-IP: 203.0.113.7'] },
  { name: 'True-Client-IP', headers: ['True-Client-IP: 203.0.113.7'] },
  { name: 'another host', headers: ['X-Forwarded-Host: other.example'] },
  { name: 'another method', headers: ['X-HTTP-Method-Override: OPTIONS'] },
  { name: 'a key that is none', headers: [`Authorization: Bearer ${KEYS.revoked}`] },
  { name: 'a cookie of the page', headers: [`Cookie: page=${'x'.repeat(43)}`] },
]

/** A handshake of a stream that is refused before there is a socket. */
export interface HandshakeRow {
  readonly name: string
  /** what of an honest handshake is put in another's place; the bytes are sent as they are */
  readonly change: (request: string) => string
  readonly status: number
}

const header = (line: string) => (request: string) => request.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)
const other = (from: string | RegExp, to: string) => (request: string) => request.replace(from, to)

export const HANDSHAKES: readonly HandshakeRow[] = [
  { name: 'no key', change: other(KEYS.pro, ''), status: 403 },
  { name: 'a key that was revoked', change: other(KEYS.pro, KEYS.revoked), status: 403 },
  { name: 'a key that has expired', change: other(KEYS.pro, KEYS.expired), status: 403 },
  { name: 'a key with a byte more', change: other(KEYS.pro, `${KEYS.pro}x`), status: 403 },
  { name: 'two Host headers', change: header('Host: evil.example'), status: 400 },
  { name: 'another version of WebSocket', change: other('Version: 13', 'Version: 12'), status: 400 },
  { name: 'a nonce that is too short', change: other(/(Sec-WebSocket-Key: ).*/, '$1c2hvcnQ='), status: 400 },
  { name: 'no nonce', change: other(/Sec-WebSocket-Key: .*\r\n/, ''), status: 400 },
  { name: 'a subprotocol that is none', change: header('Sec-WebSocket-Protocol: ,,'), status: 400 },
  { name: 'another method', change: other('GET', 'POST'), status: 405 },
]

/** What a socket says when it joins, and what it must hear: a refusal, and the socket goes on. */
export interface JoinRow {
  readonly name: string
  readonly topic: string
  readonly payload: string
  /** of the reply: there is no channel of a topic that is none */
  readonly joinRef: string
  readonly says: RegExp
}

const LIVE = 'frames:live'
const refusedJoin = (name: string, payload: string): JoinRow => ({
  name,
  topic: LIVE,
  payload,
  joinRef: '"1"',
  says: /"status":"error"/,
})
const unknown = (name: string, topic: string): JoinRow => ({
  name,
  topic,
  payload: '{}',
  joinRef: 'null',
  says: /unmatched topic/,
})

export const JOINS: readonly JoinRow[] = [
  unknown('a topic that is none', 'frames:secret'),
  unknown('a topic of every object', '__proto__'),
  unknown('a topic with a NUL', 'frames:live\\u0000'),
  unknown('a topic in capitals', 'FRAMES:LIVE'),
  unknown('a topic with a pattern', 'frames:*'),
  unknown('a topic of Phoenix’ own', 'phoenix'),
  refusedJoin('a place as text', '{"after_seq":"4"}'),
  refusedJoin('a place below nothing', '{"after_seq":-1}'),
  refusedJoin('a place with a fraction', '{"after_seq":1.5}'),
  refusedJoin('a place beyond 2^53', '{"after_seq":9007199254740993}'),
  refusedJoin('a place as a list', '{"after_seq":[1]}'),
  refusedJoin('a place as an object', '{"after_seq":{"$gt":0}}'),
]
