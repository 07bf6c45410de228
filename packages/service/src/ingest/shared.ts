import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { isLogToBeNamed } from '../log/chain.ts'
import { JETSTREAM, type JetStreamBounds } from '../log/jetstream/connect.ts'
import type { Delivered } from '../log/jetstream/message.ts'
import { createPublisher, type Publisher } from '../log/jetstream/publish.ts'
import { LogLost, type LogStream } from '../log/jetstream/stream.ts'
import { createPlaces, createTail, type Position, type Tail } from '../log/jetstream/tail.ts'
import type { EventLog } from '../log/log.ts'
import type { Source } from '../source/source.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'
import { placeIn } from './place.ts'

export interface SharedOptions {
  readonly stream: LogStream
  /** The end of this node's state. */
  readonly position: () => Omit<Position, 'sequence'>
  /** This node's own log, with the entries up to that position; the shared log must have the same. */
  readonly own: Pick<EventLog, 'oldest' | 'bytes'>
  /** The entries that this node contributes; null for a read-only node. */
  readonly source: EntryStream | null
  /** The chain of the source, see Source. It is compared before the whole log was read, too. */
  readonly chain?: Source['chain']
  /** Called at each failed attempt to write, except when another node was first. */
  readonly onTrouble?: (error: unknown) => void
  /** Called when the log is found lost, and with the number of entries that this node has given back to it. */
  readonly onLost?: (error: LogLost) => void
  readonly onRestored?: (entries: number) => void
  /** JETSTREAM by default. */
  readonly bounds?: JetStreamBounds
}

/** The end of an engine's state. */
export const positionOf = ({ globals }: Pick<Engine, 'globals'>): Omit<Position, 'sequence'> => ({
  seq: globals.seq,
  slot: globals.slot,
  time: globals.time,
  facts: globals.factsSince,
  chain: globals.chain,
})

/** This node's position in the shared log. */
export interface SharedStatus {
  /** Sequence number of the newest message read. */
  readonly read: number
  /** The number of messages after it. */
  readonly pending: number
  /** Unix milliseconds of the reading. */
  readonly atMs: number
}

/** `away`: no server answers. `lost`: they answer without the log or its end, which the nodes give back to them. */
export type LogProblem = 'away' | 'lost'

interface SharedEntryStream extends EntryStream {
  /** Null before the first reading. */
  shared(): SharedStatus | null
  problem(): LogProblem | null
}

/**
 * The log shared by several nodes, as the entries that each of them folds. A node's own entries go to the stream first
 * and are folded when they come back, in the order that all nodes see.
 */
export function createSharedEntryStream(options: SharedOptions): SharedEntryStream {
  const { stream, position, source, bounds = JETSTREAM } = options
  let shared: SharedStatus | null = null
  let isLost = false
  const onRestored = (entries: number): void => {
    isLost = true
    options.onRestored?.(entries)
  }

  async function* follow(signal: AbortSignal): AsyncGenerator<EncodedBatch> {
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const tail = createTail({ ...position(), sequence: 0 })
    const until = createMilestones(() => tail.at.sequence)
    const gate = createGate()
    const publisher = createWriter(options, tail, until.reached, gate.opened)
    const { own, onTrouble = () => {} } = options
    const parts = { stream, own, onRestored, onTrouble, bounds, signal: both }
    const fail = (error: unknown): void => {
      failure ??= error
      stop.abort()
    }
    let isBringing = false
    let failure: unknown = null

    /** Earlier entries are read before this node adds its own. */
    async function start(from: EntryStream): Promise<void> {
      const last = await stream.last()
      if (isBringing) return
      isBringing = true
      void until
        .reached(last)
        .then(() => bring(from, publisher, tail, both))
        .catch(fail)
    }

    if (options.chain !== undefined) compareChains(options.chain, stream, both).catch(fail)
    try {
      for (let isOver = false; !isOver; ) {
        try {
          tail.moveTo(await placeIn({ ...parts, chain: tail.at.chain }, tail.at.seq))
          until.release()
          // nodes that are ahead of this one give back what only they have, before anything new comes
          gate.open(isLost ? bounds.settleMs : 0)
          isLost = false
          if (source !== null) await start(source)
          for await (const messages of stream.messages(tail.at.sequence, both)) {
            const batch = takeAll(messages, tail, publisher)
            shared = { read: tail.at.sequence, pending: messages.at(-1)!.pending, atMs: Date.now() }
            until.check()
            if (batch.length > 0) yield batch
          }
          isOver = true
        } catch (error) {
          if (!(error instanceof LogLost)) throw error
          isLost = true
          gate.close()
          options.onLost?.(error)
          await untilFolded(position, tail.at.seq, bounds, both)
          await stream.renew()
        }
      }
      if (failure !== null) throw failure
    } catch (error) {
      // a stopping node makes no more requests, so unreachable servers are no failure
      if (!signal.aborted) throw error
    } finally {
      stop.abort()
    }
  }

  return {
    counts: source?.counts ?? createCounts(),
    status: () => source?.status?.() ?? null,
    shared: () => shared,
    problem: () => (isLost ? 'lost' : stream.isAway() ? 'away' : null),
    batches: (_, signal) => follow(signal),
  }
}

