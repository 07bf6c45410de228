// A Telegram bot that answers `/who MINT` with the verdict on a token. A user who has blocked it, or is answered slowly, holds up
// nobody else.
//
//   TELEGRAM_TOKEN=123:abc TI_URL=http://127.0.0.1:4000 TI_KEY=sk_live_… npx tsx examples/telegram-bot.ts
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, createClient } from '@token-intelligence/client'

const { TELEGRAM_TOKEN, TELEGRAM_API = 'https://api.telegram.org', TI_URL = 'http://127.0.0.1:4000' } = process.env
if (TELEGRAM_TOKEN === undefined) throw new Error('TELEGRAM_TOKEN is missing: ask @BotFather for one')
const client = createClient({ baseUrl: TI_URL, apiKey: process.env.TI_KEY ?? null })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

interface Chat {
  readonly id: number
}
interface Update {
  readonly update_id: number
  readonly message?: { readonly chat: Chat; readonly text?: string }
}
interface Reply<T> {
  readonly ok: boolean
  readonly result: T
  readonly description?: string
  readonly parameters?: { readonly retry_after?: number }
}

/** Calls the Bot API. It waits when Telegram asks for that, and throws on any other refusal. */
async function telegram<T>(method: string, body: object): Promise<T> {
  for (;;) {
    const response = await fetch(`${TELEGRAM_API}/bot${TELEGRAM_TOKEN}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: stop.signal,
    })
    const { ok, result, description, parameters } = (await response.json()) as Reply<T>
    if (ok) return result
    if (response.status !== 429) throw new Error(`${method}: ${description}`)
    await pause(1_000 * (parameters?.retry_after ?? 1), undefined, { signal: stop.signal })
  }
}

/** Names and symbols are chosen by strangers, so they are escaped and cut. */
const text = (raw: string): string =>
  raw
    .replace(/\p{C}/gu, '')
    .slice(0, 100)
    .replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)

const LIGHTS = { green: '🟢', yellow: '🟡', red: '🔴', neutral: '⚪' } as const

async function answerTo(message: string): Promise<string | null> {
  const mint = /^\/who(?:@\w+)?\s+([1-9A-HJ-NP-Za-km-z]{32,44})\s*$/.exec(message)?.[1]
  if (mint === undefined) return message.startsWith('/') ? 'Send <code>/who MINT</code>.' : null
  try {
    const { said_by_deployer: said, colour, text: verdict } = (await client.check(mint)).data
    return `${LIGHTS[colour]} <b>${text(said.symbol)}</b> (${text(said.name)})\n${verdict.replace(/[&<>]/g, '')}`
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 404 ? 'Nothing is known about this mint.' : text(error.message)
  }
}

/** The number of answers on their way to each chat. A chat's further questions are not answered meanwhile. */
const running = new Map<number, number>()
const MOST_EACH = 5

async function reply({ id }: Chat, question: string): Promise<void> {
  const before = running.get(id) ?? 0
  if (before >= MOST_EACH) return
  running.set(id, before + 1)
  try {
    const answer = await answerTo(question)
    if (answer !== null) await telegram('sendMessage', { chat_id: id, text: answer, parse_mode: 'HTML' })
  } catch (error) {
    // A user who has blocked the bot is one of them. The answer is not tried again.
    if (!stop.signal.aborted) console.error(`chat ${id}: ${(error as Error).message}`)
  } finally {
    const left = running.get(id)! - 1
    if (left > 0) running.set(id, left)
    else running.delete(id)
  }
}

let offset = 0
while (!stop.signal.aborted) {
  try {
    const asked = { offset, timeout: 50, allowed_updates: ['message'] }
    for (const { update_id, message } of await telegram<readonly Update[]>('getUpdates', asked)) {
      // Updates below the offset are not sent again, whatever becomes of their answers.
      offset = update_id + 1
      if (message?.text !== undefined) void reply(message.chat, message.text)
    }
  } catch (error) {
    if (stop.signal.aborted) break
    console.error((error as Error).message)
    await pause(2_000, undefined, { signal: stop.signal }).catch(() => {})
  }
}
