/** Constants of actors, the same people across tokens (methodology, section 10). */
export const ACTORS = {
  /** An edge needs this many tokens with both wallets in one confirmed group, and this multiple of chance. */
  mints: 2,
  timesChance: 10,
  /** It also needs this share of each wallet's memberships to be with its actor or the other. Bots fall below. */
  loyalShare: 0.5,
  /** A wallet with more memberships than this must meet `loyalShare` even if the two share a funder or payer. */
  freeMemberships: 4,
  /**
   * A wallet has a record of its own if it has bought this many tokens and at most this share of its trades were a
   * confirmed group's.
   */
  ownMints: 5,
  ownBundledRate: 0.2,
  /** Two actors of at least this many wallets merge only on this many edges at once. */
  large: 5,
  largeEdges: 2,
  /** A deployer serves an actor if both gained on this many, and this share, of its launches. */
  servedLaunches: 2,
  servedShare: 0.5,
  /**
   * A wallet that funded one deployer of the actor links the next deployer it funds. It does not count if it funded
   * more wallets than this, or if fewer than this share of them belong to the actor: it may be an exchange.
   */
  purseWalletsMax: 16,
  purseShare: 0.5,
  /** Lamports: a first transfer of less engages no wallet. */
  purseLamports: 20_000_000,
  /**
   * An actor that did not launch the token is named once it bought this share of supply or moved these lamports. The
   * share is the one from which a group is confirmed, and dust names no actor.
   */
  stakeSupplyShare: 0.005,
  stakeLamports: 500_000_000,
  /** Launches longer ago than this (90 days) are no longer counted against an actor. */
  recordSlots: 19_440_000,
  /** A buy at most this many slots after the creation is early. */
  earlySlots: 12,
  /** The actor has left a token once it sold this share of what it bought. */
  exitShare: 0.5,
  /** Bounds. 256 wallets are five times the largest farm measured; edges of one wallet are far fewer. */
  wallets: 256,
  walletEdges: 64,
  edgeMints: 8,
  /** Bounds of the history per actor, wallet and token. They keep a record below 2 to 4 kB. */
  tokens: 128,
  memberships: 32,
  namedPerToken: 16,
  /** A new member is compared with this many members; a larger group forms no actor. */
  comparedMembers: 64,
  /** The number of actors cached in memory between commits. */
  cached: 2_048,
} as const
