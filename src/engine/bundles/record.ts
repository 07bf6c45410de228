import { BUNDLES } from '../constants.ts'
import type { Wallet } from '../state.ts'
import { FAMILY, type Found, isCopying } from './evidence.ts'
import type { BundleContext } from './notice.ts'
import { addPair, boundPairs, findPair, isLink, probability, removePair } from './pairs.ts'
import type { Pair } from './state.ts'
import { link } from './union.ts'

/**
 * Remembers what a comparison found about two wallets and links them when it is enough. `exits`: they sold within 2
 * slots of each other just now.
 */
export function record(context: BundleContext, one: Wallet, other: Wallet, found: Found, exits: boolean): void {
  const book = context.live.bundles
  const known = findPair(book, one.id, other.id)
  dropUncounted(one, other, found, known)
  const anything = exits || found.some((weight) => weight > 0)
  if (known === undefined && !anything) return
  const pair = known ?? addPair(book, one.id, other.id)
  const before = pair.p
  if (exits) countExit(pair, context.slot, found)
  for (let family = 0; family < found.length; family++) {
    if (found[family]! <= pair.weights[family]!) continue
    pair.weights[family] = found[family]!
    pair.slots[family] = context.slot
  }
  pair.p = probability(pair.weights)
  if (pair.p === 0 && pair.exits === 0 && !pair.linked) return removePair(book, pair)
  if (!pair.linked && pair.p !== before && isLink(pair)) link(context, pair)
  if (known === undefined) boundPairs(book)
}

/** Timing and history of a copier do not count; size does only beside timing or a shared funder. */
function dropUncounted(one: Wallet, other: Wallet, found: Found, pair: Pair | undefined): void {
  const { timing, history, size, funder } = FAMILY
  const has = (family: number): boolean => found[family]! > 0 || (pair !== undefined && pair.weights[family]! > 0)
  if ((has(timing) || has(history)) && isCopying(one, other)) {
    for (const family of [timing, history]) {
      found[family] = 0
      if (pair === undefined) continue
      pair.weights[family] = 0
      pair.slots[family] = -1
    }
  }
  if (!has(timing) && !has(funder)) found[size] = 0
}

/** A sale counts once per 5 slots, however many parts it came in. */
function countExit(pair: Pair, slot: number, found: Found): void {
  if (pair.exitSlot >= 0 && slot - pair.exitSlot < BUNDLES.recentSlots) return
  pair.exits++
  pair.exitSlot = slot
  if (pair.exits >= BUNDLES.exits) found[FAMILY.exits] = BUNDLES.weights.exits
}
