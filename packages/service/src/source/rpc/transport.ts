import { createGunzip } from 'node:zlib'
import { Agent, request } from 'undici'
import { boundedText } from '../../base/bounded-text.ts'

export interface Reply {
  readonly status: number
  /** the header as it came */
  readonly retryAfter: string | null
  /** null when there was more than allowed */
  readonly text: string | null
}

/** Posts one JSON-RPC request. Rejects when no answer came; never follows a redirect. */
export interface Transport {
  post(body: string, signal: AbortSignal): Promise<Reply>
  close(): Promise<void>
}

/** HTTP to one node, answers in gzip where it likes; the bound is on what they unfold to. */
export function createHttpTransport(url: URL, bytesMax: number, connections: number): Transport {
  const agent = new Agent({ connections, pipelining: 1, keepAliveTimeout: 30_000 })
  const { address, headers } = targetOf(url)
  return {
    async post(body, signal) {
      const answer = await request(address, { method: 'POST', dispatcher: agent, headers, body, signal })
      const retryAfter = answer.headers['retry-after']
      const text = await textOf(answer.body, answer.headers['content-encoding'], bytesMax)
      return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, text }
    },
    close: () => agent.destroy(),
  }
}

async function textOf(body: NodeJS.ReadableStream, encoding: unknown, bytesMax: number): Promise<string | null> {
  if (encoding === undefined || encoding === 'identity') return boundedText(body as AsyncIterable<Buffer>, bytesMax)
  if (encoding !== 'gzip') throw new Error('an encoding that was not asked for')
  const gunzip = createGunzip()
  // a broken connection ends the reading too
  body.on('error', (error) => gunzip.destroy(error))
  return boundedText(body.pipe(gunzip), bytesMax)
}

/** A name and password in the address belong into a header. */
function targetOf(url: URL): { address: string; headers: Record<string, string> } {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'accept-encoding': 'gzip' }
  const bare = new URL(url)
  if (url.username !== '' || url.password !== '') {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
    bare.username = ''
    bare.password = ''
  }
  return { address: bare.href, headers }
}
