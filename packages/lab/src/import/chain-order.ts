import type { DecodedTrade } from './material.ts'

/**
 * Orders the trades of one slot like the chain, where reserves show it: a trade starts from the reserves that the
 * previous one left. Tokens keep the order of their first trades, and so do trades that cannot be linked. `states`:
 * each token's last reserves, carried over between slots.
 */
export function chainOrder(trades: readonly DecodedTrade[], states: Map<string, string>): DecodedTrade[] {
  const byMint = new Map<string, DecodedTrade[]>()
  for (const trade of trades) {
    const list = byMint.get(trade.event.mint)
    if (list === undefined) byMint.set(trade.event.mint, [trade])
    else list.push(trade)
  }
  const ordered: DecodedTrade[] = []
  for (const [mint, list] of byMint) {
    const chained = list.every((trade) => trade.chained) ? link(list, states.get(mint)) : list
    states.set(mint, after(chained[chained.length - 1]!))
    ordered.push(...chained)
  }
  return ordered
}

const after = ({ event }: DecodedTrade): string => `${event.quoteReserve}/${event.baseReserve}`

function before({ event }: DecodedTrade): string {
  const sign = event.isBuy ? 1 : -1
  return `${event.quoteReserve - sign * event.quoteAmount}/${event.baseReserve + sign * event.tokenAmount}`
}

/** Follows the reserves. If the chain breaks, continues with the first trade in file order that follows no other. */
function link(trades: readonly DecodedTrade[], start: string | undefined): DecodedTrade[] {
  const waiting = new Map<string, DecodedTrade[]>()
  const ends = new Map<string, number>()
  for (const trade of trades) {
    const from = before(trade)
    const same = waiting.get(from)
    if (same === undefined) waiting.set(from, [trade])
    else same.push(trade)
    ends.set(after(trade), (ends.get(after(trade)) ?? 0) + 1)
  }
  const left = new Set(trades)
  const ordered: DecodedTrade[] = []
  let state = start
  while (left.size > 0) {
    let next = state === undefined ? undefined : waiting.get(state)?.find((trade) => left.has(trade))
    if (next === undefined) {
      for (const trade of left) {
        if ((ends.get(before(trade)) ?? 0) === 0) {
          next = trade
          break
        }
      }
    }
    next ??= left.values().next().value!
    left.delete(next)
    ends.set(after(next), ends.get(after(next))! - 1)
    ordered.push(next)
    state = after(next)
  }
  return ordered
}
