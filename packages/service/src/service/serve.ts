import { setTimeout as pause } from 'node:timers/promises'
import { createOperations } from '@ti/core/query/operations.ts'
import { createPeerAddress } from '../access/rate-limits/client-address.ts'
import { startCounting } from '../access/shared/counting.ts'
import { createShared } from '../access/shared/shared.ts'
import { tableFor } from '../access/shared/table.ts'
import { beginAccounts } from '../access/sql/accounts-file.ts'
import { OperatorError } from '../base/errors.ts'
import { boundHeapGrowth, makeEverythingYoung } from '../base/garbage.ts'
import { lockDataDir } from '../base/lock.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { createMetrics, type Metrics } from '../base/metrics.ts'
import { openParts } from '../base/parts.ts'
import { isShortage } from '../base/shortage.ts'
import { processTroubles } from '../base/troubles.ts'
import { environment } from '../config/environment.ts'
import { program } from '../config/invocation.ts'
import { derivePublicUrl, type Options, readOptions } from '../config/options.ts'
import type { HttpFace } from '../faces/http/face.ts'
import { createListener, type Listener } from '../faces/http/listener.ts'
import { createTraffic } from '../faces/http/metrics.ts'
import { createMonitoringFace } from '../faces/http/monitoring.ts'
import { createPreparingFace } from '../faces/http/preparing.ts'
import { createLiveFace } from '../faces/live/face.ts'
import { type Access, openAccess } from './access.ts'
import { openAlerts } from './alerts.ts'
import { startCheckpoints, startFetchingSegments } from './checkpoint-processes.ts'
import { openDelivery } from './delivery.ts'
import { createHttp, createMcp, createWeb } from './faces.ts'
import type { Broken } from './folding.ts'
import { type Role, roleOf } from './node-role.ts'
import { openWebFiles } from './page.ts'
import { STARTING, showPreparation } from './preparing.ts'
import { addProcessMetrics, watchProcess } from './process.ts'
import { type State, type StateThread, startStateThread } from './state.ts'

/** milliseconds before a state that could not be written is opened again */
const REOPEN_PAUSE_MS = 1_000
/** stream messages that a client may have from a faster node: what a node that answers can be behind, many times */
const LOG_AHEAD_MESSAGES = 20_000
/** percent by which the heap may outgrow what lives in it: 285 MB after ten minutes, 520 to 730 by V8's own rule, 4 % more processor */
const HEAP_GROWTH_PERCENT = 30

/** Runs a node until it is asked to stop; `roleName` as on the command line. OperatorError where it cannot begin. */
export async function serve(roleName: string | undefined): Promise<void> {
  makeEverythingYoung()
  boundHeapGrowth(HEAP_GROWTH_PERCENT)
  const asked = readOptions(environment())
  const role = roleOf(roleName, asked)
  const logger = createLogger(asked.logLevel)
  const stopping = untilStopped(logger)
  const watching = watchProcess(logger)
  const listener = createListener({ peer: createPeerAddress(asked.trustedProxies) })
  const options = await listen(listener, asked, stopping)
  try {
    if (role !== 'ingest' && options.databaseUrl === null) await beginAlone(options.dataDir)
    const thread = startStateThread({ options, role })
    await serveAgainAndAgain(stopping, { options, role, logger, listener, thread })
    await thread.quit()
  } finally {
    watching.close()
    await listener.close()
  }
}

/** Locks the directory before any file is written. A directory in use without its accounts is refused. */
async function beginAlone(dataDir: string): Promise<void> {
  const lock = await lockDataDir(dataDir)
  try {
    beginAccounts(dataDir)
  } finally {
    await lock.release()
  }
}

interface ServeParts {
  readonly options: Options
  readonly role: Role
  readonly logger: Logger
  readonly listener: Listener
  readonly thread: StateThread
}

/**
 * Serves, and opens again after damage or a failed write, together with every reader of the state. A service that has served
 * once does not end for lack of a resource: it opens again as soon as it can.
 */
