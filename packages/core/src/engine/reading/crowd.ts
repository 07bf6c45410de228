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
export function crowdInto(crowd: Crowd, bundles: BundleBook, slot: number, positions: Iterable<Position>): void {
  for (const position of positions) {
    if (position.balance > crowd.largestBalance) crowd.largestBalance = position.balance
    if (hasBought5m(position, slot)) crowd.buyers5m++
    if (hasTraded1h(position, slot)) crowd.traders1h++
    if (isBundledBuyer(bundles, position)) crowd.bundledBuyers++
  }
}

const hasBought5m = ({ lastBuySlot }: Position, slot: number): boolean => lastBuySlot >= slot - SLOTS.fiveMinutes

const hasTraded1h = ({ lastBuySlot, lastSellSlot }: Position, slot: number): boolean =>
  Math.max(lastBuySlot, lastSellSlot) >= slot - SLOTS.hour

const isBundledBuyer = (bundles: BundleBook, position: Position): boolean =>
  position.group >= 0 && position.bought > 0 && confirmedGroup(bundles, position) !== null

/** The same figures, each computed on first access, because a cheaper test often decides. */
export function lazyCrowd(
  bundles: BundleBook,
  slot: number,
  positions: { passing(): Iterable<Position> },
): Readonly<Crowd> {
  const count = (counts: (position: Position) => boolean): number => {
    let total = 0
    for (const position of positions.passing()) if (counts(position)) total++
    return total
  }
  return {
    get largestBalance() {
      let largest = 0
      for (const { balance } of positions.passing()) if (balance > largest) largest = balance
      return largest
    },
    get buyers5m() {
      return count((position) => hasBought5m(position, slot))
    },
    get traders1h() {
      return count((position) => hasTraded1h(position, slot))
    },
    get bundledBuyers() {
      return bundles.groups.length === 0 ? 0 : count((position) => isBundledBuyer(bundles, position))
    },
  }
}
