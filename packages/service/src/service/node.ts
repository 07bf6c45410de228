import { setImmediate } from 'node:timers/promises'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { Family } from '@ti/core/model/bundles.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { OperatorError } from '../base/errors.ts'
import { type HeldDataDir, holdDataDir } from '../base/lock.ts'
import { memoryShare } from '../base/memory.ts'
import { closeAll } from '../base/parts.ts'
import { commitEntries } from '../ingest/commit.ts'
import type { EntryStream } from '../ingest/entries.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from '../ingest/pipeline.ts'
import { readHead } from '../log/codec.ts'
import { DamagedState } from '../store/damage.ts'
import { setStateAside } from '../store/damaged-states.ts'
import { OtherFold, openStore } from '../store/open.ts'
import { removeOtherFold, setOtherFoldAside } from '../store/other-fold.ts'
import type { Store } from '../store/store.ts'

/** wallets kept in memory, about 600 bytes each, in a sixteenth of it at most; the rest is read from the store when they trade again */
export const WALLETS_CACHED = Math.floor(memoryShare(1 / 16, 200_000 * 600) / 600)
/** slots (10 minutes) after which unused positions and wallets leave memory: reading one again costs some 3 µs for a
 * position and 15 for a wallet. With a longer time, wallets that do not come back make memory grow for hours */
const QUIET_SLOTS = 1_500
/** `replay`: events between two commits, and milliseconds they may wait; large commits write each changed page once */
export const COMMIT_REPLAY = { events: 60_000, delayMs: 10_000 } as const
/** seconds behind the clock up to which a block counts as live and commits alone */
const LIVE_LAG_SECONDS = 10

/** positions checked after a commit for whether they leave memory: some 20 µs; a million in memory have their turn every 7 minutes */
const QUIET_VISITS = 1_000
export const REFOLD = {
  /** events between two commits of a state that is folded again, between which the event loop has its turn (about 0.2 s) */
  events: 5_000,
  /** log entries read at a time: some megabytes */
  entries: 1_000,
}

/** A data directory in use: locked, opened, its live state in memory. */
export type Node = Awaited<ReturnType<typeof openWhole>>

export interface FeedOptions
  extends Pick<PipelineOptions, 'room' | 'onCommit' | 'beforeEntry' | 'afterEntry' | 'beforeWrite'> {
  readonly commit: { readonly events: number; readonly delayMs: number; readonly ms?: () => number }
}

/** The progress of the fold that a directory needs before it can be used. */
export interface Preparation {
  readonly what: 'folding the log'
  /** Log entries. */
  readonly done: number
  readonly of: number
}

export interface NodeOptions {
  /** Evidence families to leave out when bundles are found. Only the evaluation uses this. */
  readonly hide?: readonly Family[]
  /** True if readers wait for commits: as much disk work as possible then happens in another thread. */
  readonly serving?: boolean
  /** Called while the log is folded, unless that takes no noticeable time. */
  readonly onPreparation?: (preparation: Preparation) => void
  /** Called when a damaged state was set aside to be folded again. */
  readonly onRepair?: (why: string, aside: string) => void
  /** Called when the state was folded by another build and has to be folded again. */
  readonly onOtherFold?: (error: OtherFold) => void
  /** Called for damage found while the node is in use. The caller has to close the node and open it again. */
  readonly onDamage?: (error: DamagedState) => void
  /** The directory's lock, if the caller already holds it. It is released with the node, or when opening fails. */
  readonly lock?: HeldDataDir
  /** Aborting ends the preparation, which continues at the next start. */
  readonly signal?: AbortSignal
}

/**
 * Opens a data directory. A state that is missing, damaged, behind its log or folded by another build is folded again from the
 * log. A damaged log is refused (DamagedLog), because no other file has its entries.
 */
export async function openNode(dataDir: string, options: NodeOptions = {}): Promise<Node> {
  const { lock = await holdDataDir(dataDir) } = options
  try {
    for (;;) {
      try {
        return await openWhole(dataDir, options, lock)
      } catch (error) {
        if (error instanceof OtherFold) {
          setOtherFoldAside(dataDir)
          options.onOtherFold?.(error)
        } else if (error instanceof DamagedState) {
          const aside = setStateAside(dataDir, error.message, Date.now())
          options.onRepair?.(error.message, aside)
        } else throw error
      }
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

const QUIET = { slots: QUIET_SLOTS, large: QUERY_BOUNDS.readingPositions, visits: QUIET_VISITS }

async function openWhole(dataDir: string, options: NodeOptions, lock: HeldDataDir) {
  const { hide = [], serving = false, onDamage } = options
  const store = openStore(dataDir, { serving, onDamage })
  try {
    const engine = createEngine({ reader: store, walletsCached: WALLETS_CACHED, quiet: QUIET, hide })
    await foldRest(store, engine, options)
    removeOtherFold(dataDir)
    return {
      store,
      engine,
      /** The number of files in the directory that other users could read until now. */
      opened: lock.opened,
      /** Starts a pipeline that feeds this node. */
      feed: (entries: EntryStream, { commit, ...hooks }: FeedOptions): Pipeline =>
        createPipeline({
          entries,
          engine,
          store,
          now: Date.now,
          bounds: {
            commitEvents: commit.events,
            commitMs: commit.ms,
            commitDelayMs: commit.delayMs,
            liveLagSeconds: LIVE_LAG_SECONDS,
          },
          ...hooks,
        }),
      close: (): Promise<void> => closeAll([store.close, lock.release]),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Folds the entries that the log has and the state lacks: a few after a power cut, all of them after a repair. */
async function foldRest(store: Store, engine: Engine, { onPreparation, signal }: NodeOptions): Promise<void> {
  const { globals } = engine
  const last = store.log.newest()
  const first = globals.seq + 1
  while (globals.seq < last) {
    if (signal?.aborted) throw new OperatorError('interrupted: the next start continues from here')
    commitEntries({ engine, store }, nextPiece(store, globals.seq + 1), false)
    onPreparation?.({ what: 'folding the log', done: globals.seq + 1 - first, of: last + 1 - first })
    await setImmediate()
  }
}

/** Returns the entries of one commit, as many events as one commit of `replay` has. */
function nextPiece(store: Store, seq: number): Buffer[] {
  const piece: Buffer[] = []
  for (let events = 0; events < REFOLD.events; ) {
    const bytes = store.log.bytes(seq + piece.length, REFOLD.entries)
    if (bytes.length === 0) break
    for (const entry of bytes) {
      piece.push(entry)
      events += 1 + readHead(seq + piece.length - 1, entry).events
    }
  }
  return piece
}
