import { createHash } from 'node:crypto'
import type { Key } from '@ti/core/base/ids.ts'
import { createAsker } from '../asker.ts'
import type { Observer } from '../types.ts'
import { createContentFetcher, FAILURES } from './fetch.ts'
import { CONTENT_FAILED, type ContentObserverOptions, contentOutcome } from './metadata.ts'

/** bytes of an image (clients show no larger ones), milliseconds for it, looks at once */
export const IMAGE_BYTES = 16 << 20
const IMAGE_MS = 15_000
export const AT_ONCE = 8

/** Types that clients show as a picture; a page of HTML is an error or an advertisement. */
const IMAGE_TYPES = ['image/*', 'video/*', 'application/octet-stream', 'binary/octet-stream']

/** Hashes the images of tokens. The bytes pass through SHA-256 and are dropped; no code here decodes a picture. */
export function createImageObserver(options: ContentObserverOptions): Observer {
  const { missing, report, outbound, gateways, logger, around } = options
  const hashes = createContentFetcher<string>(gateways, around.clock, async (url, namedBy, signal) => {
    const hash = createHash('sha256')
    const limits = { bytesMax: IMAGE_BYTES, timeoutMs: IMAGE_MS }
    const request = { url, namedBy, signal, purpose: 'image', accept: IMAGE_TYPES, ...limits } as const
    const answer = await outbound.read(request, (piece) => hash.update(piece))
    if (!answer.ok) return answer
    return answer.bytes === 0 ? { ok: false, reason: 'empty' } : { ok: true, value: hash.digest('hex') }
  })
  return createAsker<{ readonly mint: Key; readonly image: string }>({
    name: 'image',
    list: (limit) => missing.tokensWithoutImageHash(limit),
    subject: ({ mint }) => mint,
    together: AT_ONCE,
    pauses: { failed: CONTENT_FAILED },
    failuresMax: FAILURES,
    logger,
    around,
    async look({ mint, image }, signal) {
      const found = await hashes.fetch(image, signal)
      if (found.ok) {
        if (!signal.aborted) report([{ kind: 'image_hash', mint, sha256: found.value }], around.clock.seconds())
        return { end: 'reported', as: 'reported' }
      }
      return contentOutcome(found.reason)
    },
  })
}
