import type { ActorEdge, ActorEdges, Membership } from '../../model/actors.ts'
import { FAMILIES, type Family } from '../../model/bundles.ts'
import { hasFamily, weightIn } from '../../model/pair.ts'
import type { Wallet } from '../../model/state.ts'
import type { BundleContext } from '../bundles/context.ts'
import { FAMILY } from '../bundles/evidence.ts'
import { findPair } from '../bundles/pairs.ts'
import { ACTORS, BUNDLES } from '../constants.ts'

/** Decides whether two wallets of one confirmed group belong to one actor (methodology, section 10). */

/** The evidence of an edge: common tokens, oldest first, and bits of decisive families. */
export interface Reason {
  readonly mints: readonly number[]
  readonly families: number
}

export const membershipOn = ({ memberships }: Wallet, token: number): Membership | undefined =>
  memberships.findLast((one) => one.token === token)

/** Memberships that both wallets have in the same groups, as stored in the first wallet. */
export function inCommon(a: Wallet, b: Wallet): Membership[] {
  return a.memberships.filter(({ token, group }) =>
    b.memberships.some((other) => other.token === token && other.group === group),
  )
}

/** Null if they share too little, or if one of them is in groups with many wallets. */
export function reasonOf(context: BundleContext, a: Wallet, b: Wallet): Reason | null {
  const mints = inCommon(a, b).map(({ token }) => token)
  const families = decisiveFamilies(context, a, b)
  const isLoyal = keepsTo(a, mints.length) && keepsTo(b, mints.length)
  if (isLoyal && mints.length >= ACTORS.mints && beatsChance(context.mints, mints.length, a, b)) {
    return { mints, families }
  }
  const isFree = (wallet: Wallet): boolean =>
    wallet.memberships.length <= ACTORS.decisiveMemberships || keepsTo(wallet, mints.length)
  return families !== 0 && isFree(a) && isFree(b) ? { mints, families } : null
}

/** True if most of the wallet's groups are with its own actor. A bot meets many wallets, a few times each. */
function keepsTo({ memberships }: Wallet, common: number): boolean {
  const own = memberships.reduce((sum, { shared }) => sum + (shared ? 1 : 0), 0)
  return Math.max(common, own) >= ACTORS.loyalShare * memberships.length
}

const beatsChance = (tokens: number, common: number, a: Wallet, b: Wallet): boolean =>
  common * tokens >= ACTORS.timesChance * a.memberships.length * b.memberships.length

/** Bits of the families whose link is decisive whatever the token. */
function decisiveFamilies(context: BundleContext, a: Wallet, b: Wallet): number {
  const pair = findPair(context.live.bundles, a.id, b.id)
  if (pair === undefined || !pair.linked) return 0
  const funder = weightIn(pair, FAMILY.funder) >= BUNDLES.decisive ? 1 << FAMILY.funder : 0
  const payer = hasFamily(pair, FAMILY.payer) && hasOwnPayer(context, a, b) ? 1 << FAMILY.payer : 0
  return funder | payer
}

function hasOwnPayer({ wallet }: BundleContext, a: Wallet, b: Wallet): boolean {
  const payer =
    a.payer === b.id ? b : b.payer === a.id ? a : a.payer >= 0 && a.payer === b.payer ? wallet(a.payer) : null
  return payer !== null && payer.paidFor <= ACTORS.payerWalletsMax
}

export const familiesOf = (bits: number): Family[] => FAMILIES.filter((_, n) => (bits & (1 << n)) !== 0)

/** An index of an actor's edges by pair, and of the edge count per wallet. Built on demand, never stored. */
interface EdgeIndex {
  readonly byPair: Map<number, ActorEdge>
  readonly counts: Map<number, number>
}

const indexes = new WeakMap<ActorEdges, EdgeIndex>()

/** Ids stay far below 2^26, because each one cost a transaction. */
const pairKey = (a: number, b: number): number => Math.min(a, b) * 67_108_864 + Math.max(a, b)

function include({ byPair, counts }: EdgeIndex, edge: ActorEdge): void {
  byPair.set(pairKey(edge.a, edge.b), edge)
  for (const end of [edge.a, edge.b]) counts.set(end, (counts.get(end) ?? 0) + 1)
}

function indexOf(of: ActorEdges): EdgeIndex {
  let index = indexes.get(of)
  if (index === undefined) {
    index = { byPair: new Map(), counts: new Map() }
    for (const edge of of.edges) include(index, edge)
    indexes.set(of, index)
  }
  return index
}

export const hasRoom = (of: ActorEdges, wallet: number): boolean =>
  (indexOf(of).counts.get(wallet) ?? 0) < ACTORS.walletEdges

/** Adds evidence between two wallets of an actor, within the bounds. Returns true if anything was added. */
export function addReason(of: ActorEdges, a: number, b: number, { mints, families }: Reason, slot: number): boolean {
  const known = indexOf(of).byPair.get(pairKey(a, b))
  if (known === undefined) {
    if (!hasRoom(of, a) || !hasRoom(of, b)) return false
    const edge = { a: Math.min(a, b), b: Math.max(a, b), families, slot, mints: mints.slice(0, ACTORS.edgeMints) }
    of.edges.push(edge)
    include(indexOf(of), edge)
    return true
  }
  const fresh = mints.filter((mint) => !known.mints.includes(mint)).slice(0, ACTORS.edgeMints - known.mints.length)
  if (fresh.length === 0 && (known.families | families) === known.families) return false
  known.mints.push(...fresh)
  known.families |= families
  return true
}

/** Moves all edges of `alias` to `root` when the actors merge. */
export function moveEdges(root: ActorEdges, alias: ActorEdges): void {
  root.edges.push(...alias.edges)
  alias.edges = []
  indexes.delete(root)
  indexes.delete(alias)
}
