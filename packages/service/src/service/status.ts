import type { Counts } from '@ti/core/base/counts.ts'
import type { Globals } from '@ti/core/model/state.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LiveSource, ServiceStatus } from '../faces/http/face.ts'
import type { ScrubSummary, UnknownSummary } from '../faces/status.ts'
import type { PipelineProgress } from '../ingest/pipeline.ts'
import type { LogProblem, SharedStatus } from '../ingest/shared.ts'
import type { ObserverStatus } from '../observe/types.ts'
import type { SourceStatus } from '../source/source.ts'
import type { DiskStatus } from '../store/disk-room.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { LOG_PROBLEM } from './log-reports.ts'
import type { Node } from './node.ts'

/** messages behind the end of the log up to which a node answers: ten seconds of mainnet */
const LOG_PENDING_READY = 25
/** milliseconds without a block, or that the newest block of a live source may be behind the clock: then answers are 503 */
export const SOURCE_LOST_MS = 60_000

/** What a node says of itself. The fields of a shared log are left out for a log of its own. */
export interface NodeCondition {
  readonly source: SourceStatus | null
  readonly observers: readonly Pick<ObserverStatus, 'name' | 'waiting'>[] | null
  /** The node's place in the log, or null before the first read. */
  readonly shared?: SharedStatus | null
  /** The problem of the log's servers. */
  readonly logProblem?: LogProblem | null
  /** The fingerprint of the fold that the nodes of the log serve, or null while it is unknown. */
  readonly agreed?: string | null
  /** Transactions that no decoder knows. It is left out if this node decodes nothing. */
  readonly unknown?: UnknownSummary
  /** The last verification beside the service, or null before the first. */
  readonly scrub: ScrubSummary | null
  /** When a damaged state was last set aside, RFC 3339; null for never. */
  readonly setAside: string | null
  /** The room on the disk of the data directory. */
  readonly disk: DiskStatus
}

/** The values from which readiness is derived. */
export interface Watched extends NodeCondition {
  readonly globals: Pick<Globals, 'chain' | 'firstSlot' | 'time' | 'seq' | 'slot'>
  readonly progress: Pick<PipelineProgress, 'ended' | 'blockMs' | 'failed'>
  /** True if the source follows the chain live. For a node that does not ingest, it tells whether the others' source is live. */
  readonly isLive: boolean
  /** Unix milliseconds */
  readonly nowMs: number
  /** The seconds that catching up will take, null if unknown. */
  readonly leftS: number | null
  /** Set when the state was found damaged or could not be written, until it is opened again. */
  readonly broken: 'damaged' | 'unwritten' | null
}

export function statusOf(watched: Watched): ServiceStatus {
  const { globals, progress, isLive, nowMs, leftS, shared, source, disk, observers } = watched
  const { chain, firstSlot, time, seq, slot } = globals
  const behindMs = time > 0 && !progress.ended ? Math.max(0, nowMs - time * 1000) : null
  const behindLog = shared === undefined ? null : whyBehind(shared)
  const fold = watched.agreed === undefined ? undefined : { own: FOLD_FINGERPRINT, agreed: watched.agreed }
  const late = whyNotReady(firstSlot < 0, progress, isLive ? behindMs : null, nowMs, leftS)
  const ofLog = watched.logProblem ? LOG_PROBLEM[watched.logProblem] : null
  const cause = ofLog ?? source?.problem
  const why = late !== null && cause ? `${late}: ${cause}` : late
  // until then it answers with what it knows
  const full = late === null && behindLog === null ? null : disk.problem
  const reason = whyBroken(watched.broken, progress.failed) ?? full ?? behindLog ?? whyOtherFold(fold) ?? why
  return {
    ready: reason === null,
    starting: firstSlot < 0,
    reason,
    lagSlots: behindMs === null ? null : Math.round(behindMs / SLOT_MS),
    chain: chain === '' ? null : chain,
    seq,
    slot,
    source,
    setAside: watched.setAside,
    disk,
    ...(shared === undefined ? {} : { logPending: shared?.pending ?? null, logProblem: ofLog }),
    ...(fold === undefined ? {} : { fold }),
    unknown: watched.unknown ?? null,
    scrub: watched.scrub,
    waitingOutside: observers && Object.fromEntries(observers.map(({ name, waiting }) => [name, waiting])),
  }
}

/** From the moment a commit fails, the state in memory is ahead of the durable one, so no answer may use it. */
function whyBroken(broken: 'damaged' | 'unwritten' | null, failed: boolean): string | null {
  if (broken === 'damaged') return 'the state was found damaged and is folded again from the log'
  if (broken === 'unwritten' || failed) return 'the state could not be written and is opened again'
  return null
}

function whyBehind(log: SharedStatus | null): string | null {
  if (log === null) return 'waiting for the shared log'
  if (log.pending > LOG_PENDING_READY) return `catching up with the shared log: ${log.pending} messages behind`
  return null
}

