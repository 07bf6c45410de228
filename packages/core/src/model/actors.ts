import { bool, fixed, given, list, none, num, numbers, type Open, table } from './field.ts'

/**
 * Actors, the same people across tokens: methodology, section 10. Plain records; wallets, tokens and actors are ids. Ids of actors
 * count up from 0 in order of their founding and are never reused.
 */

/** That a wallet was in a confirmed group of a token, and what it did there while it belonged to no actor. */
export const MEMBERSHIP = table('Membership', {
  /** another wallet of its actor was in the same group */
  shared: bool,
  token: num,
  /** number of the group on that token */
  group: num,
  /** -1 never */
  firstBuySlot: none,
  lastSellSlot: none,
  /** base units */
  bought: num,
  sold: num,
  /** lamports, fees included */
  paid: num,
  got: num,
})
export interface Membership extends Open<typeof MEMBERSHIP> {}

/** How an actor came to be named on a token. */
export const NAMED_BY = { deployed: 0, boughtEarly: 1, traded: 2, group: 3 } as const

/** An actor on a token. */
export const NAMED_ACTOR = table('NamedActor', {
  /** as it was then: it may have become part of another */
  actor: fixed(num),
  slot: fixed(num),
  by: fixed(num),
})
export interface NamedActor extends Open<typeof NAMED_ACTOR> {}

/** What all wallets of an actor did on one token. */
const ACTOR_TOKEN = table('ActorToken', {
  /** a wallet of it was in a confirmed group there */
  grouped: bool,
  token: num,
  /** who launched it, -1 unknown */
  deployer: none,
  /** of its first purchase, -1 none */
  firstBuySlot: none,
  /** of the sale with which half of what it had bought was sold, -1 not yet */
  exitSlot: none,
  /** base units */
  bought: num,
  sold: num,
  /** lamports, fees included */
  paid: num,
  got: num,
})
export interface ActorToken extends Open<typeof ACTOR_TOKEN> {}

export const ACTOR = table('Actor', {
  id: given,
  /** the actor it became part of, -1 none: an alias, with empty lists */
  mergedInto: none,
  /** slot and token of the first evidence, and the wallet of it with the smaller key: the name is made of these */
  firstSlot: fixed(num),
  firstToken: fixed(num),
  founder: fixed(num),
  /** slot of its last trade or evidence */
  lastSlot: num,
  /** in order of joining, at most 256 */
  wallets: numbers,
  /** the newest 128 in order of becoming known for it */
  tokens: list(ACTOR_TOKEN),
  /** of older ones: how many, and of them launched, drained and rugged; lamports got less lamports paid */
  pastTokens: num,
  pastLaunched: num,
  pastDrained: num,
  pastRugged: num,
  pastTaken: num,
})
export interface Actor extends Open<typeof ACTOR> {}

/** Why two wallets of an actor belong together. */
const ACTOR_EDGE = table('ActorEdge', {
  /** wallet ids, a < b */
  a: fixed(num),
  b: fixed(num),
  /** decisive families, bit n: the n-th of FAMILIES */
  families: num,
  /** slot of the first evidence */
  slot: fixed(num),
  /** tokens on which both were in one confirmed group, the first 8 */
  mints: numbers,
})
export interface ActorEdge extends Open<typeof ACTOR_EDGE> {}

/** The evidence behind an actor, apart from it because it is larger and changes less often. */
export const ACTOR_EDGES = table('ActorEdges', {
  /** the actor */
  id: given,
  edges: list(ACTOR_EDGE),
})
export interface ActorEdges extends Open<typeof ACTOR_EDGES> {}
