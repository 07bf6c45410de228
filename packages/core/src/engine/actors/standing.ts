import type { Actor, ActorToken } from '../../model/actors.ts'
import type { Token, Wallet } from '../../model/state.ts'
import { ACTORS } from '../constants.ts'
import { hasGained } from './record.ts'

/** The summary of an actor (methodology, section 10). */
export interface Standing {
  readonly wallets: number
  readonly tokens: number
  /** Launches of the last 90 days, and the drained and rugged ones among them by which it gained. */
  readonly launched: number
  readonly drained: number
  readonly rugged: number
  /** Lamports received less lamports paid, over those it launched. */
  readonly taken: number
  /** The median slots from the first purchase until half was sold, over its newest tokens; null if it never left. */
  readonly exitSlots: number | null
  readonly firstSlot: number
  readonly lastSlot: number
}

export interface Records {
  /** A token's record, in memory or not. */
  token(id: number): Token
  wallet(id: number): Wallet
  /** The id of the actor that this one is part of now. */
  rootId(actor: number): number
}

export function isLaunchOf({ wallet, rootId }: Records, actor: Actor, { deployer }: ActorToken): boolean {
  if (deployer < 0) return false
  const { actor: own, serves } = wallet(deployer)
  return own === actor.id || (own < 0 && serves >= 0 && rootId(serves) === actor.id)
}

/** `slot`: the time of the question. What an actor only traded is no part of its record. */
export function standingOf(records: Records, actor: Actor, slot: number): Standing {
  let [launched, drained, rugged, taken] = [0, 0, 0, 0]
  const exits: number[] = []
  for (const entry of actor.tokens) {
    const { createdSlot, drainedSlot, ruggedSlot } = records.token(entry.token)
    if (entry.exitSlot >= 0 && entry.firstBuySlot >= 0) exits.push(Math.max(0, entry.exitSlot - entry.firstBuySlot))
    if (slot - createdSlot > ACTORS.recordSlots || !isLaunchOf(records, actor, entry)) continue
    launched++
    taken += entry.got - entry.paid
    if (!hasGained(entry)) continue
    if (drainedSlot >= 0) drained++
    if (ruggedSlot >= 0) rugged++
  }
  return {
    wallets: actor.wallets.length,
    tokens: actor.tokens.length,
    launched,
    drained,
    rugged,
    taken,
    exitSlots: lowerMedian(exits),
    firstSlot: actor.firstSlot,
    lastSlot: actor.lastSlot,
  }
}

/** The lower median of a bounded list; null if it is empty. */
const lowerMedian = (values: number[]): number | null =>
  values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