/** Refuses a source of another chain at once: reading the whole log before that can take hours. */
async function compareChains(
  chainOf: NonNullable<Source['chain']>,
  stream: LogStream,
  signal: AbortSignal,
): Promise<void> {
  const [mine, log] = [await chainOf(signal), await stream.chain().catch(() => null)]
  if (!signal.aborted && log !== null) isLogToBeNamed(log, mine)
}

function takeAll(messages: readonly Delivered[], tail: Tail, publisher: Publisher): EncodedBatch {
  const batch: Buffer[] = []
  for (const message of messages) {
    const entry = tail.take(message)
    if (entry === null) continue
    publisher.saw(message.id)
    batch.push(entry)
  }
  return batch
}

/** Waits until this node's own log has everything that was read: only that can be given back. */
async function untilFolded(
  position: SharedOptions['position'],
  seq: number,
  bounds: JetStreamBounds,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + bounds.startMs
  while (position().seq < seq && !signal.aborted) {
    if (Date.now() > deadline) throw new Error(`entry ${seq} was read and is not folded`)
    await sleep(bounds.reconnectMs)
  }
}

function createWriter(
  { stream, onTrouble, bounds = JETSTREAM }: SharedOptions,
  tail: Tail,
  reached: (sequence: number) => Promise<void>,
  ready: () => Promise<void>,
): Publisher {
  /** The end of the log; after a loss, that of what the reader goes on with. */
  async function last(): Promise<number> {
    try {
      return await stream.last()
    } catch (error) {
      if (!(error instanceof LogLost)) throw error
      await sleep(bounds.reconnectMs)
      return 0
    }
  }
  return createPublisher({
    stream: { partBytes: stream.partBytes, write: stream.write, last },
    tail,
    reached,
    ready,
    writer: randomBytes(9).toString('base64url'),
    pause(trouble) {
      if (trouble !== null) onTrouble?.(trouble)
      return sleep(trouble === null ? Math.random() * bounds.retryMs : bounds.reconnectMs)
    },
  })
}

/** Publishes the source's entries. When the source ends, the node becomes read-only. */
async function bring(source: EntryStream, publisher: Publisher, tail: Tail, signal: AbortSignal): Promise<void> {
  const { slot, time, facts, chain } = tail.at
  const placeOf = createPlaces({ slot, facts })
  for await (const batch of source.batches({ slot, time, facts, chain }, signal)) {
    await publisher.offer(batch.map((bytes) => ({ bytes, place: placeOf(bytes) })))
  }
}

/** Closed at first. Who waits goes on when it has been open for as long as its last opening said. */
function createGate() {
  let isOpen = false
  let opensAt = 0
  let wake = (): void => {}
  let changed = newChange()
  function newChange(): Promise<void> {
    return new Promise((done) => {
      wake = done
    })
  }
  return {
    open(inMs: number): void {
      isOpen = true
      opensAt = performance.now() + inMs
      wake()
    },
    close(): void {
      if (!isOpen) return
      isOpen = false
      changed = newChange()
    },
    async opened(): Promise<void> {
      for (;;) {
        if (!isOpen) await changed
        const left = opensAt - performance.now()
        if (isOpen && left <= 0) return
        if (left > 0) await sleep(left)
      }
    },
  }
}

/** Promises that resolve when a counter reaches a number. */
function createMilestones(at: () => number) {
  let waiting: { readonly sequence: number; readonly done: () => void }[] = []
  const resolve = (isDue: (sequence: number) => boolean): void => {
    const due = waiting.filter(({ sequence }) => isDue(sequence))
    waiting = waiting.filter(({ sequence }) => !isDue(sequence))
    for (const { done } of due) done()
  }
  return {
    reached: (sequence: number): Promise<void> =>
      new Promise((done) => {
        if (at() >= sequence) done()
        else waiting.push({ sequence, done })
      }),
    check: (): void => resolve((sequence) => at() >= sequence),
    /** Numbers of an earlier stream are reached by no other. */
    release: (): void => resolve(() => true),
  }
}
