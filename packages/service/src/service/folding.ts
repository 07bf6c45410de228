import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Changes } from '@ti/core/engine/state.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { openParts, type Parts } from '../base/parts.ts'
import { isShortage } from '../base/shortage.ts'
import { processTroubles } from '../base/troubles.ts'
import type { Options } from '../config/options.ts'
import { isLiveSource } from '../config/options.ts'
import type { EntryStream } from '../ingest/entries.ts'
import { type KnownWallet, withFirstFundings } from '../ingest/first-fundings.ts'
import { withOperatorFacts } from '../ingest/operator-facts.ts'
import { createReportedFacts, type ReportedFacts } from '../ingest/reported-facts.ts'
import { createSharedEntryStream, positionOf, type SharedOptions } from '../ingest/shared.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { openUnknown, type UnknownKeeper } from '../ingest/unknown-file.ts'
import type { LogStream } from '../log/jetstream/stream.ts'
import type { Observers } from '../observe/observers.ts'
import { openSource } from '../source/open.ts'
import { markedDamage } from '../store/damage.ts'
import { createDiskRoom } from '../store/disk-room.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { stateFile } from '../store/open.ts'
import { agentFacts } from './agents-file.ts'
import { watchAgreedFold } from './agreed-fold.ts'
import { startFollowing } from './following.ts'
import { addLogProblem, createLogReports, type LogReports } from './log-reports.ts'
import { type Node, openNode, type Preparation } from './node.ts'
import type { Role } from './node-role.ts'
import { startObservers } from './observe.ts'
import { createMissingFacts, newestMints } from './priorities/missing-facts.ts'
import { startScrubbing } from './scrubbing.ts'
import { beginFromCheckpoint, openLog } from './shared-log.ts'
import { addMetrics, statusOf, type Watched } from './status.ts'
import { addUnknownMetrics, summaryOf } from './unknown-status.ts'

/** catching up while serving: the events of a commit at most; live blocks commit one by one */
const COMMIT_SERVING = { events: 2_000, delayMs: 50 } as const

interface FoldingOptions {
  readonly options: Options
  readonly role: Role
  readonly logger: Logger
  readonly metrics: Metrics
  /** Aborting ends the fold. */
  readonly signal: AbortSignal
  /** Milliseconds that a commit should take now. */
  readonly commitMs: () => number
  /** Called while the log is folded before the node can answer. */
  readonly onPreparation: (preparation: Preparation) => void
}

export type Broken = 'damaged' | 'unwritten'

/** A node that folds. Its entries come from its source, from the shared log, or from the source by way of the shared log. */
export type Folding = Awaited<ReturnType<typeof open>>

export const openFolding = (given: FoldingOptions): Promise<Folding> => openParts((parts) => open(given, parts))

