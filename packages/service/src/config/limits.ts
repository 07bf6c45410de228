import { memoryShare } from '../base/memory.ts'
import { ACCESS_LIMITS } from './limits-access.ts'
import { CHAIN_LIMITS } from './limits-chain.ts'
import { CLI_LIMITS } from './limits-cli.ts'
import { CONNECTION_LIMITS } from './limits-connections.ts'
import { DELIVERY_LIMITS } from './limits-delivery.ts'
import { FOLLOW_LIMITS } from './limits-follow.ts'
import { INTERFACE_LIMITS } from './limits-interface.ts'
import { LOG_LIMITS } from './limits-log.ts'
import { OBSERVE_LIMITS } from './limits-observe.ts'
import { PAGE_LIMITS } from './limits-page.ts'
import { PAYMENT_LIMITS } from './limits-payments.ts'
import { UNKNOWN_LIMITS } from './limits-unknown.ts'

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
  /** most trades a second of the simulator */
  simulatorTradesPerSecondMax: 20_000,
  /** most slots of history that the simulator makes before going live (24 h) */
  simulatorWarmupSlotsMax: 216_000,

  /** wallets kept in memory, about 600 bytes each, in a sixteenth of it at most; the rest is read from the store when they trade again */
  walletsCached: Math.floor(memoryShare(1 / 16, 200_000 * 600) / 600),
  /** slots (10 minutes) after which unused positions and wallets leave memory: reading one again costs some 3 µs for a
   * position and 15 for a wallet. With a longer time, wallets that do not come back make memory grow for hours */
  quietSlots: 1_500,
  /** `replay`: events between two commits, and milliseconds they may wait; large commits write each changed page once */
  commitReplay: { events: 60_000, delayMs: 10_000 },
  /** bytes of records after which the state's write-ahead log is moved into its file, and after which a commit waits for that: the
   * log has some six times as many, because it holds whole pages */
  stateCheckpointBytes: 1 << 20,
  stateCheckpointBytesMax: 4 << 20,
  /** seconds behind the clock up to which a block counts as live and commits alone */
  liveLagSeconds: 10,
  /** encoded bytes of one batch from the decoding thread, and batches on their way: more than is decoded while a replay commits */
  batchBytes: 256 << 10,
  batchesAhead: 16,

  /** bytes of a request body: all operations are GET without one */
  requestBodyBytes: 1_024,
  /** bytes of a request line's URL */
  urlBytes: 4_096,
  /** bytes of all request headers */
  headerBytes: 16_384,
  /** headers of a request that offers another protocol: far more than clients send, and far fewer than the parser keeps, which
   * leaves out what is beyond, be it the length of the body */
  offerHeaders: 100,
  /** requests a minute to the account's own interface from one address */
  rateAccount: 60,
  /** characters of a requested URL that an offer repeats: clients send it back inside the payment's 8 KiB */
  offeredUrlLength: 512,
  /** milliseconds to wait for open requests when stopping */
  shutdownMs: 5_000,
  /** resamples of a headline interval (its ends move by about 0.1 standard errors between seeds), of one in a table (0.15) and of
   * one over 20,000 real launches, whose standard error is small enough */
  evaluateResamples: 1_000,
  evaluateTableResamples: 300,
  evaluateRealResamples: 100,

  sandbox: {
    // the sandbox chain
    /** landed transactions it remembers (about 4 kB each), and transactions of one slot: 151 full slots are fewer, so that
     * nothing forgotten can land again */
    transactions: 10_000,
    blockTransactions: 64,
    /** units of USDC (1,000 dollars) and lamports (100 SOL) of one faucet call */
    faucetUsdc: 1_000_000_000,
    faucetLamports: 100_000_000_000,
    /** bytes of a JSON-RPC request (the longest real one names 256 signatures), calls of a batch, accounts of one call */
    requestBytes: 128 << 10,
    batch: 50,
    accountsPerCall: 100,
    /** milliseconds a request may take to arrive, and open connections */
    requestMs: 10_000,
    connections: 256,
  },
  /** `demo-pay`: milliseconds of one request; a settlement is waited for up to 30 s */
  demoRequestMs: 60_000,
  mcp: {
    // MCP
    /** bytes of a message: a payment is at most 8 KiB, and everything else in a call is short */
    bodyBytes: 64 << 10,
    /** milliseconds a message may take to arrive */
    bodyMs: 10_000,
    /** bytes of a message too large that are still read, so that the client gets to see its answer */
    drainBytes: 1 << 20,
    /** milliseconds a client may keep the list of tools: it changes with a release only */
    toolsCachedMs: 3_600_000,
  },
  // payments
  // live streams: sockets and hub
  /** open sockets of the process, about 20 kB each, and of one key (decisions.md) */
  liveSockets: 10_000,
  liveSocketsPerKey: 50,
  /** channels of a socket: as in Phoenix, whose clients know the refusal; there are three topics */
  liveChannels: 100,
  /** milliseconds between two looks for alerts that were made on other nodes */
  ownLookMs: 1_000,
  /** messages of a socket that wait while a join asks the database: a client joins its topics at once */
  liveWaiting: 100,
  /** different filters of a topic: each costs some 0.2 µs a message. Equal ones are one */
  liveFilters: 500,
  /** bytes of a client's message (decisions.md), pieces the network may cut it into, and frames its sender may */
  liveFrameBytes: 65_536,
  liveFrameChunks: 1_024,
  liveFragments: 64,
  /** messages a client may send in a second: a heartbeat and two joins are three */
  liveMessagesPerSecond: 100,
  /** bytes that wait for a socket before it is closed as too slow: half a minute of a busy hour, two seconds of a peak.
   * All sockets that wait for a live message share its bytes */
  liveUnreadBytes: 4 << 20,
  /** milliseconds a socket may take no byte of those that wait, or send nothing at all: clients beat every 25 to 30 s */
  liveStallMs: 30_000,
  liveIdleMs: 60_000,
  /** milliseconds a client has to answer a close */
  liveCloseMs: 5_000,
  /** sweep interval in ms; sockets are visited in this many slices: with the refresh of the keys (2 s) a revoked
   * key is noticed within 4 s */
  liveVisitMs: 2_000,
  liveVisitSlots: 20,
  /** server-sent events: milliseconds of silence after which a comment is written (proxies close after a minute, some after
   * half of one), and after which a client is asked to come back */
  eventsBeatMs: 15_000,
  eventsRetryMs: 1_000,
  /** messages of a topic that are rendered and written, and messages that are sent to those who resume, before the event loop has
   * its turn: some 5 ms each. Fewer where it takes longer than `liveTurnMs`, and at first, when rendering has never run */
  liveMessagesPerTurn: 256,
  liveMessagesFirst: 16,
  liveTurnMs: 5,
  replayMessagesPerTurn: 256,
  /** bytes that wait for a socket that resumes, so that it sets its own pace */
  replayUnreadBytes: 64 << 10,
  /** messages of one piece of history, and pieces kept for others who want the same: about 8 MB */
  replayChunk: 64,
  replayChunks: 128,
  // live streams: codec
  /** characters of a ref as JSON text: the 255 a binary frame can carry, and quotes; a channel keeps two of them */
  liveRefLength: 257,
  /** characters of a topic as JSON text: ours have 13, but the refusal of an unknown one repeats it, and clients of other
   * services build long names from filters */
  liveTopicLength: 1_024,
  // live streams: the trial of the free plan
  /** sockets on trial from one address: two screens of some people */
  trialSocketsPerAddress: 10,
  tail: {
    // live streams: the client `tail`
    /** milliseconds for the upgrade of a connection, and for the goodbye at the end */
    handshakeMs: 10_000,
    leaveMs: 1_000,
  },

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
    signatures: 500_000,
    /** slots of transactions fetched ahead, and milliseconds between two notes of how far it came */
    ahead: 8,
    noteMs: 5_000,
  },
  chain: CHAIN_LIMITS,

  // accounts and keys, and the database they are in
  ...ACCESS_LIMITS,
  ...DELIVERY_LIMITS,
  // data that the decoder does not know
  unknown: UNKNOWN_LIMITS,
  // costs of payments
  ...PAYMENT_LIMITS,
  ...INTERFACE_LIMITS,
  ...CONNECTION_LIMITS,
  // the command line
  ...CLI_LIMITS,
  // the observers
  ...LOG_LIMITS,
  ...OBSERVE_LIMITS,
  // the page
  ...PAGE_LIMITS,
} as const
