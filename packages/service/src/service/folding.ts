import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Changes } from '@ti/core/engine/state.ts'
import { closeAll } from '../base/close-all.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { isShortage } from '../base/shortage.ts'
import { processTroubles } from '../base/troubles.ts'
import type { Options } from '../config/options.ts'
import { isLiveSource } from '../config/options.ts'
import type { ServiceStatus } from '../faces/http/face.ts'
import type { EntryStream } from '../ingest/entries.ts'
import { type KnownWallet, withFirstFundings } from '../ingest/first-fundings.ts'
import { withOperatorFacts } from '../ingest/operator-facts.ts'
import { createReportedFacts, type ReportedFacts } from '../ingest/reported-facts.ts'
import { createSharedEntryStream, positionOf } from '../ingest/shared.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { openUnknown, type UnknownKeeper } from '../ingest/unknown-file.ts'
import type { LogStream } from '../log/jetstream/stream.ts'
import type { Observers } from '../observe/observers.ts'
import { openSource } from '../source/open.ts'
import { markedDamage } from '../store/damage.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { stateFile } from '../store/open.ts'
import { agentFacts } from './agents-file.ts'
import { watchAgreedFold } from './agreed-fold.ts'
import { startFollowing } from './following.ts'
import { type Node, openNode, type Preparation } from './node.ts'
import type { Role } from './node-role.ts'
import { startObservers } from './observe.ts'
import { createMissingFacts, newestMints } from './priorities/missing-facts.ts'
import { startScrubbing } from './scrubbing.ts'
import { beginFromCheckpoint, openLog } from './shared-log.ts'
import { addMetrics, statusOf } from './status.ts'
import { addUnknownMetrics, summaryOf } from './unknown-status.ts'

/** milliseconds between two lines that say that the log accepts no entries */
const LOG_TROUBLE_MS = 60_000
/** serving: a commit holds the event loop, about 50 ms at this size; live blocks commit one by one */
export const COMMIT_SERVING = { events: 2_000, delayMs: 50 } as const

interface FoldingOptions {
  readonly options: Options
  readonly role: Role
  readonly logger: Logger
  readonly metrics: Metrics
  /** Aborting ends the fold. */
  readonly signal: AbortSignal
  /** Called while the log is folded before the node can answer. */
  readonly onPreparation: (preparation: Preparation) => void
}

export type Broken = 'damaged' | 'unwritten'

/** A node that folds. Its entries come from its source, from the shared log, or from the source by way of the shared log. */
export interface Folding {
  readonly node: Node
  readonly status: () => ServiceStatus
  /** Resolves when there are no more entries to fold, and rejects if folding fails. */
  readonly fed: Promise<void>
  /** Resolves when the state is found damaged or could not be written. The node has to be closed and opened again. */
  readonly broken: Promise<Broken>
  readonly isBroken: () => Broken | null
  /** False from the moment a commit fails or damage is found: the state in memory must not be read any more. */
  readonly isWhole: () => boolean
  /** False while the nodes of the shared log serve another fold. */
  readonly isAgreed: () => boolean
  /** `then` is called after every commit. */
  onCommit(then: () => void): void
  /** `look` is called within every commit, after folding and before any write. */
  beforeWrite(look: (changes: Changes) => void): void
  closeObservers(): Promise<void>
  /** Call this after the last reader has stopped. */
  close(): Promise<void>
}