async function open(given: FoldingOptions, parts: Parts) {
  const { options, role, logger, metrics, signal, onPreparation } = given
  const brings = role !== 'serve'
  // A source that cannot be opened is reported before any file changes. The decoding thread opens its own source.
  const opened = brings ? await openSource(options.source) : null
  const stream = parts.add(await openLog(options, signal))
  if (stream !== null) await beginFromCheckpoint(options, stream, logger)
  const fault = createFault()
  const node = parts.add(
    await openNode(options.dataDir, {
      serving: true,
      signal,
      onPreparation,
      onOtherFold: ({ message }) => logger.warn({ why: message }, 'another build folded the state: it is folded again'),
      onRepair: (why, aside) => logger.error({ why, aside }, 'the state is damaged: it is set aside and folded again'),
      onDamage(err) {
        logger.error({ err }, 'the state was found damaged')
        fault.report('damaged')
      },
    }),
  )
  if (node.opened > 0) {
    const fields = { files: node.opened, dir: options.dataDir }
    logger.warn(fields, 'files of the data directory were open to other users of this machine; they are closed now')
  }
  const reported = createReportedFacts()
  const fundings = createCounts(['kept', 'known', 'not_first'])
  const onTrouble = (err: unknown): void => logger.warn({ err }, 'what could not be decoded is not kept')
  const unknown = parts.add(brings ? openUnknown(options.dataDir, onTrouble) : null)
  const source = unknown === null ? null : openBrought(options, node, reported, unknown, fundings)
  const shared =
    stream === null ? null : shareLog(stream, node, { source, chain: opened?.chain }, createLogReports(logger, metrics))
  const agreement = parts.add(stream === null ? null : watchAgreedFold(stream, logger, metrics))
  let observers: Observers | null = null
  let afterCommit = (): void => {}
  let beforeWrite = (_: Changes): void => {}
  // Without a shared log a node always has a source.
  const entries = shared ?? source!
  const room = createDiskRoom(options.dataDir, { logger })
  const pipeline = node.feed(entries, {
    room,
    commit: { ...COMMIT_SERVING, ms: given.commitMs },
    onCommit: () => afterCommit(),
    beforeWrite: (changes) => beforeWrite(changes),
  })
  const scrubbing = parts.add(startScrubbing(options, logger, metrics, () => fault.report('damaged')))
  const watched: Watched = {
    engine: node.engine,
    progress: pipeline.progress,
    // For a node that does not ingest, SOURCE tells whether the others' source is live.
    isLive: isLiveSource(options.source),
    ...(shared !== null && { shared: shared.shared, logProblem: shared.problem }),
    ...(agreement !== null && { agreed: agreement.agreed }),
    now: Date.now,
    isBroken: fault.why,
    scrub: scrubbing.summary,
    setAside: scrubbing.setAside,
    disk: room.status,
    source: () => source?.status?.() ?? null,
    observers: () => observers?.status() ?? null,
    ...(unknown !== null && { unknown: () => summaryOf(unknown.kinds()) }),
  }
  if (unknown !== null) addUnknownMetrics(metrics, unknown)
  if (shared !== null) addLogProblem(metrics, shared.problem)
  addMetrics(metrics, node, pipeline.progress, entries.counts, () => statusOf(watched))
  addFoldingMetrics(metrics, { reported, fundings })
  const fed = pipeline.run(signal).catch((error: unknown) => {
    // The decoding thread reads the state too, but it can only mark the damage it finds.
    if (fault.why() === null && markedDamage(stateFile(options.dataDir)) !== null) fault.report('damaged')
    else if (fault.why() === null && isShortage(error)) {
      logger.error({ err: error }, 'the state could not be written: it is opened again')
      processTroubles.note('commit', error)
      fault.report('unwritten')
    }
    throw error
  })
  const failed = Promise.race([fault.reported, fed.then(() => never)])
  // Both are also looked at later; until then a failure is not an unhandled one.
  for (const looked of [fed, failed]) looked.catch(() => {})
  return {
    node,
    watched,
    /** Resolves when there are no more entries to fold, and rejects if folding fails. */
    fed,
    /** Rejects as soon as the state is found damaged or could not be written, or folding fails for another reason. */
    failed,
    /** Why the node has to be closed and opened again; null while it need not. */
    broken: fault.why,
    /** False from the moment a commit fails or damage is found: the state in memory must not be read any more. */
    isWhole: (): boolean => fault.why() === null && !pipeline.progress.failed,
    /** False while the nodes of the shared log serve another fold. */
    isAgreed: (): boolean => agreement === null || agreement.agreed() === FOLD_FINGERPRINT,
    /** `then` is called after every commit. */
    onCommit(then: () => void): void {
      afterCommit = then
    },
    /** `look` is called within every commit, after folding and before any write. */
    beforeWrite(look: (changes: Changes) => void): void {
      beforeWrite = look
    },
    /** Starts the observers, which report facts until they are closed. Null for a node that does not ingest. */
    observe(): { close(): Promise<void> } | null {
      if (source === null) return null
      const missing = createMissingFacts(node.engine, Date.now)
      const started = startObservers(options.observe, { missing, report: reported.report, logger, metrics })
      observers = started
      const exchanges = () => started?.exchanges() ?? NO_EXCHANGES
      const stopFollowing = startFollowing({ options, engine: node.engine, entries: source, exchanges })
      return {
        async close() {
          stopFollowing()
          await started?.close()
        },
      }
    },
    /** Call this after the last reader has stopped. */
    close: parts.close,
  }
}

const never = new Promise<never>(() => {})

/** Keeps the first reason for which a node has to be opened again. Later ones are consequences of it. */
function createFault() {
  let why: Broken | null = null
  let reject = (_: Error): void => {}
  const reported = new Promise<never>((_, fail) => {
    reject = fail
  })
  return {
    why: () => why,
    reported,
    report(reason: Broken) {
      why ??= reason
      reject(new Error(`the state is ${why}`))
    },
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
  brought: Pick<SharedOptions, 'source' | 'chain'>,
  reports: LogReports,
) {
  return createSharedEntryStream({ stream, ...brought, position: () => positionOf(engine), own: store.log, ...reports })
}
