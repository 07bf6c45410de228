import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** What can go wrong between a client and the service, and what each client has to make of it. */

/** What happens on a connection to a topic, in turn. A number is the `seq` of a message. */
type Step =
  | number
  | 'garbage'
  | 'cut'
  | 'open'
  | { readonly joined: number; readonly resumed?: boolean; readonly oldest?: number }
  | { readonly refused: number; readonly retryAfter?: string }

/** How an answer to a call comes. */
type Reply =
  | 'reset'
  | 'half'
  | 'hang'
  | 'cut short'
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }

interface Expected {
  /** How a call ends: `ok`, or the status of an ApiError, or another error. */
  readonly ends?: string
  readonly requests?: number
  readonly seqs?: readonly number[]
  readonly gaps?: readonly (readonly [after: number, seq: number])[]
  readonly warned?: boolean
  /** Most messages given out after the consumer has cancelled. */
  readonly lateMost?: number
}

export interface Fault {
  readonly name: string
  /** Each connection takes the next; all further ones the last. */
  readonly replies?: readonly Reply[]
  readonly connections?: readonly (readonly Step[])[]
  /** How server-sent events are written, where not plainly. Such a fault is one of that transport alone. */
  readonly written?: (text: string, isFirst: boolean) => readonly Buffer[]
  readonly key?: boolean
  readonly ownHttp?: boolean
  readonly after?: number
  /** Messages to read, then the stream is left. */
  readonly take?: number
  /** Cancels after so many messages, without leaving the loop. */
  readonly cancelAfter?: number
  readonly skipGaps?: boolean
  readonly expected: Expected
}

const GOOD: Reply = { status: 200, body: '{"data":[],"meta":{}}' }
const of = (status: number, headers: Record<string, string> = {}): Reply => ({ status, headers, body: '{}' })
const call = (name: string, replies: readonly Reply[], ends: string, requests: number, more: Partial<Fault> = {}) => ({
  ...{ name, replies, expected: { ends, requests } },
  ...more,
})
const joined = { joined: 0, resumed: true } as const
const run = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const stream = (
  name: string,
  connections: readonly (readonly Step[])[],
  expected: Expected,
  more: Partial<Fault> = {},
) => ({
  ...{ name, connections, after: 0, take: expected.seqs?.length ?? 1, expected },
  ...more,
})
const written = (name: string, write: NonNullable<Fault['written']>) =>
  stream(name, [[joined, 1, 2, 'open']], { seqs: [1, 2] }, { written: write })
const whole = (change: (text: string, isFirst: boolean) => string) => (text: string, isFirst: boolean) => [
  Buffer.from(change(text, isFirst)),
]