async function serveAgainAndAgain(stopping: Stopping, parts: ServeParts): Promise<void> {
  let hasServed = false
  const onServing = (): void => {
    hasServed = true
  }
  for (;;) {
    try {
      const outcome = await serveOnce(stopping, parts, onServing)
      if (outcome === 'stopped') return
      if (outcome === 'damaged') continue
    } catch (error) {
      if (!hasServed || !isShortage(error)) throw error
      processTroubles.note('opening', error)
    }
    if (stopping.signal.aborted) return
    await Promise.race([pause(REOPEN_PAUSE_MS), stopping.stopped])
  }
}

type Outcome = 'stopped' | Broken

/** Serves the data directory until the service is asked to stop, or the state is damaged or cannot be written. */
const serveOnce = (stopping: Stopping, given: ServeParts, onServing: () => void): Promise<Outcome> =>
  openParts(async (parts) => {
    const { options, role, logger, listener, thread } = given
    const metrics = createMetrics({ process: true })
    addProcessMetrics(metrics, listener.connections)
    const shown = showPreparation({ options, listener, now: Date.now })
    const opening = thread.open(stopping.signal, shown.report)
    const state = parts.add(await opening.finally(shown.close))
    metrics.also(state.metrics)
    const { failed } = state
    try {
      const service = { options, logger, metrics, listener }
      const face = role === 'ingest' ? openMonitoring(state, service) : openAnswers(state, service)
      // It may still be opening when the state fails, and is closed all the same.
      parts.add({ close: async () => (await face.catch(() => null))?.close() })
      const { listen, banner } = await Promise.race([face, failed])
      parts.add(startCheckpoints(options, logger, metrics))
      parts.add(startFetchingSegments(options, logger, metrics))
      await listen(options.host, options.port)
      onServing()
      process.stdout.write(banner)
      await Promise.race([stopping.stopped, failed])
    } catch (error) {
      // After damage or a failed commit, every other failure is a consequence of it. One without either is a bug: the process
      // ends, and a restart continues from the store.
      if (state.broken() === null) throw error
      shown.again()
    }
    const why = state.broken()
    await parts.close()
    return why ?? 'stopped'
  })

interface Service {
  readonly options: Options
  readonly listener: Listener
  readonly logger: Logger
  readonly metrics: Metrics
}

interface Face extends Pick<HttpFace, 'listen'> {
  /** The line printed once the service listens. */
  readonly banner: string
  /** Closes the server and everything behind it. */
  close(): Promise<void>
}

/** A node that only ingests answers monitoring requests. It needs no database of accounts. */
async function openMonitoring(
  { status }: State,
  { options, metrics, listener }: Pick<Service, 'options' | 'metrics' | 'listener'>,
): Promise<Face> {
  const { publicUrl: url, source, dataDir } = options
  const banner = `
Token Intelligence is listening on ${url}
role     ingest: publishes blocks from its source to the shared log, answers monitors only
source   ${source}
data     ${dataDir}

  curl -s ${url}/readyz

`
  return { ...createMonitoringFace({ status, metrics, listener }), banner }
}

/** The share of all connections that streams may use. The rest is for calls. */
const SOCKETS_SHARE = 0.75

