import { createServer } from 'node:net'
import { OperatorError } from '../base/errors.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { createMetrics, type Metrics } from '../base/metrics.ts'
import { LIMITS } from '../config/limits.ts'
import { derivePublicUrl, type Options, readOptions } from '../config/options.ts'
import { isLiveSource } from '../config/variables.ts'
import { createHttpFace, type HttpFace, type ServiceStatus } from '../faces/http/face.ts'
import { createRequestIds } from '../faces/http/request-id.ts'
import { createTraffic, type Traffic } from '../faces/http/traffic.ts'
import { createLiveFace, type LiveFace, SOCKET_PATH } from '../faces/live/face.ts'
import { createMcpFace, type McpFace } from '../faces/mcp/face.ts'
import { createWebFace, type WebFace } from '../faces/web/face.ts'
import type { WebFiles } from '../faces/web/files.ts'
import { withOperatorFacts } from '../ingest/operator-facts.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { createToldFacts } from '../ingest/told-facts.ts'
import { type Node, openNode } from '../node.ts'
import type { Observers } from '../observe/observers.ts'
import { createQuery } from '../query/answers.ts'
import { createAppQuery } from '../query/app.ts'
import { createOperations } from '../query/operations.ts'
import type { ListShares, Query } from '../query/query.ts'
import { createStreams } from '../query/streams.ts'
import { openSource } from '../source/open.ts'
import type { SourceStatus } from '../source/source.ts'
import { type Access, openAccess } from './access.ts'
import { agentFacts } from './agents-file.ts'
import { type Command, parse } from './command.ts'
import { startObservers } from './observe.ts'
import { OPENAPI_TEXT } from './openapi.ts'
import { openWebFiles, vitalsOf } from './page.ts'
import { addMetrics, statusOf } from './status.ts'
import { createWorld, newestMints } from './world.ts'

const usage = `serve
  runs the service; configured by HOST, PORT, PUBLIC_URL, DATA_DIR, SOURCE, AGENTS_FILE, LOG_LEVEL, VALIDATE_RESPONSES`

export const serve: Command = {
  usage,
  async run(args) {
    parse(usage, args, {}, { min: 0, max: 0 })
    const options = await withPort(readOptions(process.env))
    const logger = createLogger(options.logLevel)
    const metrics = createMetrics({ process: true })
    // a source that cannot be opened is said before anything is touched; the thread opens its own
    await openSource(options.source)
    const node = await openNode(options.dataDir)
    const agents = agentFacts(options.agentsFile, node)
    const fromSource = createThreadedEntryStream(options.source, options.dataDir, () => newestMints(node.engine))
    const withAgents = agents.length === 0 ? fromSource : withOperatorFacts(fromSource, agents, Date.now() / 1000)
    const told = createToldFacts()
    const entries = told.among(withAgents)
    let observers: Observers | null = null
    let live: LiveFace | null = null
    const pipeline = node.feed(entries, {
      commit: LIMITS.commitServing,
      onCommit() {
        live?.wake()
      },
    })
    const source = (): SourceStatus | null => fromSource.status?.() ?? null
    const watched = {
      engine: node.engine,
      progress: pipeline.progress,
      isLive: isLiveSource(options.source),
      now: Date.now,
    }
    const status = (): ServiceStatus => statusOf({ ...watched, source, observers: () => observers })
    addMetrics(metrics, node, pipeline.progress, entries.counts, status)
    metrics.counts('ti_told_facts_total', 'facts from observers, and those that found no room', 'what', told.counts)
    const stopping = untilStopped(logger)
    // a failed fold or commit leaves memory ahead of the store: the process must end, the restart continues from the store
    const fed = pipeline.run(stopping.signal)
    observers = startObservers(options.observe, {
      world: createWorld(node.engine, Date.now),
      tell: told.tell,
      logger,
      metrics,
    })
    const never = fed.then(() => new Promise<never>(() => {}))
    const opening = Promise.all([openAccess({ options, logger, metrics }), openWebFiles()])
    const [access, files] = await Promise.race([opening, never])
    const { engine, store } = node
    const query = createQuery({ engine, store, now: Date.now, bounds: LIMITS })
    const served = { options, query, access, logger, metrics, traffic: createTraffic(metrics), status }
    const mcp = createMcp(served)
    live = createLiveFace({ ...access, streams: createStreams({ engine, store, bounds: LIMITS }), logger, metrics })
    const web = createWeb(served, files, node, live)
    const face = createHttp(served, mcp, live, web)
    await listen(face, options)
    process.stdout.write(banner(options, access, files !== null))
    await Promise.race([stopping.stopped, fed.then(() => sourceEnded(stopping, logger))])
    await fed
    await observers?.close()
    await live.close()
    web.close()
    await face.close()
    await mcp.close()
    await access.close()
    await node.close()
  },
}

