import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Fields of Node's own that it shows nowhere: all that are read or written stand here, and each may be missing. */

/**
 * Ends an answer whose head was written with `writeHead`. `end(body)` writes head and body together and then an empty end:
 * two chunks, gathered by the kernel, for a tenth of an answer's cost. With the body behind the head it is one. Where a
 * version of Node keeps the head otherwise, the body goes the usual way. `body` is bytes as latin-1.
 */
export function endInOnePiece(response: ServerResponse, body: string): void {
  const inside = response as unknown as { _header?: unknown; readonly _hasBody?: unknown }
  const head = inside._header
  if (inside._hasBody !== true || typeof head !== 'string' || !head.endsWith('\r\n\r\n')) {
    response.end(body, 'latin1')
    return
  }
  inside._header = head + body
  response.end()
}

/** The answer under way on a connection of a server; null: there is none. */
export const answerOn = (socket: Duplex): { readonly headersSent: boolean } | null =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null

/**
 * What the kernel has not taken of the write that is under way, which may be megabytes. Without the field such a write
 * counts as taken when all of it is.
 */
export const bytesUnderWay = (socket: Socket): number =>
  (socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
