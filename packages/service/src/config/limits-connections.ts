/** Bounds of a server's connections; part of LIMITS. */
export const CONNECTION_LIMITS = {
  /** open connections of the process, some 15 kB each, and descriptors reserved for files, databases, threads and outgoing
   * requests: a node at work has 40 to 120 of these open. If the limit is small, connections get half of it */
  connections: 50_000,
  connectionsReserve: 512,
  /** connections of one address that have sent no whole request: those kept longer than the grace, and at any moment. A
   * client's first request comes with its connection, so that an office behind one address has a handful */
  unheardPerAddress: 256,
  unheardBurst: 2_048,
  unheardGraceMs: 1_000,
  /** milliseconds after which one of a burst makes room for the next: its first request would have come in the same turn */
  unheardTurnMs: 100,
  /** milliseconds until the first byte of a request, and until a request for a WebSocket is answered */
  firstByteMs: 5_000,
  upgradeMs: 10_000,
  /** milliseconds between two looks at those that wait, and at requests that are not finished in time */
  connectionSweepMs: 250,
} as const
