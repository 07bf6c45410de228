import type { BlockProducer } from './block-producer.ts'
import { planBuy } from './exchange.ts'
import type { Group } from './groups.ts'
import type { Action } from './plan.ts'
import type { Wallet } from './traders.ts'

/** Applies a member's purchase for `quote` without committing its transaction; null if nothing can be bought. */
export function groupBuy(
  producer: BlockProducer,
  group: Group,
  wallet: Wallet,
  quote: number,
  slot: number,
): Action | null {
  const action = planBuy(group.token, wallet, quote)
  if (action === null) return null
  const position = producer.happen(action, slot)
  if (!group.bag.includes(position)) group.bag.push(position)
  group.draft?.wallets.add(wallet)
  producer.funding.lookUp(wallet, slot)
  return action
}
