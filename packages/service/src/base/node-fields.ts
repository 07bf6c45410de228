import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** Node's undocumented fields: the program uses no others, and each may be missing. */

interface Inside {
  _header?: unknown
  readonly _hasBody?: unknown
}

const END = '\r\n\r\n'

/** True if this version of Node stores a written head as text that can be extended. */
const KEEPS_HEAD = ((): boolean => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  response.writeHead(200, ['a', 'b'])
  const head = (response as Inside)._header
  return typeof head === 'string' && head.includes('\r\na: b\r\n') && head.endsWith(END)
})()

/**
 * Writes a whole answer. `writeHead` and `end(body)` would write head and body together and then an empty end: two chunks
 * that the kernel gathers, a tenth of an answer's cost. Appending the body to the head makes it one chunk. `lines` are more
 * headers, with line endings and of our own making: they skip Node's check of every header, a twentieth of an answer's cost.
 * If a version of Node stores the head differently, the public API is used. `body` is bytes as latin-1.
 */
export function writeWhole(
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  lines: string,
  body: string,
): void {
  const inside = response as Inside
  if (!KEEPS_HEAD || inside._hasBody !== true) {
    response.writeHead(status, [...headers, ...listed(lines)])
    response.end(body, 'latin1')
    return
  }
  response.writeHead(status, headers as string[])
  const head = inside._header as string
  inside._header = lines === '' ? head + body : `${head.slice(0, -2)}${lines}\r\n${body}`
  response.end()
}

/** Name, value, name, value. */
const listed = (lines: string): string[] =>
  lines
    .split('\r\n')
    .filter((line) => line !== '')
    .flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])

/**
 * The answer in progress on a connection, which is that of its oldest request without one; null: none. A list of our own would
 * keep each answer's bytes until the connection's next request: at 500 connections, three times the processor of an answer.
 */
export const answerOn = (socket: object): ServerResponse | null =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null

/**
 * Bytes of the write in progress, which may be megabytes, that the kernel has not taken. Without the field, such a write
 * counts as taken only when it is complete.
 */
export const bytesUnderWay = (socket: Socket): number =>
  (socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
