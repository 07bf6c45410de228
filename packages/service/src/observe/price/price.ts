import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import type { Logger } from '../../base/log.ts'
import type { Surroundings } from '../clock.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { createRepeated } from '../repeated.ts'
import type { Observer, Report } from '../types.ts'
import { createBand } from './band.ts'
import { readPrice } from './sources.ts'

/** sources, milliseconds between two looks, bytes and milliseconds of an answer, and milliseconds without agreement after which
 * a warning is logged */
export const SOURCES = 3
const LOOK_MS = 10_000
const ANSWER_BYTES = 64 << 10
const ANSWER_MS = 5_000
export const STALE_MS = 300_000

interface PriceOptions {
  readonly urls: readonly string[]
  readonly report: Report
  readonly outbound: Outbound
  readonly logger: Logger
  readonly around: Surroundings
}

/** A price is reported when it has moved by this share, or after this many milliseconds. */
const MOVED = 0.001
const REPEAT_MS = 60_000

const TYPES = ['application/json', 'text/json', 'text/plain']

/** USD for one SOL, requested every priceLookMs. Without two sources that agree, the last price stays. */
export function createPriceObserver({ urls, report, outbound, logger, around }: PriceOptions): Observer {
  const counts: Counts = createCounts(['accepted', 'reported', 'stale'])
  const band = createBand()
  const { clock } = around
  let reported = { usd: 0, at: -Infinity }
  let acceptedAt = clock.ms()
  let stale = false

  /** `source` is a number: an endpoint may carry a key */
  async function priceOf(url: string, source: number, signal: AbortSignal): Promise<number | null> {
    const limits = { bytesMax: ANSWER_BYTES, timeoutMs: ANSWER_MS }
    const answer = await outbound.get({ url, namedBy: 'operator', purpose: 'price', accept: TYPES, signal, ...limits })
    const usd = answer.ok ? readPrice(answer.bytes) : null
    if (usd === null) count(counts, `source_${source}_${answer.ok ? 'malformed' : answer.reason}`)
    return usd
  }

  async function look(signal: AbortSignal): Promise<void> {
    const found = await Promise.all(urls.slice(0, SOURCES).map((url, i) => priceOf(url, i + 1, signal)))
    if (signal.aborted) return
    const verdict = band.look(found.filter((usd) => usd !== null))
    const now = clock.ms()
    count(counts, verdict.accepted ? 'accepted' : verdict.reason)
    if (verdict.accepted) {
      acceptedAt = now
      reportIfNews(verdict.usd, now)
    }
    sayStale(now - acceptedAt > STALE_MS)
  }

  function reportIfNews(usd: number, now: number): void {
    const moved = Math.abs(usd - reported.usd) >= MOVED * reported.usd
    if (!moved && now - reported.at < REPEAT_MS) return
    reported = { usd, at: now }
    count(counts, 'reported')
    report([{ kind: 'sol_price', usd }], clock.seconds())
  }

  function sayStale(now: boolean): void {
    if (now) count(counts, 'stale')
    if (now !== stale)
      logger.warn({ observer: 'sol_price', stale: now }, now ? STALE : 'the price of SOL is known again')
    stale = now
  }

  return createRepeated({ name: 'sol_price', counts, everyMs: LOOK_MS, run: look, logger, around })
}

const STALE = 'no two sources have agreed on the price of SOL for too long; the last price stays in use'
