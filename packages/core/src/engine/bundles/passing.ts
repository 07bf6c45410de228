import type { Pair } from '../../model/bundles.ts'
import { hasFamily } from '../../model/pair.ts'
import type { Position } from '../../model/state.ts'
import { BUNDLES } from '../constants.ts'
import type { BundleContext } from './context.ts'
import { FAMILY, strengthen } from './evidence.ts'
import { finish, found } from './finish.ts'
import { rootOf } from './groups.ts'
import { pairsOf } from './pairs.ts'
import { settle } from './settle.ts'

/** Tokens that move between wallets without a trade (methodology, section 8). */

/**
 * Records that tokens of the mint moved from each of `from` to each of `to` in one transaction, the `txIndex`-th of its
 * slot (-1 if unknown). The positions are up to date.
 */
export function noticeTransfer(
  context: BundleContext,
  from: readonly Position[],
  to: readonly Position[],
  txIndex = -1,
): void {
  let left: number = BUNDLES.transferPairsMax
  for (const giver of from) {
    for (const taker of to) {
      if (left-- <= 0) break
      found.fill(0)
      strengthen(found, FAMILY.transfer, BUNDLES.weights.transfer)
      if (bought(context, giver.wallet, txIndex) || bought(context, taker.wallet, txIndex)) {
        strengthen(found, FAMILY.handover, BUNDLES.weights.handover)
      }
      finish(context, giver, context.wallet(giver.wallet), taker, false)
    }
  }
  for (const giver of from) noticeDealing(context, giver)
  for (const taker of to) noticeConsolidation(context, taker)
  for (const position of from) settle(context, rootOf(context.live.bundles, position.group))
  for (const position of to) settle(context, rootOf(context.live.bundles, position.group))
}

/** Makes handovers decisive if the giver bought and gave away to several wallets, each time in one transaction. */
function noticeDealing(context: BundleContext, giver: Position): void {
  const dealt = pairsOf(context.live.bundles, giver.wallet).filter((pair) => hasFamily(pair, FAMILY.handover))
  if (dealt.length < BUNDLES.handoverTakers) return
  for (const pair of dealt) {
    if (!hasFamily(pair, FAMILY.atomic)) strengthenPair(context, giver, pair, FAMILY.atomic, BUNDLES.weights.atomic)
  }
}

/** Detects several whole bags sent to one wallet. */
function noticeConsolidation(context: BundleContext, taker: Position): void {
  const { bundles, positions } = context.live
  const bags = pairsOf(bundles, taker.wallet).filter(
    (pair) => hasFamily(pair, FAMILY.transfer) && gaveItsBag(positions.get(pair.a === taker.wallet ? pair.b : pair.a)!),
  )
  if (bags.length < BUNDLES.consolidationBags) return
  for (const pair of bags) {
    if (hasFamily(pair, FAMILY.consolidation)) continue
    strengthenPair(context, taker, pair, FAMILY.consolidation, BUNDLES.weights.consolidation)
  }
}

/** True if the position is emptied and less was sold than given away. */
const gaveItsBag = ({ balance, peak, sold, bought, received }: Position): boolean =>
  balance <= peak * BUNDLES.consolidationKept && sold * 2 < bought + received

function strengthenPair(context: BundleContext, one: Position, { a, b }: Pair, family: number, weight: number): void {
  found.fill(0)
  strengthen(found, family, weight)
  const other = context.live.positions.get(a === one.wallet ? b : a)!
  finish(context, one, context.wallet(one.wallet), other, false)
}

/** True if the wallet bought in this transaction of the current slot. */
const bought = ({ live, slot }: BundleContext, wallet: number, txIndex: number): boolean =>
  live.bundles.recent.some(
    (trade) => trade.wallet === wallet && trade.isBuy && trade.slot === slot && trade.txIndex === txIndex,
  )
