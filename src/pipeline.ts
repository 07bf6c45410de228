import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Block, LogEntry } from './decode/events.ts'
import type { Engine } from './engine/engine.ts'
import type { EventLog } from './log/log.ts'
import type { Source, SourceItem } from './source/source.ts'
import type { RawBlock } from './source/types.ts'
import type { Store } from './store/store.ts'

/**
 * source → decode → log → engine → store. Folding and committing happen in one synchronous section, log entry, changed
 * state and cursor in one store transaction: whoever reads, reads what is durable against kill -9.
 */
export interface Pipeline {
  /** runs until the source ends or `signal` aborts; everything taken from the source is committed when it returns */
  run(signal: AbortSignal): Promise<void>
  readonly progress: PipelineProgress
}

export interface PipelineProgress {
  blocks: number
  events: number
  commits: number
  /** blocks at or before the last slot, given again by the source */
  repeated: number
  /** a block close to the clock was folded: the source has caught up */
  live: boolean
  /** the source has ended */
  ended: boolean
}

export interface PipelineOptions {
  readonly source: Source
  readonly decodeBlock: (block: RawBlock) => Block
  readonly engine: Engine
  readonly log: EventLog
  readonly store: Pick<Store, 'transaction' | 'write'>
  /** Unix milliseconds: tells live blocks from history, never enters the fold */
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
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { source, engine, log, store, now, bounds } = options
  const progress: PipelineProgress = { blocks: 0, events: 0, commits: 0, repeated: 0, live: false, ended: false }
  let pending: LogEntry[] = []
  let pendingEvents = 0
  let pendingSince = 0

  function take(item: SourceItem): void {
    const entry = toEntry(item, options.decodeBlock)
    if (entry.kind === 'block') {
      const last = lastSlot(pending) ?? engine.globals.slot
      if (entry.slot <= last) {
        progress.repeated++
        return
      }
      progress.live = now() / 1000 - entry.time <= bounds.liveLagSeconds
    }
    if (pending.length === 0) pendingSince = now()
    pending.push(entry)
    pendingEvents += 1 + (entry.kind === 'block' ? entry.events.length : 0)
  }

  function commit(): void {
    store.transaction(() => {
      for (const entry of pending) {
        const seq = engine.globals.seq + 1
        log.append(seq, entry)
        engine.apply(seq, entry)
      }
      store.write(engine.changes())
    })
    engine.committed()
    for (const entry of pending) if (entry.kind === 'block') progress.blocks++
    progress.events += pendingEvents
    progress.commits++
    pending = []
    pendingEvents = 0
    options.onCommit?.(progress)
  }

  async function run(signal: AbortSignal): Promise<void> {
    const { slot, time, factsSince } = engine.globals
    const cursor = { slot, time, facts: factsSince }
    const items = source.items(cursor, signal)[Symbol.asyncIterator]()
    try {
      for (let next = items.next(); ; next = items.next()) {
        if (pending.length > 0) {
          const left = bounds.commitDelayMs - (now() - pendingSince)
          if (left <= 0 || !(await arrivesWithin(next, left))) commit()
        }
        const result = await next
        if (result.done === true || signal.aborted) break
        take(result.value)
        if (pendingEvents >= bounds.commitEvents || (progress.live && pending.length > 0)) {
          commit()
          await setImmediate()
        }
      }
      if (pending.length > 0) commit()
      progress.ended = !signal.aborted
    } finally {
      await items.return?.()
    }
  }

  return { run, progress }
}

/** False when `next` is still open after `ms`; costs nothing when it is ready at once. */
async function arrivesWithin(next: Promise<unknown>, ms: number): Promise<boolean> {
  const stop = new AbortController()
  const done = next.then(
    () => true,
    () => true,
  )
  if (await Promise.race([done, setImmediate(false)])) return true
  const late = setTimeout(ms, false, { signal: stop.signal }).catch(() => false)
  const arrived = await Promise.race([done, late])
  stop.abort()
  return arrived
}

function toEntry(item: SourceItem, decodeBlock: (block: RawBlock) => Block): LogEntry {
  if (item.kind === 'raw') return decodeBlock(item.block)
  if (item.kind === 'facts') return item
  return { kind: 'block', slot: item.slot, parent: item.parent, time: item.time, events: item.events }
}

function lastSlot(entries: readonly LogEntry[]): number | undefined {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i]!
    if (entry.kind === 'block') return entry.slot
  }
  return undefined
}
