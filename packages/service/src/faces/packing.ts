import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Coding } from '@ti/core/base/coding.ts'

/** bytes below which a body is sent unchanged: it fits one packet anyway */
export const SMALL_BYTES = 1_024
/** the same level as for answers compressed while a client waits (packages/core/src/base/coding.ts) */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }

/** Encodes a body off the event loop; a small body stays unencoded. */
export async function packed(body: Buffer, coding: Coding | null): Promise<{ body: Buffer; coding: Coding | null }> {
  if (coding === null || body.length < SMALL_BYTES) return { body, coding: null }
  return {
    body: await (coding === 'br' ? promisify(brotliCompress)(body, BROTLI) : promisify(gzip)(body, GZIP)),
    coding,
  }
}
