import { HOLDERS_LISTED } from '../../contract/who.ts'
import type { Market } from '../../engine/reading/market.ts'
import type { Scanned } from '../../engine/reading/scan.ts'
import type { Group } from '../../model/bundles.ts'
import type { Position, Wallet } from '../../model/state.ts'
import { type Person, personOf } from './person.ts'

/** Collects the largest holders of a token. Positions may come in any order, each once. */
interface Largest {
  add(position: Position, owner: Wallet, group: Group | null): void
  /** Largest first; equal balances by wallet id. */
  people(): readonly Person[]
}

interface Kept {
  readonly balance: number
  readonly person: Person
}

export function createLargest({ token }: Scanned, market: Market): Largest {
  const kept: Kept[] = []
  const isAhead = ({ balance, wallet }: Position, other: Kept): boolean =>
    balance > other.balance || (balance === other.balance && wallet < other.person.id)
  return {
    add(position, owner, group) {
      if (kept.length >= HOLDERS_LISTED && !isAhead(position, kept.at(-1)!)) return
      let at = kept.length
      while (at > 0 && isAhead(position, kept[at - 1]!)) at--
      const person = personOf(token, market, position, owner, group === null ? -1 : group.no)
      kept.splice(at, 0, { balance: position.balance, person })
      if (kept.length > HOLDERS_LISTED) kept.pop()
    },
    people: () => kept.map(({ person }) => person),
  }
}
