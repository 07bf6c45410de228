import type { RequestListener, ServerResponse } from 'node:http'

/**
 * Discord's webhooks with their documented limits: five messages of a webhook in two seconds, said in the headers of every answer;
 * 2,000 characters of content, 4,096 of an embed's description, 6,000 of all embeds, ten embeds.
 */
export interface FakeDiscord {
  readonly serve: RequestListener
  readonly sent: readonly { readonly id: string; readonly body: DiscordBody; readonly atMs: number }[]
  readonly floods: number
  /** the next message is answered so instead of being taken */
  refuse(status: number, body?: object, headers?: Record<string, string>): void
  /** webhooks that were deleted */
  readonly gone: Set<string>
}

interface DiscordBody {
  readonly content?: string
  readonly embeds?: readonly { readonly description?: string; readonly title?: string }[]
  readonly allowed_mentions?: { readonly parse: readonly string[] }
}

export function createFakeDiscord(now: () => number): FakeDiscord {
  const sent: { id: string; body: DiscordBody; atMs: number }[] = []
  const refusals: [number, object, Record<string, string>][] = []
  const gone = new Set<string>()
  let floods = 0

  const problem = ({ content = '', embeds = [] }: DiscordBody): boolean => {
    const lengths = embeds.map(({ description = '', title = '' }) => [description.length, title.length] as const)
    return (
      (content === '' && embeds.length === 0) ||
      content.length > 2_000 ||
      embeds.length > 10 ||
      lengths.some(([description, title]) => description > 4_096 || title > 256) ||
      lengths.flat().reduce((all, one) => all + one, 0) > 6_000
    )
  }

  function take(id: string, body: DiscordBody, response: ServerResponse): void {
    const json = (status: number, answer: object, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
    const refusal = refusals.shift()
    if (refusal !== undefined) return json(...refusal)
    if (gone.has(id)) return json(404, { message: 'Unknown Webhook', code: 10_015 })
    if (problem(body)) return json(400, { message: 'Invalid Form Body', code: 50_035 })
    const at = now()
    const recent = sent.filter((one) => one.id === id && one.atMs > at - 2_000)
    const resetS = recent.length === 0 ? 2 : (recent[0]!.atMs + 2_000 - at) / 1_000
    if (recent.length >= 5) {
      floods++
      return json(429, { message: 'You are being rate limited.', retry_after: resetS, global: false })
    }
    sent.push({ id, body, atMs: at })
    json(
      200,
      { id: String(sent.length) },
      {
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': String(4 - recent.length),
        'x-ratelimit-reset-after': String(resetS),
      },
    )
  }

  return {
    serve(request, response) {
      let text = ''
      request.on('data', (piece) => {
        text += piece
      })
      request.on('end', () => {
        const [, id] = /^\/api\/v10\/webhooks\/(\d+)\/[\w-]+\?wait=true/.exec(request.url!) ?? []
        if (id === undefined) response.writeHead(404).end('{}')
        else take(id, JSON.parse(text) as DiscordBody, response)
      })
    },
    sent,
    get floods() {
      return floods
    },
    refuse: (status, body = {}, headers = {}) => void refusals.push([status, body, headers]),
    gone,
  }
}
