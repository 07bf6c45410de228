import type { HoldersFact } from '../model/facts.ts'
import type { Position } from '../model/state.ts'
import type { Fold } from './fold.ts'
import { ownerIn } from './positions.ts'
import type { LiveToken } from './resident.ts'
import type { Moment } from './trade.ts'
import { applyCorrections, type Balance } from './transfers.ts'

/**
 * Corrects balances by the largest ones that a node reported (methodology, section 1). A wallet that traded after the
 * answer's slot keeps its balance. So does an unlisted wallet with at most the smallest listed amount. An answer for a
 * slot that is not folded yet is ignored. Returns false if the answer was not used.
 */
export function applyLargest(fold: Fold, live: LiveToken, fact: HoldersFact, now: Moment): boolean {
  if (fact.slot > fold.globals.slot || fact.slot <= live.token.checkedSlot) return false
  live.token.checkedMoved = applyCorrections(fold, live, correctionsOf(fold, live, fact), now)
  live.token.checkedSlot = fact.slot
  fold.tokens.touch(live)
  return true
}

function correctionsOf({ wallets }: Fold, { positions }: LiveToken, fact: HoldersFact): Balance[] {
  const found: Balance[] = []
  const named = new Set<number>()
  for (const [i, owner] of fact.owners.entries()) {
    const wallet = wallets.find(owner)
    const position = wallet && positions.get(wallet.id)
    if (wallet !== undefined) named.add(wallet.id)
    if (position === undefined || isQuiet(position, fact.slot)) found.push({ owner, amount: fact.amounts[i]! })
  }
  const others = [...positions.held()].filter(
    (one) => one.balance > fact.rest && !named.has(one.wallet) && isQuiet(one, fact.slot),
  )
  // sorted, because the order in memory changes after a restart
  others.sort((a, b) => a.wallet - b.wallet)
  for (const one of others) found.push({ owner: ownerIn(one, wallets.byId).address, amount: fact.rest })
  return found
}

const isQuiet = ({ lastBuySlot, lastSellSlot }: Position, slot: number): boolean =>
  lastBuySlot <= slot && lastSellSlot <= slot
