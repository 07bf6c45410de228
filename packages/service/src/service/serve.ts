import { setTimeout as pause } from 'node:timers/promises'
import { createOperations } from '@ti/core/query/operations.ts'
import { startCounting } from '../access/shared/counting.ts'
import { createShared } from '../access/shared/shared.ts'
import { tableFor } from '../access/shared/table.ts'
import { beginAccounts } from '../access/sql/accounts-file.ts'
import { boundHeapGrowth, makeEverythingYoung } from '../base/garbage.ts'
import { lockDataDir } from '../base/lock.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { createMetrics, type Metrics } from '../base/metrics.ts'
import { openParts } from '../base/parts.ts'
import { isShortage } from '../base/shortage.ts'
import { processTroubles } from '../base/troubles.ts'
import { program } from '../config/invocation.ts'
import type { Options } from '../config/options.ts'
import { DEFAULT_URL } from '../config/other-options.ts'
import { NO_PAYMENTS } from '../faces/http/face.ts'
import { createTraffic } from '../faces/http/metrics.ts'
import { createOperatorFace } from '../faces/http/monitoring.ts'
import { createLiveFace } from '../faces/live/face.ts'
import { writeProbe } from '../store/disk-room.ts'
import { type Access, openAccess } from './access.ts'
import { openAlerts } from './alerts.ts'
import { checkedOptions } from './checked-options.ts'
import { startCheckpoints, startFetchingSegments } from './checkpoint-processes.ts'
import { openDelivery } from './delivery.ts'
import { createHttp, createMcp, createWeb } from './faces.ts'
import type { Broken } from './folding.ts'
import type { Role } from './node-role.ts'
import { openWebFiles } from './page.ts'
import { openPorts, type Ports } from './ports.ts'
import { STARTING, showPreparation } from './preparing.ts'
import { addProcessMetrics, watchProcess } from './process.ts'
import { type State, type StateThread, startStateThread } from './state.ts'

/** milliseconds before a state that could not be written is opened again */
const REOPEN_PAUSE_MS = 1_000
/** stream messages that a client may have from a faster node: what a node that answers can be behind, many times */
const LOG_AHEAD_MESSAGES = 20_000
/** percent by which the heap may outgrow what lives in it: 285 MB after ten minutes, 520 to 730 by V8's own rule, 4% more processor */
const HEAP_GROWTH_PERCENT = 30

/** Runs a node until it is asked to stop; arguments as on the command line. OperatorError where it cannot begin. */
export async function serve(roleName: string | undefined, isProduction: boolean): Promise<void> {
  makeEverythingYoung()
  boundHeapGrowth(HEAP_GROWTH_PERCENT)
  const { options: asked, role } = checkedOptions(roleName, isProduction)
  const logger = createLogger(asked.logLevel)
  if (role !== 'ingest') warnOfPlainHttp(asked, logger)
  const stopping = untilStopped(logger, role === 'ingest' ? 0 : asked.drainSeconds)
  const watching = watchProcess(logger)
  const metrics = createMetrics({ process: true })
  const life: Life = { status: null }
  metrics.gauge('ti_ready', '1 while reads are answered, 0 while they are 503', ['role'], () => [
    { labels: { role }, value: life.status?.().ready === true ? 1 : 0 },
  ])
  const { ports, options } = await openPorts(asked, role, () => STARTING, metrics)
  addProcessMetrics(metrics, (ports.readers ?? ports.operator).connections)
  try {
    if (role !== 'ingest' && options.databaseUrl === null) await beginAlone(options.dataDir)
    const thread = startStateThread({ options, role })
    await serveAgainAndAgain(stopping, { options, role, logger, ports, thread, metrics, life })
    await thread.quit()
  } catch (error) {
    // a database says less of a full disk than the disk does
    throw (isShortage(error) && (await writeProbe(options.dataDir))) || error
  } finally {
    watching.close()
    await ports.close()
  }
}

