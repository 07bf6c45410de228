import type { Actor, ActorToken } from '../../model/actors.ts'
import type { Token, Wallet } from '../../model/state.ts'

/** The summary of an actor (methodology, section 10). */
export interface Standing {
  readonly wallets: number
  readonly tokens: number
  /** The numbers of those it launched, and of those drained and rugged. */
  readonly launched: number
  readonly drained: number
  readonly rugged: number
  /** Lamports received less lamports paid, over all its tokens. */
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

export function standingOf(records: Records, actor: Actor): Standing {
  let [launched, drained, rugged, taken] = [actor.pastLaunched, actor.pastDrained, actor.pastRugged, actor.pastTaken]
  const exits: number[] = []
  for (const entry of actor.tokens) {
    const { drainedSlot, ruggedSlot } = records.token(entry.token)
    if (isLaunchOf(records, actor, entry)) launched++
    if (drainedSlot >= 0) drained++
    if (ruggedSlot >= 0) rugged++
    taken += entry.got - entry.paid
    if (entry.exitSlot >= 0 && entry.firstBuySlot >= 0) exits.push(Math.max(0, entry.exitSlot - entry.firstBuySlot))
  }
  return {
    wallets: actor.wallets.length,
    tokens: actor.pastTokens + actor.tokens.length,
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
