/** Constants of actors, the same people across tokens (methodology, section 10). */
export const ACTORS = {
  /** An edge needs this many tokens with both wallets in one confirmed group, and this multiple of chance. */
  mints: 2,
  timesChance: 10,
  /** It also needs this share of each wallet's memberships to be with its actor or the other. Bots fall below. */
  loyalShare: 0.5,
  /** A wallet with more memberships than this must meet `loyalShare` even for a decisive link. */
  decisiveMemberships: 4,
  /** A fee payer of more wallets than this may be a service and is not decisive. */
  payerWalletsMax: 32,
  /** Two actors of at least this many wallets merge only on this many edges at once. */
  large: 5,
  largeEdges: 2,
  /** A deployer serves an actor whose groups were on this many, and this share, of its launches. */
  servedLaunches: 2,
  servedShare: 0.5,
  /**
   * A wallet that funded one deployer of the actor links the next deployer it funds. It does not count if it funded
   * more wallets than this, or if fewer than this share of them belong to the actor: it may be an exchange.
   */
  purseWalletsMax: 16,
  purseShare: 0.5,
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
