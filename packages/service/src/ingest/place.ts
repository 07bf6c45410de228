import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../base/errors.ts'
import { foreignLog } from '../log/chain.ts'
import type { JetStreamBounds } from '../log/jetstream/connect.ts'
import { createJoiner } from '../log/jetstream/message.ts'
import { sendBehind, windowOf } from '../log/jetstream/publish.ts'
import type { LogStream, Short } from '../log/jetstream/stream.ts'
import { aheadOfTheEnd, behindTheBeginning, otherLog } from '../log/jetstream/tail.ts'
import type { EventLog } from '../log/log.ts'

/** entries that an empty log is given back: ten minutes of mainnet, which takes seconds. Nodes that are further behind need a
 * checkpoint */
const RESTORED_ENTRIES = 1_500

interface PlaceParts {
  readonly stream: LogStream
  /** This node's own log, and the chain it is of. */
  readonly own: Pick<EventLog, 'oldest' | 'bytes'>
  readonly chain: string
  /** Called with the number of entries that this node has given back to the log. */
  readonly onRestored: (entries: number) => void
  /** Called at each failed attempt to write, except when another node was first. */
  readonly onTrouble: (error: unknown) => void
  readonly bounds: JetStreamBounds
  readonly signal: AbortSignal
}

/**
 * Finds the message after which a node with entries up to `seq` continues. A log that ends before that, because its servers
 * came back empty or lost the end, gets back from this node what it lacks: every node does this, so the log regains what any
 * of them has. Throws an OperatorError if the log has other entries than this node, or none that it needs.
 */
export async function placeIn(parts: PlaceParts, seq: number): Promise<number> {
  const { stream, own, chain, bounds, signal } = parts
  const deadline = Date.now() + bounds.startMs
  const theirs = await stream.chain()
  if (theirs !== null && chain !== '' && theirs !== chain) throw foreignLog(theirs, chain)
  for (;;) {
    const found = await stream.locate(seq)
    if ('behind' in found) throw new OperatorError(behindTheBeginning(seq, found.behind))
    if ('after' in found) {
      if (await hasSame(stream, seq, entryOf(own, seq), signal)) return found.after
      await giveBack(parts, seq, seq, found.after)
      continue
    }
    const from = await firstLacking(parts, seq, found)
    // a node from a checkpoint has no entries of its own: an empty log begins where it is
    if (from === null && found.sequence === 0) return 0
    if (from !== null) await giveBack(parts, from, seq, found.sequence)
    else if (Date.now() >= deadline) throw new OperatorError(aheadOfTheEnd(seq, found.ahead))
    else await sleep(bounds.reconnectMs)
  }
}

/** The first entry that this node can add to a log that ends before `seq`; null if it lacks the one that would be next. */
async function firstLacking(
  { stream, own, signal }: PlaceParts,
  seq: number,
  { ahead }: Short,
): Promise<number | null> {
  if (ahead < 0) {
    const from = Math.max(own.oldest(), seq - RESTORED_ENTRIES + 1)
    return entryOf(own, from) === null ? null : from
  }
  const mine = entryOf(own, ahead)
  if (mine === null) return null
  return (await hasSame(stream, ahead, mine, signal)) ? ahead + 1 : ahead
}

/** Writes entries `from` to `to` behind message `sequence`, as far as nobody else writes there first. */
async function giveBack(
  { stream, own, chain, onRestored, onTrouble, bounds }: PlaceParts,
  from: number,
  to: number,
  sequence: number,
): Promise<void> {
  const name = `back-${randomBytes(9).toString('base64url')}`
  let behind = sequence
  for (let seq = from; seq <= to; ) {
    const all = own
      .bytes(seq, to + 1 - seq)
      .map((bytes, i) => ({ id: `${name}-${seq + i}`, seq: seq + i, bytes, chain }))
    const window = windowOf(all)
    const sent = await Promise.allSettled(sendBehind(stream, behind, window))
    const failed = sent.find((one) => one.status === 'rejected')
    if (failed !== undefined) {
      onTrouble(failed.reason)
      return void (await sleep(bounds.reconnectMs))
    }
    behind += sent.length
    seq += window.length
    onRestored(window.length)
  }
}

function entryOf(own: PlaceParts['own'], seq: number): Buffer | null {
  const oldest = own.oldest()
  return seq < 0 || oldest < 0 || seq < oldest ? null : (own.bytes(seq, 1)[0] ?? null)
}

/**
 * Compares this node's entry `seq`, if the stream still has it; another one means the log of other nodes. False if the stream ends
 * within that entry.
 */
async function hasSame(stream: LogStream, seq: number, mine: Buffer | null, signal: AbortSignal): Promise<boolean> {
  if (mine === null) return true
  const before = await stream.locate(seq - 1)
  if (!('after' in before)) return true
  const last = await stream.last()
  if (last <= before.after) return true
  const stop = new AbortController()
  const joiner = createJoiner()
  try {
    for await (const messages of stream.messages(before.after, AbortSignal.any([signal, stop.signal]))) {
      for (const message of messages) {
        const theirs = joiner.take(message)
        if (theirs !== null && message.seq <= seq && !theirs.equals(mine)) throw new OperatorError(otherLog(seq))
        if (theirs !== null) return true
        if (message.sequence >= last) return false
      }
    }
    return true
  } finally {
    stop.abort()
  }
}
