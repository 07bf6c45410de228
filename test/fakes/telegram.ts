import type { RequestListener } from 'node:http'

/**
 * The part of Telegram's Bot API that is used, with its documented limits: 4,096 characters after entities are parsed, one message
 * a second to a chat, twenty a minute to a group, thirty a second in all, 64 bytes of a button's data.
 */
export interface FakeTelegram {
  readonly serve: RequestListener
  readonly sent: readonly Sent[]
  /** answers of 429 that its rates brought, beside those that `refuse` did */
  readonly floods: number
  readonly answered: readonly string[]
  /** texts of a chat */
  texts(chat: string | number): string[]
  update(update: object): void
  /** the next sendMessage is answered so instead of being taken */
  refuse(answer: FakeRefusal): void
  readonly blocked: Set<string>
}

interface FakeRefusal {
  readonly error_code: number
  readonly description: string
  readonly parameters?: object
}

export interface Sent {
  readonly chat: string
  /** after entities were parsed */
  readonly text: string
  readonly entities: readonly Entity[]
  readonly buttons: readonly { readonly text: string; readonly callback_data: string }[]
  readonly atMs: number
}

export interface Entity {
  readonly type: string
  readonly text: string
  readonly url?: string
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const OPEN = /^<(b|i|u|s|code|pre)>|^<a href="([^"<>]*)">/

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (NAMED[name!] ?? whole) : String.fromCodePoint(Number(code)),
  )

/** Telegram's HTML; null where it answers "can't parse entities". */
export function parseHtml(html: string): { readonly text: string; readonly entities: readonly Entity[] } | null {
  let text = ''
  const entities: Entity[] = []
  const open: { tag: string; from: number; url?: string }[] = []
  for (let rest = html; rest !== ''; ) {
    const plain = /^[^<]+/.exec(rest)?.[0]
    if (plain !== undefined) {
      text += unescaped(plain)
      rest = rest.slice(plain.length)
      continue
    }
    const close = /^<\/(\w+)>/.exec(rest)
    const opened = OPEN.exec(rest)
    if (close !== null) {
      const last = open.pop()
      if (last === undefined || last.tag !== close[1]) return null
      const { tag, from, url } = last
      entities.push({
        type: tag === 'a' ? 'text_link' : tag,
        text: text.slice(from),
        ...(url !== undefined && { url }),
      })
      rest = rest.slice(close[0].length)
    } else if (opened !== null) {
      const [whole, tag = 'a', url] = opened
      open.push({ tag, from: text.length, ...(url !== undefined && { url: unescaped(url) }) })
      rest = rest.slice(whole.length)
    } else return null
  }
  return open.length > 0 ? null : { text, entities }
}

export function createFakeTelegram(token: string, now: () => number): FakeTelegram {
  const sent: Sent[] = []
  const answered: string[] = []
  const updates: object[] = []
  const refusals: FakeRefusal[] = []
  const blocked = new Set<string>()
  let floods = 0
  let nextUpdate = 1

  const flood = (seconds: number): FakeRefusal => ({
    ...{ error_code: 429, description: `Too Many Requests: retry after ${seconds}` },
    parameters: { retry_after: seconds },
  })

  function send(body: {
    chat_id: string | number
    text: string
    reply_markup?: { inline_keyboard: Sent['buttons'][] }
  }) {
    const chat = String(body.chat_id)
    const refusal = refusals.shift()
    if (refusal !== undefined) return refusal
    if (blocked.has(chat)) return { error_code: 403, description: 'Forbidden: bot was blocked by the user' }
    const parsed = parseHtml(body.text)
    if (parsed === null) return { error_code: 400, description: "Bad Request: can't parse entities" }
    if (parsed.text.length > 4_096) return { error_code: 400, description: 'Bad Request: message is too long' }
    if (parsed.text.trim() === '') return { error_code: 400, description: 'Bad Request: message text is empty' }
    const buttons = body.reply_markup?.inline_keyboard.flat() ?? []
    if (buttons.some(({ callback_data: data }) => Buffer.byteLength(data) > 64)) {
      return { error_code: 400, description: 'Bad Request: BUTTON_DATA_INVALID' }
    }
    const at = now()
    const own = sent.filter((one) => one.chat === chat)
    const within = (list: readonly Sent[], ms: number): number => list.filter(({ atMs }) => atMs > at - ms).length
    const isFlood =
      within(sent, 1_000) >= 30 || within(own, 1_000) >= 1 || (chat.startsWith('-') && within(own, 60_000) >= 20)
    if (isFlood) {
      floods++
      return flood(1)
    }
    sent.push({ chat, ...parsed, buttons, atMs: at })
    return null
  }

  function answer(method: string, body: never): { readonly result: unknown } | FakeRefusal {
    if (method === 'getMe') return { result: { id: 1, is_bot: true, username: 'ti_bot' } }
    if (method === 'getUpdates') {
      const { offset, limit } = body as { offset: number; limit: number }
      while (updates.length > 0 && (updates[0] as { update_id: number }).update_id < offset) updates.shift()
      return { result: updates.slice(0, limit) }
    }
    if (method === 'answerCallbackQuery') {
      answered.push((body as { callback_query_id: string }).callback_query_id)
      return { result: true }
    }
    if (method !== 'sendMessage') return { error_code: 404, description: 'Not Found' }
    return send(body) ?? { result: { message_id: sent.length } }
  }

  return {
    serve(request, response) {
      let text = ''
      request.on('data', (piece) => {
        text += piece
      })
      request.on('end', () => {
        const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url!) ?? []
        const made =
          given === token ? answer(method, JSON.parse(text) as never) : { error_code: 401, description: 'Unauthorized' }
        const status = 'error_code' in made ? made.error_code : 200
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ ok: status === 200, ...made }))
      })
    },
    sent,
    get floods() {
      return floods
    },
    answered,
    texts: (chat) => sent.filter((one) => one.chat === String(chat)).map(({ text }) => text),
    update: (update) => void updates.push({ update_id: nextUpdate++, ...update }),
    refuse: (refusal) => void refusals.push(refusal),
    blocked,
  }
}
