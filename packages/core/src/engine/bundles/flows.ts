import type { Flow, Group } from '../../model/bundles.ts'
import { BUCKET, BUNDLES } from '../constants.ts'
import { bucketIndex } from '../windows.ts'
import { isRed } from './groups.ts'

/** Purchases and sales of a group's members, in 25-slot buckets of the last 750 slots and the current one. */

const WINDOW_BUCKETS = BUNDLES.redWindowSlots / BUCKET.slots

/** Counts a member's trade; `tokens` are base units. */
export function addFlow(group: Group, slot: number, isBuy: boolean, tokens: number): void {
  const index = bucketIndex(slot)
  const { flows } = group
  let flow = flows[flows.length - 1]
  if (flow === undefined || flow.index < index) {
    flow = { index, bought: 0, sold: 0 }
    flows.push(flow)
    let expired = 0
    while (flows[expired]!.index < index - WINDOW_BUCKETS) expired++
    if (expired > 0) flows.splice(0, expired)
  }
  if (isBuy) flow.bought += tokens
  else flow.sold += tokens
}

/** Updates the red flag after a member's trade; `supply` is in base units. */
export function judge(group: Group, slot: number, supply: number): void {
  if (group.red && !isRed(group, slot)) group.red = false
  const net = netSold(group, slot)
  if (net <= 0 || supply <= 0) return
  group.netSellSlot = slot
  const half = group.sold >= group.bought * BUNDLES.redSoldShare && net >= supply * BUNDLES.redNetSellShare
  if (half || net >= supply * BUNDLES.redNetSellAlone) group.red = true
}

/** Base units sold less bought over the last 750 slots. */
function netSold({ flows }: Group, slot: number): number {
  const from = bucketIndex(slot) - WINDOW_BUCKETS
  let net = 0
  for (const flow of flows) if (flow.index >= from) net += flow.sold - flow.bought
  return net
}

/** Adds the flows and flags of `alias`. A red flag that has expired by `slot` is dropped. */
export function mergeFlows(group: Group, alias: Group, slot: number): void {
  const red = (group.red && isRed(group, slot)) || (alias.red && isRed(alias, slot))
  group.red = red
  group.netSellSlot = Math.max(group.netSellSlot, alias.netSellSlot)
  const merged: Flow[] = []
  for (const flow of [...group.flows, ...alias.flows].sort((a, b) => a.index - b.index)) {
    const last = merged[merged.length - 1]
    if (last?.index !== flow.index) merged.push({ ...flow })
    else {
      last.bought += flow.bought
      last.sold += flow.sold
    }
  }
  const from = bucketIndex(slot) - WINDOW_BUCKETS
  group.flows = merged.filter(({ index }) => index >= from)
}
