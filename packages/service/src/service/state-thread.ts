import { parentPort, workerData } from 'node:worker_threads'
import { createAppQuery } from '@ti/core/query/app.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createCuts } from '@ti/core/query/cuts.ts'
import { createPreviews } from '@ti/core/query/previews.ts'
import { readsOf } from '@ti/core/query/reads.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import type { WorkerStore } from '../alerts/worker-store.ts'
import { createLogger } from '../base/log.ts'
import { createMetrics } from '../base/metrics.ts'
import { openParts } from '../base/parts.ts'
import { createPeer, failureOf, type Peer } from '../base/peer.ts'
import { createPoller } from '../base/poller.ts'
import { processTroubles } from '../base/troubles.ts'
import { startAlertWorker } from './alerts.ts'
import { type Broadcast, createBroadcast } from './broadcast.ts'
import { type Folding, openFolding } from './folding.ts'
import type { Condition, Ended, Entry, FaceCalls, StateCalls, StateThreadData } from './state-calls.ts'

/** milliseconds between two descriptions of what changes without a commit */
const CONDITION_MS = 1_000
/**
 * Milliseconds that a commit should take while it catches up: an answer that has to be rendered waits for it. Longer ones fold
 * more events a second, and are used while nobody has asked for a while.
 */
const COMMIT_MS = { asked: 15, else: 100, forMs: 1_000 } as const

/** The thread of the state: folds, commits, renders, and makes the alerts. It ends when it is told to, or when the state broke. */
const { options, role } = workerData as StateThreadData
const port = parentPort!
const logger = createLogger(options.logLevel)
const metrics = createMetrics()
const stop = new AbortController()
let askedMs = Number.NEGATIVE_INFINITY
const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }))

/** Calls of the faces before the state is open, and after it is closed, are refused. */
const handlers: Partial<StateCalls> = {
  stop: () => stop.abort(),
  metrics: metrics.text,
}
const faces: Peer<FaceCalls> = createPeer(port, handlers as StateCalls)
processTroubles.onNote = ({ what, message }) => faces.tell('trouble', what, message)

const serve = (): Promise<Ended> =>
  openParts(async (parts) => {
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
    const alerts = role === 'ingest' ? null : parts.add(openReads(folding, broadcast))
    const condition = createPoller({
      what: 'condition of the state',
      everyMs: CONDITION_MS,
      run: () => faces.tell('condition', conditionOf(folding)),
    })
    parts.add({ close: condition.stop })
    folding.onCommit(() => {
      broadcast.commit()
      alerts?.wake()
    })
    faces.tell('condition', conditionOf(folding))
    broadcast.commit()
    faces.tell('opened')
    parts.add(folding.observe())
    const failed = folding.failed.catch((error: unknown) => {
      // every other failure is a consequence of damage or a failed commit; one without either is a bug, and ends the process
      if (folding.broken() === null) throw error
      return error
    })
    folding.fed.then(
      () => {
        broadcast.commit()
        if (!stop.signal.aborted) logger.info('the source has ended; the service keeps answering')
      },
      () => {},
    )
    const why = await Promise.race([stopped, failed])
    const broken = folding.broken()
    stop.abort()
    await folding.fed.catch(() => {})
    await parts.close()
    return { broken, failure: why === undefined ? null : failureOf(why) }
  })

/** Answers what the faces ask, and makes the alerts. */
function openReads(folding: Folding, broadcast: Broadcast) {
  const { engine, store } = folding.node
  const cuts = createCuts({ engine, store, isWhole: folding.isWhole })
  folding.beforeWrite(cuts.beforeWrite)
  const query = createQuery({ engine, store, now: Date.now, cuts })
  const app = createAppQuery({ engine, store, lists: query, now: Date.now, cuts })
  const previews = createPreviews({ store, views: query.views, query })
  const { find, tracked } = readsOf(query)
  const whole =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (!folding.isWhole()) throw Object.assign(new Error('the state is opened again'), { code: 'EAGAIN' })
      askedMs = performance.now()
      return read(...args)
    }
  Object.assign(handlers, {
    find: whole(find),
    tracked: whole(tracked),
    app: whole((name, argument) => app[name](argument) as never),
    preview: whole(previews.of),
    read: whole(broadcast.read),
    follow: broadcast.follow,
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

function entryOf({ node: { engine }, watched }: Folding): Pick<Entry, 'globals' | 'progress'> {
  const { firstSlot, time, seq, slot } = engine.globals
  const { ended, blockMs, failed } = watched.progress
  return { globals: { firstSlot, time, seq, slot }, progress: { ended, blockMs, failed } }
}

function conditionOf({ node: { engine, store }, watched }: Folding): Condition {
  const { globals } = engine
  return {
    source: watched.source(),
    observers: watched.observers()?.map(({ name, waiting }) => ({ name, waiting })) ?? null,
    shared: watched.shared?.() ?? null,
    agreed: watched.agreed?.() ?? null,
    unknown: watched.unknown?.() ?? null,
    scrub: watched.scrub?.() ?? null,
    vitals: {
      tokensLive: engine.sizes().tokens,
      tokens: globals.nextToken,
      wallets: globals.nextWallet,
      trades: globals.nextTrade,
      storeBytes: store.sizes().usedBytes,
    },
  }
}

serve()
  .catch((error: unknown): Ended => ({ broken: null, failure: failureOf(error) }))
  .then((how) => faces.tell('ended', how))
  .finally(() => port.close())
