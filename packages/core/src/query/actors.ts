import { keyToBase58 } from '../base/base58.ts'
import { familiesOf } from '../engine/actors/evidence.ts'
import { hasStake } from '../engine/actors/record.ts'
import { type Records, type Standing, standingOf } from '../engine/actors/standing.ts'
import type { StateReader } from '../engine/state.ts'
import { type Actor, NAMED_BY, type NamedActor } from '../model/actors.ts'
import type { Position } from '../model/state.ts'
import { actorName } from './bundle-name.ts'
import { sol, turnover } from './round.ts'
import type { TokenView } from './view.ts'

/** Renders actors: the same people across tokens. */

/** The state that rendering actors reads, all as of one commit. */
export interface ActorReader extends Pick<StateReader, 'globals' | 'token' | 'wallet' | 'actor' | 'actorEdges'> {
  positionOf(token: number, wallet: number): Position | undefined
}

export function rootOf(reader: ActorReader, id: number): Actor {
  let actor = reader.actor(id)!
  while (actor.mergedInto >= 0) actor = reader.actor(actor.mergedInto)!
  return actor
}

export const recordsOf = (reader: ActorReader): Records => ({
  token: (id) => reader.token(id)!,
  wallet: (id) => reader.wallet(id)!,
  rootId: (id) => rootOf(reader, id).id,
})

export const nameOf = ({ token, wallet }: ActorReader, { firstToken, firstSlot, founder }: Actor) =>
  actorName(token(firstToken)!.mint, firstSlot, wallet(founder)!.address)

/** Durations in slots, amounts in SOL. */
export const renderStanding = ({ exitSlots, firstSlot, lastSlot, taken, ...counts }: Standing) => ({
  ...counts,
  taken_sol: sol(taken),
  usual_exit_slots: exitSlots,
  first_slot: firstSlot,
  last_slot: lastSlot,
})

/** An actor's name and record. */
export const actorInBrief = (reader: ActorReader, one: Actor) => ({
  ...nameOf(reader, one),
  ...renderStanding(standingOf(recordsOf(reader), one, reader.globals()!.slot)),
})

/** An actor with at most `most` edges of evidence; null if there is none with this number. */
export function actor(reader: ActorReader, id: number, most = Number.POSITIVE_INFINITY) {
  if (!Number.isSafeInteger(id) || id < 0 || id >= (reader.globals()?.nextActor ?? 0)) return null
  const one = rootOf(reader, id)
  return {
    ...actorInBrief(reader, one),
    members: one.wallets.map((wallet) => keyToBase58(reader.wallet(wallet)!.address)),
    newest_tokens: one.tokens.map(({ token }) => keyToBase58(reader.token(token)!.mint)),
    evidence: renderEdges(reader, one, most),
  }
}

/** The evidence that joins an actor's wallets, at most `most` edges of it. */
export const renderEdges = (reader: ActorReader, { id }: Actor, most: number) =>
  reader
    .actorEdges(id)!
    .edges.slice(0, most)
    .map(({ a, b, families, slot, mints }) => ({
      wallets: [a, b].map((wallet) => keyToBase58(reader.wallet(wallet)!.address)),
      families: familiesOf(families),
      slot,
      mints: mints.map((token) => keyToBase58(reader.token(token)!.mint)),
    }))

/** True if the actor gained by launches that were drained or rugged, other than `here`. */
export function hasRecord(reader: ActorReader, actor: Actor, here: number): boolean {
  const others = { ...actor, tokens: actor.tokens.filter(({ token }) => token !== here) }
  const { drained, rugged } = standingOf(recordsOf(reader), others, reader.globals()!.slot)
  return drained > 0 || rugged > 0
}

const HOW = {
  [NAMED_BY.deployed]: 'deployed',
  [NAMED_BY.boughtEarly]: 'bought_early',
  [NAMED_BY.traded]: 'traded',
  [NAMED_BY.group]: 'group',
} as const

/** The event that named the actor on a token, as served. */
export const howNamed = (by: number) => HOW[by as keyof typeof HOW]

/**
 * The actors on a token: name, first appearance, and what they hold and have sold (percent of supply). Largest first.
 */
export function actorsOf(view: TokenView, reader: ActorReader) {
  const { token } = view.live
  return namedOn(view, reader)
    .map(({ one, slot, by }) => {
      const positions = one.wallets.flatMap((id) => reader.positionOf(token.id, id) ?? [])
      const pct = (of: (position: Position) => number): number =>
        turnover(
          positions.reduce((sum, position) => sum + of(position), 0),
          token.supply,
        )
      return {
        no: one.id,
        ...actorInBrief(reader, one),
        known_here: { slot, by: howNamed(by) },
        wallets_here: positions.length,
        holds_pct: pct(({ balance }) => balance),
        sold_pct: pct(({ sold }) => sold),
      }
    })
    .sort((a, b) => b.holds_pct + b.sold_pct - (a.holds_pct + a.sold_pct))
}

/** Actors named while the token traded, and those that with a stake in it became one later. */
function namedOn({ live }: TokenView, reader: ActorReader) {
  const { token, bundles } = live
  const known = new Map<number, { readonly one: Actor } & Pick<NamedActor, 'slot' | 'by'>>()
  const add = (id: number, slot: number, by: number): void => {
    const one = rootOf(reader, id)
    if (!known.has(one.id)) known.set(one.id, { one, slot, by })
  }
  for (const { actor: id, slot, by } of token.actors) add(id, slot, by)
  for (const { confirmedSlot, members } of bundles.groups) {
    for (const id of confirmedSlot < 0 ? [] : members) {
      const { actor: own } = reader.wallet(id)!
      const entry = own < 0 ? undefined : rootOf(reader, own).tokens.find((one) => one.token === token.id)
      if (entry !== undefined && hasStake(entry, token.supply)) add(own, confirmedSlot, NAMED_BY.group)
    }
  }
  return [...known.values()]
}