function warnOfPlainHttp({ isOpen, publicUrl }: Options, logger: Logger): void {
  if (!isOpen || publicUrl.startsWith('https:')) return
  logger.warn(
    { publicUrl },
    'others reach this service over plain http: keys, cookies and answers can be read on the way. Let a proxy end TLS and set PUBLIC_URL to its https address',
  )
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
  readonly ports: Ports
  readonly thread: StateThread
  /** metrics of the process, there before anything else is */
  readonly metrics: Metrics
  readonly life: Life
}

/** What is served now; null while the state is being opened. */
interface Life {
  status: State['status'] | null
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
    await untilWritable(parts, stopping)
  }
}

/**
 * Waits until the disk takes writes. Before, an opened state would fail at once, or answer until its first block: readers and
 * monitors would see a service that comes and goes.
 */
async function untilWritable({ options: { dataDir }, ports, logger }: ServeParts, stopping: Stopping): Promise<void> {
  for (let isSaid = false; ; isSaid = true) {
    await Promise.race([pause(REOPEN_PAUSE_MS), stopping.stopped])
    const error = await writeProbe(dataDir)
    if (error === null || stopping.signal.aborted) return
    const what = `the disk of ${dataDir} takes no writes (${error.message}): the service goes on when it does`
    processTroubles.note('disk', error)
    if (isSaid) continue
    logger.error({ err: error, dir: dataDir }, 'the disk takes no writes: the state is opened again when it does')
    ports.showPreparing(() => ({ what, share: null, leftS: null }))
  }
}

type Outcome = 'stopped' | Broken

const WHY_OPENED_AGAIN: Readonly<Record<Broken, string>> = {
  damaged: 'the state was found damaged and is folded again from the log',
  unwritten: 'the state could not be written and is opened again',
}

/** Serves the data directory until the service is asked to stop, or the state is damaged or cannot be written. */
const serveOnce = (stopping: Stopping, given: ServeParts, onServing: () => void): Promise<Outcome> =>
  openParts(async (parts) => {
    const { options, role, logger, ports, thread, life } = given
    const metrics = createMetrics()
    metrics.also(given.metrics.text)
    const shown = showPreparation({ ports, now: Date.now })
    const opening = thread.open(stopping.signal, shown.report)
    const state = parts.add(await opening.finally(shown.close))
    metrics.also(state.metrics)
    const { failed } = state
    try {
      const service = { options, logger, metrics, ports, stopping }
      const face = role === 'ingest' ? openMonitoring(state, service) : openAnswers(state, service)
      // It may still be opening when the state fails, and is closed all the same.
      parts.add({ close: async () => (await face.catch(() => null))?.close() })
      const { show, banner } = await Promise.race([face, failed])
      parts.add(startCheckpoints(options, logger, metrics))
      parts.add(startFetchingSegments(options, logger, metrics))
      show()
      life.status = state.status
      onServing()
      stopping.serves()
      process.stdout.write(banner)
      await Promise.race([stopping.stopped, failed])
    } catch (error) {
      // After damage or a failed commit, every other failure is a consequence of it. One without either is a bug: the process
      // ends, and a restart continues from the store.
      if (state.broken() === null) throw error
      shown.again(WHY_OPENED_AGAIN[state.broken()!])
    } finally {
      life.status = null
    }
    const why = state.broken()
    await parts.close()
    return why ?? 'stopped'
  })

interface Service {
  readonly options: Options
  readonly ports: Ports
  readonly logger: Logger
  readonly metrics: Metrics
  readonly stopping: Pick<Stopping, 'isDraining'>
}

interface Face {
  /** Answers all requests from now on. */
  show(): void
  /** The text printed once the service answers. */
  readonly banner: string
  /** Closes the server and everything behind it. */
  close(): Promise<void>
}

/** A node that only ingests answers monitoring requests. It needs no database of accounts. */
async function openMonitoring(
  { status }: State,
  { options, metrics, ports }: Pick<Service, 'options' | 'metrics' | 'ports'>,
): Promise<Face> {
  const { source, dataDir } = options
  const { operator: listener, operatorUrl: url } = ports
  const none = () => null
  const banner = `
Token Intelligence is listening on ${url}
role     ingest: publishes blocks from its source to the shared log, answers monitors only
source   ${source}
data     ${dataDir}

  curl -s ${url}/readyz

`
  return {
    ...createOperatorFace({ status, metrics, accountsStatus: none, payments: none, shared: null, listener }),
    banner,
  }
}

