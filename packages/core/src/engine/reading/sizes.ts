import { BUCKET, SIGNALS } from '../constants.ts'
import type { LiveToken } from '../resident.ts'
import { windowStart } from '../windows.ts'
import type { TradesBack } from './market.ts'

/**
 * A token's trades in the 5-minute window, oldest first and at most the newest 500. Trade rows are read once, then only
 * the new ones. A cache beside the token, not part of the state.
 */
export interface RecentSizes {
  /** The number of the token's trades read so far. */
  seen: number
  slots: number[]
  wallets: number[]
  /** In the token's unit, positive for a buy. */
  lamports: number[]
  /** Bits of MARK. */
  marks: number[]
}

/** Marks a trade in the market that sets the price, by a wash trader, and a buy. */
export const MARK = { pricing: 1, wash: 2, buy: 4 } as const

export const noSizes = (): RecentSizes => ({ seen: 0, slots: [], wallets: [], lamports: [], marks: [] })

export function recentSizes(
  live: Pick<LiveToken, 'token' | 'sizes'>,
  slot: number,
  tradesBack: TradesBack,
): RecentSizes {
  const { token } = live
  const sizes = live.sizes ?? noSizes()
  live.sizes = sizes
  const from = windowStart(slot, BUCKET.fiveMinutes)
  // if the newest trade is too old, as for all dead tokens, none needs to be read
  const isQuiet = token.lastTradeSlot < from
  const unseen = isQuiet ? 0 : Math.min(SIGNALS.recentTrades, token.trades - sizes.seen)
  const rows = tradesBack(token.lastTradeNo, unseen)
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!
    const size = token.asset === null ? row.lamports : row.own
    sizes.slots.push(row.slot)
    sizes.wallets.push(row.wallet)
    sizes.lamports.push(row.isBuy ? size : -size)
    sizes.marks.push((row.pricing ? MARK.pricing : 0) | (row.wash ? MARK.wash : 0) | (row.isBuy ? MARK.buy : 0))
  }
  sizes.seen = token.trades
  let old = Math.max(0, sizes.slots.length - SIGNALS.recentTrades)
  while (old < sizes.slots.length && sizes.slots[old]! < from) old++
  if (old > 0) for (const list of [sizes.slots, sizes.wallets, sizes.lamports, sizes.marks]) list.splice(0, old)
  return sizes
}

export const copySizes = ({ slots, wallets, lamports, marks }: RecentSizes, seen: number): RecentSizes => ({
  seen,
  slots: [...slots],
  wallets: [...wallets],
  lamports: [...lamports],
  marks: [...marks],
})