/** PORT=0 becomes a free port at once, because the service calls itself by it in offers and links. */
async function withPort(options: Options): Promise<Options> {
  if (options.port !== 0) return options
  const probe = createServer()
  const port = await new Promise<number>((done, fail) => {
    probe.once('error', fail)
    probe.listen(0, options.host, () => done((probe.address() as { port: number }).port))
  })
  await new Promise((done) => probe.close(done))
  const named = options.publicUrl !== derivePublicUrl(options.host, 0)
  return { ...options, port, publicUrl: named ? options.publicUrl : derivePublicUrl(options.host, port) }
}

interface Served {
  readonly options: Options
  readonly query: Query & ListShares
  readonly access: Access
  readonly logger: Logger
  readonly metrics: Metrics
  readonly traffic: Traffic
  readonly status: () => ServiceStatus
}

const sharedBy = ({ options, access, logger, metrics, status }: Served) => {
  const { publicUrl, validateResponses } = options
  return { ...access, status, logger, metrics, publicUrl, validateResponses }
}

const createMcp = (served: Served): McpFace =>
  createMcpFace({
    ...sharedBy(served),
    operations: createOperations(served.query),
    newRequestId: createRequestIds(),
    record: served.traffic.operation('mcp'),
  })

function createWeb(served: Served, files: WebFiles | null, node: Node, live: LiveFace): WebFace {
  const { options, access, traffic } = served
  const { engine, store } = node
  return createWebFace({
    ...sharedBy(served),
    files,
    access: access.page,
    query: createAppQuery({ engine, store, lists: served.query, now: Date.now, bounds: LIMITS }),
    vitals: vitalsOf(node, () => live.sockets),
    sandbox: options.payments.mode === 'sandbox',
    newRequestId: createRequestIds(),
    record: traffic.operation('page'),
  })
}

function createHttp(served: Served, mcp: McpFace, live: LiveFace, web: WebFace): HttpFace {
  const { clientAddress } = served.access
  return createHttpFace({
    ...sharedBy(served),
    query: served.query,
    web,
    traffic: served.traffic,
    mounts: {
      '/mcp': (request, response) => void mcp.handle(request, response, clientAddress(request)),
      [SOCKET_PATH]: live.plain,
    },
    upgrades: { [SOCKET_PATH]: live.upgrade },
    openApi: OPENAPI_TEXT,
  })
}

async function listen(face: HttpFace, { host, port }: Options) {
  try {
    return await face.listen(host, port)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new OperatorError(`${host}:${port} is in use: choose another PORT`)
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new OperatorError(`cannot listen on ${host}:${port} (${code}): choose another HOST or PORT`)
    }
    throw error
  }
}

function banner(options: Options, access: Access, isBuilt: boolean): string {
  const { publicUrl: url, dataDir, source, payments, databaseUrl } = options
  const { firstKey: key, cashier } = access
  const auth = `-H 'Authorization: Bearer ${key ?? 'YOUR_KEY'}'`
  const keyLine = key === null ? 'npm run --silent cli -- keys create' : `${key}   (a Pro key, shown only this once)`
  const money = cashier?.status()
  const payLine =
    money === undefined
      ? 'off: calls are opened by keys only'
      : payments.mode === 'sandbox'
        ? 'sandbox: play money on a chain inside this process; npm run demo:pay buys a snapshot'
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
streams   ${url.replace(/^http/, 'ws')}/socket, to look at them: npm run cli -- tail frames
reference ${url}/docs, for agents ${url}/llms.txt and ${url}/mcp

`
}

interface Stopping {
  readonly signal: AbortSignal
  readonly stopped: Promise<void>
}

/** The first SIGINT or SIGTERM asks to stop, a second one ends the process. */
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

function sourceEnded({ signal, stopped }: Stopping, logger: Logger): Promise<void> {
  if (!signal.aborted) logger.info('the source has ended; answers go on')
  return stopped
}
