import type { ActorEdge, ActorEdges, Membership } from '../../model/actors.ts'
import { FAMILIES, type Family } from '../../model/bundles.ts'
import { hasFamily, weightIn } from '../../model/pair.ts'
import type { Wallet } from '../../model/state.ts'
import type { BundleContext } from '../bundles/context.ts'
import { FAMILY } from '../bundles/evidence.ts'
import { findPair } from '../bundles/pairs.ts'
import { ACTORS, BUNDLES } from '../constants.ts'

/** What makes two wallets of one confirmed group an actor: methodology, section 10. */

/** Why they belong together: tokens in common, oldest first, and bits of decisive families. */
export interface Reason {
  readonly mints: readonly number[]
  readonly families: number
}

export const membershipOn = ({ memberships }: Wallet, token: number): Membership | undefined =>
  memberships.findLast((one) => one.token === token)

/** Memberships that both wallets have in one group, as the first wallet's. */
export function inCommon(a: Wallet, b: Wallet): Membership[] {
  return a.memberships.filter(({ token, group }) =>
    b.memberships.some((other) => other.token === token && other.group === group),
  )
}

/** Null where they have too little in common, or where one of the two is in groups with everybody. */
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

/** A bot is in groups with many, and with each of them a few times: most of a person's groups are with its own. */
function keepsTo({ memberships }: Wallet, common: number): boolean {
  const own = memberships.reduce((sum, { shared }) => sum + (shared ? 1 : 0), 0)
  return Math.max(common, own) >= ACTORS.loyalShare * memberships.length
}

const beatsChance = (tokens: number, common: number, a: Wallet, b: Wallet): boolean =>
  common * tokens >= ACTORS.timesChance * a.memberships.length * b.memberships.length

/** Families of a link that say by themselves whose the wallets are, on whichever token. */
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

// --- edges

/** Edges of an actor by pair of wallets, and how many each wallet has: made when first needed and never stored. */
interface EdgeIndex {
  readonly byPair: Map<number, ActorEdge>
  readonly counts: Map<number, number>
}

const indexes = new WeakMap<ActorEdges, EdgeIndex>()

/** Ids are far below 2^26: each has cost somebody a transaction. */
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

/** Adds to the evidence between two wallets of an actor; nothing beyond the bounds. True when anything was added. */
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

/** Moves all edges of `alias` to `root`: of one actor from now on. */
export function moveEdges(root: ActorEdges, alias: ActorEdges): void {
  root.edges.push(...alias.edges)
  alias.edges = []
  indexes.delete(root)
  indexes.delete(alias)
}
