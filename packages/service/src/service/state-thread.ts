import { parentPort, workerData } from 'node:worker_threads'
import { type AppQuery, createAppQuery } from '@ti/core/query/app.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createCuts } from '@ti/core/query/cuts.ts'
import { createPreviews } from '@ti/core/query/previews.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import type { WorkerStore } from '../alerts/worker-store.ts'
import { createLogger } from '../base/log.ts'
import { createMetrics, type Metrics } from '../base/metrics.ts'
import { openParts, type Parts } from '../base/parts.ts'
import { createPeer, failureOf, type Peer } from '../base/peer.ts'
import { createPoller } from '../base/poller.ts'
import { processTroubles } from '../base/troubles.ts'
import { startAlertWorker } from './alerts.ts'
import { type Broadcast, createBroadcast } from './broadcast.ts'
import { type Folding, openFolding } from './folding.ts'
import { LOG_PROBLEM } from './log-reports.ts'
import type { Condition, Entry, FaceCalls, StateCalls, StateThreadData } from './state-calls.ts'
import type { NodeCondition } from './status.ts'

/** milliseconds between two descriptions of what changes without a commit */
const CONDITION_MS = 1_000
/**
 * Milliseconds that a commit should take while it catches up: an answer that has to be rendered waits for it. Longer ones fold
 * more events a second, and are used while nobody has asked for a while.
 */
const COMMIT_MS = { asked: 15, else: 100, forMs: 1_000 } as const

/**
 * The thread of the state: folds, commits, renders, and makes the alerts. It stays when the state is opened again, because
 * loading its code takes descriptors, which may be what is short.
 */
const { options, role } = workerData as StateThreadData
const port = parentPort!
const logger = createLogger(options.logLevel)
let askedMs = Number.NEGATIVE_INFINITY
let close: (() => Promise<void>) | null = null
let metricsText = async (): Promise<string> => ''

/** Calls that need an open state are added when it opens. */
const handlers: Partial<StateCalls> = {
  async open() {
    const stop = new AbortController()
    close = async () => stop.abort()
    close = await openParts((parts) => open(parts, stop))
  },
  close: async () => close?.(),
  metrics: () => metricsText(),
  quit: () => port.close(),
}
const faces: Peer<FaceCalls> = createPeer(port, handlers as StateCalls)
processTroubles.onNote = ({ what, message }) => faces.tell('trouble', what, message)

/** Opens the state; returns what closes it. */
async function open(parts: Parts, stop: AbortController): Promise<() => Promise<void>> {
  const metrics = createMetrics()
  metricsText = metrics.text
  const folding = parts.add(
    await openFolding({
      options,
      role,
      logger,
      metrics,
      signal: stop.signal,
      commitMs: () => (performance.now() - askedMs < COMMIT_MS.forMs ? COMMIT_MS.asked : COMMIT_MS.else),
      onPreparation: (preparation) => faces.tell('preparing', preparation),
    }),
  )
  const { engine, store } = folding.node
  const broadcast = createBroadcast({
    streams: createStreams({ engine, store, isWhole: folding.isWhole }),
    entry: () => entryOf(folding),
    faces,
  })
  const alerts = role === 'ingest' ? null : parts.add(openReads(folding, broadcast, metrics))
  let said: string | null = null
  const describe = (): void => {
    faces.tell('condition', conditionOf(folding))
    said = sayProblem(problemOf(folding.condition()), said)
  }
  const condition = createPoller({ what: 'condition of the state', everyMs: CONDITION_MS, run: describe })
  parts.add({ close: condition.stop })
  let unknown = 0
  let hasSource = false
  folding.onCommit(() => {
    // what a block has that nobody knows is shown with it, and the source with its first block
    const { unknown: kinds, source } = folding.condition()
    const seen = kinds?.count ?? 0
    const isSaid = source !== null
    if (seen !== unknown || isSaid !== hasSource) describe()
    unknown = seen
    hasSource = isSaid
    broadcast.commit()
    alerts?.wake()
  })
  describe()
  broadcast.commit()
  parts.add(folding.observe())
  folding.failed.catch((error: unknown) => faces.tell('failed', folding.broken(), failureOf(error)))
  const ended = (): void => {
    // the faces learn that the source has ended
    describe()
    broadcast.commit()
    if (!stop.signal.aborted) logger.info('the source has ended; the service keeps answering')
  }
  folding.fed.then(ended, () => {})
  return async () => {
    stop.abort()
    await folding.fed.catch(() => {})
    await parts.close()
  }
}

