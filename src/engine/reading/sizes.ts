import { SIGNALS, SLOTS } from '../constants.ts'
import type { LiveToken } from '../resident.ts'
import type { TradesBack } from './market.ts'

/**
 * Sizes of a token's trades in the last 5 minutes, oldest first: read from the trade rows once, then only what is new.
 * A shortcut kept beside the token, no state.
 */
export interface RecentSizes {
  /** trades of the token that were read */
  seen: number
  slots: number[]
  /** in the token's unit, positive for a buy */
  lamports: number[]
}

export function recentSizes(
  live: Pick<LiveToken, 'token' | 'sizes'>,
  slot: number,
  tradesBack: TradesBack,
): RecentSizes {
  const { token } = live
  const sizes = live.sizes ?? { seen: 0, slots: [], lamports: [] }
  live.sizes = sizes
  // where the newest is too old, none of them is worth reading: so it is with all dead tokens
  const isQuiet = token.lastTradeSlot <= slot - SLOTS.fiveMinutes
  const unseen = isQuiet ? 0 : Math.min(SIGNALS.medianTrades, token.trades - sizes.seen)
  const rows = tradesBack(token.lastTradeNo, unseen)
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!
    sizes.slots.push(row.slot)
    const size = token.asset === null ? row.lamports : row.own
    sizes.lamports.push(row.isBuy ? size : -size)
  }
  sizes.seen = token.trades
  let old = Math.max(0, sizes.slots.length - SIGNALS.medianTrades)
  while (old < sizes.slots.length && sizes.slots[old]! <= slot - SLOTS.fiveMinutes) old++
  if (old > 0) {
    sizes.slots.splice(0, old)
    sizes.lamports.splice(0, old)
  }
  return sizes
}
