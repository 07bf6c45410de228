import type { Group } from '../../model/bundles.ts'
import { CLASS, enterClass, raisePeak } from '../class-memory.ts'
import { BUNDLES } from '../constants.ts'
import { judgeRug } from '../drain.ts'
import { joinSigned } from '../people.ts'
import { gotBy, paidBy } from '../positions.ts'
import type { BundleContext } from './context.ts'

/** The consequences of a group: confirmation, what its members took, and rugs counted against them. */

/** Updates a group's peak and confirms it once it is large enough. */
export function settle(context: BundleContext, group: Group | null): void {
  if (group === null) return
  const { token } = context.live
  group.peak = Math.max(group.peak, group.balance)
  const isLarge = token.supply > 0 && group.peak >= token.supply * BUNDLES.confirmedSupplyShare
  if (group.confirmedSlot < 0 && isLarge) group.confirmedSlot = context.slot
  if (group.confirmedSlot >= 0) {
    for (; group.remembered < group.members.length; group.remembered++) {
      const member = group.members[group.remembered]!
      const position = context.live.positions.get(member)!
      joinSigned(context, position)
      enterClass(token, position, CLASS.bundled)
      context.touchPosition(position)
      context.members?.joined(context, group, member)
    }
    raisePeak(token, CLASS.bundled, group.peak)
  }
  if (token.ruggedSlot >= 0) countRugsOf(context, group)
}

/** Runs at the end of an event: a drain is a rug if enough of those who gained now turn out to be own people. */
export function judgeAgain(context: BundleContext): void {
  if (context.credited === true) judgeRug(context.live.token, context.slot)
}

/** Counts a rug that was just found against every member of a confirmed group that gained by it, once each, or takes it back. */
export function countRugs(context: BundleContext): void {
  for (const group of context.live.bundles.groups) countRugsOf(context, group)
}

function countRugsOf(context: BundleContext, { confirmedSlot, members }: Group): void {
  if (confirmedSlot < 0) return
  const isRugged = context.live.token.ruggedSlot >= 0
  for (const id of members) {
    const position = context.live.positions.get(id)!
    const counts = isRugged && gotBy(position) > paidBy(position)
    if (position.rugCounted === counts) continue
    const wallet = context.wallet(id)
    position.rugCounted = counts
    wallet.rugs += counts ? 1 : -1
    context.touchPosition(position)
    context.touchWallet(wallet)
  }
}
