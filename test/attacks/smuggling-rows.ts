/**
 * Requests that a proxy before the service and the service itself could cut at different places. `SMUGGLED` stands where one of
 * the two sees a second request: it must never be answered as one of its own, unless that is the only way to read the bytes.
 */
export interface SmugglingRow {
  readonly name: string
  readonly bytes: string
  /** of the one answer that the bytes get */
  readonly status: number
  /** nothing that comes behind them is read: they mean two things. Otherwise the next request gets its own answer */
  readonly closes: boolean
}

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n'
/** would be 404 */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const LENGTH = `Content-Length: ${SMUGGLED.length}\r\n`
/** the end of a chunked body, and what one who counts by length would still take for body */
const ENDED = `0\r\n\r\n${SMUGGLED}`

const refused = (name: string, bytes: string, status = 400): SmugglingRow => ({ name, bytes, status, closes: true })
const one = (name: string, bytes: string, status = 200): SmugglingRow => ({ name, bytes, status, closes: false })

/** Two ways to say how long the body is. */
const LENGTHS: readonly SmugglingRow[] = [
  refused('CL.TE: a length and chunks', `${HEAD}Content-Length: ${ENDED.length}\r\n${CHUNKED}\r\n${ENDED}`),
  refused('TE.CL: chunks and a length', `${HEAD}${CHUNKED}Content-Length: 3\r\n\r\n${ENDED}`),
  refused('two lengths that differ', `${HEAD}Content-Length: 0\r\n${LENGTH}\r\n${SMUGGLED}`),
  refused('two lengths that are the same', `${HEAD}${LENGTH}${LENGTH}\r\n${SMUGGLED}`),
  refused('two lengths in one header', `${HEAD}Content-Length: 0, ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`),
  refused('a length with a sign', `${HEAD}Content-Length: +${SMUGGLED.length}\r\n\r\n${SMUGGLED}`),
  refused('a length below zero', `${HEAD}Content-Length: -1\r\n\r\n${SMUGGLED}`),
  refused('a length in hex', `${HEAD}Content-Length: 0x2f\r\n\r\n${SMUGGLED}`),
  refused('a length with a fraction', `${HEAD}Content-Length: 1.0\r\n\r\n${SMUGGLED}`),
  refused('a length with a space inside', `${HEAD}Content-Length: 4 7\r\n\r\n${SMUGGLED}`),
  refused('a length beyond 64 bits', `${HEAD}Content-Length: 18446744073709551616\r\n\r\n${SMUGGLED}`),
  refused('an empty length', `${HEAD}Content-Length:\r\n\r\n${SMUGGLED}`),
  one('a length that covers the second request', `${HEAD}${LENGTH}\r\n${SMUGGLED}`),
  refused('a space before the colon of a length', `${HEAD}Content-Length : ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`),
]

