import { bearer, type CallSettings } from './call.ts'
import { ApiError } from './errors.ts'
import { type Arrival, SILENT_MS, type Transport } from './transport.ts'

/**
 * Server-sent events over `fetch`. They need no WebSocket and no buffer here, because a slow reader slows the connection down.
 */
export const eventsTransport = (settings: CallSettings): Transport =>
  async function* ({ topic, event, after, signal }) {
    const lost = new AbortController()
    const lose = (): void => lost.abort()
    signal.addEventListener('abort', lose)
    let timer = setTimeout(lose, SILENT_MS)
    try {
      const seq = after === null ? '' : `&after_seq=${after}`
      const response = await settings.fetch(`${settings.baseUrl}/v1/stream?topic=${topic}${seq}`, {
        headers: bearer(settings.apiKey),
        signal: lost.signal,
      })
      if (!response.ok || response.body === null) {
        throw new ApiError(response.status, response.headers, await response.json().catch(() => null))
      }
      for await (const block of blocksOf(response.body)) {
        clearTimeout(timer)
        const arrival = arrivalIn(block, event)
        if (arrival !== null) yield arrival
        timer = setTimeout(lose, SILENT_MS)
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', lose)
      lost.abort()
    }
  }

/** Splits the stream at empty lines. */
async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = parts.pop()!
      yield* parts
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/** Returns null for comments and for the event before the service closes. */
function arrivalIn(block: string, event: string): Arrival | null {
  const fields = new Map(block.split('\n').map((line) => splitOnce(line, ': ')))
  const [name, data] = [fields.get('event'), fields.get('data')]
  if (data === undefined || (name !== 'joined' && name !== event)) return null
  const value = JSON.parse(data)
  if (name === event) return { kind: 'message', payload: value }
  return { kind: 'joined', seq: value.seq, oldestSeq: value.oldest_seq, resumed: value.resumed }
}

function splitOnce(line: string, mark: string): readonly [string, string] {
  const at = line.indexOf(mark)
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + mark.length)]
}