/** What keeps new blocks away from this node, in words; null for nothing. */
function problemOf({ source: of, logProblem }: NodeCondition): string | null {
  if (logProblem) return LOG_PROBLEM[logProblem]
  return of?.connected === 0 ? `no endpoint of the source delivers${of.problem ? `: ${of.problem}` : ''}` : null
}

/** Writes a line when a problem begins and when it has ended. */
function sayProblem(problem: string | null, said: string | null): string | null {
  if (problem !== null && said === null) logger.error({ problem }, 'no new blocks arrive')
  if (problem === null && said !== null) logger.info({ was: said }, 'new blocks arrive again')
  return problem
}

/** Answers what the faces ask, and makes the alerts. */
function openReads(folding: Folding, broadcast: Broadcast, metrics: Metrics) {
  const { engine, store } = folding.node
  const cuts = createCuts({ engine, store, isWhole: folding.isWhole })
  folding.beforeWrite(cuts.beforeWrite)
  const query = createQuery({ engine, store, cuts })
  const app = createAppQuery({ engine, store, lists: query, now: Date.now, cuts })
  const previews = createPreviews({ store, views: query.views, query })
  const { find, tracked } = readsOf(query)
  /** Whatever fails once the state is broken is a consequence of it. */
  const whole =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    async (...args: Args): Promise<Awaited<Result>> => {
      askedMs = performance.now()
      try {
        if (folding.isWhole()) return await read(...args)
      } catch (error) {
        if (folding.isWhole()) throw error
      }
      throw Object.assign(new Error('the state is opened again'), { code: 'EAGAIN' })
    }
  Object.assign(handlers, {
    find: whole(find),
    tracked: whole(tracked),
    app: whole((name: keyof AppQuery, argument: string, slot: number) => app[name](argument, slot)),
    preview: whole(previews.of),
    read: whole(broadcast.read),
    follow: broadcast.follow,
    endAlerts: () => alerts.close(),
  } satisfies Partial<StateCalls>)
  const call =
    <Name extends keyof WorkerStore>(name: Name) =>
    (...args: Parameters<WorkerStore[Name]>) =>
      faces.call('alerts', name, args) as ReturnType<WorkerStore[Name]>
  const alerts = startAlertWorker({
    folding,
    rows: {
      version: call('version'),
      take: call('take'),
      load: call('load'),
      known: call('known'),
      write: call('write'),
      leave: call('leave'),
    },
    onAlerts: (accounts) => faces.tell('onAlerts', accounts),
    options,
    metrics,
  })
  return {
    wake: alerts.wake,
    async close() {
      cuts.close()
      await alerts.close()
    },
  }
}

function entryOf({ node: { engine }, progress }: Folding): Pick<Entry, 'globals' | 'progress'> {
  const { chain, firstSlot, time, seq, slot } = engine.globals
  const { ended, blockMs, failed } = progress
  return { globals: { chain, firstSlot, time, seq, slot }, progress: { ended, blockMs, failed } }
}

function conditionOf({ node: { engine, store }, condition }: Folding): Condition {
  const { globals } = engine
  return {
    ...condition(),
    vitals: {
      tokensLive: engine.sizes().tokens,
      tokens: globals.nextToken,
      wallets: globals.nextWallet,
      trades: globals.nextTrade,
      storeBytes: store.sizes().usedBytes,
    },
  }
}
