import { createOutbound } from './outbound.ts'

export interface Reply {
  readonly status: number
  /** the header as it came */
  readonly retryAfter: string | null
  /** null when there was more than allowed */
  readonly text: string | null
}

/** Posts one JSON-RPC request. Rejects when no answer came; never follows a redirect. */
export type Transport = ReturnType<typeof createNodeTransport>

/** The signal ends a request: its deadline is its caller's. */
const NO_DEADLINE_MS = 2 ** 31 - 1

/** HTTP to one node that the operator named, over connections that are kept; answers in gzip where it likes. */
export function createNodeTransport(url: URL, bytesMax: number, connections: number) {
  const { address, headers } = targetOf(url)
  const outbound = createOutbound({ allow: [address], inAll: connections, perHost: connections })
  const common = { url: address, headers, purpose: 'rpc', bytesMax, timeoutMs: NO_DEADLINE_MS, gzip: true } as const
  return {
    async post(body: string, signal: AbortSignal): Promise<Reply> {
      const answer = await outbound.ask({ ...common, json: body, signal })
      if (answer.ok) {
        const { status, text } = answer
        return { status, text, retryAfter: answer.headers['retry-after'] ?? null }
      }
      if (answer.reason === 'too_large') return { status: 200, text: null, retryAfter: null }
      throw new Error(answer.reason)
    },
    async close(): Promise<void> {
      outbound.close()
    },
  }
}

/** A name and password in the address belong into a header. */
function targetOf(url: URL): { readonly address: string; readonly headers: Readonly<Record<string, string>> } {
  if (url.username === '' && url.password === '') return { address: url.href, headers: {} }
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return { address: bare.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
