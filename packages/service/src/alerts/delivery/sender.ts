import type { Poster } from '../../observe/outbound/outbound.ts'
import type { Alert } from '../alert.ts'
import type { Outcome } from './outcome.ts'
import type { Pace } from './pace.ts'
import type { OpenDestination } from './queue.ts'
import type { TelegramApi } from './telegram.ts'

/** milliseconds of one attempt */
export const ATTEMPT_MS = 15_000
/** milliseconds after which a delivery is tried again that found no place */
export const BUSY_MS = 1_000
/** the longest pause a receiver may ask for */
export const RETRY_AFTER_MS_MAX = 3_600_000
/** bytes of an answer of Discord and of Telegram's Bot API */
export const ANSWER_BYTES = 64 << 10

/** Sends alerts to the destinations of one kind. */
export interface Sender {
  /** Takes one request within the kind's rate limits. Returns 0, or the milliseconds until one is allowed. */
  turnMs(to: OpenDestination): number
  /** Makes one attempt, after `turnMs` returned 0. It never throws because of the receiver. */
  send(to: OpenDestination, alert: Alert): Promise<Outcome>
}

/** The stored form of a URL, or the reason for its refusal. */
export type Checked = { readonly ok: true; readonly address: string } | { readonly ok: false; readonly message: string }

export const refuseUrl = (message: string): Checked => ({ ok: false, message: `url: ${message}` })

/** The dependencies of senders. */
interface Ways {
  readonly outbound: Pick<Poster, 'post'>
  /** milliseconds of the clock on the wall, and milliseconds that only grow */
  readonly now: () => number
  readonly steady: () => number
  /** null: the service has no bot */
  readonly bot: { readonly api: TelegramApi; readonly pace: Pace } | null
}

/** Judges URLs of strangers. */
export type UrlJudge = Pick<Poster, 'refusalOf' | 'loopback'>

/** One kind of destinations. */
export interface Kind {
  /** the bot links a chat to it by a code; otherwise the account gives a URL */
  readonly isLinked: boolean
  /** its messages are signed with a secret of their own */
  readonly isSigned: boolean
  /** the places of its attempts, in the table of what callers share: a receiver of webhooks is anybody's, and may hang */
  readonly places: 'webhooks' | 'chats'
  check(url: string, outbound: UrlJudge): Checked | Promise<Checked>
  /** the address as it may be shown again: without tokens that open something */
  show(address: string): string
  /** null: the service has no bot */
  sender(ways: Ways): Sender | null
}
