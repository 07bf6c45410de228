import type { Key } from '@ti/core/base/ids.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import type { createReadingWallets, GivenGroup } from './reading-wallets.ts'
import type { Reference } from './reference.ts'

/** What the conditions take from the rest of the reading. */
export interface SignalInput {
  readonly metrics: Readonly<Record<string, number | null>>
  readonly groups: readonly GivenGroup[]
  readonly holders: number
  readonly top10Pct: number | null
  readonly overduePct: number | null
  /** share of the bag that was sold, and whether there is anybody to ask about */
  readonly deployerSold: number
  readonly hasDeployer: boolean
  readonly deployerPct: number
  readonly deployerTokensSold: number
}

type Pair = readonly [pump: boolean, dump: boolean]
const NEITHER: Pair = [false, false]

/** The 24 conditions in the order of the page's table; null until the token has traded. */
export function signalsOf(
  reference: Reference,
  wallets: ReturnType<typeof createReadingWallets>,
  mint: Key,
  input: SignalInput,
): readonly Pair[] | null {
  const trades = reference.tradesOf(mint)
  if (trades.length === 0) return null
  const now = reference.end.slot
  const bucket = (slot: number): number => Math.floor(slot / 25)
  const priced = reference.priced(mint)
  const latest = priced.at(-1)

  const total = (list: readonly { readonly event: TradeEvent }[], isBuy: boolean): number =>
    list.filter(({ event }) => event.isBuy === isBuy).reduce((sum, { event }) => sum + event.quoteAmount, 0)

  /** the newest 500 trades, and those of them in the window that set the price */
  const newest = trades.slice(-500).filter(({ slot }) => bucket(slot) >= bucket(now) - 30)
  const newestPriced = priced.filter(({ index }) => newest.some((trade) => trade.index === index))
  const isDust = (event: TradeEvent): boolean => event.quoteAmount < 0.01e9
  const countedOf = (user: Key) => madeBy(user).filter(({ event }) => !isDust(event))
  const madeBy = (user: Key) => newestPriced.filter(({ event }) => event.user === user)
  const traders = [...new Set(newest.map(({ event }) => event.user))]
  const busiest = traders
    .filter((user) => countedOf(user).length >= 3)
    .sort(
      (a, b) =>
        countedOf(b).length - countedOf(a).length ||
        total(madeBy(b), true) + total(madeBy(b), false) - total(madeBy(a), true) - total(madeBy(a), false),
    )[0]
  const isLeftOut = (user: Key): boolean =>
    user === busiest || newest.some(({ event, index }) => event.user === user && wallets.isWash(user, index))
  const out = traders.filter(isLeftOut)

  function window(buckets: number) {
    const whole = priced.filter(({ slot }) => bucket(slot) >= bucket(now) - buckets)
    const taken = out.map((user) => madeBy(user).filter(({ slot }) => bucket(slot) >= bucket(now) - buckets))
    const inside = whole.filter((trade) => !taken.flat().includes(trade))
    // what somebody takes out of the pool is left in
    const netSold = taken.reduce((sum, list) => sum + Math.max(0, total(list, false) - total(list, true)), 0)
    const isLeftDust = (trade: (typeof whole)[number]): boolean => newestPriced.includes(trade) && isDust(trade.event)
    const first = whole[0]
    const all = trades.filter(({ slot }) => bucket(slot) >= bucket(now) - buckets)
    const isCounted = (trade: (typeof all)[number]): boolean =>
      !(newest.includes(trade) && (out.includes(trade.event.user) || isDust(trade.event)))
    const people = (isBuy: boolean): number =>
      new Set(all.filter((trade) => trade.event.isBuy === isBuy && isCounted(trade)).map(({ event }) => event.user))
        .size
    return {
      bought: total(inside, true),
      sold: total(inside, false) + netSold,
      buys: inside.filter((trade) => trade.event.isBuy && !isLeftDust(trade)).length,
      sells: inside.filter((trade) => !trade.event.isBuy && !isLeftDust(trade)).length,
      buyers: people(true),
      sellers: people(false),
      dustBuyers:
        new Set(all.filter(({ event }) => event.isBuy).map(({ event }) => event.user)).size -
        new Set(
          all
            .filter((trade) => trade.event.isBuy && !(newest.includes(trade) && isDust(trade.event)))
            .map(({ event }) => event.user),
        ).size,
      open: first === undefined ? null : first.before > 0 ? first.before : first.price,
      first,
    }
  }

  const minute = window(6)
  const five = window(30)
  const high = (a: number, b: number, pump: number, dump: number): Pair => {
    if (a === 0 && b === 0) return NEITHER
    const ratio = b === 0 ? (a > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY) : a / b
    return [ratio >= pump, ratio <= dump]
  }
  const start = reference.startQuote(mint, now)
  const reserve = latest?.event.quoteReserve ?? 0
  const pool = reference.migration(mint) === undefined ? Math.max(0, reserve - start) : reserve

  function holderChange(): Pair {
    if (minute.first === undefined) return NEITHER
    const { index, slot } = minute.first
    const then = reference.wallets.filter(
      (wallet) => reference.holding(wallet, mint, { index, slot }).balance >= 1e6,
    ).length
    const came = input.holders - then
    return high(came > 0 ? Math.max(0, came - minute.dustBuyers) : came, then, 0.05, -0.02)
  }

  const change = (open: number | null, edge: number): Pair => {
    const moved = open === null || latest === undefined ? 0 : latest.price / open - 1
    return [moved >= edge, moved <= -edge]
  }

  function drawdown(): Pair {
    const ath = Math.max(0, ...priced.map(({ mcap }) => mcap))
    if (ath === 0) return NEITHER
    const down = 1 - latest!.mcap / ath
    return [down <= 0.1, down >= 0.4]
  }

  function burst(): Pair {
    const isBusy = minute.bought + minute.sold >= (1.5 * (five.bought + five.sold)) / 5
    return [isBusy && minute.bought > minute.sold, isBusy && minute.bought < minute.sold]
  }

  const seen = trades
    .map(({ index, slot, event }) => ({
      slot,
      event,
      smart: wallets.isSmart(event.user, index, slot),
      kol: wallets.isKol(event.user, index),
    }))
    .filter(({ smart, kol }) => smart || kol)
    .slice(-64)
    .filter(({ slot }) => now - slot < 750)

  function smartFlow(): Pair {
    const smart = seen.filter((trade) => trade.smart)
    if (new Set(smart.map(({ event }) => event.user)).size < 2) return NEITHER
    const net = smart.reduce((sum, { event }) => sum + (event.isBuy ? event.quoteAmount : -event.quoteAmount), 0)
    return [net > 0, net < 0]
  }

  function kols(): Pair {
    const into = seen.some(({ kol, event }) => kol && event.isBuy)
    const out = seen.some(({ kol, event }) => kol && !event.isBuy)
    return [into && !out, out]
  }

  function medians(): Pair {
    const recent = trades.slice(-500).filter(({ slot, event }) => now - slot < 750 && !isDust(event))
    const median = (isBuy: boolean): number => {
      const sizes = recent
        .filter(({ event }) => event.isBuy === isBuy)
        .map(({ event }) => event.quoteAmount)
        .sort((a, b) => a - b)
      if (sizes.length === 0) return 0
      return (sizes[Math.floor((sizes.length - 1) / 2)]! + sizes[Math.floor(sizes.length / 2)]!) / 2
    }
    return high(median(true), median(false), 1.5, 0.67)
  }

  const flows = input.groups.flatMap(({ netSold }) => netSold.filter((flow) => flow.bucket >= bucket(now) - 30))
  const netSoldPct = (100 * flows.reduce((sum, { tokens }) => sum + tokens, 0)) / 1e15
  const when = (x: number | null | undefined, pump: (x: number) => boolean, dump: (x: number) => boolean): Pair =>
    x === null || x === undefined ? NEITHER : [pump(x), dump(x)]
  const m = input.metrics

  return [
    high(minute.bought - minute.sold, pool, 0.05, -0.05),
    high(five.bought - five.sold, pool, 0.1, -0.1),
    high(minute.buys, minute.sells, 2, 0.67),
    high(minute.buyers, minute.sellers, 1.5, 0.75),
    holderChange(),
    change(minute.open, 0.08),
    change(five.open, 0.2),
    drawdown(),
    burst(),
    smartFlow(),
    when(
      m.alphaHands,
      (x) => x > 30,
      (x) => x < 25,
    ),
    kols(),
    when(
      m.bundle,
      (x) => x < 50,
      (x) => x >= 65,
    ),
    [netSoldPct <= 0, netSoldPct >= 2],
    when(
      m.dirty,
      (x) => x < 50,
      (x) => x > 60,
    ),
    when(
      m.dumpers,
      (x) => x < 50,
      (x) => x > 65,
    ),
    when(
      m.jeets,
      (x) => x < 10,
      (x) => x > 20,
    ),
    when(
      m.inProfit,
      (x) => x > 55,
      (x) => x < 40,
    ),
    when(
      m.conviction,
      (x) => x > 60,
      (x) => x < 50,
    ),
    when(
      m.cooktimer,
      (x) => x >= 2500,
      (x) => x < 1000,
    ),
    when(
      input.top10Pct,
      (x) => x <= 30,
      (x) => x >= 50,
    ),
    input.hasDeployer ? [input.deployerTokensSold === 0 && input.deployerPct <= 5, input.deployerSold >= 0.5] : NEITHER,
    medians(),
    when(
      input.overduePct,
      (x) => x <= 20,
      (x) => x >= 50,
    ),
  ]
}
