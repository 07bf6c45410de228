import { memoryShare } from '../base/memory.ts'

/** LIMITS.chain: the source that reads a node's JSON-RPC, and what both live sources read of it. */
export const CHAIN_LIMITS = {
  messageBytes: 64 << 20,
  /** texts of public keys in each of two generations, some 140 bytes each: a live market names the same few thousand again and
   * again, and a table that is full after minutes does not make memory grow for hours */
  keysInterned: 16_384,
  blocksAhead: 4,
  /** slots of one getBlocks, and the hole from which it is asked how far back the node reaches */
  slotsListed: 1_000,
  /** slots fetched after an outage (6 h: an hour of work at 15 a second); what is older is a gap */
  catchUpSlots: 54_000,
  /** blocks followed back by their parents where the node's list left them out; held in memory meanwhile */
  parentsWalked: 64,
  /** milliseconds between two looks for a new slot, and that a slot announced too early may wait for the one before */
  pollMs: 1_000,
  lateMs: 500,
  /** milliseconds newer blocks are held back for one that the node does not answer for, and times that block is requested
   * when the node answers for others */
  holdMs: 120_000,
  retries: 3,
  /** milliseconds without a message after which a stream is opened anew, for its opening, and between two tries when the
   * node offers none */
  stallMs: 15_000,
  subscribeMs: 10_000,
  refusedMs: 600_000,
  /** bytes of messages that wait for the reader before the stream is held back */
  heldBytes: memoryShare(1 / 8, 128 << 20),
  /** slots after which, and milliseconds of silence after which, the logs of a slot are all there */
  settleSlots: 2,
  settleMs: 2_000,
  /** transactions requested one by one at once: beyond this number the whole block is requested */
  pendingSignatures: 2_000,
} as const
