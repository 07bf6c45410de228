import type { BundleBook, Group } from '../../model/bundles.ts'
import type { Position, Token } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'

/** Looks up a token's groups and their members. */

/** The current group of number `no`: merged groups resolve to the one they joined. */
export function rootOf(book: BundleBook, no: number): Group | null {
  if (no < 0) return null
  let group = book.groups[no]!
  while (group.mergedInto >= 0) group = book.groups[group.mergedInto]!
  return group
}

export function confirmedGroup(book: BundleBook, position: Position): Group | null {
  const group = rootOf(book, position.group)
  return group !== null && group.confirmedSlot >= 0 ? group : null
}

export const isRed = (group: Group, slot: number): boolean =>
  group.red && slot - group.netSellSlot < BUNDLES.redClearsSlots

/** Confirmed groups that hold more than the counted minimum. */
export const holdingGroups = (book: BundleBook, token: Token): Group[] =>
  book.groups.filter(
    (group) =>
      group.mergedInto < 0 && group.confirmedSlot >= 0 && group.balance > token.supply * BUNDLES.countedSupplyShare,
  )
