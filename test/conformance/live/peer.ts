import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { AnyTopic } from '@ti/core/contract/streams.ts'
import { type ClientOptions, WebSocket } from 'ws'
import { clientFrame, closeCode, readFrames, TEXT, type WireFrame } from '../../support/live-frames.ts'
import { type Ending, soon, until } from '../../support/live-service.ts'

/** A client that speaks the protocol by hand, over the package `ws`. */
export interface Peer {
  readonly socket: WebSocket
  send(frame: string | Buffer): void
  /** the next message, as it came */
  next(): Promise<string>
  /** joins with refs "1" and "1"; the reply's response. V2 */
  join(topic: AnyTopic, payload?: object): Promise<unknown>
  /** fails where anything but the answer to a heartbeat comes next. V2 */
  quiet(): Promise<void>
  /** messages not taken yet */
  readonly waiting: string[]
  /** the close code, 1006 where the connection ended without one */
  readonly closed: Promise<number>
}

interface PeerOptions extends ClientOptions {
  readonly protocols?: readonly string[]
}

/** Opens a socket; an error where it is refused. */
export async function openPeer(t: Ending, url: string, options: PeerOptions = {}): Promise<Peer> {
  const { protocols = [], ...rest } = options
  const socket = new WebSocket(url, [...protocols], rest)
  t.after(() => socket.terminate())
  const waiting: string[] = []
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve)
  })
  let wake = (): void => {}
  socket.on('message', (data: Buffer, isBinary) => {
    waiting.push(isBinary ? `binary ${data.toString('hex')}` : data.toString('utf8'))
    wake()
  })
  await soon(
    'the upgrade',
    new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    }),
  )
  // what is said of a broken connection is its close code
  socket.on('error', () => {})
  const ended = closed.then((code) => {
    throw new Error(`closed with ${code} while a message was expected`)
  })
  ended.catch(() => {})
  let beats = 0

  async function next(): Promise<string> {
    if (waiting.length === 0) {
      const message = new Promise<void>((resolve) => {
        wake = resolve
      })
      await soon('a message', Promise.race([message, ended]))
    }
    return waiting.shift()!
  }

  return {
    socket,
    send: (frame) => socket.send(frame),
    next,
    async join(topic, payload = {}) {
      socket.send(JSON.stringify(['1', '1', topic, 'phx_join', payload]))
      const [, , , , { status, response }] = JSON.parse(await next())
      if (status !== 'ok') throw new Error(`the join was refused: ${JSON.stringify(response)}`)
      return response
    },
    async quiet() {
      const ref = `quiet ${++beats}`
      socket.send(JSON.stringify([null, ref, 'phoenix', 'heartbeat', {}]))
      const answer = await next()
      if (answer !== heartbeatReply(ref)) throw new Error(`there was ${answer}`)
    },
    waiting,
    get closed() {
      return soon('the close', closed)
    },
  }
}

export const heartbeatReply = (ref: string): string =>
  `[null,${JSON.stringify(ref)},"phoenix","phx_reply",{"status":"ok","response":{}}]`

/** The answer to an upgrade that is refused. */
export function refusal(url: string, options: ClientOptions = {}) {
  const answer = new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const socket = new WebSocket(url, options)
    socket.on('open', () => {
      socket.terminate()
      reject(new Error('the upgrade was not refused'))
    })
    socket.on('error', reject)
    socket.on('unexpected-response', (request, response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('close', () => {
        resolve({ status: response.statusCode!, headers: response.headers, body })
        request.destroy()
      })
    })
  })
  return soon('the refusal', answer)
}

/** A connection on which anything can be written. It answers nothing by itself, pings and closes neither. */
export interface RawPeer {
  readonly socket: Socket
  /** frames that came, the answer to the handshake left out */
  readonly frames: WireFrame[]
  /** all bytes behind the answer to the handshake */
  bytes(): Buffer
  write(bytes: Buffer): void
  sendText(text: string): void
  /** resolves with the next text frame that begins with the words */
  text(start: string): Promise<string>
  /** the code of a close frame that has come or comes */
  closeCode(): Promise<number>
  /** the connection is gone */
  readonly gone: Promise<void>
}

/** The request that asks for a WebSocket. */
export const handshake = (url: string, headers: Readonly<Record<string, string>> = {}): string => {
  const { pathname, search } = new URL(url)
  const all = {
    Host: 'test',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export interface RawChoice {
  /** goes out in one piece with the handshake */
  readonly early?: Buffer
  /** stays where the service has ended its half of the connection */
  readonly stays?: boolean
}

export async function openRaw(
  t: Ending,
  url: string,
  { early = Buffer.alloc(0), stays = false }: RawChoice = {},
): Promise<RawPeer> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: stays })
  socket.setNoDelay()
  t.after(() => socket.destroy())
  const gone = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  socket.on('error', () => {})
  const frames: WireFrame[] = []
  const pieces: Buffer[] = []
  let rest: Buffer = Buffer.alloc(0)
  let open = false
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    if (!open) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!rest.toString('latin1', 0, end).startsWith('HTTP/1.1 101 ')) throw new Error(rest.toString())
      rest = rest.subarray(end + 4)
      open = true
      pieces.push(rest)
    } else pieces.push(chunk)
    const read = readFrames(rest)
    frames.push(...read.frames)
    rest = read.rest
  })
  socket.write(Buffer.concat([Buffer.from(handshake(url)), early]))
  await until('the connection is upgraded', () => open)
  let taken = 0
  return {
    socket,
    frames,
    bytes: () => Buffer.concat(pieces),
    write: (bytes) => void socket.write(bytes),
    sendText: (text) => void socket.write(clientFrame(TEXT, text)),
    async text(start) {
      for (;;) {
        await until(`a text that begins with ${start}`, () => frames.length > taken)
        const { first, payload } = frames[taken++]!
        const text = payload.toString('utf8')
        if (first === TEXT && text.startsWith(start)) return text
      }
    },
    async closeCode() {
      await until('a close frame has come', () => frames.some((frame) => closeCode(frame) !== null) || socket.destroyed)
      return frames.map(closeCode).find((code) => code !== null) ?? 1006
    },
    get gone() {
      return soon('the end of the connection', gone)
    },
  }
}
