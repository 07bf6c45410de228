import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { z } from 'zod'
import { parseJson } from '../base/bounded-text.ts'
import { createBucket, perMinute } from '../base/bucket.ts'
import type { Logger } from '../base/log.ts'
import { createAsker, type Outcome } from './asker.ts'
import type { Pause } from './attempts.ts'
import type { Surroundings } from './clock.ts'
import { joined } from './content/address.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { MissingFacts, Observer, Report } from './types.ts'

/** requests a minute (the endpoint's own bound), at once, bytes, orders and milliseconds of an answer, and milliseconds of pause
 * after a 429 */
export const REQUESTS_PER_MINUTE = 60
export const AT_ONCE = 4
const ANSWER_BYTES = 256 << 10
export const ORDERS_MAX = 1_000
const ANSWER_MS = 10_000
export const PAUSE_MS = 60_000

interface DexPaidOptions {
  readonly baseUrl: string
  readonly missing: MissingFacts
  readonly report: Report
  readonly outbound: Outbound
  readonly logger: Logger
  readonly around: Surroundings
}

const FAILED: Pause = { firstMs: 30_000, factor: 2, longestMs: 3_600_000 }
/** Most payments happen within the first hour; later the interval grows. */
const NOT_YET: Pause = { firstMs: 120_000, factor: 2, longestMs: 6 * 3_600_000 }

/** Asks whether a listing order of a token was approved. No answer means unknown, so nothing is reported. */
export function createDexPaidObserver(options: DexPaidOptions): Observer {
  const { baseUrl, missing, report, outbound, logger, around } = options
  const { clock } = around
  const budget = createBucket(perMinute(REQUESTS_PER_MINUTE), clock.ms)
  return createAsker<{ readonly mint: Key }>({
    name: 'dex_paid',
    list: (limit) => missing.tokensUnpaid(limit),
    subject: ({ mint }) => mint,
    together: AT_ONCE,
    budget,
    fair: true,
    pauses: { failed: FAILED, notYet: NOT_YET },
    // the endpoint is one for all: its outage is nothing that a token could be given up for
    failuresMax: Infinity,
    logger,
    around,
    async look({ mint }, signal): Promise<Outcome> {
      const address = keyToBase58(mint)
      const answer = await outbound.get({
        url: joined(baseUrl, `orders/v1/solana/${address}`),
        namedBy: 'operator',
        signal,
        purpose: 'dex',
        accept: ['application/json'],
        bytesMax: ANSWER_BYTES,
        timeoutMs: ANSWER_MS,
      })
      if (!answer.ok) {
        if (answer.reason === 'rate') budget.pause(PAUSE_MS)
        return { end: answer.reason === 'busy' ? 'busy' : 'failed', as: answer.reason }
      }
      const paid = readOrders(answer.bytes, address, clock.seconds())
      if (paid === null) return { end: 'failed', as: 'malformed' }
      if (paid === 'unpaid') return { end: 'notYet', as: 'not_paid' }
      if (!signal.aborted) report([{ kind: 'dex_paid', mint, time: paid }], clock.seconds())
      return { end: 'reported', as: 'reported' }
    },
  })
}

const ORDER = z.object({
  status: z.string(),
  tokenAddress: z.string().optional(),
  paymentTimestamp: z.unknown().optional(),
})
const ORDERS = z.array(ORDER).max(ORDERS_MAX)
const ANSWER = z.union([ORDERS, z.object({ orders: ORDERS }).transform(({ orders }) => orders)])

/** Unix seconds of the first order that was approved, `unpaid`, or null for an answer that says neither. */
export function readOrders(bytes: Buffer, address: string, now: number): number | 'unpaid' | null {
  const parsed = ANSWER.safeParse(parseJson(bytes.toString()))
  if (!parsed.success) return null
  if (parsed.data.some(({ tokenAddress = address }) => tokenAddress !== address)) return null
  const approved = parsed.data.filter(({ status }) => status === 'approved')
  if (approved.length === 0) return 'unpaid'
  const times = approved.flatMap(({ paymentTimestamp: ms }) =>
    typeof ms === 'number' && ms > EARLIEST_MS && ms / 1_000 < now + CLOCKS_DIFFER_S ? [ms / 1_000] : [],
  )
  return times.length === 0 ? null : Math.min(...times)
}

/** Before there were such orders (2020), a time is in another unit or made up. */
const EARLIEST_MS = 1_577_836_800_000
const CLOCKS_DIFFER_S = 3_600
