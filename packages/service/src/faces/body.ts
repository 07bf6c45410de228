import type { IncomingMessage } from 'node:http'

/** `late`: it did not arrive in time. `large`: it exceeds the limit; `open` if part of it is still unread. */
type Body =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'large'; readonly open: boolean }
  | { readonly kind: 'late' }
  /** the client went away while sending */
  | { readonly kind: 'broken' }

/** The most bytes to accept, the most bytes of an oversized body to read and drop, and the milliseconds a body may take. */
interface BodyBounds {
  readonly bodyBytes: number
  readonly drainBytes: number
  readonly bodyMs: number
}

/**
 * Reads a whole body. An oversized body is read a little further and dropped: closing a connection with unread bytes
 * resets it, and the client might never see the answer.
 */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => settle({ kind: 'late' }), bounds.bodyMs)

    function settle(body: Body): void {
      clearTimeout(timer)
      request.off('data', take).off('end', end).off('close', broken).off('error', broken)
      // without a listener, an error of the request would be thrown
      request.on('error', () => {})
      resolve(body)
    }
    function take(chunk: Buffer): void {
      bytes += chunk.length
      if (bytes <= bounds.bodyBytes) chunks.push(chunk)
      else if (bytes > bounds.drainBytes) settle({ kind: 'large', open: true })
    }
    function end(): void {
      if (bytes > bounds.bodyBytes) settle({ kind: 'large', open: false })
      else settle({ kind: 'whole', text: Buffer.concat(chunks).toString() })
    }
    const broken = (): void => settle({ kind: 'broken' })

    if (Number(request.headers['content-length'] ?? 0) > bounds.drainBytes) settle({ kind: 'large', open: true })
    else request.on('data', take).on('end', end).on('close', broken).on('error', broken)
  })
}
