import { isoMicros } from '@ti/core/base/time.ts'
import { URL_LENGTH } from '@ti/core/contract/account.ts'
import { parseJson } from '../../base/bounded-text.ts'
import { isLoopback } from '../../config/options.ts'
import type { Poster } from '../../observe/outbound/outbound.ts'
import { type Alert, alertJson } from '../alert.ts'
import { challengeOf, isChallenge, isVerified } from './deliveries.ts'
import { type Outcome, outcomeOfRefusal, refusalWords, retryAfterMs } from './outcome.ts'
import { createPace, PACED } from './pace.ts'
import type { OpenDestination } from './queue.ts'
import { signatures } from './secret.ts'
import {
  ATTEMPT_MS,
  BUSY_MS,
  type Checked,
  type Kind,
  RETRY_AFTER_MS_MAX,
  refuseUrl,
  type Sender,
  type UrlJudge,
} from './sender.ts'

/** milliseconds and bytes of the answer to a challenge: one that hangs holds a place of the lane for new destinations */
export const CHALLENGE_MS = 5_000
const CHALLENGE_BYTES = 1_024

/** requests to one host, over all accounts and addresses below it: enough for a service that receives for many accounts, and
 * while no receiver there has agreed, no more than a stranger's server ignores */
export const EACH = { burst: 100, msEach: 50 }
export const EACH_NEW = { burst: 10, msEach: 1_000 }
const ALL = { burst: 1_000, msEach: 1 }
const NEW = 'new '

type WebhookReceiver = Pick<OpenDestination, 'address' | 'secret' | 'previous_secret' | 'previous_until'>

/** The body of a webhook follows the Standard Webhooks specification: type, timestamp, data. */
export function webhookBody(alert: Alert): string {
  const data = isChallenge(alert) ? { challenge: challengeOf(alert) } : alertJson(alert)
  return JSON.stringify({ type: `alert.${alert.event}`, timestamp: isoMicros(alert.at / 1_000), data })
}

/** The receiver answers with the challenge alone, as text or as `{"challenge": …}`: a server that returns what it gets has not agreed. */
function repeats(text: string | null, challenge: string): boolean {
  const said = text?.trim() ?? ''
  return said === challenge || (parseJson(said) as { challenge?: unknown } | null)?.challenge === challenge
}

interface WebhookOptions {
  readonly outbound: Pick<Poster, 'post'>
  /** milliseconds of the clock on the wall, and milliseconds that only grow */
  readonly now: () => number
  readonly steady: () => number
}

/** A name without an address may get one: only what is certain to be refused is refused now. */
const PASSING = new Set(['dns', 'busy', 'closed', 'timeout'])

/** Over https, to an address on the public internet; in a sandbox of one's own also to this machine, over http. */
async function check(url: string, outbound: UrlJudge): Promise<Checked> {
  const parsed = url.length <= URL_LENGTH && URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'https:' && !(outbound.loopback && parsed !== null && isLoopback(parsed.hostname))) {
    return refuseUrl(`an https address of at most ${URL_LENGTH} characters is needed`)
  }
  const reason = await outbound.refusalOf(url)
  return reason === null || PASSING.has(reason)
    ? { ok: true, address: new URL(url).href }
    : refuseUrl(refusalWords(reason))
}

function show(address: string): string {
  const { origin, pathname, search } = new URL(address)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

export const WEBHOOK: Kind = {
  isLinked: false,
  isSigned: true,
  places: 'webhooks',
  check,
  show,
  sender: createWebhookSender,
}

/** Webhooks after the Standard Webhooks specification. */
export function createWebhookSender({ outbound, now, steady }: WebhookOptions): Sender {
  const each = (key: string) => (key.startsWith(NEW) ? EACH_NEW : EACH)
  const pace = createPace({ all: ALL, each, now: steady, keys: PACED })
  return {
    turnMs: (to) => pace.takeMs(`${isVerified(to) ? '' : NEW}${hostOf(to.address)}`),
    send: (to, alert) => postWebhook({ outbound, now }, to, alert),
  }
}

/** Makes one attempt. */
export async function postWebhook(
  { outbound, now }: Pick<WebhookOptions, 'outbound' | 'now'>,
  to: WebhookReceiver,
  alert: Alert,
): Promise<Outcome> {
  const body = webhookBody(alert)
  const asks = isChallenge(alert)
  const timestamp = Math.floor(now() / 1_000)
  const posted = await outbound.post({
    url: to.address,
    purpose: 'webhook',
    namedBy: 'stranger',
    bytesMax: asks ? CHALLENGE_BYTES : 0,
    timeoutMs: asks ? CHALLENGE_MS : ATTEMPT_MS,
    headers: {
      'webhook-id': alert.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures({ id: alert.id, timestamp, body }, secretsOf(to, now())),
    },
    json: body,
  })
  if (!posted.ok) return outcomeOfRefusal(posted.reason, BUSY_MS)
  const { status, text } = posted
  if (asks && status >= 200 && status < 300 && !repeats(text, challengeOf(alert)))
    return { kind: 'failed', status, error: `the answer was ${status} without the challenge` }
  return outcomeOf(posted.status, retryAfterMs(posted.headers['retry-after'], now(), RETRY_AFTER_MS_MAX))
}

/** Names that differ by the dot at their end only are one host; its ports are one too. */
const hostOf = (address: string): string => new URL(address).hostname.replace(/\.$/, '')

/** The newest secret comes first, so that a receiver which knows only one of them finds its signature first. */
function secretsOf(to: WebhookReceiver, nowMs: number): readonly Uint8Array[] {
  const { secret, previous_secret: previous, previous_until: until } = to
  return [
    ...(secret === null ? [] : [secret]),
    ...(previous !== null && until !== null && until.getTime() > nowMs ? [previous] : []),
  ]
}

function outcomeOf(status: number, afterMs: number | null): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 410) return { kind: 'gone', status, error: 'the answer was 410: the receiver wants no more' }
  const error =
    status >= 300 && status < 400
      ? `the answer was ${status}, a redirect; redirects are not followed`
      : `the answer was ${status}`
  return { kind: 'failed', status, error, ...(afterMs !== null && { afterMs }) }
}
