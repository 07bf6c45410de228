import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Coding } from '@ti/core/base/coding.ts'

/** bytes below which a body is sent as it is: it fits one packet anyway */
export const SMALL_BYTES = 1_024
/** as of answers that are compressed while somebody waits (packages/core/src/base/coding.ts) */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }

/** A body in the coding that was asked for, made beside the event loop; as it is where it is small. */
export async function packed(body: Buffer, coding: Coding | null): Promise<{ body: Buffer; coding: Coding | null }> {
  if (coding === null || body.length < SMALL_BYTES) return { body, coding: null }
  return {
    body: await (coding === 'br' ? promisify(brotliCompress)(body, BROTLI) : promisify(gzip)(body, GZIP)),
    coding,
  }
}
