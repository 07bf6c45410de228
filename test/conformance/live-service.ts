import { createLogger } from '../../src/base/log.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import { LIMITS } from '../../src/config/limits.ts'
import { TOPICS, type Topic } from '../../src/contract/streams.ts'
import { createLiveFace, type LiveFace, type LiveFaceOptions, SOCKET_PATH } from '../../src/faces/live/face.ts'
import type { Stream, StreamMessage, Streams } from '../../src/query/streams.ts'
import { fakeKeys, KEYS, startFake } from './fake-service.ts'

/** Topics in memory. */
export interface FakeStreams {
  readonly streams: Streams
  /** appends a message whose payload is `data` with its seq; the message. Nobody is woken. */
  append(topic: Topic, data?: object): StreamMessage
}

export function fakeStreams(resumeMessages: number = LIMITS.resumeMessages): FakeStreams {
  const logs = Object.fromEntries(TOPICS.map((topic) => [topic, []])) as unknown as Record<Topic, StreamMessage[]>
  const stream = (log: StreamMessage[]): Stream => ({
    newest: () => log.length,
    oldest: () => Math.max(1, log.length - resumeMessages + 1),
    read: (after, limit) => log.slice(after, after + limit),
  })
  return {
    streams: { 'tokens:live': stream(logs['tokens:live']), 'frames:live': stream(logs['frames:live']) },
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
  }
}

export interface LiveChanges extends Partial<Pick<LiveFaceOptions, 'keys' | 'trials' | 'streams'>> {
  readonly bounds?: Partial<typeof LIMITS>
  /** messages of a topic that a resume reaches back */
  readonly resumeMessages?: number
}

export interface LiveService {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string
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
  const fake = fakeStreams(change.resumeMessages)
  const live = createLiveFace({
    streams: change.streams ?? fake.streams,
    keys: change.keys ?? fakeKeys(),
    trials: change.trials ?? { open: async () => ({ ok: true, seat: { hasTime: () => true, release() {} } }) },
    logger: createLogger('debug', { write: (line: string) => void logged.push(line) }),
    metrics,
    bounds: { ...LIMITS, ...change.bounds },
  })
  const service = await startFake({ mounts: { [SOCKET_PATH]: live.plain }, upgrades: { [SOCKET_PATH]: live.upgrade } })
  const socketUrl = `${service.baseUrl.replace('http', 'ws')}/socket`
  return {
    baseUrl: service.baseUrl,
    socketUrl,
    url: (more = '') => `${socketUrl}/websocket?vsn=2.0.0&api_key=${KEYS.pro}${more}`,
    live,
    publish(topic, data) {
      const { seq } = fake.append(topic, data)
      live.wake()
      return seq
    },
    append: fake.append,
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
