import { createKey, openKeys } from '../access/keys.ts'
import type { Counts } from '../base/counts.ts'
import { OperatorError } from '../base/errors.ts'
import { createLogger, type Logger } from '../base/log.ts'
import { createMetrics, type Metrics } from '../base/metrics.ts'
import { LIMITS } from '../config/limits.ts'
import { derivePublicUrl, type Options, readOptions } from '../config/options.ts'
import { createHttpFace, type HttpFace, type ServiceStatus } from '../faces/http/face.ts'
import { withOperatorFacts } from '../ingest/operator-facts.ts'
import type { Pipeline, PipelineProgress } from '../ingest/pipeline.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { type Node, openNode } from '../node.ts'
import { createQuery } from '../query/answers.ts'
import { openSource } from '../source/open.ts'
import { agentFacts } from './agents-file.ts'
import { type Command, parse } from './command.ts'
import { OPENAPI_TEXT } from './openapi.ts'

const usage = `serve
  runs the service; configured by HOST, PORT, PUBLIC_URL, DATA_DIR, SOURCE, AGENTS_FILE, LOG_LEVEL, VALIDATE_RESPONSES`

export const serve: Command = {
  usage,
  async run(args) {
    parse(usage, args, {}, { min: 0, max: 0 })
    const options = readOptions(process.env)
    const logger = createLogger(options.logLevel)
    const metrics = createMetrics({ process: true })
    // a source that cannot be opened is said before anything is touched; the thread opens its own
    await openSource(options.source)
    const node = await openNode(options.dataDir)
    const agents = agentFacts(options.agentsFile, node)
    const fromSource = createThreadedEntryStream(options.source, options.dataDir)
    const entries = agents.length === 0 ? fromSource : withOperatorFacts(fromSource, agents, Date.now() / 1000)
    const firstKey = makeFirstKey(options)
    let lastCommit = Date.now()
    const pipeline = node.feed(entries, {
      commit: LIMITS.commitServing,
      onCommit() {
        lastCommit = Date.now()
      },
    })
    const status = (): ServiceStatus => statusOf(node, pipeline.progress, lastCommit)
    addMetrics(metrics, node, pipeline, entries.counts, status)
    const face = createFace(options, node, logger, metrics, status)
    const bound = await listen(face, options)
    process.stdout.write(banner(bound, options, firstKey))
    await runUntilStopped(pipeline, face, node, logger)
  },
}

/** On loopback, and only when no key exists: so that the first call works. */
function makeFirstKey({ host, dataDir }: Options): string | null {
  const loopback = host === 'localhost' || host === '::1' || host.startsWith('127.')
  if (!loopback || openKeys(dataDir).size > 0) return null
  return createKey(dataDir, 'first start').key
}

function createFace(
  options: Options,
  { engine, store }: Node,
  logger: Logger,
  metrics: Metrics,
  status: () => ServiceStatus,
): HttpFace {
  return createHttpFace({
    query: createQuery({ engine, store, now: Date.now, bounds: LIMITS }),
    keys: openKeys(options.dataDir),
    status,
    logger,
    metrics,
    publicUrl: options.publicUrl,
    openApi: OPENAPI_TEXT,
    validateResponses: options.validateResponses,
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

function statusOf({ engine }: Node, progress: PipelineProgress, lastCommit: number): ServiceStatus {
  const { globals } = engine
  const starting = globals.slot < 0
  const lost = !progress.ended && Date.now() - lastCommit > LIMITS.sourceLostMs
  const behind = globals.time > 0 ? Math.max(0, Date.now() / 1000 - globals.time) : null
  return {
    ready: !starting && !lost,
    starting,
    reason: starting ? 'waiting for the first block' : lost ? 'no block from the source for too long' : null,
    lagSlots: behind === null || progress.ended ? null : Math.round(behind / SLOT_SECONDS),
    seq: globals.seq,
    slot: globals.slot,
  }
}

/** nominal */
const SLOT_SECONDS = 0.4

function addMetrics(
  metrics: Metrics,
  { engine, store }: Node,
  { progress }: Pipeline,
  skipped: Counts,
  status: () => ServiceStatus,
): void {
  const value = (read: () => number) => () => [{ labels: {}, value: read() }]
  metrics.counter(
    'ti_blocks_total',
    'blocks folded since the start',
    [],
    value(() => progress.blocks),
  )
  metrics.counter(
    'ti_events_total',
    'log entries and events folded since the start',
    [],
    value(() => progress.events),
  )
  metrics.counter(
    'ti_commits_total',
    'store commits since the start',
    [],
    value(() => progress.commits),
  )
  metrics.gauge(
    'ti_log_seq',
    'newest log entry',
    [],
    value(() => engine.globals.seq),
  )
  metrics.gauge(
    'ti_slot',
    'newest chain slot',
    [],
    value(() => engine.globals.slot),
  )
  metrics.gauge(
    'ti_lag_slots',
    'slots behind the clock, -1 unknown',
    [],
    value(() => status().lagSlots ?? -1),
  )
  metrics.gauge(
    'ti_tokens_in_memory',
    'live tokens',
    [],
    value(() => engine.sizes().tokens),
  )
  metrics.gauge(
    'ti_wallets_in_memory',
    'cached wallets',
    [],
    value(() => engine.sizes().wallets),
  )
  metrics.gauge(
    'ti_unpriced_trades',
    'trades stored without a SOL price',
    [],
    value(() => engine.globals.unpricedTrades),
  )
  metrics.gauge(
    'ti_missing_slots',
    'slots the source could not deliver',
    [],
    value(() => engine.globals.missingSlots),
  )
  metrics.gauge('ti_store_entries', 'entries by database', ['database'], () =>
    Object.entries(store.entries()).map(([database, entries]) => ({ labels: { database }, value: entries })),
  )
  metrics.counts('ti_decode_total', 'what the decoder skipped, by reason', 'reason', skipped)
  metrics.counts('ti_engine_total', 'what the engine passed over, by reason', 'reason', engine.counts)
}

function banner(
  bound: { host: string; port: number },
  { publicUrl, port, dataDir, source }: Options,
  key: string | null,
): string {
  const url = port === 0 ? derivePublicUrl(bound.host, bound.port) : publicUrl
  const shown = key ?? 'YOUR_KEY'
  const auth = `-H 'Authorization: Bearer ${shown}'`
  const keyLine =
    key === null
      ? 'key      npm run --silent cli -- keys create'
      : `key      ${key}   (a Pro key, shown only this once)`
  return `
Token Intelligence is listening on ${url}
source   ${source}
data     ${dataDir}
${keyLine}

  curl -s ${auth} ${url}/v1/tokens/new
  curl -s ${auth} ${url}/v1/tokens/graduated
  curl -s ${url}/readyz

`
}

async function runUntilStopped(pipeline: Pipeline, face: HttpFace, node: Node, logger: Logger): Promise<void> {
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
  // a failed fold or commit leaves memory ahead of the store: the process must end, the restart continues from the store
  const fed = pipeline.run(stop.signal).then(() => {
    if (!stop.signal.aborted) logger.info('the source has ended; answers go on')
  })
  await Promise.race([stopped, fed.then(() => stopped)])
  await fed
  await face.close()
  await node.close()
}
