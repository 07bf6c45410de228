import { OperatorError } from '../../base/errors.ts'
import { foreignLog, isLogToBeNamed } from '../chain.ts'
import { readHead } from '../codec.ts'
import { createJoiner, type LogMessage } from './message.ts'

/** The end of the log, as far as it was read. */
export interface Position {
  /** Sequence number of the newest message read, 0 if none. */
  readonly sequence: number
  /** Number of the newest entry, -1 if none. */
  readonly seq: number
  /** Newest slot and its time, -1 and 0 before the first. */
  readonly slot: number
  readonly time: number
  /** Facts entries of the source since that slot. */
  readonly facts: number
  /** The name of the chain, '' if none was read. */
  readonly chain: string
}

/** A position in a source's order, which writers compare with the log's end. */
export interface Place {
  readonly slot: number
  /** The number of facts entries of the source since `slot`, including this one; 0 for a block or gap. */
  readonly facts: number
  /** The name in a chain entry. */
  readonly chain?: string
}

export type Tail = ReturnType<typeof createTail>

/**
 * Reads messages in order, skipping repeated slots like the fold. Throws an OperatorError if the stream does not
 * continue with the expected entry: the beginning was truncated before it was read.
 */
export function createTail(start: Position) {
  let joiner = createJoiner()
  let at = start
  return {
    get at(): Position {
      return at
    },
    /** The log goes on behind another message, as in a stream that was made anew. */
    moveTo(sequence: number): void {
      joiner = createJoiner()
      at = { ...at, sequence }
    },
    /** The entry completed by the message; null for a part or a repetition. */
    take(message: LogMessage): Buffer | null {
      // a log that was emptied may have been begun by a node of another chain
      if (at.chain !== '' && message.chain !== at.chain) throw foreignLog(message.chain, at.chain)
      const bytes = joiner.take(message)
      at = { ...at, sequence: message.sequence }
      if (bytes === null) return null
      if (message.seq > at.seq + 1) throw new OperatorError(behindTheBeginning(at.seq, message.seq))
      const head = readHead(at.seq + 1, bytes)
      const { chain } = head
      if (chain !== undefined ? at.chain !== '' : head.slot >= 0 && head.slot <= at.slot) return null
      // its writer knew less of the log than this node: part of it was lost and rewritten
      if (message.seq <= at.seq) throw new OperatorError(otherLog(at.seq))
      if (chain !== undefined) {
        at = { ...at, seq: at.seq + 1, chain }
        return bytes
      }
      if (head.kind === 'facts') {
        at = { ...at, seq: at.seq + 1, facts: at.facts + (head.ofSource ? 1 : 0) }
        return bytes
      }
      const time = head.kind === 'block' ? head.time : at.time
      at = { ...at, seq: at.seq + 1, slot: head.slot, time, facts: 0 }
      return bytes
    },
    /** True if an entry of a source is in the log, written by any node. Throws an OperatorError if the log is of another chain. */
    has({ slot, facts, chain }: Place): boolean {
      if (chain !== undefined) return at.chain !== '' && !isLogToBeNamed(at.chain, chain)
      return slot < at.slot || (slot === at.slot && facts <= at.facts)
    },
  }
}

/** Computes the places of a source's entries, starting after `start`. */
export function createPlaces(start: Place): (bytes: Buffer) => Place | null {
  let at = start
  return (bytes) => {
    const head = readHead(0, bytes)
    if (head.chain !== undefined) return { ...at, chain: head.chain }
    // a repeated slot keeps its place
    if (head.slot >= 0 && head.slot <= at.slot) return { slot: head.slot, facts: 0 }
    if (head.slot >= 0) at = { slot: head.slot, facts: 0 }
    // entries of the operator or an observer have no place in the source's order
    else if (!head.ofSource) return null
    else at = { slot: at.slot, facts: at.facts + 1 }
    return at
  }
}

/** A node and its log do not match. */
export const otherLog = (seq: number): string =>
  `LOG_URL: entry ${seq} of this node is not entry ${seq} of the log: they belong to different services, or the log has lost its end. Nothing was changed`

/** The log no longer has entries that a node needs. */
export const behindTheBeginning = (seq: number, first: number): string =>
  `LOG_URL: this node has entries up to ${seq}, and the log begins at ${first}: set CHECKPOINTS to where checkpoints are kept, or begin with the DATA_DIR of another node`

/** The log ends before a node's newest entry. */
export const aheadOfTheEnd = (seq: number, last: number): string =>
  `LOG_URL: this node has entries up to ${seq}, and the log ends at ${last}: it is another log, or one that has lost its end. Nothing was changed`
