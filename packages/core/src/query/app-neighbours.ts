import { setImmediate as nextTurn } from 'node:timers/promises'
import { keyToBase58 } from '../base/base58.ts'
import type { AppNeighbours } from '../contract/app.ts'
import { SLOT_SECONDS } from '../engine/constants.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Wallet } from '../model/state.ts'
import type { QueryBounds } from './bounds.ts'
import type { HistoryReader, Views } from './view.ts'

/** Wallets that buy right before and right after a wallet, from the kept trades of its newest tokens. */

interface Sources {
  readonly store: Pick<HistoryReader, 'tradesBack' | 'positionOf'>
  readonly views: Pick<Views, 'token' | 'wallet'>
  readonly bounds: QueryBounds
}

/** Seconds before and after a purchase: a reader that copies trades needs less. */
const WITHIN_S = 10
const WITHIN_SLOTS = WITHIN_S / SLOT_SECONDS

/** The token's rows around a slot, oldest first; null if they are further back than is read. */
async function rowsAround({ store, bounds }: Sources, lastNo: number, slot: number): Promise<TradeRow[] | null> {
  const rows: TradeRow[] = []
  let [no, left] = [lastNo, bounds.neighbourTrades]
  while (no >= 0 && left > 0) {
    const piece = store.tradesBack(no, Math.min(bounds.lineTradesPerTurn, left))
    for (const row of piece) {
      if (row.slot < slot - WITHIN_SLOTS) return rows.reverse()
      if (row.slot <= slot + WITHIN_SLOTS) rows.push(row)
    }
    left -= piece.length
    no = piece.at(-1)?.prev ?? -1
    await nextTurn()
  }
  return no < 0 ? rows.reverse() : null
}

/** Wallets that first bought before and after the wallet did. */
function sidesOf(rows: readonly TradeRow[], wallet: number) {
  const sides = { before: new Set<number>(), after: new Set<number>() }
  let side: keyof typeof sides = 'before'
  for (const row of rows) {
    if (!row.isBuy) continue
    if (row.wallet === wallet) side = 'after'
    else if (!sides.before.has(row.wallet)) sides[side].add(row.wallet)
  }
  return sides
}

export async function neighboursOf(sources: Sources, wallet: Wallet): Promise<AppNeighbours> {
  const { store, views, bounds } = sources
  const counts = new Map<number, { before: number; after: number }>()
  const read = { tokens: 0, unread: 0 }
  for (const id of wallet.recent.slice(0, bounds.neighbourTokens)) {
    const firstBuy = store.positionOf(id, wallet.id)?.firstBuySlot ?? -1
    if (firstBuy < 0) continue
    const rows = await rowsAround(sources, views.token(id).lastTradeNo, firstBuy)
    read[rows === null ? 'unread' : 'tokens']++
    const { before, after } = sidesOf(rows ?? [], wallet.id)
    for (const [side, wallets] of [['before', before] as const, ['after', after] as const])
      for (const other of wallets) {
        const count = counts.get(other) ?? { before: 0, after: 0 }
        count[side]++
        counts.set(other, count)
      }
  }
  const often = [...counts].filter(([, { before, after }]) => before + after > 1)
  often.sort(([a, x], [b, y]) => Math.max(y.after, y.before) - Math.max(x.after, x.before) || a - b)
  return {
    within_s: WITHIN_S,
    ...read,
    wallets: often.slice(0, bounds.neighbours).map(([id, count]) => {
      const { address, name, mintsBought } = views.wallet(id)
      return { wallet: keyToBase58(address), name, ...count, bought: mintsBought }
    }),
  }
}
