import type { Key } from '@ti/core/base/ids.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { Position } from '@ti/core/model/state.ts'
import { FUNDER_PAGES } from '../../observe/funder/funder.ts'
import { HISTORY_PAGE } from '../../observe/funder/history.ts'
import { HOLDERS, largeHoldings, ownerOf, QUIET_SLOTS, type WalletById } from './large-holdings.ts'

/** first buyers of a new token */
export const EARLY_BUYERS = 20

/** The order in which first funders are looked up. It is computed from the current state and not kept as a queue. */
export interface WithoutFunder {
  readonly wallet: Key
  /** The slot by which the wallet had tokens. If a node's history of the wallet begins later, it lacks the beginning. */
  readonly before: number
}

/**
 * Holders of at least a quarter of a percent of the supply, in tokens with at least ten holders, the most important first. The
 * weight of a wallet is the sum over these tokens of its share times the fourth root of the token's size. With the size itself,
 * the small holders of large pools would use up the whole budget and launches would wait (measured: docs/operating.md).
 *
 * Wallets that trade so often that their first transaction lies beyond the pages that are read are left out.
 */
export function largestHolders(tokens: Iterable<LiveToken>, slot: number, wallet: WalletById): WithoutFunder[] {
  const found = new Map<number, WithoutFunder & { worth: number }>()
  for (const holdings of largeHoldings(tokens, slot)) {
    for (const { position, worth } of holdings) {
      const owner = ownerOf(position, wallet)
      if (owner.funder >= 0 || owner.trades >= FUNDER_PAGES * HISTORY_PAGE) continue
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
 * Deployers of tokens that trade and have enough holders, the newest launch first. There are few of them, and one answer
 * links the launches that belong together (methodology, section 10).
 */
export function deployersAtRisk(tokens: Iterable<LiveToken>, slot: number, wallet: WalletById): WithoutFunder[] {
  const found = new Map<Key, WithoutFunder>()
  for (const { token } of tokens) {
    const { deployer: id, createdSlot, holders, lastTradeSlot } = token
    if (id < 0 || holders < HOLDERS || slot - lastTradeSlot > QUIET_SLOTS) continue
    const { address, funder, trades } = wallet(id)
    if (funder >= 0 || trades >= FUNDER_PAGES * HISTORY_PAGE) continue
    const before = Math.min(found.get(address)?.before ?? Number.POSITIVE_INFINITY, createdSlot)
    found.set(address, { wallet: address, before })
  }
  return [...found.values()].sort((a, b) => b.before - a.before || (a.wallet < b.wallet ? -1 : 1))
}

/** The first buyers of each token, including those who have sold. */
export function* earlyBuyers(tokens: Iterable<LiveToken>, wallet: WalletById): Generator<WithoutFunder> {
  for (const { positions } of tokens) {
    let buyers = 0
    for (const position of positions.held()) {
      if (position.firstBuySlot < 0) continue
      const owner = ownerOf(position, wallet)
      if (owner.funder < 0) yield { wallet: owner.address, before: position.firstBuySlot }
      if (++buyers >= EARLY_BUYERS) break
    }
  }
}
