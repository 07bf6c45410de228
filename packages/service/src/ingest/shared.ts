import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { OperatorError } from '../base/errors.ts'
import { JETSTREAM, type JetStreamBounds } from '../log/jetstream/connect.ts'
import { createJoiner } from '../log/jetstream/message.ts'
import { createPublisher, type Publisher } from '../log/jetstream/publish.ts'
import type { LogStream } from '../log/jetstream/stream.ts'
import {
  aheadOfTheEnd,
  behindTheBeginning,
  createPlaces,
  createTail,
  otherLog,
  type Position,
  type Tail,
} from '../log/jetstream/tail.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

interface SharedOptions {
  readonly stream: LogStream
  /** The end of this node's state. */
  readonly position: () => Omit<Position, 'sequence'>
  /** This node's newest entry, null if none; the log must have the same one. */
  readonly newest?: () => Buffer | null
  /** The entries that this node contributes; null for a read-only node. */
  readonly source: EntryStream | null
  /** Called at each failed attempt to write, except when another node was first. */
  readonly onTrouble?: (error: unknown) => void
  /** JETSTREAM by default. */
  readonly bounds?: JetStreamBounds
}

/** The end of an engine's state. */
export const positionOf = ({ globals }: Pick<Engine, 'globals'>): Omit<Position, 'sequence'> => ({
  seq: globals.seq,
  slot: globals.slot,
  time: globals.time,
  facts: globals.factsSince,
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

interface SharedEntryStream extends EntryStream {
  shared(): SharedStatus | null
}

/**
 * The log shared by several nodes, as the entries that each of them folds. A node's own entries go to the stream first
 * and are folded when they come back, in the order that all nodes see.
 */
export function createSharedEntryStream(options: SharedOptions): SharedEntryStream {
  const { stream, position, source, bounds = JETSTREAM } = options
  let shared: SharedStatus | null = null
  return {
    counts: source?.counts ?? createCounts(),
    status: () => source?.status?.() ?? null,
    shared: () => shared,
    async *batches(_, signal) {
      const stop = new AbortController()
      const both = AbortSignal.any([signal, stop.signal])
      try {
        const start = position()
        const sequence = await placeIn(stream, start.seq, bounds)
        await assertSame(stream, start.seq, options.newest?.() ?? null, signal)
        const tail = createTail({ ...start, sequence })
        const until = createMilestones(() => tail.at.sequence)
        const publisher = createWriter(options, tail, until.reached)
        let failure: unknown = null
        if (source !== null) {
          // earlier entries are read before this node adds its own
          const last = await stream.last()
          void until
            .reached(last)
            .then(() => bring(source, publisher, tail, both))
            .catch((error: unknown) => {
              failure = error
              stop.abort()
            })
        }
        for await (const messages of stream.messages(sequence, both)) {
          const batch: Buffer[] = []
          for (const message of messages) {
            const entry = tail.take(message)
            if (entry === null) continue
            publisher.saw(message.id)
            batch.push(entry)
          }
          shared = { read: tail.at.sequence, pending: messages.at(-1)!.pending, atMs: Date.now() }
          until.check()
          if (batch.length > 0) yield batch satisfies EncodedBatch
        }
        if (failure !== null) throw failure
      } catch (error) {
        // a stopping node makes no more requests, so unreachable servers are no failure
        if (!signal.aborted) throw error
      } finally {
        stop.abort()
      }
    },
  }
}

/** The message after which a node with entries up to `seq` continues. */
async function placeIn(stream: LogStream, seq: number, bounds: JetStreamBounds): Promise<number> {
  const deadline = Date.now() + bounds.startMs
  for (;;) {
    const found = await stream.locate(seq)
    if ('after' in found) return found.after
    if ('behind' in found) throw new OperatorError(behindTheBeginning(seq, found.behind))
    // returning servers catch up first, and one just cut off from its cluster lacks the end
    if (Date.now() >= deadline) throw new OperatorError(aheadOfTheEnd(seq, found.ahead))
    await sleep(bounds.reconnectMs)
  }
}

/** Verifies this node's newest entry, if the stream still has it. Another one means the log of other nodes. */
async function assertSame(stream: LogStream, seq: number, mine: Buffer | null, signal: AbortSignal): Promise<void> {
  if (mine === null) return
  const before = await stream.locate(seq - 1)
  if (!('after' in before)) return
  const stop = new AbortController()
  const joiner = createJoiner()
  try {
    if ((await stream.last()) <= before.after) return
    for await (const messages of stream.messages(before.after, AbortSignal.any([signal, stop.signal]))) {
      for (const message of messages) {
        const theirs = joiner.take(message)
        if (theirs === null) continue
        if (message.seq > seq || theirs.equals(mine)) return
        throw new OperatorError(otherLog(seq))
      }
    }
  } finally {
    stop.abort()
  }
}

function createWriter(
  { stream, onTrouble, bounds = JETSTREAM }: SharedOptions,
  tail: Tail,
  reached: (sequence: number) => Promise<void>,
): Publisher {
  return createPublisher({
    stream,
    tail,
    reached,
    writer: randomBytes(9).toString('base64url'),
    pause(trouble) {
      if (trouble !== null) onTrouble?.(trouble)
      return sleep(trouble === null ? Math.random() * bounds.retryMs : bounds.reconnectMs)
    },
  })
}

/** Publishes the source's entries. When the source ends, the node becomes read-only. */
async function bring(source: EntryStream, publisher: Publisher, tail: Tail, signal: AbortSignal): Promise<void> {
  const { slot, time, facts } = tail.at
  const placeOf = createPlaces({ slot, facts })
  for await (const batch of source.batches({ slot, time, facts }, signal)) {
    await publisher.offer(batch.map((bytes) => ({ bytes, place: placeOf(bytes) })))
  }
}

/** Promises that resolve when a counter reaches a number. */
function createMilestones(at: () => number) {
  let waiting: { readonly sequence: number; readonly done: () => void }[] = []
  return {
    reached: (sequence: number): Promise<void> =>
      new Promise((done) => {
        if (at() >= sequence) done()
        else waiting.push({ sequence, done })
      }),
    check(): void {
      const here = waiting.filter(({ sequence }) => at() >= sequence)
      waiting = waiting.filter(({ sequence }) => at() < sequence)
      for (const { done } of here) done()
    },
  }
}
