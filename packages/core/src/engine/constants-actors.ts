/** Actors, the same people across tokens: methodology, section 10. */
export const ACTORS = {
  /** tokens on which two wallets were in one confirmed group, and how many times more than chance gives that is */
  mints: 2,
  timesChance: 10,
  /** share of a wallet's memberships that are with its actor, or with the wallet it is compared with: below it is everybody's */
  loyalShare: 0.5,
  /** a decisive link asks for that too where the wallet has more memberships than this */
  decisiveMemberships: 4,
  /** a fee payer of more wallets than this may be a service, and decides nothing */
  payerWalletsMax: 32,
  /** two actors of at least this many wallets become one only on this many edges at once */
  large: 5,
  largeEdges: 2,
  /** a deployer it serves: launches with a group of it, as a share of all the deployer's launches too */
  servedLaunches: 2,
  servedShare: 0.5,
  /** whoever gave a deployer of the actor its first SOL gives it to the next one too; not who funded more wallets than this, nor who
   * funded mostly others: that may be an exchange */
  purseWalletsMax: 16,
  purseShare: 0.5,
  /** bought early: at most so long after the creation */
  earlySlots: 12,
  /** it has left a token when this share of what it bought is sold */
  exitShare: 0.5,
  /** bounds: 256 wallets are five times the largest farm measured; each wallet has a fraction of them as partners */
  wallets: 256,
  walletEdges: 64,
  edgeMints: 8,
  /** bounds of what is remembered per actor, wallet and token: with them a record has 2 to 4 kB at most */
  tokens: 128,
  memberships: 32,
  namedPerToken: 16,
  /** members that a new one is compared with: a larger group is no actor */
  comparedMembers: 64,
  /** actors kept in memory between commits */
  cached: 2_048,
} as const
