import type { IncomingMessage } from 'node:http'

/** bytes of a body that is too large which are still read, so that the client gets to see its answer */
export const DRAIN_BYTES = 1 << 20
/** milliseconds a body may take to arrive */
export const BODY_MS = 10_000

/** `late`: it did not arrive in time. `large`: it exceeds the limit; `open` if part of it is still unread. */
type Body =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'large'; readonly open: boolean }
  | { readonly kind: 'late' }
  /** the client went away while sending */
  | { readonly kind: 'broken' }

/** The most bytes to accept, and the most bytes of an oversized body to read and drop. */
interface BodyBounds {
  readonly bodyBytes: number
  /** DRAIN_BYTES by default */
  readonly drainBytes?: number
}

/**
 * Reads a whole body. An oversized body is read a little further and dropped: closing a connection with unread bytes
 * resets it, and the client might never see the answer.
 */
export function readBody(request: IncomingMessage, { bodyBytes, drainBytes = DRAIN_BYTES }: BodyBounds): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => settle({ kind: 'late' }), BODY_MS)

    function settle(body: Body): void {
      clearTimeout(timer)
      request.off('data', take).off('end', end).off('close', broken).off('error', broken)
      // without a listener, an error of the request would be thrown
      request.on('error', () => {})
      resolve(body)
    }
    function take(chunk: Buffer): void {
      bytes += chunk.length
      if (bytes <= bodyBytes) chunks.push(chunk)
      else if (bytes > drainBytes) settle({ kind: 'large', open: true })
    }
    function end(): void {
      if (bytes > bodyBytes) settle({ kind: 'large', open: false })
      else settle({ kind: 'whole', text: Buffer.concat(chunks).toString() })
    }
    const broken = (): void => settle({ kind: 'broken' })

    if (Number(request.headers['content-length'] ?? 0) > drainBytes) settle({ kind: 'large', open: true })
    else request.on('data', take).on('end', end).on('close', broken).on('error', broken)
  })
}
