import { BUCKET, SIGNALS } from '../constants.ts'
import { windowStart } from '../windows.ts'
import { MARK, type RecentSizes } from './sizes.ts'

/** One dominant wallet and wash trading in a token's windows (methodology, section 7), in the token's unit. */
export interface LeftOut {
  /** The wallet with the most trades; null if none made enough. */
  readonly busiest: Part | null
  /** Wallets that wash trade, including the busiest one if it does. */
  readonly wash: Part
  /** The amounts excluded from conditions 1 to 4 and 9: busiest and wash together. */
  readonly minute: Flow
  readonly fiveMinutes: Flow
  readonly buyers: number
  readonly sellers: number
  /** Wallets that bought in the last minute, but only dust. */
  readonly dustBuyers: number
}

/** Shares of the trades and of the volume of 5 minutes, 0 to 1. */
interface Part {
  readonly trades: number
  readonly volume: number
}

interface Flow {
  buys: number
  sells: number
  bought: number
  /** Without the excess of its sales over its purchases, which stays in the window. */
  sold: number
}

interface TraderFlow extends Flow {
  dustBuys: number
  dustSells: number
}

/** One wallet's trades in the market that sets the price. */
interface Trader {
  readonly wallet: number
  trades: number
  volume: number
  wash: boolean
  readonly minute: TraderFlow
  readonly fiveMinutes: TraderFlow
  /** In the last minute, in any market. */
  hasBought: boolean
  hasSold: boolean
  /** More than dust. */
  hasBoughtMore: boolean
  hasSoldMore: boolean
}

const noFlow = (): Flow => ({ buys: 0, sells: 0, bought: 0, sold: 0 })

/** Trades below `dust` count only by amount. */
export function leftOut(sizes: RecentSizes, slot: number, dust: number): LeftOut {
  const traders = tradersOf(sizes, windowStart(slot, BUCKET.minute), dust)
  const busiest = busiestOf(traders)
  const total = { trades: 0, volume: 0 }
  const wash = { trades: 0, volume: 0 }
  const minute = noFlow()
  const fiveMinutes = noFlow()
  let [buyers, sellers, dustBuyers] = [0, 0, 0]
  for (const trader of traders) {
    addPart(total, trader)
    if (trader.wash) addPart(wash, trader)
    const isOut = trader.wash || trader === busiest
    if (trader.hasBought && (isOut || !trader.hasBoughtMore)) buyers++
    if (trader.hasSold && (isOut || !trader.hasSoldMore)) sellers++
    if (trader.hasBought && !trader.hasBoughtMore) dustBuyers++
    addRound(minute, trader.minute, isOut)
    addRound(fiveMinutes, trader.fiveMinutes, isOut)
  }
  const share = ({ trades, volume }: Part): Part => ({
    trades: total.trades > 0 ? trades / total.trades : 0,
    volume: total.volume > 0 ? volume / total.volume : 0,
  })
  const own = busiest === null ? null : share(busiest)
  return { busiest: own, wash: share(wash), minute, fiveMinutes, buyers, sellers, dustBuyers }
}

function tradersOf({ slots, wallets, lamports, marks }: RecentSizes, minuteStart: number, dust: number): Trader[] {
  const traders = new Map<number, Trader>()
  for (let i = 0; i < slots.length; i++) {
    const wallet = wallets[i]!
    let trader = traders.get(wallet)
    if (trader === undefined) {
      trader = newTrader(wallet)
      traders.set(wallet, trader)
    }
    const size = Math.abs(lamports[i]!)
    const isBuy = (marks[i]! & MARK.buy) !== 0
    const isDust = size < dust
    if ((marks[i]! & MARK.wash) !== 0) trader.wash = true
    const isLate = slots[i]! >= minuteStart
    if (isLate) noteSide(trader, isBuy, isDust)
    if ((marks[i]! & MARK.pricing) === 0) continue
    if (!isDust) trader.trades++
    trader.volume += size
    addTrade(trader.fiveMinutes, isBuy, size, isDust)
    if (isLate) addTrade(trader.minute, isBuy, size, isDust)
  }
  return [...traders.values()]
}

// plain literals: this runs for every trader of a window, and a spread is ten times as slow
const newTraderFlow = (): TraderFlow => ({ buys: 0, sells: 0, bought: 0, sold: 0, dustBuys: 0, dustSells: 0 })

const newTrader = (wallet: number): Trader => ({
  wallet,
  trades: 0,
  volume: 0,
  wash: false,
  minute: newTraderFlow(),
  fiveMinutes: newTraderFlow(),
  hasBought: false,
  hasSold: false,
  hasBoughtMore: false,
  hasSoldMore: false,
})

/** The wallet with the most trades, then the larger volume, then the earlier first trade. */
function busiestOf(traders: readonly Trader[]): Trader | null {
  let best: Trader | null = null
  for (const trader of traders) {
    if (trader.trades < SIGNALS.busiestTrades) continue
    const lead = best === null ? 1 : trader.trades - best.trades || trader.volume - best.volume
    if (lead > 0) best = trader
  }
  return best
}

function addPart(sum: { trades: number; volume: number }, { trades, volume }: Part): void {
  sum.trades += trades
  sum.volume += volume
}

function noteSide(trader: Trader, isBuy: boolean, isDust: boolean): void {
  if (isBuy) {
    trader.hasBought = true
    trader.hasBoughtMore ||= !isDust
  } else {
    trader.hasSold = true
    trader.hasSoldMore ||= !isDust
  }
}

function addTrade(flow: TraderFlow, isBuy: boolean, size: number, isDust: boolean): void {
  const dust = isDust ? 1 : 0
  if (isBuy) {
    flow.buys++
    flow.bought += size
    flow.dustBuys += dust
  } else {
    flow.sells++
    flow.sold += size
    flow.dustSells += dust
  }
}

/**
 * Adds a trader's flow to the excluded sums. Net sales are not excluded, because a seller could hide behind many
 * trades. Of other traders only dust is excluded.
 */
function addRound(sum: Flow, { buys, sells, bought, sold, dustBuys, dustSells }: TraderFlow, isOut: boolean): void {
  sum.buys += isOut ? buys : dustBuys
  sum.sells += isOut ? sells : dustSells
  if (!isOut) return
  sum.bought += bought
  sum.sold += Math.min(sold, bought)
}
