/** Bounds of the log that several nodes share; part of LIMITS. */
export const LOG_LIMITS = {
  /** entries, and bytes, that a writer sends before it waits to read them back: some seconds of mainnet at most */
  logWindowEntries: 256,
  logWindowBytes: 8 << 20,
  /** milliseconds that a writer who lost waits at most, so that two of them do not meet again and again */
  logRetryMs: 50,
  /** milliseconds an answer of the servers may take: a stream whose leader was killed has another one by then */
  logAnswerMs: 5_000,
  /** milliseconds in which a message that is sent again is known as the same: many times as long as an answer may take */
  logDuplicateMs: 120_000,
  /** bytes of a message that its headers may take */
  logHeaderBytes: 4_096,
  /** messages on their way to a reading node, milliseconds of one pull, and between two of its heartbeats: a reader notices
   * within two heartbeats that its server is gone */
  logMessagesAhead: 500,
  logPullMs: 5_000,
  logHeartbeatMs: 1_000,
  /** milliseconds between two looks whether a reader that waits misses something: a pull and its heartbeats are over by then;
   * and those after which a server whose JetStream answers nothing is left: elections are over by then */
  logSilentMs: 7_000,
  /** milliseconds between two tries to connect */
  logReconnectMs: 250,
  /** milliseconds that servers which have only just met, or come back, may take to agree on a leader and to count up */
  logStartMs: 30_000,
  /** bytes of a checkpoint's part, and how many parts are in memory at a time, compressed and not: two cores are busy then */
  checkpointPartBytes: 16 << 20,
  checkpointPartsAtOnce: 3,
  /** milliseconds that a part may be on its way to or from an object store: a slow line is waited for, a lost part is not */
  checkpointPartMs: 300_000,
  /** checkpoints kept: one that cannot be used leaves another */
  checkpointsKept: 2,
  /** milliseconds after which a checkpoint of another build is deleted: a month after an upgrade no operator goes back */
  checkpointOthersMs: 30 * 86_400_000,
  /** milliseconds after which an incomplete checkpoint is deleted: making one takes minutes */
  checkpointHalfMs: 86_400_000,
  /** log entries taken out of another store at a time: some megabytes */
  refoldEntries: 1_000,
} as const