const openAnswers = (state: State, service: Service): Promise<Face> =>
  openParts(async (parts) => {
    const { options, logger, metrics, listener } = service
    const { reads, status } = state
    // The parts that leave nothing open if they fail come first.
    const files = await openWebFiles()
    const opened = parts.add(await openAccess({ ...service, isSeen: process.stdout.isTTY }))
    const { database, account: services } = opened
    const table = tableFor(Math.floor(listener.connections.most * SOCKETS_SHARE))
    const shared = createShared({ table, metrics })
    parts.add(startCounting(database, { shared, now: Date.now }))
    const alerts = openAlerts(database, { reads, shared })
    parts.add(state.serveAlerts(alerts.rows, alerts.alertStore.notify))
    const delivery = parts.add(
      openDelivery({ ...{ options, database, alerts, reads, metrics, shared }, accounts: services.accounts }),
    )
    const access = { ...opened, shared, account: { ...services, watches: alerts, destinations: delivery } }
    const operations = createOperations(reads)
    const served = { options, operations, access, logger, metrics, traffic: createTraffic(metrics), status, listener }
    const mcp = parts.add(createMcp(served))
    const live = createLiveFace({
      ...access,
      streams: state.streams,
      alerts: alerts.alertStore,
      isServing: state.isAgreed,
      logger,
      metrics,
      ahead: options.logUrls === null ? 0 : LOG_AHEAD_MESSAGES,
    })
    state.onCommit(live.wake)
    const web = createWeb(served, files, state, live)
    const face = createHttp(served, mcp, live, web)
    // Streams end before the answers that wait for them.
    for (const part of [face, web, live]) parts.add(part)
    return { listen: face.listen, banner: banner(options, access, files !== null), close: parts.close }
  })

/**
 * Opens the port first and closes it last. Until the service can answer, it responds with 503 and the progress. PORT=0 is
 * replaced by the port that the system chose, because offers and links contain it.
 */
async function listen(listener: Listener, options: Options, { signal }: Stopping): Promise<Options> {
  const { host, port: asked } = options
  const starting = createPreparingFace(() => STARTING, listener)
  try {
    const { port } = await starting.listen(host, asked)
    if (asked !== 0 || signal.aborted) return options
    const named = options.publicUrl !== derivePublicUrl(host, 0)
    return { ...options, port, publicUrl: named ? options.publicUrl : derivePublicUrl(host, port) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new OperatorError(`${host}:${asked} is in use: choose another PORT`)
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new OperatorError(`cannot listen on ${host}:${asked} (${code}): choose another HOST or PORT`)
    }
    throw error
  }
}

function banner(options: Options, access: Access, isBuilt: boolean): string {
  const { publicUrl: url, dataDir, source, payments, databaseUrl } = options
  const { firstKey: key, cashier } = access
  const auth = `-H 'Authorization: Bearer ${key ?? 'YOUR_KEY'}'`
  const keyLine = key === null ? `${program()} keys create` : `${key}   (a Pro key, shown only this once)`
  const money = cashier?.status()
  const payLine =
    money === undefined
      ? 'off: calls need a key'
      : payments.mode === 'sandbox'
        ? `sandbox: play money on a chain inside this process; ${program()} demo-pay buys a snapshot`
        : `${payments.mode}, to ${money.pay_to}`
  return `
Token Intelligence is listening on ${url}
source   ${source}
data     ${dataDir}${databaseUrl === null ? '' : ', accounts in PostgreSQL'}
payments ${payLine}
key      ${keyLine}

  curl -s ${auth} ${url}/v1/tokens/new
  curl -s ${auth} ${url}/v1/tokens/graduated
  curl -s ${url}/readyz

page      ${url}${isBuilt ? '' : '   (not built: npm run build)'}
streams   ${url.replace(/^http/, 'ws')}/socket, to look at them: ${program()} tail frames
reference ${url}/docs, for agents ${url}/llms.txt and ${url}/mcp

`
}

interface Stopping {
  readonly signal: AbortSignal
  readonly stopped: Promise<void>
}

/** The first SIGINT or SIGTERM asks the service to stop; a second one ends the process. */
function untilStopped(logger: Logger): Stopping {
  const stop = new AbortController()
  const stopped = new Promise<void>((resolve) => {
    const ask = (signal: NodeJS.Signals): void => {
      if (stop.signal.aborted) process.exit(1)
      logger.info({ signal }, 'stopping')
      stop.abort()
      resolve()
    }
    process.on('SIGINT', ask)
    process.on('SIGTERM', ask)
  })
  return { signal: stop.signal, stopped }
}