/** The share of all connections that streams may use. The rest is for calls. */
const SOCKETS_SHARE = 0.75

const openAnswers = (state: State, service: Service): Promise<Face> =>
  openParts(async (parts) => {
    const { options, logger, metrics, ports } = service
    const { reads, status } = state
    // a node that answers has a port for readers
    const listener = ports.readers!
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
    const { isDraining } = service.stopping
    const face = createHttp(served, mcp, live, web, isDraining)
    const payments = () => access.cashier?.status() ?? NO_PAYMENTS
    const { accountsStatus } = access
    const readiness = () => (isDraining() ? { ...status(), ready: false, reason: DRAINING } : status())
    const operator = createOperatorFace({
      status: readiness,
      metrics,
      accountsStatus,
      payments,
      shared,
      listener: ports.operator,
    })
    // Streams end before the answers that wait for them.
    for (const part of [operator, face, web, live]) parts.add(part)
    const show = (): void => {
      face.show()
      operator.show()
    }
    return { show, banner: banner(options, ports.operatorUrl, access, files !== null), close: parts.close }
  })

function banner(options: Options, operatorUrl: string, access: Access, isBuilt: boolean): string {
  const { publicUrl: url, dataDir, source, payments, databaseUrl } = options
  const { firstKey: key, cashier } = access
  const auth = `-H 'Authorization: Bearer ${key ?? 'YOUR_KEY'}'`
  const keyLine = key === null ? `${program()} keys create` : `${key}   (a Pro key, shown only this once)`
  const command = url === DEFAULT_URL ? program() : `TI_URL=${url} ${program()}`
  const money = cashier?.status()
  const payLine =
    money === undefined
      ? 'off: calls need a key'
      : payments.mode === 'sandbox'
        ? `sandbox: play money on a chain inside this process; ${command} demo-pay buys a snapshot`
        : `${payments.mode}, to ${money.pay_to}`
  return `
Token Intelligence is listening on ${url}
source   ${source}
data     ${dataDir}${databaseUrl === null ? '' : ', accounts in PostgreSQL'}
payments ${payLine}
key      ${keyLine}

  curl -s ${auth} ${url}/v1/tokens/new
  curl -s ${auth} ${url}/v1/tokens/graduated
  curl -s ${operatorUrl}/readyz

page      ${url}${isBuilt ? '' : '   (not built: npm run build)'}
streams   ${url.replace(/^http/, 'ws')}/socket
commands  ${command} board, who MINT, tail frames; they take the key from TI_KEY
reference ${url}/docs, for agents ${url}/llms.txt and ${url}/mcp
monitors  ${operatorUrl}/metrics, on a port of their own

`
}

type Stopping = ReturnType<typeof untilStopped>

const DRAINING = 'the service is stopping: balancers send nothing new'

/**
 * The first SIGINT or SIGTERM asks the service to stop; a second one ends the process. SIGTERM comes from a supervisor, so a
 * service that answers first drains: balancers have to notice that it is not ready while it still answers what they send.
 */
function untilStopped(logger: Logger, drainSeconds: number) {
  const stop = new AbortController()
  let isServing = false
  let isDraining = false
  const stopped = new Promise<void>((resolve) => {
    const end = (): void => {
      stop.abort()
      resolve()
    }
    const ask = (signal: NodeJS.Signals): void => {
      if (isDraining || stop.signal.aborted) process.exit(1)
      isDraining = signal === 'SIGTERM' && isServing && drainSeconds > 0
      logger.info({ signal, ...(isDraining ? { drainSeconds } : {}) }, 'stopping')
      if (isDraining) setTimeout(end, drainSeconds * 1_000)
      else end()
    }
    process.on('SIGINT', ask)
    process.on('SIGTERM', ask)
  })
  return {
    signal: stop.signal,
    stopped,
    /** The service answers from now on, so there is something to drain. */
    serves(): void {
      isServing = true
    },
    /** SIGTERM has come, and answers still go on. */
    isDraining: (): boolean => isDraining,
  }
}
