import { createServer } from 'node:net'
import { OperatorError } from '../base/errors.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { createMetrics, type Metrics } from '../base/metrics.ts'
import { LIMITS } from '../config/limits.ts'
import { derivePublicUrl, type Options, readOptions } from '../config/options.ts'
import type { HttpFace } from '../faces/http/face.ts'
import { createTraffic } from '../faces/http/traffic.ts'
import { createVitalsFace } from '../faces/http/vitals.ts'
import { createLiveFace } from '../faces/live/face.ts'
import { createQuery } from '../query/answers.ts'
import { createStreams } from '../query/streams.ts'
import { type Access, openAccess } from './access.ts'
import { type Command, parse } from './command.ts'
import { createHttp, createMcp, createWeb } from './faces.ts'
import { type Folding, openFolding } from './folding.ts'
import { startKeeping } from './keeping.ts'
import { openWebFiles } from './page.ts'
import { showPreparation } from './preparing.ts'
import { type Role, roleOf } from './roles.ts'

const usage = `serve [--role all|ingest|serve]
  runs the service. With LOG_URL several nodes share one log: ingest brings what SOURCE gives, serve only folds and answers,
  all does both. Configured by HOST, PORT, PUBLIC_URL, DATA_DIR, SOURCE, LOG_URL, CHECKPOINTS, AGENTS_FILE, LOG_LEVEL,
  VALIDATE_RESPONSES`

export const serve: Command = {
  usage,
  async run(args) {
    const { values } = parse(usage, args, { role: { type: 'string' } } as const, { min: 0, max: 0 })
    const { options, letGo } = await withPort(readOptions(process.env))
    const role = roleOf(values.role, options)
    const logger = createLogger(options.logLevel)
    const stopping = untilStopped(logger)
    // a damaged state is closed with everything that reads it, folded again, and served again
    while ((await serveUntil(stopping, { options, letGo, role, logger })) === 'damaged');
  },
}

interface ServeParts {
  readonly options: Options
  letGo(): Promise<void>
  readonly role: Role
  readonly logger: Logger
}

/** Prepares the data directory and serves it until it is asked to stop, or until the state is found damaged. */
async function serveUntil(stopping: Stopping, parts: ServeParts): Promise<'stopped' | 'damaged'> {
  const { options, letGo, role, logger } = parts
  const metrics = createMetrics({ process: true })
  const stop = new AbortController()
  const signal = AbortSignal.any([stopping.signal, stop.signal])
  const shown = showPreparation({ options, letGo, now: Date.now })
  const onPreparation = shown.tell
  const folding = await openFolding({ options, role, logger, metrics, signal, onPreparation }).finally(shown.close)
  const damaged = folding.damaged.then(() => 'damaged' as const)
  // what fails because of the damage is not what counts
  const unlessDamaged = (error: unknown): Promise<never> => {
    if (!folding.isDamaged()) throw error
    return new Promise(() => {})
  }
  const fed = folding.fed.catch(unlessDamaged)
  const opening =
    role === 'ingest' ? openVitals(folding, { options, metrics }) : openAnswers(folding, { options, logger, metrics })
  const opened = await Promise.race([
    opening.catch(unlessDamaged),
    // a failed fold or commit leaves memory ahead of the store: the process must end, the restart continues from the store
    fed.then(() => new Promise<never>(() => {})),
    damaged,
  ])
  if (opened === 'damaged') {
    stop.abort()
    await folding.fed.catch(() => {})
    await folding.closeObservers()
    await opening.then((face) => face.close()).catch(() => {})
    await folding.close()
    return 'damaged'
  }
  const keeping = startKeeping(options, logger, metrics)
  await letGo()
  await listen(opened, options)
  process.stdout.write(opened.banner)
  const outcome = await Promise.race([
    stopping.stopped.then(() => 'stopped' as const),
    damaged,
    fed.then(() => sourceEnded(stopping, logger)).then(() => 'stopped' as const),
  ])
  stop.abort()
  await folding.fed.catch((error: unknown) => {
    if (outcome !== 'damaged') throw error
  })
  await keeping?.close()
  await folding.closeObservers()
  await opened.close()
  await folding.close()
  return outcome
}

interface Service {
  readonly options: Options
  readonly logger: Logger
  readonly metrics: Metrics
}

interface Face extends Pick<HttpFace, 'listen'> {
  /** what is printed when it listens */
  readonly banner: string
  /** and everything behind it */
  close(): Promise<void>
}

/** A node that only brings answers to monitors; it needs no database of accounts. */
async function openVitals(
  { status }: Folding,
  { options, metrics }: Pick<Service, 'options' | 'metrics'>,
): Promise<Face> {
  const { publicUrl: url, source, dataDir } = options
  const banner = `
Token Intelligence is listening on ${url}
role     ingest: brings what its source gives into the shared log, answers monitors only
source   ${source}
data     ${dataDir}

  curl -s ${url}/readyz

`
  return { ...createVitalsFace({ status, metrics }), banner }
}

async function openAnswers(folding: Folding, service: Service): Promise<Face> {
  const { options, logger, metrics } = service
  const { node, status } = folding
  const { engine, store } = node
  const [access, files] = await Promise.all([openAccess(service), openWebFiles()])
  const query = createQuery({ engine, store, now: Date.now, bounds: LIMITS })
  const served = { options, query, access, logger, metrics, traffic: createTraffic(metrics), status }
  const mcp = createMcp(served)
  const live = createLiveFace({
    ...access,
    streams: createStreams({ engine, store, bounds: LIMITS }),
    logger,
    metrics,
    ahead: options.logUrls === null ? 0 : LIMITS.logAheadMessages,
  })
  folding.onCommit(live.wake)
  const web = createWeb(served, files, node, live)
  const face = createHttp(served, mcp, live, web)
  return {
    listen: face.listen,
    banner: banner(options, access, files !== null),
    async close() {
      await live.close()
      web.close()
      await face.close()
      await mcp.close()
      await access.close()
    },
  }
}

/**
 * PORT=0 becomes a free port at once, because the service calls itself by it in offers and links; it is held until the
 * service listens, so that nobody else is given it meanwhile.
 */
async function withPort(options: Options): Promise<{ readonly options: Options; letGo(): Promise<void> }> {
  if (options.port !== 0) return { options, letGo: async () => {} }
  const probe = createServer()
  const port = await new Promise<number>((done, fail) => {
    probe.once('error', fail)
    probe.listen(0, options.host, () => done((probe.address() as { port: number }).port))
  })
  probe.unref()
  const named = options.publicUrl !== derivePublicUrl(options.host, 0)
  const publicUrl = named ? options.publicUrl : derivePublicUrl(options.host, port)
  return { options: { ...options, port, publicUrl }, letGo: () => new Promise((done) => probe.close(() => done())) }
}

async function listen(face: Pick<HttpFace, 'listen'>, { host, port }: Options) {
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
