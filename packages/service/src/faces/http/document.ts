import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { CODINGS, type Coding } from '@ti/core/base/coding.ts'
import { latin1 } from '@ti/core/query/envelope.ts'
import { type Headers, send, sendNotModified } from '../answer.ts'
import type { Serve } from '../answering.ts'
import { codingTaken, matchesTag } from '../negotiate.ts'
import { SMALL_BYTES } from '../packing.ts'

interface Form {
  /** bytes as latin-1 */
  readonly body: string
  /** strong: computed from these bytes */
  readonly etag: string
  readonly headers: Headers
}

/** 3.6 MB take 0.2 s off the event loop; the highest level would take 8 s for a tenth less */
const BROTLI_LEVEL = 9

const pack: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/**
 * A text that does not change while the service runs. It is read at the first request, compressed at the first request for
 * each coding, and stays in memory; a failure is retried at the next request.
 */
export function document(contentType: string, load: () => Promise<Buffer>, extra: Headers = []): Serve {
  const plain = once(load)
  const form = (coding: Coding | null) =>
    once(async (): Promise<Form> => {
      const bytes = await plain()
      const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
      const vary = [...extra, 'vary', 'Accept-Encoding']
      if (coding === null) return formOf(bytes, `"${tag}"`, vary)
      return formOf(await pack[coding](bytes), `"${tag}-${coding}"`, ['content-encoding', coding, ...vary])
    })
  const asItIs = form(null)
  const coded = Object.fromEntries(CODINGS.map((coding) => [coding, form(coding)])) as Record<
    Coding,
    () => Promise<Form>
  >

  return async ({ headers: asked }, response, requestId) => {
    const coding = (await plain()).length < SMALL_BYTES ? null : codingTaken(asked['accept-encoding'])
    const { body, etag, headers } = await (coding === null ? asItIs : coded[coding])()
    if (matchesTag(asked['if-none-match'], etag)) return sendNotModified(response, requestId, headers)
    return send(response, 200, requestId, contentType, body, headers)
  }
}

/** The same for a text that is already in memory. */
export const textDocument = (contentType: string, text: string, extra?: Headers): Serve =>
  document(contentType, async () => Buffer.from(text), extra)

const formOf = (bytes: Buffer, etag: string, headers: Headers): Form => ({
  body: latin1(bytes),
  etag,
  headers: ['etag', etag, ...headers],
})

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error) => {
      made = null
      throw error
    })
    return made
  }
}
