import { isoMicros } from '@ti/core/base/time.ts'
import { parseJson } from '../../base/bounded-text.ts'
import type { Posted, Poster } from '../../observe/outbound/outbound.ts'
import type { Alert } from '../alert.ts'
import { alertLines, safeLinks } from './lines.ts'
import { type Outcome, outcomeOfRefusal, retryAfterMs } from './outcome.ts'
import { createPace, PACED, type Pace } from './pace.ts'
import {
  ANSWER_BYTES,
  ATTEMPT_MS,
  BUSY_MS,
  type Checked,
  type Kind,
  RETRY_AFTER_MS_MAX,
  refuseUrl,
  type Sender,
} from './sender.ts'

/** Discord documents five messages per webhook in two seconds, and fifty requests a second in total. */
const EACH = { burst: 5, msEach: 400 }
const ALL = { burst: 50, msEach: 20 }

interface DiscordOptions {
  readonly outbound: Pick<Poster, 'post'>
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  /** Set by tests only. */
  readonly base?: string
}

/** A span of code ends at its own delimiter only, and Discord renders no link, mention or format inside it. */
const asCode = (line: string): string => `\`${line.replaceAll('`', 'ˋ')}\``

export function discordMessage(alert: Alert): object {
  const links = safeLinks(alert.links).map(({ label, url }) => `[${label}](${url})`)
  const description = [...alertLines(alert).map(asCode), links.join(' · ')].filter((line) => line !== '').join('\n')
  return {
    embeds: [{ description, timestamp: isoMicros(alert.at / 1_000) }],
    // Names in an alert must not notify any user.
    allowed_mentions: { parse: [] },
  }
}

const WEBHOOK_URL =
  /^https:\/\/(?:(?:canary|ptb)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(\d{15,22})\/([\w-]{50,120})(?:\?thread_id=(\d{15,22}))?$/

/** `id/token`, and the thread where there is one: a Discord webhook goes to Discord and nowhere else. */
function check(url: string): Checked {
  const [, id, token, thread] = WEBHOOK_URL.exec(url) ?? []
  if (id === undefined) return refuseUrl('a webhook of Discord is needed: https://discord.com/api/webhooks/ID/TOKEN')
  return { ok: true, address: `${id}/${token}${thread === undefined ? '' : `?thread_id=${thread}`}` }
}

export const DISCORD: Kind = {
  isLinked: false,
  isSigned: false,
  places: 'chats',
  check,
  show: (address) => `https://discord.com/api/webhooks/${keyOf(address)}/…`,
  sender: ({ outbound, steady }) => createDiscordSender({ outbound, now: steady }),
}

/** Id of the webhook in an address. */
const keyOf = (address: string): string => address.split('/', 1)[0]!

/** Messages to Discord webhooks, within Discord's rates. */
export function createDiscordSender({ outbound, now, base = 'https://discord.com' }: DiscordOptions): Sender {
  const pace = createPace({ all: ALL, each: () => EACH, now, keys: PACED })
  return {
    turnMs: ({ address }) => pace.takeMs(keyOf(address)),
    async send({ address }, alert) {
      const key = keyOf(address)
      const [path, query] = address.split('?')
      const posted = await outbound.post({
        url: `${base}/api/v10/webhooks/${path}?wait=true${query === undefined ? '' : `&${query}`}`,
        purpose: 'discord',
        namedBy: 'operator',
        timeoutMs: ATTEMPT_MS,
        bytesMax: ANSWER_BYTES,
        json: JSON.stringify(discordMessage(alert)),
      })
      if (!posted.ok) return outcomeOfRefusal(posted.reason, BUSY_MS)
      obeyHeaders(pace, key, posted.headers)
      return outcomeOf(posted, key, pace)
    },
  }
}

/** Follows the rate limit that Discord reports, because others may use the same webhook. */
function obeyHeaders(pace: Pace, key: string, headers: Readonly<Record<string, string>>): void {
  const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset-after': reset } = headers
  const ms = retryAfterMs(reset, 0, RETRY_AFTER_MS_MAX)
  if (remaining === '0' && ms !== null) pace.pause(key, ms)
}

function outcomeOf({ status, text, headers }: Extract<Posted, { ok: true }>, key: string, pace: Pace): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status === 429) {
    const { retry_after: seconds, global } = (parseJson(text ?? '') ?? {}) as {
      retry_after?: unknown
      global?: unknown
    }
    const asked = typeof seconds === 'number' ? String(seconds) : headers['retry-after']
    const afterMs = retryAfterMs(asked, 0, RETRY_AFTER_MS_MAX) ?? BUSY_MS
    pace.pause(global === true ? null : key, afterMs)
    return { kind: 'later', status, error: 'Discord answered 429: too many messages', afterMs }
  }
  if (status === 401 || status === 403 || status === 404) {
    return { kind: 'gone', status, error: 'Discord does not know this webhook any more' }
  }
  const error = `Discord answered ${status}`
  return status >= 500 || (status >= 300 && status < 400)
    ? { kind: 'failed', status, error }
    : { kind: 'refused', status, error: `${error}: it does not take this message` }
}
