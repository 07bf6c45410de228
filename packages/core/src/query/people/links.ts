import { keyToBase58 } from '../../base/base58.ts'
import type { Who } from '../../contract/who.ts'
import type { Token, Wallet } from '../../model/state.ts'
import { type ActorReader, nameOf, rootOf } from '../actors.ts'
import { sol } from '../round.ts'
import type { Person } from './person.ts'

/** A wallet's first funder and its actor. */

type FunderLink = NonNullable<Who['holders']['top'][number]['funder']>
type ActorName = NonNullable<Who['holders']['top'][number]['actor']>

interface Funded {
  readonly funder: number
  readonly funderSlot: number
  readonly funderLamports: number
}

/** `age_slots` counts up to the launch. */
export const linkOf = ({ createdSlot }: Token, { funderSlot, funderLamports }: Funded) => ({
  slot: Math.max(0, funderSlot),
  age_slots: createdSlot - Math.max(0, funderSlot),
  sol: sol(funderLamports),
})

export function funderOf(token: Token, of: Funded, wallet: (id: number) => Wallet): FunderLink | null {
  if (of.funder < 0) return null
  const { address, name, exchange } = wallet(of.funder)
  return { wallet: keyToBase58(address), name, exchange, ...linkOf(token, of) }
}

export function actorNameOf(reader: ActorReader, id: number): ActorName | null {
  if (id < 0) return null
  const one = rootOf(reader, id)
  return { no: one.id, ...nameOf(reader, one) }
}

export function renderPerson(reader: ActorReader, token: Token, person: Person, wallet: (id: number) => Wallet) {
  const { money, name, tags } = person
  return {
    wallet: person.wallet,
    name,
    tags: [...tags],
    ...money,
    actor: actorNameOf(reader, person.actor),
    funder: funderOf(token, person, wallet),
  }
}
