import type { ActorEdge, ActorEdges, Membership } from '../../model/actors.ts'
import { FAMILIES, type Family } from '../../model/bundles.ts'
import type { Wallet } from '../../model/state.ts'
import type { BundleContext } from '../bundles/context.ts'
import { FAMILY } from '../bundles/evidence.ts'
import { findPair } from '../bundles/pairs.ts'
import { ACTORS } from '../constants.ts'
import { bundledRate } from '../history.ts'

/** Decides whether two wallets of one confirmed group belong to one actor (methodology, section 10). */

/** The evidence of an edge: common tokens, oldest first, and bits of families that hold on any token. */
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

/**
 * Null if they share too little, or if one of them is in groups with many wallets. A wallet with a record of its own
 * needs both kinds of evidence.
 */
export function reasonOf(context: BundleContext, a: Wallet, b: Wallet): Reason | null {
  const mints = inCommon(a, b).map(({ token }) => token)
  const families = familiesOfAny(context, a, b)
  const isLoyal = keepsTo(a, mints.length) && keepsTo(b, mints.length)
  const isOften = isLoyal && mints.length >= ACTORS.mints && beatsChance(context.mints, mints.length, a, b)
  if (hasOwnRecord(a) || hasOwnRecord(b)) return isOften && families !== 0 ? { mints, families } : null
  const isFree = (wallet: Wallet): boolean =>
    wallet.memberships.length <= ACTORS.freeMemberships || keepsTo(wallet, mints.length)
  return isOften || (families !== 0 && isFree(a) && isFree(b)) ? { mints, families } : null
}

/** True for wallets that are known for themselves, or trade many tokens and are rarely in a group. */
function hasOwnRecord(wallet: Wallet): boolean {
  if (wallet.kol || wallet.agent || wallet.smart) return true
  return wallet.mintsBought >= ACTORS.ownMints && (bundledRate(wallet) ?? 0) <= ACTORS.ownBundledRate
}

/** True if most of the wallet's groups are with its own actor. A bot meets many wallets, a few times each. */
function keepsTo({ memberships }: Wallet, common: number): boolean {
  const own = memberships.reduce((sum, { shared }) => sum + (shared ? 1 : 0), 0)
  return Math.max(common, own) >= ACTORS.loyalShare * memberships.length
}

const beatsChance = (tokens: number, common: number, a: Wallet, b: Wallet): boolean =>
  common * tokens >= ACTORS.timesChance * a.memberships.length * b.memberships.length

/** Bits of the families that link the two on this token and would on any other. */
function familiesOfAny({ live: { bundles } }: BundleContext, a: Wallet, b: Wallet): number {
  return (findPair(bundles, a.id, b.id)?.families ?? 0) & ((1 << FAMILY.funder) | (1 << FAMILY.payer))
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