export async function openFolding(given: FoldingOptions): Promise<Folding> {
  const { options, role, logger, metrics, signal, onPreparation } = given
  const brings = role !== 'serve'
  // A source that cannot be opened is reported before any file changes. The decoding thread opens its own source.
  if (brings) await openSource(options.source)
  const stream = await openLog(options, signal)
  if (stream !== null) await beginFromCheckpoint(options, stream, logger)
  let isBroken: Broken | null = null
  let reportBroken = (_why: Broken): void => {}
  const broken = new Promise<Broken>((resolve) => {
    reportBroken = resolve
  })
  const breaks = (why: Broken): void => {
    isBroken ??= why
    reportBroken(isBroken)
  }
  const node = await openNode(options.dataDir, {
    serving: true,
    signal,
    onPreparation,
    onOtherFold: ({ message }) => logger.warn({ why: message }, 'another build folded the state: it is folded again'),
    onRepair: (why, aside) => logger.error({ why, aside }, 'the state is damaged: it is set aside and folded again'),
    onDamage(err) {
      logger.error({ err }, 'the state was found damaged')
      breaks('damaged')
    },
  }).catch(async (error) => {
    await stream?.close()
    throw error
  })
  if (node.opened > 0) {
    const fields = { files: node.opened, dir: options.dataDir }
    logger.warn(fields, 'files of the data directory were open to other users of this machine; they are closed now')
  }
  const reported = createReportedFacts()
  const fundings = createCounts()
  const onTrouble = (err: unknown): void => logger.warn({ err }, 'what could not be decoded is not kept')
  const { unknown, source } = await orClose([node, stream], () => {
    const unknown = brings ? openUnknown(options.dataDir, onTrouble) : null
    return { unknown, source: unknown === null ? null : openBrought(options, node, reported, unknown, fundings) }
  })
  const shared = stream === null ? null : shareLog(stream, node, source, reportTrouble(logger, metrics))
  const agreement = stream === null ? null : watchAgreedFold(stream, logger, metrics)
  let observers: Observers | null = null
  let stopFollowing = (): void => {}
  let afterCommit = (): void => {}
  let beforeWrite = (_: Changes): void => {}
  // Without a shared log a node always has a source.
  const entries = shared ?? source!
  const pipeline = node.feed(entries, {
    commit: COMMIT_SERVING,
    onCommit: () => afterCommit(),
    beforeWrite: (changes) => beforeWrite(changes),
  })
  const scrubbing = startScrubbing(options, logger, metrics, () => breaks('damaged'))
  const watched = {
    engine: node.engine,
    progress: pipeline.progress,
    // For a node that does not ingest, SOURCE tells whether the others' source is live.
    isLive: isLiveSource(options.source),
    ...(shared !== null && { shared: shared.shared }),
    ...(agreement !== null && { agreed: agreement.agreed }),
    now: Date.now,
    isBroken: () => isBroken,
    scrub: scrubbing.summary,
  }
  const status = (): ServiceStatus =>
    statusOf({
      ...watched,
      source: () => source?.status?.() ?? null,
      observers: () => observers,
      ...(unknown !== null && { unknown: () => summaryOf(unknown.kinds()) }),
    })
  if (unknown !== null) addUnknownMetrics(metrics, unknown)
  addMetrics(metrics, node, pipeline.progress, entries.counts, status)
  addFoldingMetrics(metrics, { reported, fundings })
  const fed = pipeline.run(signal).catch((error: unknown) => {
    // The decoding thread reads the state too, but it can only mark the damage it finds.
    if (isBroken === null && markedDamage(stateFile(options.dataDir)) !== null) breaks('damaged')
    else if (isBroken === null && isShortage(error)) {
      logger.error({ err: error }, 'the state could not be written: it is opened again')
      processTroubles.note('commit', error)
      breaks('unwritten')
    }
    throw error
  })
  if (brings) {
    const missing = createMissingFacts(node.engine, Date.now)
    observers = startObservers(options.observe, { missing, report: reported.report, logger, metrics })
    const exchanges = () => (observers === null ? NO_EXCHANGES : observers.exchanges())
    if (source !== null) stopFollowing = startFollowing({ options, engine: node.engine, entries: source, exchanges })
  }
  return {
    node,
    status,
    fed,
    broken,
    isBroken: () => isBroken,
    isWhole: () => isBroken === null && !pipeline.progress.failed,
    isAgreed: () => agreement === null || agreement.agreed() === FOLD_FINGERPRINT,
    onCommit(then) {
      afterCommit = then
    },
    beforeWrite(look) {
      beforeWrite = look
    },
    closeObservers: async () => {
      stopFollowing()
      await observers?.close()
    },
    close: () =>
      closeAll([scrubbing.close, () => unknown?.close(), node.close, () => agreement?.close(), () => stream?.close()]),
  }
}

/** Runs `open`. If that fails, it closes the parts that are already open, so that they do not block the next try. */
async function orClose<T>(open: readonly ({ close(): unknown } | null)[], make: () => T): Promise<T> {
  try {
    return make()
  } catch (error) {
    await closeAll(open.map((one) => () => one?.close())).catch(() => {})
    throw error
  }
}

const NO_EXCHANGES: ReadonlyMap<Key, string> = new Map()

interface FoldingCounts {
  readonly reported: ReportedFacts
  readonly fundings: Counts
}

function addFoldingMetrics(metrics: Metrics, { reported, fundings }: FoldingCounts): void {
  metrics.counts('ti_told_facts_total', 'facts from observers, and those that found no room', 'what', reported.counts)
  const payments = 'first payments that the source saw, by what became of them'
  metrics.counts('ti_live_fundings_total', payments, 'what', fundings)
}

/** Reads a wallet as committed, or the newer value if the wallet is in memory. */
const knownWallet =
  ({ engine, store }: Node): KnownWallet =>
  (address) => {
    const id = store.walletIdByAddress(address)
    return id === undefined ? null : engine.wallet(id)
  }

/** Opens the entries of the source, the operator's facts and the observers' facts. */
function openBrought(
  { source, dataDir, agentsFile }: Options,
  node: Node,
  reported: ReportedFacts,
  unknown: UnknownKeeper,
  fundings: Counts,
): EntryStream {
  const agents = agentFacts(agentsFile, node)
  const fromThread = createThreadedEntryStream(source, dataDir, () => newestMints(node.engine), unknown)
  // A capture already contains the facts of its time, so it is folded unchanged.
  const fromSource = isLiveSource(source) ? withFirstFundings(fromThread, knownWallet(node), fundings) : fromThread
  const all = reported.among(
    agents.length === 0 ? fromSource : withOperatorFacts(fromSource, agents, Date.now() / 1000),
  )
  return {
    ...all,
    status: () => fromThread.status?.() ?? null,
    followHolders: (holdings) => fromSource.followHolders?.(holdings),
    followFunders: (funders) => fromSource.followFunders?.(funders),
  }
}

function shareLog(
  stream: LogStream,
  { engine, store }: Node,
  source: EntryStream | null,
  onTrouble: (error: unknown) => void,
) {
  return createSharedEntryStream({
    stream,
    source,
    onTrouble,
    position: () => positionOf(engine),
    newest() {
      const [newest] = store.log.bytes(Math.max(0, engine.globals.seq), 1)
      return newest ?? null
    },
  })
}

/** Every retry is counted and logged only now and then, because unreachable or full servers are asked again and again. */
function reportTrouble(logger: Logger, metrics: Metrics): (error: unknown) => void {
  let tries = 0
  let saidAt = Number.NEGATIVE_INFINITY
  metrics.counter(
    'ti_log_unwritten_total',
    'attempts to write to the shared log that its servers did not accept',
    [],
    () => tries,
  )
  return (err) => {
    tries++
    if (performance.now() - saidAt < LOG_TROUBLE_MS) return
    saidAt = performance.now()
    logger.warn({ err, tries }, 'the log accepts no entries; retried until it does')
  }
}