export const FAULTS: readonly Fault[] = [
  call('an answer', [GOOD], 'ok', 1),
  call('a busy gateway', [of(502), GOOD], 'ok', 2),
  call('a full service that names a moment', [of(503, { 'retry-after': '0' }), GOOD], 'ok', 2),
  call('a limit that lasts', [of(429, { 'retry-after': '30' })], '429', 1),
  call('a shortage that stays', [of(504)], '504', 3),
  call('an error of the service', [of(500)], '500', 1),
  call('a key that is refused', [of(402)], '402', 1),
  call('a bad request', [of(400)], '400', 1),
  call('a redirect to nowhere', [of(404)], '404', 1),
  call('a moment that is no number', [of(503, { 'retry-after': 'soon' }), GOOD], 'ok', 2),
  call('a moment in the past', [of(503, { 'retry-after': '-5' }), GOOD], 'ok', 2),
  call('a page of a proxy', [{ status: 502, body: '<h1>Bad gateway</h1>' }], '502', 3),
  call('an answer that is no JSON', [{ status: 200, body: '<h1>Welcome</h1>' }], 'error', 1),
  call('an empty answer', [{ status: 200, body: '' }], 'error', 1),
  call('a connection that is reset', ['reset', GOOD], 'ok', 2),
  call('a connection that is reset each time', ['reset'], 'lost', 3),
  call('a body that ends early', ['cut short', GOOD], 'ok', 2),
  call('an answer that never comes', ['hang'], 'lost', 3),
  call('a body that never ends', ['half'], 'lost', 3),
  call('no key: nothing is repeated', ['reset', GOOD], 'lost', 1, { key: false }),
  call('no key: a shortage is not repeated', [of(503), GOOD], '503', 1, { key: false }),
  call('an own HTTP client, which may pay: nothing is repeated', ['reset', GOOD], 'lost', 1, { ownHttp: true }),
  stream('messages', [[joined, 1, 2, 3, 'open']], { seqs: [1, 2, 3] }),
  stream('a message twice', [[joined, 1, 2, 2, 1, 3, 'open']], { seqs: [1, 2, 3] }),
  // what was on its way when it was cut may be lost, or come again
  stream(
    'a connection that is cut',
    [
      [joined, 1, 2, 'cut'],
      [joined, 1, 2, 3, 'open'],
    ],
    { seqs: [1, 2, 3] },
  ),
  stream('cuts before anything came', [['cut'], ['cut'], [joined, 1, 'open']], { seqs: [1] }),
  stream(
    'something that is no message',
    [
      [joined, 1, 'garbage'],
      [joined, 2, 'open'],
    ],
    { seqs: [1, 2] },
  ),
  stream('messages that are lost', [[{ joined: 9, oldest: 5 }, 'open']], { ends: 'gap', seqs: [] }, { after: 2 }),
  stream(
    'messages that are lost, and the reader goes on',
    [[{ joined: 9, oldest: 5 }, 10, 'open']],
    { seqs: [10], gaps: [[2, 9]] },
    { after: 2, skipGaps: true },
  ),
  stream(
    'numbers that begin again',
    [[{ joined: 3, oldest: 1 }, 4, 'open']],
    { seqs: [4], gaps: [[50, 3]] },
    { after: 50, skipGaps: true },
  ),
  stream('a key that is refused at the door', [[{ refused: 402 }]], { ends: '402', seqs: [], requests: 1 }),
  stream('a full service at the door', [[{ refused: 503, retryAfter: '0' }], [joined, 1, 'open']], { seqs: [1] }),
  stream('a gateway at the door', [[{ refused: 502 }], [joined, 1, 'open']], { seqs: [1] }),
  stream(
    'a service that is gone for a while',
    [...Array.from({ length: 7 }, (): Step[] => ['cut']), [joined, 1, 'open']],
    {
      ...{ seqs: [1], warned: true },
    },
  ),
  stream('a restart passes without a word', [['cut'], ['cut'], [joined, 1, 'open']], { seqs: [1], warned: false }),
  stream(
    'left while messages wait',
    [[joined, ...run(1, 500), 'open']],
    { lateMost: 1 },
    { cancelAfter: 3, take: 500 },
  ),
  stream('left while it is quiet', [[joined, 1, 'open']], { seqs: [1], lateMost: 0 }, { cancelAfter: 1, take: 9 }),
  written(
    'line ends of Windows',
    whole((text) => text.replaceAll('\n', '\r\n')),
  ),
  written(
    'line ends of old',
    whole((text) => text.replaceAll('\n', '\r')),
  ),
  written(
    'no space after the colon',
    whole((text) => text.replaceAll(': ', ':')),
  ),
  written(
    'a mark of the byte order',
    whole((text, isFirst) => (isFirst ? `\ufeff${text}` : text)),
  ),
  written(
    'comments and fields of others',
    whole((text) => text.replaceAll('data:', ': beat\nid: 7\ndata:')),
  ),
  written(
    'data over several lines',
    whole((text) => text.replaceAll(/^data: \{/gm, 'data: {\ndata: ')),
  ),
  written('one byte at a time', (text) => [...Buffer.from(text)].map((byte) => Buffer.of(byte))),
  written('line ends that are split', (text) =>
    text
      .replaceAll('\n', '\r\n')
      .split(/(?<=\r)/)
      .map((part) => Buffer.from(part)),
  ),
]

const frame = (seq: number) => ({ data: { seq, text: 'é😀\u2028\u0085' } })
const replyOf = ({ joined: seq, oldest = 1, resumed = false }: Extract<Step, { joined: number }>) => ({
  ...{ seq, oldest_seq: oldest, resumed },
})

/** Serves every fault under a path of its own. */
export async function serveFaults(faults: readonly Fault[]) {
  const seen = new Map<string, number>()
  const next = <T>(id: string, list: readonly T[]): T => {
    const n = seen.get(id) ?? 0
    seen.set(id, n + 1)
    return list[Math.min(n, list.length - 1)]!
  }
  const faultOf = (url: string) => {
    const [, run = '', no = ''] = url.split('/')
    return { id: `${run}/${no}`, fault: faults[Number(no)]! }
  }
  const server = createServer((request, response) => {
    const { id, fault } = faultOf(request.url!)
    // asked over HTTP why a socket was refused
    if (request.method === 'HEAD') return void refuse(response, lastRefusal.get(id))
    if (fault.replies !== undefined) return answer(next(id, fault.replies), request, response)
    events(next(id, fault.connections!), fault.written, response)
  })
  const lastRefusal = new Map<string, Extract<Step, { refused: number }>>()
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const { id, fault } = faultOf(request.url!)
    const steps = next(id, fault.connections!)
    const [first] = steps
    lastRefusal.delete(id)
    if (typeof first === 'object' && 'refused' in first) {
      lastRefusal.set(id, first)
      return socket.end(`HTTP/1.1 ${first.refused} No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    }
    if (first === 'cut') return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (open) => void play(steps, open))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: (id: string): number => seen.get(id) ?? 0,
    close() {
      for (const open of sockets.clients) open.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

function refuse(response: ServerResponse, refusal: Extract<Step, { refused: number }> | undefined): void {
  const { refused = 200, retryAfter } = refusal ?? {}
  response.writeHead(refused, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end()
}

function answer(reply: Reply, request: IncomingMessage, response: ServerResponse): void {
  if (reply === 'hang') return
  if (reply === 'reset') return void request.socket.destroy()
  if (reply === 'half' || reply === 'cut short') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    return void response.write('{"data":', () => reply === 'cut short' && request.socket.destroy())
  }
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body)
}

async function events(steps: readonly Step[], write: Fault['written'], response: ServerResponse): Promise<void> {
  const [first] = steps
  if (typeof first === 'object' && 'refused' in first) return refuse(response, first)
  if (first === 'cut') return void response.socket!.destroy()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const step of steps) {
    if (step === 'open') return
    if (step === 'cut') return void response.socket!.destroy()
    const text = step === 'garbage' ? 'event: frame\ndata: {"data\n\n' : eventOf(step)
    for (const part of write?.(text, step === first) ?? [Buffer.from(text)]) {
      response.write(part)
      // a part that is to arrive by itself
      if (write !== undefined) await new Promise((done) => setImmediate(done))
    }
  }
}

function eventOf(step: Exclude<Step, string>): string {
  if (typeof step === 'number') return `event: frame\ndata: ${JSON.stringify(frame(step))}\n\n`
  return 'joined' in step ? `event: joined\ndata: ${JSON.stringify(replyOf(step))}\n\n` : ''
}

async function play(steps: readonly Step[], socket: WebSocket): Promise<void> {
  await once(socket, 'message')
  for (const step of steps) {
    if (step === 'open') return
    if (step === 'cut') return socket.terminate()
    if (step === 'garbage') socket.send('{"data')
    else if (typeof step === 'number') socket.send(JSON.stringify(['1', null, 'frames:live', 'frame', frame(step)]))
    else if ('joined' in step) {
      const payload = { status: 'ok', response: replyOf(step) }
      socket.send(JSON.stringify(['1', '1', 'frames:live', 'phx_reply', payload]))
    }
  }
}
