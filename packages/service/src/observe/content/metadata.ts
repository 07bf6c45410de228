import type { Key } from '@ti/core/base/ids.ts'
import type { Logger } from '../../base/log.ts'
import { createAsker } from '../asker.ts'
import type { Pause } from '../attempts.ts'
import type { Surroundings } from '../clock.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { MissingFacts, Observer, Report } from '../types.ts'
import { createContentFetcher, FAILURES, type Gateways, isFinal } from './fetch.ts'
import { readPage, type TokenPage } from './page.ts'

/** bytes of a metadata page (seen: at most some kB), milliseconds for it, looks at once */
export const METADATA_BYTES = 256 << 10
const METADATA_MS = 8_000
export const AT_ONCE = 12

/** Pages are served as almost anything but HTML, which is an error page or an advertisement. */
const PAGE_TYPES = ['application/json', 'text/json', 'text/plain', 'application/octet-stream']

/** A page may be published a little after the launch, and a network may be away for an hour. */
export const CONTENT_FAILED: Pause = { firstMs: 5_000, factor: 3, longestMs: 3_600_000 }

export interface ContentObserverOptions {
  readonly missing: MissingFacts
  readonly report: Report
  readonly outbound: Outbound
  readonly gateways: Gateways
  readonly logger: Logger
  readonly around: Surroundings
}

/** Fetches the metadata page of launches. A page that cannot be fetched stays unknown. */
export function createMetadataObserver(options: ContentObserverOptions): Observer {
  const { missing, report, outbound, gateways, logger, around } = options
  const pages = createContentFetcher<TokenPage>(gateways, around.clock, async (url, namedBy, signal) => {
    const answer = await outbound.get({
      url,
      namedBy,
      signal,
      purpose: 'metadata',
      accept: PAGE_TYPES,
      bytesMax: METADATA_BYTES,
      timeoutMs: METADATA_MS,
    })
    if (!answer.ok) return answer
    const value = readPage(answer.bytes)
    return value === null ? { ok: false, reason: 'malformed' } : { ok: true, value }
  })
  return createAsker<{ readonly mint: Key; readonly uri: string }>({
    name: 'metadata',
    list: (limit) => missing.tokensWithoutMetadata(limit),
    subject: ({ mint }) => mint,
    together: AT_ONCE,
    pauses: { failed: CONTENT_FAILED },
    failuresMax: FAILURES,
    logger,
    around,
    async look({ mint, uri }, signal) {
      const found = await pages.fetch(uri, signal)
      if (found.ok) {
        if (!signal.aborted) report([{ kind: 'metadata', mint, ...found.value }], around.clock.seconds())
        return { end: 'reported', as: 'reported' }
      }
      return contentOutcome(found.reason)
    },
  })
}

export function contentOutcome(as: string) {
  return { end: as === 'busy' ? 'busy' : isFinal(as) ? 'never' : 'failed', as } as const
}
