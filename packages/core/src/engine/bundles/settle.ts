import type { Group } from '../../model/bundles.ts'
import { CLASS, enterClass, raisePeak } from '../class-memory.ts'
import { BUNDLES } from '../constants.ts'
import { creditGroup, judgeDrain } from '../drain.ts'
import { rememberSales } from '../memory.ts'
import type { BundleContext } from './context.ts'

/** The consequences of a group: confirmation, credited sales, and rugs counted against its members. */

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
      rememberSales(context, position)
      enterClass(token, position, CLASS.bundled)
      context.touchPosition(position)
      if (member !== token.deployer && creditGroup(token, member, context.slot)) context.credited = true
      context.members?.joined(context, group, member)
    }
    raisePeak(token, CLASS.bundled, group.peak)
  }
  if (token.ruggedSlot >= 0) countRugsOf(context, group)
}

/** Runs at the end of an event: sales newly credited to a group can make a drain a rug. */
export function judgeAgain(context: BundleContext, solUsd: number): void {
  const { token } = context.live
  if (context.credited !== true || token.ruggedSlot >= 0) return
  judgeDrain(context.live, context.slot, solUsd)
  if (token.ruggedSlot >= 0) countRugs(context)
}

/** Counts a rug, which was just found, against every member of a confirmed group that gained by it, once each. */
export function countRugs(context: BundleContext): void {
  for (const group of context.live.bundles.groups) countRugsOf(context, group)
}

function countRugsOf(context: BundleContext, { confirmedSlot, members }: Group): void {
  if (confirmedSlot < 0) return
  for (const id of members) {
    const position = context.live.positions.get(id)!
    if (position.rugCounted || position.episodeOut <= position.episodeIn) continue
    const wallet = context.wallet(id)
    position.rugCounted = true
    wallet.rugs++
    context.touchPosition(position)
    context.touchWallet(wallet)
  }
}
