import { type Actor, type ActorToken, type Membership, NAMED_BY } from '../../model/actors.ts'
import type { Group } from '../../model/bundles.ts'
import type { Globals, Token, Wallet } from '../../model/state.ts'
import type { BundleContext, Joins } from '../bundles/context.ts'
import { ACTORS } from '../constants.ts'
import type { StateReader } from '../state.ts'
import type { TokenBook } from '../token-book.ts'
import type { WalletCache } from '../wallet-cache.ts'
import { type ActorBook, createActorBook } from './book.ts'
import { addReason, hasRoom, inCommon, membershipOn, moveEdges, type Reason, reasonOf } from './evidence.ts'
import { createPurses } from './purses.ts'
import {
  bring,
  combine,
  countMembership,
  countTrade,
  type Dealt,
  hasGained,
  hasStake,
  newMembership,
  openEntry,
} from './record.ts'

/** Tracks the same people across tokens while confirmed groups are found (methodology, section 10). */
export interface ActorTracker extends Joins, Pick<ActorBook, 'byId' | 'rootOf' | 'edgesOf' | 'changes' | 'committed'> {
  /** Called before a trade is applied. */
  traded(token: Token, wallet: Wallet, dealt: Dealt, slot: number): void
  /** Called when the token's deployer becomes known. */
  deployed(token: Token, deployer: Wallet, slot: number): void
  /** Called when a deployer's funder becomes known, with its tokens in memory. True if it launches for an actor. */
  funded(deployer: Wallet, launches: readonly Token[], slot: number): boolean
}

interface TrackerParts {
  readonly globals: Globals
  readonly reader: Pick<StateReader, 'actor' | 'actorEdges'>
  readonly tokens: Pick<TokenBook, 'record'>
  readonly wallets: Pick<WalletCache, 'byId' | 'touch'>
}

/** Another member of the group, and the evidence between the two. */
interface Candidate {
  readonly other: Wallet
  readonly reason: Reason
}

/** True if the deployer took more out of its launch than it put in. */
const gainedOn = ({ deployer }: Wallet, token: number): boolean =>
  deployer?.recent.some((launch) => launch.token === token && launch.taken > 0) ?? false

