import type { Key } from '@ti/core/base/ids.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { Position } from '@ti/core/model/state.ts'
import { LIMITS } from '../../config/limits.ts'
import { largeHoldings, ownerOf, type WalletById } from './large-holdings.ts'

/** Whose first funder to look for next: an order over what the state has now, not a queue. */
export interface WithoutFunder {
  readonly wallet: Key
  /** slot by which it had tokens: a node whose history of it begins later does not have its beginning */
  readonly before: number
}

/**
 * Holders of at least a quarter of a percent of supply, in tokens with at least ten holders, by how much the answer matters: the sum over
 * these tokens of the share that the wallet holds times the fourth root of the token's size. By the size itself, large pools would
 * take the whole budget for their small holders while launches go by (measured: docs/operating.md).
 *
 * Left out is who traded so often that its first transaction lies beyond the pages that are read.
 */
export function largestHolders(tokens: Iterable<LiveToken>, slot: number, wallet: WalletById): WithoutFunder[] {
  const found = new Map<number, WithoutFunder & { worth: number }>()
  for (const holdings of largeHoldings(tokens, slot)) {
    for (const { position, worth } of holdings) {
      const owner = ownerOf(position, wallet)
      if (owner.funder >= 0 || owner.trades >= LIMITS.funderPages * LIMITS.funderPage) continue
      const known = found.get(owner.id)
      const before = Math.min(known?.before ?? Number.POSITIVE_INFINITY, hadBy(position))
      found.set(owner.id, { wallet: owner.address, before, worth: (known?.worth ?? 0) + worth })
    }
  }
  return [...found.values()].sort((a, b) => b.worth - a.worth || (a.wallet < b.wallet ? -1 : 1))
}

const hadBy = ({ firstBuySlot, acquiredSlot }: Position): number =>
  firstBuySlot >= 0 ? firstBuySlot : Math.ceil(acquiredSlot)

/**
 * Deployers of tokens with enough holders that trade, newest launch first: one answer tells whose launches belong together
 * (methodology, section 10), and there are few of them.
 */
export function deployersAtRisk(tokens: Iterable<LiveToken>, slot: number, wallet: WalletById): WithoutFunder[] {
  const found = new Map<Key, WithoutFunder>()
  for (const { token } of tokens) {
    const { deployer: id, createdSlot, holders, lastTradeSlot } = token
    if (id < 0 || holders < LIMITS.funderHolders || slot - lastTradeSlot > LIMITS.funderQuietSlots) continue
    const { address, funder, trades } = wallet(id)
    if (funder >= 0 || trades >= LIMITS.funderPages * LIMITS.funderPage) continue
    const before = Math.min(found.get(address)?.before ?? Number.POSITIVE_INFINITY, createdSlot)
    found.set(address, { wallet: address, before })
  }
  return [...found.values()].sort((a, b) => b.before - a.before || (a.wallet < b.wallet ? -1 : 1))
}

/** The first buyers of each token, whether they still hold it or not. */
export function* earlyBuyers(tokens: Iterable<LiveToken>, wallet: WalletById): Generator<WithoutFunder> {
  for (const { positions } of tokens) {
    let buyers = 0
    for (const position of positions.held()) {
      if (position.firstBuySlot < 0) continue
      const owner = ownerOf(position, wallet)
      if (owner.funder < 0) yield { wallet: owner.address, before: position.firstBuySlot }
      if (++buyers >= LIMITS.funderEarlyBuyers) break
    }
  }
}
