import type { Actor, ActorToken, Membership } from '../../model/actors.ts'
import type { Position, Token } from '../../model/state.ts'
import { ACTORS } from '../constants.ts'

/** What an actor did, token by token. Base units and lamports. */

type Dealings = Pick<ActorToken, 'bought' | 'sold' | 'paid' | 'got'>

/** A trade as it is counted: base units, and lamports with fees. */
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

/** A trade of a wallet that belongs to no actor, where it is a member of a confirmed group. */
export function countMembership(membership: Membership, dealt: Dealt, slot: number): void {
  add(membership, dealt)
  if (!dealt.isBuy) membership.lastSellSlot = slot
  else if (membership.firstBuySlot < 0) membership.firstBuySlot = slot
}

/** A trade of one of the actor's wallets. */
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

/** What the actor has done on this token; `forget` is given the oldest where there are too many. */
export function openEntry(
  actor: Actor,
  token: Pick<Token, 'id' | 'deployer'>,
  forget: (old: ActorToken) => void,
): ActorToken {
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
    while (actor.tokens.length > ACTORS.tokens) forget(actor.tokens.shift()!)
  }
  entry.deployer = token.deployer
  return entry
}

const earlier = (a: number, b: number): number => (a < 0 || b < 0 ? Math.max(a, b) : Math.min(a, b))

/** What a wallet did before it belonged to the actor. */
export function bring(entry: ActorToken, from: Membership): void {
  entry.grouped = true
  addAll(entry, from)
  if (from.lastSellSlot >= 0) noticeExit(entry, from.lastSellSlot)
}

/** What another actor did that is part of this one now. */
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
