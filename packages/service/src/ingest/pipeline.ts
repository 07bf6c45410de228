import { setImmediate } from 'node:timers/promises'
import { createPace } from '@ti/core/base/pace.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { arrivesWithin } from '../base/arrival.ts'
import { readHead } from '../log/codec.ts'
import type { DiskRoom } from '../store/disk-room.ts'
import type { Store } from '../store/store.ts'
import { type CommitParts, commitEntries } from './commit.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/**
 * entries → log → engine → store. Folding and committing are one synchronous section, with log entry, changed state and
 * cursor in one store transaction, so readers see only durable state. The engine folds entries as read back from the
 * log's bytes.
 */
export type Pipeline = ReturnType<typeof createPipeline>

export interface PipelineProgress {
  blocks: number
  events: number
  commits: number
  /** Blocks and gaps that the source repeated. */
  repeated: number
  /** Unix milliseconds of the last commit with a block; initially of the start. */
  blockMs: number
  /** True while the newest block is close to the current time. */
  live: boolean
  /** True once the source has ended. */
  ended: boolean
  /** A commit failed: memory is ahead of the store and must not be read any more. */
  failed: boolean
}

export interface PipelineOptions {
  readonly entries: EntryStream
  readonly engine: Engine
  readonly store: Pick<Store, 'transaction' | 'append' | 'write' | 'writeTrades'>
  /** Unix milliseconds. Only tells live blocks from history; never enters the fold. */
  readonly now: () => number
  readonly bounds: {
    /** The largest number of events between two commits. */
    readonly commitEvents: number
    /** Milliseconds that a commit should take now, for readers who wait for it; left out: as long as `commitEvents` take. */
    readonly commitMs?: (() => number) | undefined
    /** The longest delay of a commit, milliseconds. */
    readonly commitDelayMs: number
    /** A block at most this many seconds behind the clock counts as live and is committed alone. */
    readonly liveLagSeconds: number
  }
  /** The disk's room for a commit; left out: a commit that finds none fails. */
  readonly room?: Pick<DiskRoom, 'wait'> | undefined
  readonly onCommit?: (progress: PipelineProgress) => void
  /** Called before and after each entry is folded, within the commit: the state is not durable yet. */
  readonly beforeEntry?: (bytes: Buffer) => void
  readonly afterEntry?: () => void
  readonly beforeWrite?: NonNullable<CommitParts['beforeWrite']>
}

/** events of the first commit, before it is known how many take `commitMs` */
const FIRST_EVENTS = 64

export function createPipeline(options: PipelineOptions) {
  const { engine, now, bounds, room } = options
  const { commitEvents: most, commitMs = () => Number.POSITIVE_INFINITY } = bounds
  const pace = createPace({
    first: bounds.commitMs === undefined ? most : FIRST_EVENTS,
    most,
    get targetMs() {
      return commitMs()
    },
  })
  const none = { blocks: 0, events: 0, commits: 0, repeated: 0 }
  const progress: PipelineProgress = { ...none, blockMs: now(), live: false, ended: false, failed: false }
  let pending: Buffer[] = []
  let pendingBlocks = 0
  let pendingEvents = 0
  let pendingSince = 0
  let lastSlot = engine.globals.slot

  function take(bytes: Buffer): void {
    const head = readHead(engine.globals.seq + 1 + pending.length, bytes)
    if (head.slot >= 0) {
      if (head.slot <= lastSlot) {
        progress.repeated++
        return
      }
      lastSlot = head.slot
    }
    if (head.kind === 'block') {
      progress.live = now() / 1000 - head.time <= bounds.liveLagSeconds
      pendingBlocks++
    }
    if (pending.length === 0) pendingSince = now()
    pending.push(bytes)
    pendingEvents += 1 + head.events
  }

  function commit(): void {
    const began = performance.now()
    try {
      commitEntries(options, pending, true)
    } catch (error) {
      // in the same turn, because ending the run takes several, in which others could read
      progress.failed = true
      throw error
    }
    pace.took(pendingEvents, performance.now() - began)
    if (pendingBlocks > 0) progress.blockMs = now()
    progress.blocks += pendingBlocks
    progress.events += pendingEvents
    progress.commits++
    pending = []
    pendingBlocks = 0
    pendingEvents = 0
    options.onCommit?.(progress)
  }

  /** False if there was no room until `signal` aborted: what is pending comes again after the next start. */
  async function commitWithRoom(signal: AbortSignal): Promise<boolean> {
    const hasRoom = room === undefined || (await room.wait(signal))
    if (hasRoom) commit()
    return hasRoom
  }

  async function takeAll(batch: EncodedBatch, signal: AbortSignal): Promise<boolean> {
    for (const bytes of batch) {
      take(bytes)
      if (pendingEvents < pace.units() && !(progress.live && pending.length > 0)) continue
      if (!(await commitWithRoom(signal))) return false
      await setImmediate()
    }
    return true
  }

  async function run(signal: AbortSignal): Promise<void> {
    const { slot, time, factsSince, chain } = engine.globals
    const batches = options.entries.batches({ slot, time, facts: factsSince, chain }, signal)[Symbol.asyncIterator]()
    try {
      for (let next = batches.next(); ; next = batches.next()) {
        if (pending.length > 0) {
          const left = bounds.commitDelayMs - (now() - pendingSince)
          if ((left <= 0 || !(await arrivesWithin(next, left))) && !(await commitWithRoom(signal))) return
        }
        const { done, value } = await next
        if (done === true || signal.aborted) break
        if (!(await takeAll(value, signal))) return
      }
      if (pending.length > 0 && !(await commitWithRoom(signal))) return
      progress.ended = !signal.aborted
    } finally {
      await batches.return?.()
    }
  }

  return {
    /** Runs until the source ends or `signal` aborts. Everything taken from the source is committed when it returns. */
    run,
    progress,
  }
}
