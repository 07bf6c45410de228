import type { Actor, ActorToken, Membership } from '../../model/actors.ts'
import type { Position, Token } from '../../model/state.ts'
import { ACTORS } from '../constants.ts'

/** An actor's record per token, in base units and lamports. */

type Dealings = Pick<ActorToken, 'bought' | 'sold' | 'paid' | 'got'>

/** A trade as counted: base units, and lamports including fees. */
export interface Dealt {
  readonly isBuy: boolean
  readonly tokens: number
  readonly lamports: number
}

function add(to: Dealings, { isBuy, tokens, lamports }: Dealt): void {
  if (isBuy) {
    to.bought += tokens
    to.paid += lamports
  } else {
    to.sold += tokens
    to.got += lamports
  }
}

export const newMembership = (position: Position, group: number): Membership => ({
  shared: false,
  token: position.token,
  group,
  firstBuySlot: position.firstBuySlot,
  lastSellSlot: position.lastSellSlot,
  bought: position.bought,
  sold: position.sold,
  paid: position.episodeIn,
  got: position.episodeOut,
})

/** Counts a trade of a confirmed group's member that belongs to no actor. */
export function countMembership(membership: Membership, dealt: Dealt, slot: number): void {
  add(membership, dealt)
  if (!dealt.isBuy) membership.lastSellSlot = slot
  else if (membership.firstBuySlot < 0) membership.firstBuySlot = slot
}

/** Counts a trade of one of the actor's wallets. */
export function countTrade(entry: ActorToken, dealt: Dealt, slot: number): void {
  add(entry, dealt)
  if (dealt.isBuy && entry.firstBuySlot < 0) entry.firstBuySlot = slot
  if (!dealt.isBuy) noticeExit(entry, slot)
}

const hasLeft = ({ bought, sold }: Dealings): boolean => sold > 0 && sold >= ACTORS.exitShare * bought

function noticeExit(entry: ActorToken, slot: number): void {
  if (entry.exitSlot < 0 && hasLeft(entry)) entry.exitSlot = slot
}

const entryOn = ({ tokens }: Actor, token: number): ActorToken | undefined =>
  tokens.findLast((entry) => entry.token === token)

/** The actor's entry for the token, created if missing. Beyond the bound the oldest entry is forgotten. */
export function openEntry(actor: Actor, token: Pick<Token, 'id' | 'deployer'>): ActorToken {
  let entry = entryOn(actor, token.id)
  if (entry === undefined) {
    entry = {
      grouped: false,
      token: token.id,
      deployer: token.deployer,
      firstBuySlot: -1,
      exitSlot: -1,
      bought: 0,
      sold: 0,
      paid: 0,
      got: 0,
    }
    actor.tokens.push(entry)
    if (actor.tokens.length > ACTORS.tokens) actor.tokens.shift()
  }
  entry.deployer = token.deployer
  return entry
}

/** True if what the actor put in or took out there is enough to name it on the token; `supply` is in base units. */
export const hasStake = ({ bought, paid, got }: ActorToken, supply: number): boolean =>
  Math.max(paid, got) >= ACTORS.stakeLamports || (supply > 0 && bought >= supply * ACTORS.stakeSupplyShare)

/** True if it received more than it paid there. */
export const hasGained = ({ paid, got }: Dealings): boolean => got > paid

const earlier = (a: number, b: number): number => (a < 0 || b < 0 ? Math.max(a, b) : Math.min(a, b))

/** Adds the trades a wallet made before it joined the actor. */
export function bring(entry: ActorToken, from: Membership): void {
  entry.grouped = true
  addAll(entry, from)
  if (from.lastSellSlot >= 0) noticeExit(entry, from.lastSellSlot)
}

/** Adds the entry of an actor that was merged into this one. */
export function combine(entry: ActorToken, from: ActorToken): void {
  entry.grouped ||= from.grouped
  addAll(entry, from)
  entry.exitSlot = hasLeft(entry) ? Math.max(entry.exitSlot, from.exitSlot) : -1
}

function addAll(entry: ActorToken, from: Dealings & Pick<ActorToken, 'firstBuySlot'>): void {
  entry.firstBuySlot = earlier(entry.firstBuySlot, from.firstBuySlot)
  entry.bought += from.bought
  entry.sold += from.sold
  entry.paid += from.paid
  entry.got += from.got
}
