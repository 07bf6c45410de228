import { memoryShare } from '../base/memory.ts'
import { CHAIN_LIMITS } from './limits-chain.ts'
import { FOLLOW_LIMITS } from './limits-follow.ts'

/**
 * Every bound of the service in one place: value, unit, reason. Nothing is queued, cached, looped over or read without
 * one of these.
 */
export const LIMITS = {
  capture: {
    /** bytes of one capture chunk before compression: large enough to compress well, small enough to hold two in memory */
    chunkBytes: 4 << 20,
    /** bytes one decompressed capture chunk may have: refuses a decompression bomb */
    chunkBytesMax: 64 << 20,
    /** bytes of one compressed capture chunk */
    chunkStoredBytesMax: 64 << 20,
    /** bytes of the index at the end of a capture: 32 bytes a chunk, so about 8 TB of capture */
    indexBytesMax: 64 << 20,
    /** chunks a capture reader decompresses ahead of its consumer */
    chunksAhead: 3,
    /** milliseconds that recorded data may wait to be written to disk: a killed recorder loses as much */
    flushMs: 5_000,
  },

  sandbox: {
    // the sandbox chain
  },
  // payments
  // live streams: sockets and hub
  // live streams: codec
  // live streams: the trial of the free plan

  // sources of the chain
  ...FOLLOW_LIMITS,
  // the Yellowstone source
  /** bytes of one message: a block of our programs is some 100 to 500 kB, one of everything up to some 20 MB */
  yellowstoneMessageBytes: 64 << 20,
  yellowstone: {
    /** bytes (as estimated in memory) of blocks that wait for earlier ones or for the decoder: some minutes of mainnet */
    heldBytes: memoryShare(1 / 8, 128 << 20),
    /** milliseconds for a connection, and for the answers before its stream */
    connectMs: 10_000,
    /** milliseconds without a block before a stream counts as stalled: fifty slots */
    stallMs: 20_000,
    /** milliseconds of the first and the longest pause between two attempts, drawn from its upper half */
    backoffMs: 500,
    backoffMsMax: 30_000,
    /** slots before the last settled one from which a stream is resumed: late confirmations come within them */
    marginSlots: 32,
    /** milliseconds between two changes of an open stream's filter: some launches each */
    followMs: 5_000,
    /** milliseconds that a hole is left to the streams before blocks are fetched one by one, which costs requests */
    graceMs: 1_500,
    /** milliseconds without progress before the streams are asked to go back, and before slots are given up: with a filler
     * to wait for, and without. Nothing can be put into the past later, so the wait is long */
    rewindMs: 10_000,
    giveUpMs: 120_000,
    giveUpAloneMs: 30_000,
    /** blocks fetched at once, and milliseconds before an unavailable block is requested again */
    fetches: 8,
    retryMs: 1_000,
    /** slots of one hole that are fetched, 2.2 hours: at ten requests a second they take half an hour */
    slotsMax: 20_000,
  },
  /** endpoints of one source */
  yellowstoneEndpoints: 8,
  backfill: {
    // the RPC source, backfill and recording
    /** signatures of one page (the most nodes give) and of one address: some 120 bytes each; older ones are left out */
    page: 1_000,
    /** slots of transactions fetched ahead, and milliseconds between two notes of how far it came */
    ahead: 8,
  },
  chain: CHAIN_LIMITS,

  // data that the decoder does not know
} as const