export function createActorTracker({ globals, reader, tokens, wallets }: TrackerParts): ActorTracker {
  const book = createActorBook(reader, () => globals.nextActor++)
  const purses = createPurses(book, wallets)

  function name(token: Token, actor: Actor, slot: number, by: number): void {
    if (token.actors.some((named) => named.actor === actor.id || book.rootOf(named.actor) === actor)) return
    if (token.actors.length < ACTORS.namedPerToken) token.actors.push({ actor: actor.id, slot, by })
  }

  /** Names the actor on a token it did not launch, once it has a stake there. */
  function nameByStake(token: Token, actor: Actor, entry: ActorToken, slot: number, by: number): void {
    if (hasStake(entry, token.supply)) name(token, actor, slot, by)
  }

  /** Makes a deployer serve the actor if both gained on several of its launches, and on most of them. */
  function noticeDeployer(actor: Actor, { deployer: id }: ActorToken): void {
    if (id < 0) return
    const deployer = wallets.byId(id)
    if (deployer.actor >= 0 || deployer.serves >= 0) return
    const times = actor.tokens.filter(
      (one) => one.grouped && one.deployer === id && hasGained(one) && gainedOn(deployer, one.token),
    ).length
    if (times < ACTORS.servedLaunches || times < ACTORS.servedShare * deployer.launches) return
    if (times * globals.nextToken < ACTORS.timesChance * deployer.launches * actor.tokens.length) return
    purses.serve(deployer, actor)
  }

  function admit(actor: Actor, wallet: Wallet): void {
    actor.wallets.push(wallet.id)
    wallet.actor = actor.id
    wallet.serves = -1
    wallets.touch(wallet)
    if (wallet.launches > 0) purses.mark(wallet, actor)
    book.touch(actor)
    for (const membership of wallet.memberships) {
      const entry = openEntry(actor, tokens.record(membership.token))
      bring(entry, membership)
      noticeDeployer(actor, entry)
    }
  }

  /** Merges two actors. The older one stays; the other becomes its alias. */
  function merge(one: Actor, other: Actor): void {
    const isOlder = one.firstSlot < other.firstSlot || (one.firstSlot === other.firstSlot && one.id < other.id)
    const [root, alias] = isOlder ? [one, other] : [other, one]
    for (const id of alias.wallets) {
      const wallet = wallets.byId(id)
      wallet.actor = root.id
      wallets.touch(wallet)
      root.wallets.push(id)
    }
    for (const from of alias.tokens) combine(openEntry(root, tokens.record(from.token)), from)
    for (const entry of root.tokens) if (entry.grouped) noticeDeployer(root, entry)
    root.lastSlot = Math.max(root.lastSlot, alias.lastSlot)
    alias.wallets = []
    alias.tokens = []
    alias.mergedInto = root.id
    moveEdges(book.edgesOf(root.id), book.edgesOf(alias.id))
    for (const actor of [root, alias]) {
      book.touch(actor)
      book.touchEdges(book.edgesOf(actor.id))
    }
  }

  /** Stops chains of chance edges between unrelated actors. */
  function mayMerge(one: Actor, other: Actor, candidates: readonly Candidate[]): boolean {
    const sizes = [one.wallets.length, other.wallets.length] as const
    if (sizes[0] + sizes[1] > ACTORS.wallets) return false
    if (sizes[0] < ACTORS.large || sizes[1] < ACTORS.large) return true
    return candidates.filter((candidate) => candidate.other.actor === other.id).length >= ACTORS.largeEdges
  }

  const actorOf = ({ actor }: Wallet): Actor | null => (actor < 0 ? null : book.byId(actor))

  function foundBy(context: BundleContext, one: Wallet, other: Wallet): void {
    const founder = one.address < other.address ? one : other
    const actor = book.found(context.slot, context.live.token.id, founder.id)
    admit(actor, one)
    admit(actor, other)
  }

  /** Joins the wallets' actors. Returns false if the bounds or weak evidence prevent it. */
  function unite(context: BundleContext, wallet: Wallet, other: Wallet, candidates: readonly Candidate[]): boolean {
    const [mine, theirs] = [actorOf(wallet), actorOf(other)]
    if (mine !== null && mine === theirs) return true
    if (mine !== null && !hasRoom(book.edgesOf(mine.id), wallet.id)) return false
    if (theirs !== null && !hasRoom(book.edgesOf(theirs.id), other.id)) return false
    if (mine !== null && theirs !== null) {
      if (!mayMerge(mine, theirs, candidates)) return false
      merge(mine, theirs)
      return true
    }
    const [actor, joining] = mine !== null ? [mine, other] : [theirs, wallet]
    if (actor === null) foundBy(context, wallet, other)
    else if (actor.wallets.length >= ACTORS.wallets) return false
    else admit(actor, joining)
    return true
  }

  function share(one: Wallet, other: Wallet, mints: readonly number[]): void {
    for (const mint of mints) {
      for (const wallet of [one, other]) {
        membershipOn(wallet, mint)!.shared = true
        wallets.touch(wallet)
      }
    }
  }

  function strengthen(one: Wallet, other: Wallet, reason: Reason, slot: number): void {
    share(one, other, reason.mints)
    const edges = book.edgesOf(one.actor)
    if (addReason(edges, one.id, other.id, reason, slot)) book.touchEdges(edges)
  }

  function enrol(wallet: Wallet, fresh: () => Membership, token: number, group: number): void {
    const known = membershipOn(wallet, token)
    if (known !== undefined) known.group = group
    else {
      wallet.memberships.push(fresh())
      if (wallet.memberships.length > ACTORS.memberships) wallet.memberships.shift()
    }
    wallets.touch(wallet)
  }

  function launched(actor: Actor, token: Token, slot: number): void {
    name(token, actor, slot, NAMED_BY.deployed)
    openEntry(actor, token)
    book.touch(actor)
  }

  /** The newest members that were counted before this wallet. */
  function othersOf(context: BundleContext, group: Group, id: number): Wallet[] {
    const { token } = context.live
    return group.members
      .slice(-ACTORS.comparedMembers)
      .filter((other) => other !== id)
      .map(context.wallet)
      .filter((other) => membershipOn(other, token.id)?.group === group.no)
  }

  return {
    byId: book.byId,
    rootOf: book.rootOf,
    edgesOf: book.edgesOf,
    changes: book.changes,
    committed: book.committed,
    joined(context, group, id) {
      const { live, slot } = context
      const { token } = live
      const wallet = context.wallet(id)
      enrol(wallet, () => newMembership(live.positions.get(id)!, group.no), token.id, group.no)
      const candidates: Candidate[] = []
      for (const other of othersOf(context, group, id)) {
        if (wallet.actor >= 0 && other.actor === wallet.actor) {
          strengthen(wallet, other, { mints: inCommon(wallet, other).map((one) => one.token), families: 0 }, slot)
          continue
        }
        const reason = reasonOf(context, wallet, other)
        if (reason !== null) candidates.push({ other, reason })
      }
      for (const { other, reason } of candidates) {
        if (unite(context, wallet, other, candidates)) strengthen(wallet, other, reason, slot)
      }
      const actor = actorOf(wallet)
      if (actor === null) return
      const entry = openEntry(actor, token)
      entry.grouped = true
      nameByStake(token, actor, entry, slot, NAMED_BY.group)
      noticeDeployer(actor, entry)
      actor.lastSlot = Math.max(actor.lastSlot, slot)
      book.touch(actor)
    },
    traded(token, wallet, dealt, slot) {
      const actor = actorOf(wallet)
      if (actor === null) {
        if (wallet.memberships.length === 0) return
        const membership = membershipOn(wallet, token.id)
        if (membership !== undefined) countMembership(membership, dealt, slot)
        return
      }
      const isEarly = dealt.isBuy && token.createdKnown && slot - token.createdSlot <= ACTORS.earlySlots
      const entry = openEntry(actor, token)
      countTrade(entry, dealt, slot)
      nameByStake(token, actor, entry, slot, isEarly ? NAMED_BY.boughtEarly : NAMED_BY.traded)
      actor.lastSlot = slot
      book.touch(actor)
    },
    deployed(token, deployer, slot) {
      const actor = purses.employerOf(deployer)
      if (actor === null) return
      launched(actor, token, slot)
      actor.lastSlot = slot
    },
    funded(deployer, launches, slot) {
      const actor = purses.employerOf(deployer)
      if (actor === null) return false
      for (const token of launches) launched(actor, token, slot)
      return true
    },
  }
}