/** Names of codings that only one of the two understands. */
const CODINGS: readonly SmugglingRow[] = [
  refused('a coding that is none', `${HEAD}Transfer-Encoding: xchunked\r\n${LENGTH}\r\n${SMUGGLED}`),
  refused('chunked not last', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n${ENDED}`),
  refused('a space before the colon of the coding', `${HEAD}Transfer-Encoding : chunked\r\n\r\n${ENDED}`),
  refused('chunks twice, with a length', `${HEAD}${CHUNKED}${CHUNKED}${LENGTH}\r\n${ENDED}`),
  refused('a vertical tab before the coding', `${HEAD}Transfer-Encoding:\x0bchunked\r\n${LENGTH}\r\n${ENDED}`),
  refused('a NUL behind the coding', `${HEAD}Transfer-Encoding: chunked\0\r\n${LENGTH}\r\n${ENDED}`),
  refused('a folded coding', `${HEAD}Transfer-Encoding:\r\n chunked\r\n${LENGTH}\r\n${ENDED}`),
  refused('a coding in quotes', `${HEAD}Transfer-Encoding: "chunked"\r\n${LENGTH}\r\n${ENDED}`),
]

/** Chunks whose ends can be seen at two places. */
const CHUNKS: readonly SmugglingRow[] = [
  refused('a chunk with a sign', `${HEAD}${CHUNKED}\r\n+5\r\nhello\r\n${ENDED}`),
  refused('a chunk size in 0x', `${HEAD}${CHUNKED}\r\n0x5\r\nhello\r\n${ENDED}`),
  refused('a chunk size beyond 64 bits', `${HEAD}${CHUNKED}\r\n10000000000000000\r\nhello\r\n${ENDED}`),
  refused('a chunk size without a number', `${HEAD}${CHUNKED}\r\n;x=1\r\nhello\r\n${ENDED}`),
  refused('a chunk ended by a bare LF', `${HEAD}${CHUNKED}\r\n5\nhello\r\n${ENDED}`),
  refused('chunk data longer than said', `${HEAD}${CHUNKED}\r\n3\r\nhello\r\n${ENDED}`),
  refused('a bare LF within an extension', `${HEAD}${CHUNKED}\r\n5;a=\n47\r\nhello\r\n${ENDED}`),
  refused('a bare CR within an extension', `${HEAD}${CHUNKED}\r\n5;a=\r47\r\nhello\r\n${ENDED}`),
  refused('17 kB of extensions', `${HEAD}${CHUNKED}\r\n5;${'x'.repeat(17_000)}\r\nhello\r\n${ENDED}`, 413),
  refused('spaces before a chunk size', `${HEAD}${CHUNKED}\r\n  5\r\nhello\r\n${ENDED}`),
]

/** Lines that end at one place for the one and at another for the other. */
const LINES: readonly SmugglingRow[] = [
  refused('a bare LF behind the request line', `GET /healthz HTTP/1.1\nHost: localhost\r\n\r\n`),
  refused('a bare LF behind a header', `${HEAD}X-A: b\nX-B: c\r\n\r\n`),
  refused('a bare CR within a header', `${HEAD}X-A: b\rX-B: c\r\n\r\n`),
  refused('a NUL within a header', `${HEAD}X-A: b\0c\r\n\r\n`),
  refused('a folded header', `${HEAD}X-A: b\r\n Content-Length: 47\r\n\r\n${SMUGGLED}`),
  refused('a header without a name', `${HEAD}: b\r\n\r\n`),
  refused('a header without a colon', `${HEAD}X-A\r\n\r\n`),
  refused('a space within a header’s name', `${HEAD}X A: b\r\n\r\n`),
  refused('a first header that begins with a space', `GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n`),
  refused('a bare CR ends the head', `${HEAD}\r\r${SMUGGLED}`),
]

/** Who is asked, and what for, said twice. */
const TARGETS: readonly SmugglingRow[] = [
  one('two hosts', `${HEAD}Host: evil.example\r\n\r\n`, 400),
  one('the same host twice', `${HEAD}Host: localhost\r\n\r\n`, 400),
  one('two spaces in the request line', `GET  /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  refused('a tab in the request line', `GET\t/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  refused('a version of two digits', `GET /healthz HTTP/1.10\r\nHost: localhost\r\n\r\n`),
  refused('a version that is not ours', `GET /healthz HTTP/3.0\r\nHost: localhost\r\n\r\n`),
  refused('a protocol that is not ours', `GET /healthz ICE/1.0\r\nHost: localhost\r\n\r\n`),
  refused('a method that is none', `GET\0 /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  refused('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  refused(
    'a tunnel through the service',
    `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n${SMUGGLED}`,
    405,
  ),
  refused('a second request in the URL', `GET /healthz%0d%0aX: y HTTP/1.1 HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  one(
    'an upgrade to HTTP/2 with a request as its body',
    `${HEAD}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n${LENGTH}\r\n${SMUGGLED}`,
  ),
]

export const SMUGGLING: readonly SmugglingRow[] = [...LENGTHS, ...CODINGS, ...CHUNKS, ...LINES, ...TARGETS]
