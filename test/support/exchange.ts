import { connect } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** milliseconds until an exchange counts as hanging: far beyond any honest answer */
const PATIENCE_MS = 20_000

/**
 * Writes bytes to a fresh connection and reads the first answer; null where the peer closed without one. Nothing is
 * normalised on the way, so that anything at all can be sent.
 */
export function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  hasBody = true,
  localAddress?: string,
): Promise<Answer | null> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const from = localAddress === undefined ? {} : { localAddress }
    const socket = connect({ port: Number(port), host: hostname, ...from })
    const chunks: Buffer[] = []
    const settle = (answer: Answer | null) => {
      resolve(answer)
      socket.destroy()
    }
    socket.setTimeout(PATIENCE_MS, () => {
      reject(new Error(`no answer to ${JSON.stringify(bytes.toString().slice(0, 300))}`))
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      const answer = parseAnswer(Buffer.concat(chunks), hasBody)
      if (answer !== null) settle(answer)
    })
    socket.on('error', () => settle(null))
    socket.on('close', () => settle(null))
    socket.write(bytes, 'latin1')
  })
}

function parseAnswer(bytes: Buffer, hasBody: boolean): Answer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (status === 100) return parseAnswer(bytes.subarray(end + 4), hasBody)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0
  const body = bytes.subarray(end + 4)
  return body.length < length ? null : { status, headers, body: hasBody ? body.subarray(0, length) : body }
}

/** The text of a request without a body. */
export const requestText = (method: string, path: string, headers: Readonly<Record<string, string>> = {}): string => {
  const lines = Object.entries({ host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
