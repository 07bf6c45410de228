import { bearer, type CallSettings } from './call.ts'
import { ApiError } from './errors.ts'
import { type Arrival, SILENT_MS, type Transport } from './transport.ts'

/**
 * Server-sent events over `fetch`. They need no WebSocket and no buffer here, because a slow reader slows the connection down.
 */
export const eventsTransport = (settings: CallSettings): Transport =>
  async function* ({ topic, event, after, filter, signal }) {
    const lost = new AbortController()
    const lose = (): void => lost.abort()
    signal.addEventListener('abort', lose)
    let timer = setTimeout(lose, SILENT_MS)
    try {
      const seq = after === null ? '' : `&after_seq=${after}`
      const wanted = filter === null ? '' : `&filter=${encodeURIComponent(filter)}`
      const response = await settings.fetch(`${settings.baseUrl}/v1/stream?topic=${topic}${seq}${wanted}`, {
        headers: bearer(settings.apiKey),
        signal: lost.signal,
      })
      if (!response.ok || response.body === null) {
        throw new ApiError(response.status, response.headers, await response.json().catch(() => null))
      }
      for await (const { name, data } of eventsOf(response.body)) {
        clearTimeout(timer)
        if (name === event) yield { kind: 'message', payload: JSON.parse(data) }
        else if (name === 'joined') yield joinedOf(JSON.parse(data))
        timer = setTimeout(lose, SILENT_MS)
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', lose)
      lost.abort()
    }
  }

const joinedOf = ({ seq, oldest_seq: oldestSeq, resumed }: Joined): Arrival => {
  return { kind: 'joined', seq, oldestSeq, resumed }
}

interface Joined {
  readonly seq: number | null
  readonly oldest_seq: number | null
  readonly resumed: boolean
}

/** Server-sent events as the HTML standard has them. A comment is an event without data: it shows that the connection lives. */
async function* eventsOf(body: ReadableStream<Uint8Array>) {
  let [name, data]: [string, string[]] = ['', []]
  for await (const line of linesOf(body)) {
    const [field, value] = splitOnce(line)
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (line === '') {
      if (data.length > 0) yield { name, data: data.join('\n') }
      ;[name, data] = ['', []]
    } else if (field === '') yield { name: '', data: '' }
  }
}

function splitOnce(line: string): readonly [string, string] {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)]
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let isSplit = false
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const text = decoder.decode(value, { stream: true })
      if (text === '') continue
      // the LF of a line's end whose CR came before
      const lines = (rest + text.slice(isSplit && text[0] === '\n' ? 1 : 0)).split(/\r\n|\n|\r/)
      isSplit = text.endsWith('\r')
      rest = lines.pop()!
      yield* lines
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
