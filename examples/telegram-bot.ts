// A Telegram bot that answers `/who MINT` with the wallets and score behind a token.
//
//   TELEGRAM_TOKEN=123:abc TI_URL=http://127.0.0.1:4000 TI_KEY=sk_live_… npx tsx examples/telegram-bot.ts
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, createClient, type TokenSnapshot } from '@token-intelligence/client'

const { TELEGRAM_TOKEN, TELEGRAM_API = 'https://api.telegram.org', TI_URL = 'http://127.0.0.1:4000' } = process.env
if (TELEGRAM_TOKEN === undefined) throw new Error('TELEGRAM_TOKEN is missing: ask @BotFather for one')
const client = createClient({ baseUrl: TI_URL, apiKey: process.env.TI_KEY ?? null })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

interface Update {
  readonly update_id: number
  readonly message?: { readonly chat: { readonly id: number }; readonly text?: string }
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
const text = (raw: string | null | undefined): string =>
  (raw ?? '?')
    .replace(/\p{C}/gu, '')
    .replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
    .slice(0, 100)

const LIGHTS = { green: '🟢', yellow: '🟡', red: '🔴', neutral: '⚪' } as const

function inWords({ meta, score, holders, bundles, ratings }: TokenSnapshot): string {
  const light = LIGHTS[ratings?.score ?? 'neutral']
  return [
    `${light} <b>${text(meta?.symbol)}</b> (${text(meta?.name)})`,
    `score ${score?.value ?? 'not yet'}, ${holders?.count ?? 0} holders`,
    `${LIGHTS[ratings?.bundle ?? 'neutral']} ${bundles?.count ?? 0} bundles own ${bundles?.owned_pct_supply ?? 0}% of supply`,
    `${LIGHTS[ratings?.dirty ?? 'neutral']} ${score?.dirty_pct ?? 0}% lies with wallets of a bad record`,
  ].join('\n')
}

async function answerTo(message: string): Promise<string | null> {
  const mint = /^\/who(?:@\w+)?\s+([1-9A-HJ-NP-Za-km-z]{32,44})\s*$/.exec(message)?.[1]
  if (mint === undefined) return message.startsWith('/') ? 'Send <code>/who MINT</code>.' : null
  try {
    return inWords((await client.snapshot(mint)).data)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 404 ? 'Nothing is known about this mint.' : text(error.message)
  }
}

let offset = 0
while (!stop.signal.aborted) {
  try {
    const updates = await telegram<readonly Update[]>('getUpdates', {
      offset,
      timeout: 50,
      allowed_updates: ['message'],
    })
    for (const { update_id, message } of updates) {
      const answer = message?.text === undefined ? null : await answerTo(message.text)
      if (answer !== null) {
        await telegram('sendMessage', { chat_id: message!.chat.id, text: answer, parse_mode: 'HTML' })
      }
      // Updates below the offset are not sent again.
      offset = update_id + 1
    }
  } catch (error) {
    if (stop.signal.aborted) break
    console.error((error as Error).message)
    await pause(2_000, undefined, { signal: stop.signal }).catch(() => {})
  }
}
