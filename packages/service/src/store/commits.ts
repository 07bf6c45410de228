import type { SegmentLog } from '../log/segments/segment-log.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { Connection } from './connection.ts'
import type { Meta, StatePosition } from './meta.ts'

/** Those of LIMITS with the same names. */
export type CommitBounds = Readonly<Record<'stateCheckpointBytes' | 'stateCheckpointBytesMax', number>>

/** Transactions of the state, each behind the log entries that it is a fold of. */
interface Commits {
  readonly position: () => StatePosition
  /** all or nothing; the log is on disk before the state says that it was folded */
  transaction<T>(work: () => T): T
  /** within a transaction: the position of the state at its commit; the log's part is filled in */
  stage(position: StatePosition): void
  /** for a reader of another's state: `work` reads what is committed now, all of it as of one commit */
  snapshot<T>(work: () => T): T
  /** before the connection is closed */
  close(): Promise<void>
}

/** The state's files as an opening finds them. */
export interface FoundFiles {
  /** that the main file alone says; null where it says none */
  readonly generation: number | null
  /** of its write-ahead log */
  readonly walBytes: number
}

export interface CommitsParts {
  readonly connection: Connection
  readonly meta: Meta
  /** null: this process does not write */
  readonly log: Pick<SegmentLog, 'sync' | 'discard' | 'chain'> | null
  readonly checkpointer: Checkpointer | null
  readonly bounds: CommitBounds
  /** null: this process does not write */
  readonly found: FoundFiles | null
  /** what was written is undone */
  readonly onRollback: () => void
}

/**
 * Between two transactions one snapshot stays open, because reads that each take and release a lock cost twice as much. The
 * write-ahead log is moved into the main file now and then, in parallel; `generation` and `floor` later show whether the two
 * files belong together.
 */
export function createCommits(parts: CommitsParts): Commits {
  const { connection, meta, log, checkpointer, bounds, found, onRollback } = parts
  const { generation: base, walBytes } = found ?? { generation: null, walBytes: 0 }
  const [begin, beginWriting, end, undo] = ['begin', 'begin immediate', 'commit', 'rollback'].map(connection.prepare)
  const run = (statement: typeof begin): void => void connection.guarded(() => statement!.run())
  run(begin)
  let position = meta.position()
  // without a write-ahead log the main file is all there is, and is synced
  let floor = Math.max(position.floor, walBytes === 0 ? (base ?? 0) : 0)
  /** distinguishes what this opening writes from what a failed one left in the main file */
  let isFirst = true
  // what a process that was killed left there counts: killed again and again it would grow without end
  let checkpointedAt = -walBytes
  let staged: StatePosition | null = null

  const behind = (): number => connection.written() - checkpointedAt
  const isUrgent = (): boolean => behind() > bounds.stateCheckpointBytesMax
  const isDue = (): boolean =>
    checkpointer !== null && behind() > bounds.stateCheckpointBytes && (!checkpointer.running() || isUrgent())

  function commit(): StatePosition {
    log!.sync()
    if (staged === null) {
      run(end)
      return position
    }
    const chain = log!.chain(staged.seq)
    if (chain === undefined) throw new Error(`the log has no entry ${staged.seq}, so its changes cannot be committed`)
    const next = { ...staged, chain, generation: position.generation + (isFirst || isDue() ? 1 : 0), floor }
    meta.writePosition(next)
    run(end)
    isFirst = false
    return next
  }

  function checkpoint(): void {
    if (!isDue()) return
    const at = connection.written()
    const { generation } = position
    checkpointer!.run(isUrgent(), () => {
      checkpointedAt = at
      floor = generation
    })
  }

  return {
    position: () => position,
    transaction(work) {
      if (log === null) throw new Error('this store was opened read-only')
      run(end)
      try {
        run(beginWriting)
        staged = null
        const result = connection.guarded(work)
        position = commit()
        checkpoint()
        return result
      } catch (error) {
        // SQLite may have rolled back by itself
        quietly(() => undo!.run())
        log.discard()
        onRollback()
        throw error
      } finally {
        staged = null
        // where that fails the next reading says why
        quietly(() => begin!.run())
      }
    },
    stage(next) {
      staged = next
    },
    snapshot(work) {
      quietly(() => end!.run())
      run(begin)
      try {
        position = meta.position()
        return work()
      } finally {
        run(end)
      }
    },
    async close() {
      await checkpointer?.close()
      quietly(() => end!.run())
      if (log === null || (isFirst && walBytes === 0)) return
      quietly(() => {
        run(beginWriting)
        meta.writePosition({ ...position, generation: position.generation + 1, floor })
        run(end)
      })
      quietly(() => undo!.run())
      // the package ends a connection only when its statements are collected, which is when SQLite would do this by itself
      quietly(() => connection.exec('pragma wal_checkpoint(truncate)'))
    },
  }
}

function quietly(work: () => unknown): void {
  try {
    work()
  } catch {}
}
