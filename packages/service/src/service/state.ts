import { once } from 'node:events'
import { TOPICS, type Topic } from '@ti/core/contract/streams.ts'
import type { AppQuery } from '@ti/core/query/app.ts'
import type { Previews } from '@ti/core/query/previews.ts'
import type { Found, Reads } from '@ti/core/query/reads.ts'
import type { Streams } from '@ti/core/query/streams.ts'
import type { WorkerStore } from '../alerts/worker-store.ts'
import { createPeer, errorOf, type Peer } from '../base/peer.ts'
import { startThread } from '../base/thread.ts'
import { processTroubles } from '../base/troubles.ts'
import { isLiveSource } from '../config/options.ts'
import type { ServiceStatus } from '../faces/http/face.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { createCatchUpPace } from './catch-up-pace.ts'
import type { Broken } from './folding.ts'
import type { Preparation } from './node.ts'
import type { Condition, Ended, Entry, FaceCalls, StateCalls, StateThreadData } from './state-calls.ts'
import { statusOf, type Watched } from './status.ts'
import { createTopicCopy, type TopicCopy } from './topic-copy.ts'

/** The state in its own thread, as the faces see it. */
export interface State {
  readonly reads: Reads
  readonly app: AppQuery
  readonly previews: Previews
  readonly streams: Streams
  readonly status: () => ServiceStatus
  readonly vitals: () => Condition['vitals']
  /** False while the nodes of the shared log serve another fold. */
  readonly isAgreed: () => boolean
  /** Metrics of the state's thread, in Prometheus' text format. */
  readonly metrics: () => Promise<string>
  /** `then` is called after every commit. */
  onCommit(then: () => void): void
  /** Gives the alerts' worker its rows in the database, and calls `onAlerts` after it has written some. */
  serveAlerts(rows: WorkerStore, onAlerts: FaceCalls['onAlerts']): void
  /** Rejects as soon as the state is damaged, could not be written, or its thread failed. */
  readonly failed: Promise<never>
  /** Why the state has to be opened again; null while it need not. */
  readonly broken: () => Broken | null
  /** Resolves once everything that was taken from the source is committed and the thread has ended. */
  close(): Promise<void>
}

/** of the thread's young generation: what the fold makes dies at once, and V8 would use 48 MB */
const HEAP = { maxYoungGenerationSizeMb: 12 }

/** Starts the thread. Resolves when it can answer; OperatorError if it cannot begin. */
export async function openState(
  data: StateThreadData,
  signal: AbortSignal,
  onPreparation: (preparation: Preparation) => void,
): Promise<State> {
  const worker = startThread('service/state-thread', { workerData: data, resourceLimits: HEAP })
  let isOpen = (): void => {}
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  let isEnded = (_: Ended): void => {}
  const ended = new Promise<Ended>((resolve) => {
    isEnded = resolve
  })
  const commits = createCommits()
  let rows: WorkerStore | null = null
  let onAlerts: FaceCalls['onAlerts'] = () => {}
  const own: FaceCalls = {
    preparing: onPreparation,
    opened: isOpen,
    committed: commits.take,
    condition: commits.describe,
    trouble: (what, message) => processTroubles.note(what, new Error(message)),
    ended: isEnded,
    async alerts(name, args) {
      if (rows === null) return name === 'known' ? new Set() : null
      return (rows[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args)
    },
    onAlerts: (accounts) => onAlerts(accounts),
  }
  const peer = createPeer<StateCalls>(worker, own)
  const exited = once(worker, 'exit')
  exited.catch(() => {})
  const crashed = new Promise<never>((_, reject) => {
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`the thread of the state ended with ${code}`)))
  })
  const stop = (): void => peer.tell('stop')
  signal.addEventListener('abort', stop, { once: true })
  let why: Broken | null = null
  const failed = Promise.race([ended.then(endedEarly), crashed])
  failed.catch(() => peer.close(Object.assign(new Error('the state is opened again'), { code: 'EAGAIN' })))

  function endedEarly(how: Ended): never {
    why = how.broken
    throw how.failure === null ? new Error('the state is closed') : errorOf(how.failure)
  }

  async function close(): Promise<void> {
    stop()
    await Promise.race([ended, crashed]).catch(() => {})
    await exited.catch(() => {})
  }

  try {
    await Promise.race([opened, failed])
  } catch (error) {
    await close()
    throw error
  } finally {
    // from now on those who read the state are closed before it
    signal.removeEventListener('abort', stop)
  }
  return {
    ...commits.readsOf(peer),
    status: commits.statusFor(data),
    vitals: () => commits.condition().vitals,
    isAgreed: () => data.options.logUrls === null || commits.condition().agreed === FOLD_FINGERPRINT,
    metrics: () => peer.call('metrics'),
    onCommit: commits.onCommit,
    serveAlerts(store, then) {
      rows = store
      onAlerts = then
    },
    failed,
    broken: () => why,
    close,
  }
}

/** What is known of the state without asking it. */
function createCommits() {
  let entry: Entry | null = null
  let condition: Condition | null = null
  let then = (): void => {}
  const pace = createCatchUpPace()
  const topics = Object.fromEntries(TOPICS.map((topic) => [topic, createTopicCopy(topic)])) as Record<Topic, TopicCopy>
  return {
    take(news: Entry) {
      entry = news
      for (const topic of TOPICS) topics[topic].take(news.messages[topic] ?? [])
      then()
    },
    describe(now: Condition) {
      condition = now
      if (entry !== null) pace.see(Date.now(), entry.globals.time * 1_000)
    },
    // both are sent before the state counts as open
    condition: () => condition!,
    onCommit(call: () => void) {
      then = call
    },
    statusFor: ({ options, role }: StateThreadData) => {
      const watched: Watched = {
        get engine() {
          return entry!
        },
        get progress() {
          return entry!.progress
        },
        isLive: isLiveSource(options.source),
        now: Date.now,
        leftS: pace.leftS,
        isBroken: () => null,
        source: () => condition!.source,
        observers: () => condition!.observers,
        scrub: () => condition!.scrub,
        ...(role !== 'serve' && { unknown: () => condition!.unknown! }),
        ...(options.logUrls !== null && { shared: () => condition!.shared, agreed: () => condition!.agreed }),
      }
      return () => statusOf(watched)
    },
    readsOf: (peer: Peer<StateCalls>) => ({
      reads: remoteReads(peer, () => entry!.globals),
      app: remoteApp(peer),
      previews: { of: async (kind, id) => peer.call('preview', kind, id) } satisfies Previews,
      streams: Object.fromEntries(
        TOPICS.map((topic) => [topic, topics[topic].stream(peer, () => entry!.topics[topic])]),
      ) as unknown as Streams,
    }),
  }
}

/** Cloned bytes are no longer a Buffer. */
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function withBuffers(found: Found | null): Found | null {
  if (found === null) return null
  const { data, summary, page } = found
  return { data: { ...data, bytes: bufferOf(data.bytes) }, summary: summary && bufferOf(summary), page }
}

const remoteReads = (peer: Peer<StateCalls>, newest: Reads['newest']): Reads => ({
  newest,
  find: async (id, args) => withBuffers(await peer.call('find', id, args)),
  tracked: (mints) => peer.call('tracked', mints),
})

function remoteApp(peer: Peer<StateCalls>): AppQuery {
  const read =
    (name: keyof AppQuery) =>
    (argument = '') =>
      peer.call('app', name, argument) as Promise<never>
  return {
    explain: read('explain'),
    line: read('line'),
    search: read('search'),
    deployer: read('deployer'),
    cards: read('cards'),
    near: read('near'),
    empty: read('empty'),
  }
}
