import { isoMicros } from '@ti/core/base/time.ts'
import type { Poster } from '../../observe/outbound/outbound.ts'
import type { Alert } from '../alert.ts'
import { URL_LENGTH } from './lines.ts'
import { type Outcome, outcomeOfRefusal, refusalWords, retryAfterMs } from './outcome.ts'
import type { OpenDestination } from './queue.ts'
import { signatures } from './secret.ts'
import { ATTEMPT_MS, BUSY_MS, type Checked, type Kind, RETRY_AFTER_MS_MAX, refuseUrl, type Sender } from './sender.ts'

/** The body of a webhook follows the Standard Webhooks specification: type, timestamp, data. */
export function webhookBody({ account: _, ...data }: Alert): string {
  return JSON.stringify({ type: `alert.${data.event}`, timestamp: isoMicros(data.at / 1_000), data })
}

interface WebhookOptions {
  readonly outbound: Pick<Poster, 'post'>
  /** milliseconds */
  readonly now: () => number
}

/** A name without an address may get one: only what is certain to be refused is refused now. */
const PASSING = new Set(['dns', 'busy', 'closed', 'timeout'])

/** Over https, to an address on the public internet. */
async function check(url: string, outbound: Pick<Poster, 'refusalOf'>): Promise<Checked> {
  if (url.length > URL_LENGTH || !URL.canParse(url) || new URL(url).protocol !== 'https:') {
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

export const WEBHOOK: Kind = { isLinked: false, isSigned: true, check, show, sender: createWebhookSender }

/** Webhooks after the Standard Webhooks specification. */
export function createWebhookSender({ outbound, now }: WebhookOptions): Sender {
  return {
    turnMs: () => 0,
    async send(to, alert) {
      const body = webhookBody(alert)
      const timestamp = Math.floor(now() / 1_000)
      const posted = await outbound.post({
        url: to.address,
        purpose: 'webhook',
        namedBy: 'stranger',
        bytesMax: 0,
        timeoutMs: ATTEMPT_MS,
        headers: {
          'webhook-id': alert.id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatures({ id: alert.id, timestamp, body }, secretsOf(to, now())),
        },
        json: body,
      })
      if (!posted.ok) return outcomeOfRefusal(posted.reason, BUSY_MS)
      return outcomeOf(posted.status, retryAfterMs(posted.headers['retry-after'], now(), RETRY_AFTER_MS_MAX))
    },
  }
}

/** The newest secret comes first, so that a receiver which knows only one of them finds its signature first. */
function secretsOf(to: OpenDestination, nowMs: number): readonly Uint8Array[] {
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
