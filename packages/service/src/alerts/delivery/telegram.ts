import { z } from 'zod'
import { parseJson } from '../../base/bounded-text.ts'
import type { Poster } from '../../observe/outbound/outbound.ts'
import type { Refusal } from '../../observe/outbound/reasons.ts'
import type { Alert } from '../alert.ts'
import { alertLines, safeLinks } from './lines.ts'
import { type Outcome, outcomeOfRefusal } from './outcome.ts'
import { createPace, PACED, type Pace } from './pace.ts'
import { ANSWER_BYTES, ATTEMPT_MS, BUSY_MS, type Kind, RETRY_AFTER_MS_MAX, refuseUrl, type Sender } from './sender.ts'

/** milliseconds after which the bot is tried again that Telegram refuses */
export const BOT_PAUSE_MS = 60_000

/** Telegram documents one message a second to a chat, twenty a minute to a group, and thirty a second in total. */
const CHAT = { burst: 1, msEach: 1_000 }
const GROUP = { burst: 1, msEach: 3_000 }
const ALL = { burst: 1, msEach: 1_000 / 30 }

const Answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().max(1_000).catch(''),
  parameters: z.object({ retry_after: z.number().min(0).optional(), migrate_to_chat_id: z.int().optional() }).catch({}),
})

type Called =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false
      /** Null means there was no answer that could be parsed. `reason` is set if there was no answer. */
      readonly status: number | null
      readonly reason: Refusal | null
      readonly description: string
      readonly retryAfterMs: number | null
      readonly movedTo: string | null
    }

/** Telegram's Bot API. Its address contains the token, so it must not appear in an error or a log. */
export interface TelegramApi {
  call(method: string, body: object, options?: CallOptions): Promise<Called>
}

interface CallOptions {
  readonly timeoutMs?: number
  readonly bytesMax?: number
  readonly signal?: AbortSignal
}

interface ApiOptions {
  readonly outbound: Pick<Poster, 'post'>
  /** Such as `https://api.telegram.org`, without a slash at its end. */
  readonly url: string
  readonly token: string
}

export function createTelegramApi({ outbound, url, token }: ApiOptions): TelegramApi {
  return {
    async call(method, body, { timeoutMs = ATTEMPT_MS, bytesMax = ANSWER_BYTES, signal } = {}) {
      const posted = await outbound.post({
        ...{
          url: `${url}/bot${token}/${method}`,
          purpose: 'telegram',
          namedBy: 'operator',
          json: JSON.stringify(body),
        },
        timeoutMs,
        bytesMax,
        ...(signal !== undefined && { signal }),
      })
      const nothing = { ok: false, description: '', retryAfterMs: null, movedTo: null } as const
      if (!posted.ok) return { ...nothing, status: null, reason: posted.reason }
      const { status } = posted
      const read = Answer.safeParse(parseJson(posted.text ?? ''))
      if (!read.success) return { ...nothing, status, reason: null }
      const { ok, result, description, parameters } = read.data
      if (ok) return { ok, result }
      const { retry_after: seconds, migrate_to_chat_id: moved } = parameters
      const retryAfterMs = seconds === undefined ? null : Math.min(RETRY_AFTER_MS_MAX, seconds * 1_000)
      return {
        ok,
        status,
        reason: null,
        description,
        retryAfterMs,
        movedTo: moved === undefined ? null : String(moved),
      }
    },
  }
}

/** `now` is a monotonic clock in milliseconds. Ids of groups are negative. */
export const createTelegramPace = (now: () => number): Pace =>
  createPace({ all: ALL, each: (chat) => (chat.startsWith('-') ? GROUP : CHAT), now, keys: PACED })

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Text chosen by strangers is shown as code, in which Telegram renders no link, mention, command or format. */
export const codeLine = (text: string): string => `<code>${escaped(text)}</code>`

export interface Button {
  readonly text: string
  readonly callback_data: string
}

/** A message in the form of sendMessage, without the chat. */
export interface Message {
  readonly text: string
  readonly parse_mode: 'HTML'
  readonly link_preview_options: { readonly is_disabled: true }
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly Button[])[] }
}

/** The caller escapes `html`. */
export const htmlMessage = (html: string, rows: readonly (readonly Button[])[] = []): Message => ({
  text: html,
  parse_mode: 'HTML',
  link_preview_options: { is_disabled: true },
  ...(rows.length > 0 && { reply_markup: { inline_keyboard: rows } }),
})

/** Links to our own pages, side by side. */
export const linkLine = (links: Alert['links']): string =>
  safeLinks(links)
    .map(({ label, url }) => `<a href="${escaped(url)}">${escaped(label)}</a>`)
    .join(' · ')

export function telegramMessage(alert: Alert): Message {
  const html = [...alertLines(alert).map(codeLine), linkLine(alert.links)].filter((line) => line !== '').join('\n')
  const buttons = [
    ...(alert.mint === null ? [] : [{ text: 'Who', callback_data: `who:${alert.mint}` }]),
    ...(alert.watch.id === '' ? [] : [{ text: 'Mute', callback_data: `mute:${alert.watch.id}` }]),
  ]
  return htmlMessage(html, buttons.length === 0 ? [] : [buttons])
}

export const TELEGRAM: Kind = {
  isLinked: true,
  isSigned: false,
  places: 'chats',
  check: () => refuseUrl('Telegram needs none, a chat is linked by its code'),
  show: (chat) => chat,
  sender: ({ bot }) => bot && createTelegramSender(bot.api, bot.pace),
}

/** Messages of the bot to linked chats, within Telegram's rates. */
export function createTelegramSender(api: TelegramApi, pace: Pace): Sender {
  return {
    turnMs: ({ address }) => pace.takeMs(address),
    async send({ address: chat }, alert) {
      const called = await api.call('sendMessage', { chat_id: chat, ...telegramMessage(alert) })
      return called.ok ? { kind: 'delivered', status: 200 } : outcomeOf(called, chat, pace)
    },
  }
}

function outcomeOf(called: Extract<Called, { ok: false }>, chat: string, pace: Pace): Outcome {
  const { status, reason, description, retryAfterMs, movedTo } = called
  if (status === null) return outcomeOfRefusal(reason ?? 'broken', BUSY_MS)
  const error = `Telegram answered ${status}: ${description}`
  if (status === 429) {
    const afterMs = retryAfterMs ?? BUSY_MS
    pace.pause(chat, afterMs)
    return { kind: 'later', status, error, afterMs }
  }
  if (movedTo !== null) return { kind: 'moved', status, error, address: movedTo }
  if (status === 403 || (status === 400 && /chat not found/i.test(description))) return { kind: 'gone', status, error }
  // Telegram refuses the bot itself, which no account can mend.
  if (status === 401 || status === 404) return { kind: 'later', status, error, afterMs: BOT_PAUSE_MS }
  return status >= 500 ? { kind: 'failed', status, error } : { kind: 'refused', status, error }
}
