import type { BundleBook } from '../../model/bundles.ts'
import type { Position } from '../../model/state.ts'
import { confirmedGroup } from '../bundles/groups.ts'
import { SLOTS } from '../constants.ts'

/** Further figures of a token's positions for the lists (methodology, section 6). They need no wallet records. */
export interface Crowd {
  /** Base units, even below a holder's minimum. */
  largestBalance: number
  /** Wallets that bought in the last 5 minutes. */
  buyers5m: number
  /** Wallets that traded in the last hour. */
  traders1h: number
  /** Wallets in confirmed groups that ever bought. */
  bundledBuyers: number
}

export const emptyCrowd = (): Crowd => ({ largestBalance: 0, buyers5m: 0, traders1h: 0, bundledBuyers: 0 })

/** Adds positions, each once, to all four figures. */
export function crowdInto(crowd: Crowd, bundles: BundleBook, slot: number, positions: Iterable<Position>): Crowd {
  for (const position of positions) {
    if (position.balance > crowd.largestBalance) crowd.largestBalance = position.balance
    if (position.lastBuySlot >= slot - SLOTS.fiveMinutes) crowd.buyers5m++
    if (Math.max(position.lastBuySlot, position.lastSellSlot) >= slot - SLOTS.hour) crowd.traders1h++
    if (position.group >= 0 && position.bought > 0 && confirmedGroup(bundles, position) !== null) crowd.bundledBuyers++
  }
  return crowd
}
