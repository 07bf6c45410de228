import { atMost, bool, fixed, given, list, none, num, numbers, type Open, table } from './field.ts'

/**
 * Actors, the same people across tokens (methodology, section 10). Plain records; wallets, tokens and actors are ids.
 * Actor ids count up from 0 in order of founding and are never reused.
 */

/** A wallet's membership in a confirmed group of a token, with its trades there while it belonged to no actor. */
export const MEMBERSHIP = table('Membership', {
  /** True if another wallet of its actor was in the same group. */
  shared: bool,
  token: num,
  /** Number of the group on that token. */
  group: num,
  firstBuySlot: none,
  lastSellSlot: none,
  /** Base units. */
  bought: num,
  sold: num,
  /** Lamports, fees included. */
  paid: num,
  got: num,
})
export interface Membership extends Open<typeof MEMBERSHIP> {}

/** The event that named an actor on a token. */
export const NAMED_BY = { deployed: 0, boughtEarly: 1, traded: 2, group: 3 } as const

export const NAMED_ACTOR = table('NamedActor', {
  /** The actor at that time; it may have been merged since. */
  actor: fixed(num),
  slot: fixed(num),
  by: fixed(num),
})
export interface NamedActor extends Open<typeof NAMED_ACTOR> {}

/** The trades of all wallets of an actor on one token. */
const ACTOR_TOKEN = table('ActorToken', {
  /** True if one of its wallets was in a confirmed group there. */
  grouped: bool,
  token: num,
  deployer: none,
  firstBuySlot: none,
  /** Slot of the sale that brought the sold tokens to half of those bought, -1 if none yet. */
  exitSlot: none,
  /** Base units. */
  bought: num,
  sold: num,
  /** Lamports, fees included. */
  paid: num,
  got: num,
})
export interface ActorToken extends Open<typeof ACTOR_TOKEN> {}

export const ACTOR = table('Actor', {
  id: given,
  /** The actor it was merged into, -1 if none. A merged actor is an alias with empty lists. */
  mergedInto: none,
  /** Slot and token of the first evidence, and its wallet with the smaller key: the name derives from these. */
  firstSlot: fixed(num),
  firstToken: fixed(num),
  founder: fixed(num),
  /** Slot of its last trade or evidence. */
  lastSlot: num,
  /** In order of joining. */
  wallets: atMost(256, numbers),
  /** The newest 128 tokens, in the order in which the actor appeared on them. Older ones are forgotten. */
  tokens: atMost(128, list(ACTOR_TOKEN)),
})
export interface Actor extends Open<typeof ACTOR> {}

/** The evidence that joins two wallets of an actor. */
const ACTOR_EDGE = table('ActorEdge', {
  /** Wallet ids, a < b. */
  a: fixed(num),
  b: fixed(num),
  /** Bits of the families that hold on any token; bit n is the n-th of FAMILIES. */
  families: num,
  /** Slot of the first evidence. */
  slot: fixed(num),
  /** The first 8 tokens on which both were in one confirmed group. */
  mints: atMost(8, numbers),
})
export interface ActorEdge extends Open<typeof ACTOR_EDGE> {}

/** The evidence behind an actor. A record of its own, because it is larger and changes less often. */
export const ACTOR_EDGES = table('ActorEdges', {
  /** The actor. */
  id: given,
  /** At most 64 of each wallet. */
  edges: atMost(8_192, list(ACTOR_EDGE)),
})
export interface ActorEdges extends Open<typeof ACTOR_EDGES> {}
