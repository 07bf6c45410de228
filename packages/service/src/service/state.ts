import { perTopic, TOPICS } from '@ti/core/contract/streams.ts'
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
import type { Condition, Entry, FaceCalls, StateCalls, StateThreadData } from './state-calls.ts'
import { statusOf, type Watched } from './status.ts'
import { createTopicCopy } from './topic-copy.ts'

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
  /** Gives the alerts' worker its rows in the database until it is closed; calls `onAlerts` after it has written some. */
  serveAlerts(rows: WorkerStore, onAlerts: FaceCalls['onAlerts']): { close(): Promise<void> }
  /** Rejects as soon as the state is damaged or could not be written, or if its thread fails. */
  readonly failed: Promise<never>
  /** Why the state has to be opened again; null while it need not. */
  readonly broken: () => Broken | null
  /** Resolves once everything that was taken from the source is committed. Those who read are closed before. */
  close(): Promise<void>
}

export type StateThread = ReturnType<typeof startStateThread>

/** Milliseconds for which a status holds without news of the state. Each request reads it; only the clock moves on. */
const STATUS_MS = 100
/** The young generation of the thread is small: what the fold makes dies at once, and V8 would use 48 MB. */
const HEAP = { maxYoungGenerationSizeMb: 12 }

export function startStateThread(data: StateThreadData) {
  const worker = startThread('service/state-thread', { workerData: data, resourceLimits: HEAP })
  const handlers: Partial<FaceCalls> = {
    trouble: (what, message) => processTroubles.note(what, new Error(message)),
  }
  const peer = createPeer<StateCalls>(worker, handlers as FaceCalls)
  const exited = new Promise<void>((resolve) => worker.on('exit', () => resolve()))
  const crashed = new Promise<never>((_, reject) => {
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`the thread of the state ended with ${code}`)))
  })
  crashed.catch(peer.close)

  async function open(signal: AbortSignal, onPreparation: (preparation: Preparation) => void): Promise<State> {
    const commits = createCommits()
    let why: Broken | null = null
    const broken = new Promise<never>((_, reject) => {
      handlers.failed = (broken, failure) => {
        why = broken
        reject(errorOf(failure))
      }
    })
    const failed = Promise.race([broken, crashed])
    // looked at later; until then a failure is not an unhandled one
    failed.catch(() => {})
    Object.assign(handlers, {
      preparing: onPreparation,
      committed: commits.take,
      condition: commits.describe,
      // without rows there are no watches, and the worker finds nothing to do
      alerts: async () => null,
      onAlerts() {},
    } satisfies Partial<FaceCalls>)
    const close = (): Promise<void> => peer.call('close')
    signal.addEventListener('abort', close, { once: true })
    try {
      await peer.call('open')
    } finally {
      signal.removeEventListener('abort', close)
    }
    return {
      ...commits.readsOf(peer),
      status: commits.statusFor(data),
      vitals: () => commits.condition().vitals,
      isAgreed: () => data.options.logUrls === null || commits.condition().agreed === FOLD_FINGERPRINT,
      metrics: () => peer.call('metrics'),
      onCommit: commits.onCommit,
      serveAlerts(rows, onAlerts) {
        handlers.alerts = (name, args) => (rows[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args)
        handlers.onAlerts = onAlerts
        return { close: () => peer.call('endAlerts') }
      },
      failed,
      broken: () => why,
      close,
    }
  }

  return {
    /** Opens the state; aborting ends the preparation. OperatorError if it cannot be opened. One at a time. */
    open,
    /** Ends the thread; after the last state was closed. */
    async quit(): Promise<void> {
      peer.tell('quit')
      await exited
    },
  }
}

/** What is known of the state without asking it. */
function createCommits() {
  let entry: Entry | null = null
  let condition: Condition | null = null
  let then = (): void => {}
  const pace = createCatchUpPace()
  let status: ServiceStatus | null = null
  let statusMs = 0
  const topics = perTopic(createTopicCopy)
  return {
    take(news: Entry) {
      entry = news
      status = null
      for (const topic of TOPICS) topics[topic].take(news.messages[topic] ?? [])
      then()
    },
    describe(now: Condition) {
      condition = now
      status = null
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
        get setAside() {
          return condition!.setAside
        },
        disk: () => condition!.disk,
        ...(role !== 'serve' && { unknown: () => condition!.unknown! }),
        ...(options.logUrls !== null && {
          shared: () => condition!.shared,
          logProblem: () => condition!.logProblem,
          agreed: () => condition!.agreed,
        }),
      }
      return () => {
        const nowMs = performance.now()
        if (status === null || nowMs - statusMs >= STATUS_MS) {
          status = statusOf(watched)
          statusMs = nowMs
        }
        return status
      }
    },
    readsOf: (peer: Peer<StateCalls>) => ({
      reads: remoteReads(peer, () => entry!.globals),
      app: remoteApp(peer),
      previews: { of: async (kind, id) => peer.call('preview', kind, id) } satisfies Previews,
      streams: perTopic((topic) => topics[topic].stream(peer, () => entry!.topics[topic])) satisfies Streams,
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
    (argument = '', slot = 0) =>
      peer.call('app', name, argument, slot) as Promise<never>
  return {
    explain: read('explain'),
    line: read('line'),
    past: read('past'),
    search: read('search'),
    deployer: read('deployer'),
    board: read('board'),
    hidden: read('hidden'),
    lives: read('lives'),
    neighbours: read('neighbours'),
    cards: read('cards'),
  }
}
