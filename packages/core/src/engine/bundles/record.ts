import type { Pair } from '../../model/bundles.ts'
import { dropEvidence, setEvidence, weightIn } from '../../model/pair.ts'
import type { Wallet } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { BundleContext } from './context.ts'
import { FAMILY, type Found, isCopying } from './evidence.ts'
import { addPair, boundPairs, findPair, isLink, probability, removePair, sizeCounts } from './pairs.ts'
import { link } from './union.ts'

/** Stores a comparison's evidence and links the wallets if it suffices. `exits`: both have just sold. */
export function record(context: BundleContext, one: Wallet, other: Wallet, found: Found, exits: boolean): void {
  if (context.hidden !== undefined) for (const family of context.hidden) found[family] = 0
  if (!exits && !isAny(found)) return
  const book = context.live.bundles
  const known = findPair(book, one.id, other.id)
  if (isCopying(one, other)) dropCopied(found, known)
  if (!hasEither(found, known)) found[FAMILY.size] = 0
  if (known === undefined && !exits && !isAny(found)) return
  const pair = known ?? addPair(book, one.id, other.id)
  const before = pair.p
  if (exits) countExit(pair, context.slot, found)
  for (let family = 0; family < found.length; family++) {
    const weight = found[family]!
    if (weight > 0 && weight > weightIn(pair, family)) setEvidence(pair, family, weight, context.slot)
  }
  pair.p = probability(pair)
  if (pair.p === 0 && pair.exits === 0 && !pair.linked) return removePair(book, pair)
  if (!pair.linked && pair.p !== before && isLink(pair)) link(context, pair)
  if (known === undefined) boundPairs(book)
}

function isAny(found: Found): boolean {
  for (let family = 0; family < found.length; family++) if (found[family]! > 0) return true
  return false
}

/** Drops evidence that copy trading explains, including evidence recorded before the copier was recognised. */
function dropCopied(found: Found, pair: Pair | undefined): void {
  for (const family of [FAMILY.timing, FAMILY.history, FAMILY.block_exit, FAMILY.exodus]) {
    found[family] = 0
    if (pair !== undefined) dropEvidence(pair, family)
  }
}

/** True if there is timing or a shared funder, without which size does not count. */
const hasEither = (found: Found, pair: Pair | undefined): boolean =>
  found[FAMILY.timing]! > 0 || found[FAMILY.funder]! > 0 || (pair !== undefined && sizeCounts(pair))

/** Counts joint sales at most once per 5 slots, however many parts they came in. */
function countExit(pair: Pair, slot: number, found: Found): void {
  if (pair.exitSlot >= 0 && slot - pair.exitSlot < BUNDLES.recentSlots) return
  pair.exits++
  pair.exitSlot = slot
  if (pair.exits >= BUNDLES.exits) found[FAMILY.exits] = BUNDLES.weights.exits
}
