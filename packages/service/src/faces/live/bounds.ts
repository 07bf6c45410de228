import { SHUTDOWN_MS } from '../../base/parts.ts'

/** Bounds of the streams. */
export const LIVE = {
  /** channels of a socket: as in Phoenix, whose clients know the refusal; there are three topics */
  channels: 100,
  /** milliseconds between two looks for alerts that were made on other nodes */
  ownLookMs: 1_000,
  /** messages of a socket that wait while a join asks the database: a client joins its topics at once */
  waiting: 100,
  /** bytes of a client's message (decisions.md), pieces the network may cut it into, and frames its sender may */
  frameBytes: 65_536,
  frameChunks: 1_024,
  fragments: 64,
  /** messages a client may send in a second: a heartbeat and two joins are three */
  messagesPerSecond: 100,
  /** bytes that wait for a socket before it is closed as too slow: half a minute of a busy hour, two seconds of a peak.
   * All sockets that wait for a live message share its bytes */
  unreadBytes: 4 << 20,
  /** milliseconds a socket may take no byte of those that wait, or send nothing at all: clients beat every 25 to 30 s */
  stallMs: 30_000,
  idleMs: 60_000,
  /** milliseconds a client has to answer a close */
  closeMs: 5_000,
  /** sweep interval in ms; sockets are visited in this many slices: with the refresh of the keys (2 s) a revoked
   * key is noticed within 4 s */
  visitMs: 2_000,
  visitSlots: 20,
  /** server-sent events: milliseconds of silence after which a comment is written (proxies close after a minute, some after
   * half of one), and after which a client is asked to come back */
  eventsBeatMs: 15_000,
  eventsRetryMs: 1_000,
  /** messages of a topic that are written at once: a block of the busiest market, because one large write costs a third less than two;
   * and messages that are sent to those who resume. Fewer where reading them takes longer than `turnMs`, and at first, when it has
   * never run. Readers are written to for `turnMs` before the event loop has its turn */
  messagesPerTurn: 1_024,
  messagesFirst: 16,
  turnMs: 5,
  replayMessagesPerTurn: 256,
  /** bytes that wait for a socket that resumes, so that it sets its own pace */
  replayUnreadBytes: 64 << 10,
  /** messages of one piece of history, and pieces kept for others who want the same: about 8 MB */
  replayChunk: 64,
  replayChunks: 128,
  /** milliseconds to wait for sockets when stopping */
  shutdownMs: SHUTDOWN_MS,
}

export type LiveBounds = Readonly<typeof LIVE>
