import type { SegmentLog } from '../log/segments/segment-log.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { Connection } from './connection.ts'
import type { Meta, StatePosition } from './meta.ts'

export const STATE_CHECKPOINT = {
  /** bytes of records after which the state's write-ahead log is moved into its file, and after which a commit waits for that: the
   * log has some six times as many, because it holds whole pages */
  bytes: 1 << 20,
  bytesMax: 4 << 20,
}

/** The state's files as found on opening. */
export interface FoundFiles {
  /** The generation in the main file alone; null if unreadable. */
  readonly generation: number | null
  /** Size of its write-ahead log. */
  readonly walBytes: number
}

export interface CommitsParts {
  readonly connection: Connection
  readonly meta: Meta
  /** Null if this process does not write. */
  readonly log: Pick<SegmentLog, 'sync' | 'discard' | 'chain'> | null
  readonly checkpointer: Checkpointer | null
  /** STATE_CHECKPOINT by default. */
  readonly bounds?: Readonly<typeof STATE_CHECKPOINT>
  /** Null if this process does not write. */
  readonly found: FoundFiles | null
  /** Called after a rollback. */
  readonly onRollback: () => void
}

/**
 * Transactions of the state, each after the log entries that it folds.
 * Keeps one read transaction open between commits, because taking and releasing a lock per read doubles its cost. The
 * write-ahead log is checkpointed now and then, in parallel. `generation` and `floor` later show whether the two files
 * belong together.
 */
export function createCommits(parts: CommitsParts) {
  const { connection, meta, log, checkpointer, bounds = STATE_CHECKPOINT, found, onRollback } = parts
  const { generation: base, walBytes } = found ?? { generation: null, walBytes: 0 }
  const [begin, beginWriting, end, undo] = ['begin', 'begin immediate', 'commit', 'rollback'].map(connection.prepare)
  const run = (statement: typeof begin): void => void connection.guarded(() => statement!.run())
  run(begin)
  let position = meta.position()
  // without a write-ahead log the main file is complete and synced
  let floor = Math.max(position.floor, walBytes === 0 ? (base ?? 0) : 0)
  /** distinguishes this opening's writes from a failed one's leftovers in the main file */
  let isFirst = true
  // a killed process's log counts, otherwise repeated kills would let it grow without bound
  let checkpointedAt = -walBytes
  let staged: StatePosition | null = null

  const behind = (): number => connection.written() - checkpointedAt
  const isUrgent = (): boolean => behind() > bounds.bytesMax
  const isDue = (): boolean =>
    checkpointer !== null && behind() > bounds.bytes && (!checkpointer.running() || isUrgent())

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
    position: (): StatePosition => position,
    /** All or nothing. The log is synced before the state records its entries as folded. */
    transaction<T>(work: () => T): T {
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
        // if this fails, the next read reports why
        quietly(() => begin!.run())
      }
    },
    /** Sets, within a transaction, the state's position at its commit; the log's checksum is filled in. */
    stage(next: StatePosition): void {
      staged = next
    },
    /** For readers of another process's state: `work` reads one consistent, current commit. */
    snapshot<T>(work: () => T): T {
      quietly(() => end!.run())
      run(begin)
      try {
        position = meta.position()
        return work()
      } finally {
        run(end)
      }
    },
    /** Must be called before the connection is closed. */
    async close(): Promise<void> {
      await checkpointer?.close()
      quietly(() => end!.run())
      if (log === null || (isFirst && walBytes === 0)) return
      quietly(() => {
        run(beginWriting)
        meta.writePosition({ ...position, generation: position.generation + 1, floor })
        run(end)
      })
      quietly(() => undo!.run())
      // the package closes a connection only when its statements are collected, which is when SQLite would do this
      quietly(() => connection.exec('pragma wal_checkpoint(truncate)'))
    },
  }
}

function quietly(work: () => unknown): void {
  try {
    work()
  } catch {}
}
