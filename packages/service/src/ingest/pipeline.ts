import { setImmediate } from 'node:timers/promises'
import type { Engine } from '@ti/core/engine/engine.ts'
import { arrivesWithin } from '../base/arrival.ts'
import { readHead } from '../log/codec.ts'
import type { Store } from '../store/store.ts'
import { type CommitParts, commitEntries } from './commit.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/**
 * entries → log → engine → store. Folding and committing happen in one synchronous section, log entry, changed state and
 * cursor in one store transaction: readers see only what is durable. What is folded is what the log holds, read back
 * from its bytes.
 */
export interface Pipeline {
  /** runs until the source ends or `signal` aborts; everything taken from it is committed when it returns */
  run(signal: AbortSignal): Promise<void>
  readonly progress: PipelineProgress
}

export interface PipelineProgress {
  blocks: number
  events: number
  commits: number
  /** blocks and gaps up to the last slot, given again by the source */
  repeated: number
  /** Unix milliseconds of the last commit with a block, at first of the start */
  blockMs: number
  /** the newest block is close to the clock */
  live: boolean
  /** the source has ended */
  ended: boolean
  /** a commit has failed: memory is ahead of the store, nothing may be read from it any more */
  failed: boolean
}

export interface PipelineOptions {
  readonly entries: EntryStream
  readonly engine: Engine
  readonly store: Pick<Store, 'transaction' | 'append' | 'write' | 'writeTrades'>
  /** Unix milliseconds: separates live blocks from history, never enters the fold */
  readonly now: () => number
  readonly bounds: {
    /** events between two commits at the most */
    readonly commitEvents: number
    /** milliseconds what was taken may wait for its commit */
    readonly commitDelayMs: number
    /** seconds behind the clock up to which a block counts as live and commits alone */
    readonly liveLagSeconds: number
  }
  readonly onCommit?: (progress: PipelineProgress) => void
  /** around the folding of each entry, within the commit: what is seen there is not durable yet */
  readonly beforeEntry?: (bytes: Buffer) => void
  readonly afterEntry?: () => void
  readonly beforeWrite?: NonNullable<CommitParts['beforeWrite']>
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { engine, now, bounds } = options
  const none = { blocks: 0, events: 0, commits: 0, repeated: 0 }
  const progress: PipelineProgress = { ...none, blockMs: now(), live: false, ended: false, failed: false }
  let pending: Buffer[] = []
  let pendingBlocks = 0
  let pendingEvents = 0
  let pendingSince = 0
  let lastSlot = engine.globals.slot

  function take(bytes: Buffer): void {
    const head = readHead(engine.globals.seq + 1 + pending.length, bytes)
    if (head.kind !== 'facts') {
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
    try {
      commitEntries(options, pending, true)
    } catch (error) {
      // in the same turn: what ends the run takes several, in which others would read
      progress.failed = true
      throw error
    }
    if (pendingBlocks > 0) progress.blockMs = now()
    progress.blocks += pendingBlocks
    progress.events += pendingEvents
    progress.commits++
    pending = []
    pendingBlocks = 0
    pendingEvents = 0
    options.onCommit?.(progress)
  }

  async function takeAll(batch: EncodedBatch): Promise<void> {
    for (const bytes of batch) {
      take(bytes)
      if (pendingEvents < bounds.commitEvents && !(progress.live && pending.length > 0)) continue
      commit()
      await setImmediate()
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const { slot, time, factsSince } = engine.globals
    const batches = options.entries.batches({ slot, time, facts: factsSince }, signal)[Symbol.asyncIterator]()
    try {
      for (let next = batches.next(); ; next = batches.next()) {
        if (pending.length > 0) {
          const left = bounds.commitDelayMs - (now() - pendingSince)
          if (left <= 0 || !(await arrivesWithin(next, left))) commit()
        }
        const { done, value } = await next
        if (done === true || signal.aborted) break
        await takeAll(value)
      }
      if (pending.length > 0) commit()
      progress.ended = !signal.aborted
    } finally {
      await batches.return?.()
    }
  }

  return { run, progress }
}
