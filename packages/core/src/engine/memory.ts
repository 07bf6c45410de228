import type { Position, Token } from '../model/state.ts'
import type { BundleContext } from './bundles/context.ts'
import { MEMORY } from './constants.ts'
import { isInsider } from './insiders.ts'

/**
 * Records what the deployer, insiders and confirmed groups held and sold, in base units (methodology, section 1). Exits
 * do not lower it. A group's own peak and sales are part of its record.
 */

/**
 * Updates the memory after a trade or transfer changed a position. `soldNow` is the amount this trade sold; `isMember`
 * means member of a confirmed group.
 */
export function remember(context: BundleContext, position: Position, soldNow: number, isMember: boolean): void {
  const { live, wallet } = context
  const { token } = live
  const { balance, sold, insiderBalance } = position
  if (position.wallet === token.deployer && balance > token.deployerPeak) token.deployerPeak = balance
  const wasInsider = insiderBalance >= 0
  const insider = wasInsider || isInsider(token, position, wallet)
  if (insider) {
    token.insiderHeld += balance - Math.max(0, insiderBalance)
    token.insiderSold += wasInsider ? soldNow : sold
    position.insiderBalance = balance
  }
  if (insider || isMember || position.soldCounted > 0) rememberSales(context, position)
}

/** Counts the sales of a known insider, including those before it was identified. */
export function rememberSales({ live, slot, touchPosition }: BundleContext, position: Position): void {
  const fresh = position.sold - position.soldCounted
  if (fresh <= 0) return
  live.token.insideSold += fresh
  if (slot - position.lastSellSlot <= MEMORY.bucketSlots * MEMORY.buckets) addExit(live.token, slot, fresh)
  position.soldCounted = position.sold
  touchPosition(position)
}

/** Runs at the end of a transaction, because within one a transfer can be counted at both of its ends. */
export function rememberPeak(token: Token): void {
  if (token.insiderHeld > token.insiderPeak) token.insiderPeak = token.insiderHeld
}

const bucketOf = (slot: number): number => Math.floor(slot / MEMORY.bucketSlots)

function addExit({ exits }: Token, slot: number, tokens: number): void {
  const index = bucketOf(slot)
  const last = exits[exits.length - 1]
  if (last?.index === index) {
    last.tokens += tokens
    return
  }
  exits.push({ index, tokens })
  while (exits[0]!.index < index - MEMORY.buckets) exits.shift()
}

/** Base units they sold together within the last hour. */
export function soldInHour({ exits }: Token, slot: number): number {
  let tokens = 0
  for (const exit of exits) if (exit.index >= bucketOf(slot) - MEMORY.buckets) tokens += exit.tokens
  return tokens
}
