import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { perTopic, TOPICS, type Topic } from '@ti/core/contract/streams.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import type { OwnStream, OwnStreams, StreamMessage } from '@ti/core/query/streams.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { LIVE } from '@ti/service/faces/live/bounds.ts'
import { createLiveFace, type LiveFace, type LiveFaceOptions } from '@ti/service/faces/live/face.ts'
import { fakeKeys, KEYS, startFake } from './fake-service.ts'

/** Topics in memory. */
export interface FakeStreams {
  readonly streams: OwnStreams
  /** appends a message whose payload is `data` with its seq; the message. Nobody is woken. */
  append(topic: Topic, data?: object): StreamMessage
  /** calls of `read` */
  reads(topic: Topic): number
}

export function fakeStreams(resumeMessages: number = QUERY_BOUNDS.resumeMessages): FakeStreams {
  const logs = perTopic((): StreamMessage[] => [])
  const reads = perTopic(() => 0)
  const stream = (topic: Topic): OwnStream => ({
    newest: () => logs[topic].length,
    oldest: () => Math.max(1, logs[topic].length - resumeMessages + 1),
    read(after, limit) {
      reads[topic]++
      return logs[topic].slice(after, after + limit)
    },
  })
  return {
    streams: perTopic(stream),
    append(topic, data = {}) {
      const log = logs[topic]
      const seq = log.length + 1
      const payload = JSON.stringify(
        topic === 'frames:live' ? { data: { seq, ...data } } : { type: 't', data: { seq, ...data } },
      )
      const message = { seq, payload, time: Date.now() / 1000 }
      log.push(message)
      return message
    },
    reads: (topic) => reads[topic],
  }
}

/** Fake keys, some of which are taken back while they are in use. */
export function revocableKeys() {
  const keys = fakeKeys()
  const revoked = new Set<string>()
  return {
    revoke: (key: string) => void revoked.add(`Bearer ${key}`),
    keys: {
      follow(authorization: string | undefined) {
        const again = () => keys.check(revoked.has(authorization ?? '') ? `Bearer ${KEYS.revoked}` : authorization)
        return { found: again(), again }
      },
    } satisfies LiveFaceOptions['keys'],
  }
}

export interface LiveChanges extends Partial<Pick<LiveFaceOptions, 'keys' | 'trials' | 'alerts' | 'shared'>> {
  readonly bounds?: Partial<NonNullable<LiveFaceOptions['bounds']>>
  /** topics that outlive a service */
  readonly topics?: FakeStreams
  readonly port?: number
  /** the server's end of a connection that asks for a WebSocket, before the face has seen it */
  readonly onSocket?: (socket: Socket) => void
}

export interface LiveService {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
  readonly port: number
  /** `ws://127.0.0.1:PORT/socket`, what official clients are given */
  readonly socketUrl: string
  /** a V2 URL of the socket with a Pro key; `more` is appended to the query */
  url(more?: string): string
  readonly live: LiveFace
  /** appends and wakes; the message's seq */
  publish(topic: Topic, data?: object): number
  readonly append: FakeStreams['append']
  /** value of a metric by its whole line without the value, as `ti_live_closed_total{why="1011"}`; 0 where there is none */
  metric(name: string): Promise<number>
  readonly logged: string[]
  close(): Promise<void>
}

/** The real face on a real HTTP server, over topics in memory and fake keys; trials never end unless they are given. */
export async function startLive(change: LiveChanges = {}): Promise<LiveService> {
  const logged: string[] = []
  const metrics = createMetrics()
  const { topics = fakeStreams() } = change
  const live = createLiveFace({
    streams: topics.streams,
    alerts: change.alerts ?? null,
    keys: change.keys ?? fakeKeys(),
    trials: change.trials ?? { open: async () => ({ ok: true, seat: { hasTime: () => true, release() {} } }) },
    clientAddress: createClientAddress([]),
    logger: createLogger('debug', { write: (line: string) => void logged.push(line) }),
    metrics,
    ...(change.shared && { shared: change.shared }),
    bounds: { ...LIVE, ...change.bounds },
  })
  const service = await startFake({
    routes: [
      {
        ...live.route,
        upgrade(request, socket, head) {
          change.onSocket?.(socket)
          live.route.upgrade!(request, socket, head)
        },
      },
    ],
    follow: live.follow,
    ...(change.port !== undefined && { port: change.port }),
  })
  const socketUrl = `${service.baseUrl.replace('http', 'ws')}/socket`
  return {
    baseUrl: service.baseUrl,
    port: Number(new URL(service.baseUrl).port),
    socketUrl,
    url: (more = '') => `${socketUrl}/websocket?vsn=2.0.0&api_key=${KEYS.pro}${more}`,
    live,
    publish(topic, data) {
      const { seq } = topics.append(topic, data)
      live.wake()
      return seq
    },
    append: topics.append,
    async metric(name) {
      const line = (await metrics.text()).split('\n').find((one) => one.startsWith(`${name} `))
      return line === undefined ? 0 : Number(line.slice(name.length + 1))
    },
    logged,
    async close() {
      await live.close()
      await service.close()
    },
  }
}

/** A test; a suite's hooks fit too. */
export interface Ending {
  after(fn: () => unknown): void
}

/** A service that ends with the test. */
export async function openLive(t: Ending, change: LiveChanges = {}): Promise<LiveService> {
  // those who do not answer the close are not waited for
  const service = await startLive({ ...change, bounds: { shutdownMs: 200, ...change.bounds } })
  t.after(() => service.close())
  return service
}

/** milliseconds until a condition counts as never met: only there to end a test that has failed */
const PATIENCE_MS = 60_000

/**
 * Waits until the condition holds; it is looked at again and again. What takes long on a slow machine gives its `progress`,
 * and is given up only when that stands still.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  progress: () => number = () => 0,
): Promise<void> {
  let [end, at] = [performance.now() + PATIENCE_MS, progress()]
  while (!(await condition())) {
    if (progress() !== at) [end, at] = [performance.now() + PATIENCE_MS, progress()]
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await pause(5)
  }
}

/** The promise's value; an error where it takes too long. */
export async function soon<T>(what: string, promise: Promise<T>): Promise<T> {
  const late = new AbortController()
  const never = pause(PATIENCE_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`waited in vain for ${what}`)
  })
  try {
    return await Promise.race([promise, never])
  } finally {
    late.abort()
    never.catch(() => {})
  }
}

/** Subscriptions of both topics. */
export async function readersOf({ metric }: LiveService): Promise<number> {
  let sum = 0
  for (const topic of TOPICS) {
    for (const state of ['live', 'replaying']) sum += await metric(`ti_live_readers{topic="${topic}",state="${state}"}`)
  }
  return sum
}

/** Waits until nothing is left but so many sockets without a subscription. */
export const untilQuiet = (service: LiveService, sockets = 0): Promise<void> =>
  until(
    'nothing is left',
    async () => (await service.metric('ti_live_sockets')) === sockets && (await readersOf(service)) === 0,
  )