/** Nodes that fold differently would answer differently, so the nodes of one log serve one fold. */
function whyOtherFold(fold: ServiceStatus['fold']): string | null {
  if (fold === undefined || fold.agreed === fold.own) return null
  if (fold.agreed === null) return 'waiting to hear which fold the nodes of the log serve'
  return `this build folds the log with fingerprint ${fold.own}, and its nodes serve ${fold.agreed}: \`adopt\` makes them serve this one`
}

/** Only blocks show that the source is alive. Facts from observers and the operator do not. */
function whyNotReady(
  starting: boolean,
  { ended, blockMs }: Watched['progress'],
  behindMs: number | null,
  nowMs: number,
  left: number | null,
): string | null {
  if (starting) return 'waiting for the first block'
  if (!ended && nowMs - blockMs > SOURCE_LOST_MS) return 'no block from the source for too long'
  if (behindMs !== null && behindMs > SOURCE_LOST_MS) {
    return `catching up: ${Math.round(behindMs / 1000)} s behind${left === null ? '' : `, about ${left} s left`}`
  }
  return null
}

/** The nominal length of a slot. */
const SLOT_MS = 400

export function addMetrics(
  metrics: Metrics,
  { engine, store }: Node,
  progress: PipelineProgress,
  skipped: Counts,
  status: () => ServiceStatus,
): void {
  const counter = (name: string, help: string, read: () => number): void => metrics.counter(name, help, [], read)
  const gauge = (name: string, help: string, read: () => number): void => metrics.gauge(name, help, [], read)
  counter('ti_blocks_total', 'blocks folded since the start', () => progress.blocks)
  counter('ti_events_total', 'log entries and events folded since the start', () => progress.events)
  counter('ti_commits_total', 'store commits since the start', () => progress.commits)
  gauge('ti_log_seq', 'newest log entry', () => engine.globals.seq)
  gauge('ti_slot', 'newest chain slot', () => engine.globals.slot)
  gauge('ti_lag_slots', 'slots behind the clock, -1 unknown', () => status().lagSlots ?? -1)
  metrics.gauge('ti_log_pending', 'messages of the shared log that were not read yet, -1 unknown', [], function* () {
    const { logPending } = status()
    if (logPending !== undefined) yield { labels: {}, value: logPending ?? -1 }
  })
  const disk = (name: string, help: string, read: (of: DiskStatus) => number): void =>
    gauge(name, help, () => read(status().disk!))
  disk('ti_disk_free_bytes', 'bytes that are free on the disk of the data directory', (of) => of.freeBytes)
  disk('ti_disk_bytes', 'size of that disk', (of) => of.bytes)
  disk('ti_disk_full', '1 while nothing is folded for lack of room', (of) => (of.problem === null ? 0 : 1))
  disk('ti_state_wal_bytes', 'bytes of the write-ahead log of the state', (of) => of.walBytes)
  gauge('ti_tokens_in_memory', 'live tokens', () => engine.sizes().tokens)
  gauge('ti_wallets_in_memory', 'cached wallets', () => engine.sizes().wallets)
  gauge('ti_positions_in_memory', 'positions of live tokens in memory', () => engine.sizes().positions)
  gauge('ti_unpriced_trades', 'trades stored without a SOL price', () => engine.globals.unpricedTrades)
  gauge('ti_missing_slots', 'slots the source could not deliver', () => engine.globals.missingSlots)
  gauge('ti_store_bytes', 'bytes of the store in use: log and state', () => store.sizes().usedBytes)
  metrics.gauge('ti_store_entries', 'entries by database', ['database'], () =>
    Object.entries(store.entries()).map(([database, entries]) => ({ labels: { database }, value: entries })),
  )
  metrics.counts('ti_decode_total', 'what the decoder skipped, by reason', 'reason', skipped)
  metrics.counts('ti_engine_total', 'what the engine skipped, by reason', 'reason', engine.counts)
  addSourceMetrics(metrics, status)
}

/** Adds no metrics unless the source is live. */
function addSourceMetrics(metrics: Metrics, status: () => ServiceStatus): void {
  const source = (name: string, help: string, read: (of: LiveSource) => number): void =>
    metrics.gauge(name, help, [], function* () {
      const { source: of } = status()
      if (of) yield { labels: {}, value: read(of) }
    })
  source('ti_source_endpoints', 'endpoints configured', (of) => of.endpoints)
  source('ti_source_connected', 'endpoints that deliver', (of) => of.connected)
  source('ti_source_newest_slot', 'newest slot an endpoint has named, -1 none', (of) => of.newestSlot)
  source('ti_source_filling', 'slots that are being fetched one by one', (of) => of.filling)
  source('ti_source_missing', 'slots given up', (of) => of.missing)
  source('ti_source_held_bytes', 'bytes held back for earlier slots', (of) => of.heldBytes)
  const followed = 'mints and token accounts of holders whose transfers are asked for, and wallets whose payments'
  metrics.gauge('ti_source_followed', followed, ['what'], function* () {
    for (const [what, value] of Object.entries(status().source?.followed ?? {})) yield { labels: { what }, value }
  })
  metrics.counter('ti_source_total', 'what happened at the source', ['event'], function* () {
    for (const [event, value] of status().source?.counts ?? []) yield { labels: { event }, value }
  })
}
