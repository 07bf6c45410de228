import { OperatorError } from '../../base/errors.ts'
import { readHead } from '../codec.ts'
import { createJoiner, type LogMessage } from './message.ts'

/** Where the log ends, as far as it was read. */
export interface Position {
  /** of the newest message of the stream that was read, 0 none */
  readonly sequence: number
  /** of the newest entry, -1 none */
  readonly seq: number
  /** newest slot and its time, -1 and 0 before the first */
  readonly slot: number
  readonly time: number
  /** facts entries of the source since that slot */
  readonly facts: number
}

/** A place in a source's own order: what a writer compares with the log's end. */
export interface Place {
  readonly slot: number
  /** how many facts entries of the source come since `slot`, this one among them; 0: a block or gap */
  readonly facts: number
}

export interface Tail {
  readonly at: Position
  /** the entry that the message completes; null: a part, or something that stands in the log already */
  take(message: LogMessage): Buffer | null
  /** whether an entry of a source is in the log: this one, or another writer's of the same place */
  has(place: Place): boolean
}

/**
 * Reads messages in order. A repeated slot is skipped here as the fold skips it. OperatorError where the
 * stream does not go on with the entry that is due: what was cut off its beginning was not read yet.
 */
export function createTail(start: Position): Tail {
  const joiner = createJoiner()
  let at = start
  return {
    get at() {
      return at
    },
    take(message) {
      const bytes = joiner.take(message)
      at = { ...at, sequence: message.sequence }
      if (bytes === null) return null
      if (message.seq > at.seq + 1) throw new OperatorError(behindTheBeginning(at.seq, message.seq))
      const head = readHead(at.seq + 1, bytes)
      if (head.kind !== 'facts' && head.slot <= at.slot) return null
      // its writer knew less of the log than this node: a part of it was lost and written again
      if (message.seq <= at.seq) throw new OperatorError(otherLog(at.seq))
      if (head.kind === 'facts') {
        at = { ...at, seq: at.seq + 1, facts: at.facts + (head.ofSource ? 1 : 0) }
        return bytes
      }
      const time = head.kind === 'block' ? head.time : at.time
      at = { ...at, seq: at.seq + 1, slot: head.slot, time, facts: 0 }
      return bytes
    },
    has: ({ slot, facts }) => slot < at.slot || (slot === at.slot && facts <= at.facts),
  }
}

/** Places of a source's entries in its order, after `start`. */
export function createPlaces(start: Place): (bytes: Buffer) => Place | null {
  let at = start
  return (bytes) => {
    const head = readHead(0, bytes)
    // a slot that is said again has the place that it had
    if (head.kind !== 'facts' && head.slot <= at.slot) return { slot: head.slot, facts: 0 }
    if (head.kind !== 'facts') at = { slot: head.slot, facts: 0 }
    // what the operator or an observer says has no place in the source's order
    else if (!head.ofSource) return null
    else at = { slot: at.slot, facts: at.facts + 1 }
    return at
  }
}

/** Where a node and the log do not go together. */
export const otherLog = (seq: number): string =>
  `LOG_URL: entry ${seq} of this node is not entry ${seq} of the log: they belong to different services, or the log has lost its end. Nothing was changed`

/** What to do where the log has lost what a node still needs. */
export const behindTheBeginning = (seq: number, first: number): string =>
  `LOG_URL: this node has entries up to ${seq}, and the log begins at ${first}: set CHECKPOINTS to where checkpoints are kept, or begin with the DATA_DIR of another node`

/** What to do where the log ends before what a node has. */
export const aheadOfTheEnd = (seq: number, last: number): string =>
  `LOG_URL: this node has entries up to ${seq}, and the log ends at ${last}: it is another log, or one that has lost its end. Nothing was changed`
