import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { perTopic, STREAM_EVENTS, TOPICS, type Topic } from '@ti/core/contract/streams.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import { openStore } from '@ti/service/store/open.ts'
import { WebSocket } from 'ws'
import { replay } from './service.ts'

/** What readers of a topic were told: seq → JSON text of the payload. */
export type Told = Record<Topic, Map<number, string>>

export interface ReaderOptions {
  /** base address of the service that runs now; null while none does */
  readonly base: () => string | null
  readonly key: string
  /** seq of each topic's last message: the reader is done when it has both */
  readonly until: Record<Topic, number>
  /** what all readers share: a message told twice must be the same */
  readonly told: Told
  /** messages after which the reader cuts its connection; a number each time it is asked */
  readonly cutAfter: () => number
  /** ends the reader where it is */
  readonly signal?: AbortSignal
}

export interface ReaderReport {
  connections: number
  /** by the server's reply to a join: did it take up where the reader was */
  resumed: number
  started: number
}

/**
 * Follows all topics from their beginning, over cuts of its own and deaths of the service, with nothing but `after_seq`.
 * Fails when a seq is missing, comes twice, or comes in another shape than it had for somebody else.
 */
export async function followAll(options: ReaderOptions): Promise<ReaderReport> {
  const has = perTopic(() => 0)
  const report: ReaderReport = { connections: 0, resumed: 0, started: 0 }
  const isDone = (): boolean => TOPICS.every((topic) => has[topic] >= options.until[topic])
  while (!isDone() && options.signal?.aborted !== true) {
    const base = options.base()
    if (base !== null) await followOnce(base, has, options, report, isDone)
    await setTimeout(5)
  }
  return report
}

async function followOnce(
  base: string,
  has: Record<Topic, number>,
  { key, told, cutAfter }: ReaderOptions,
  report: ReaderReport,
  isDone: () => boolean,
): Promise<void> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/socket/websocket?vsn=2.0.0&api_key=${key}`)
  let left = cutAfter()
  let failure: unknown = null
  const closed = new Promise((done) => socket.on('close', done))
  socket.on('error', () => {})
  socket.on('open', () => {
    report.connections++
    TOPICS.forEach((topic, i) => {
      socket.send(JSON.stringify([`${i}`, `${i}`, topic, 'phx_join', { after_seq: has[topic] }]))
    })
  })
  socket.on('message', (data) => {
    // what was on its way when the reader cut its connection is read again after the next join
    if (left <= 0 || failure !== null) return
    try {
      const [, , topic, event, payload] = JSON.parse(data.toString())
      if (event === 'phx_reply') {
        assert.equal(payload.status, 'ok')
        if (payload.response.resumed) report.resumed++
        else report.started++
        return
      }
      note(topic, event, payload)
      if (--left <= 0 || isDone()) socket.terminate()
    } catch (error) {
      failure = error
      socket.terminate()
    }
  })
  function note(topic: Topic, event: string, payload: { data: { seq: number } }): void {
    assert.equal(event, STREAM_EVENTS[topic])
    const { seq } = payload.data
    assert.equal(seq, has[topic] + 1, `${topic}: exactly the next one`)
    has[topic] = seq
    const text = JSON.stringify(payload)
    const known = told[topic].get(seq)
    if (known === undefined) told[topic].set(seq, text)
    else assert.equal(text, known)
  }
  await closed
  if (failure !== null) throw failure
}

/** What an undisturbed fold of the capture tells, message by message. */
export async function undisturbed(capture: string, data: string): Promise<Told> {
  await replay(capture, data)
  const store = openStore(data)
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  const streams = createStreams({ engine, store, bounds: { resumeMessages: 1e9 } })
  const all = TOPICS.map((topic) => {
    const messages = streams[topic].read(0, Number.POSITIVE_INFINITY)
    return [topic, new Map(messages.map(({ seq, payload }) => [seq, payload]))] as const
  })
  await store.close()
  return Object.fromEntries(all) as Told
}
