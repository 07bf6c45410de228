import { CLASS, classOf } from '../class-memory.ts'
import { BUCKET } from '../constants.ts'
import { soldInHour } from '../exits.ts'
import { ownedByLargest } from '../holders.ts'
import { deployerSoldShare, type Holding, ofSupply, type ReadToken } from '../reading/holding.ts'
import type { Market } from '../reading/market.ts'
import { idleSlots, isMigrated, priceOf } from '../tokens.ts'
import { toLamports } from '../units.ts'
import { sumWindow, type WindowSums } from '../windows.ts'

/** The inputs available to cards: served readings and market data. Null means no reading. */
interface Subject {
  readonly live: ReadToken
  readonly reading: Holding
  readonly market: Market
  /** The fixed age that the question counts for, slots. */
  readonly age: number
}

interface Seen extends Subject {
  readonly minute: WindowSums
  readonly fiveMinutes: WindowSums
}

const INPUTS = {
  age_slots: ({ age }) => age,
  /** Price over the price before the first trade. */
  price_multiple: ({ live: { token } }) => multipleOf(token),
  graduated: ({ live: { token } }) => (isMigrated(token) ? 1 : 0),
  /** USD. */
  market_cap: ({ live: { token } }) => (token.mcap > 0 ? token.mcap : null),
  /** SOL really in the market. */
  reserve_sol: ({ live: { token }, market }) =>
    token.realQuote > 0 ? toLamports(token.quote, token.realQuote, market.solUsd) / 1e9 : null,
  /** Market cap over its highest value. */
  of_ath: ({ live: { token } }) => (token.ath > 0 ? token.mcap / token.ath : null),
  return_1m: ({ live: { token }, minute }) => returnOf(priceOf(token), minute),
  return_5m: ({ live: { token }, fiveMinutes }) => returnOf(priceOf(token), fiveMinutes),
  /** Bought less sold, as a share of the volume. */
  net_1m: ({ minute }) => netOf(minute),
  net_5m: ({ fiveMinutes }) => netOf(fiveMinutes),
  trades_5m: ({ fiveMinutes }) => fiveMinutes.buys + fiveMinutes.sells,
  buyers_1m: ({ reading }) => reading.minute.buyers,
  idle_slots: ({ live: { token }, market }) => idleSlots(token, market.slot),
  holders: ({ reading }) => reading.holders.count,
  independent_holders: ({ reading }) => reading.independent.count,
  effective_holders: ({ reading }) => reading.independent.effective,
  /** Percent of total supply. */
  owned_pct: ({ live: { token }, reading }) => ofSupply(token, reading.holders.owned),
  top_10_pct: ({ live: { token }, reading }) => ofSupply(token, ownedByLargest(reading.holders)),
  /** The share of the busiest wallet in all tokens bought and sold, percent. */
  busiest_pct: ({ reading }) => reading.busiestPct,
  bundle_pct: ({ reading }) => reading.metrics.bundle,
  dirty_pct: ({ reading }) => reading.metrics.dirty,
  dumpers_pct: ({ reading }) => reading.metrics.dumpers,
  jeets_pct: ({ reading }) => reading.metrics.jeets,
  alpha_hands_pct: ({ reading }) => reading.metrics.alphaHands,
  conviction_score: ({ reading }) => reading.metrics.conviction,
  cooktimer_slots: ({ reading }) => reading.metrics.cooktimer,
  in_profit_pct: ({ reading }) => reading.metrics.inProfit,
  smart_wallets: ({ reading }) => reading.metrics.smartWallets,
  coverage: ({ reading }) => reading.coverage,
  /** Memory, percent of supply. */
  insiders_peak_pct: ({ live: { token } }) => ofSupply(token, classOf(token, CLASS.insiders).peak),
  deployer_peak_pct: ({ live: { token } }) => ofSupply(token, classOf(token, CLASS.deployer).peak),
  sold_pct: ({ live: { token } }) => ofSupply(token, classOf(token, CLASS.signed).sold),
  sold_in_hour_pct: ({ live: { token }, market }) => ofSupply(token, soldInHour(token, market.slot)),
  groups_held_pct: ({ live: { token }, reading }) => ofSupply(token, reading.bundles.owned),
  deployer_sold_share: ({ live }) => deployerSoldShare(live),
  deployer_launches: ({ live: { token }, market }) =>
    token.deployer < 0 ? null : market.wallet(token.deployer).launches,
  deployer_bonded: ({ live: { token }, market }) =>
    token.deployer < 0 ? null : market.wallet(token.deployer).launchesBonded - (isMigrated(token) ? 1 : 0),
  drained: ({ live: { token } }) => (token.drainedSlot >= 0 ? 1 : 0),
} as const satisfies Record<string, (seen: Seen) => number | null>

export type InputName = keyof typeof INPUTS
export type Inputs = Readonly<Record<InputName, number | null>>
export const INPUT_NAMES = Object.keys(INPUTS) as InputName[]

/** Computes an input when a card asks for it: cards use a part of them. */
export type InputOf = (name: InputName) => number | null

export function inputOf(subject: Subject): InputOf {
  const { live, market } = subject
  const seen: Seen = {
    ...subject,
    minute: sumWindow(live.token, market.slot, BUCKET.minute),
    fiveMinutes: sumWindow(live.token, market.slot, BUCKET.fiveMinutes),
  }
  return (name) => INPUTS[name](seen)
}

export const allInputs = (inputOf: InputOf): Inputs =>
  Object.fromEntries(INPUT_NAMES.map((name) => [name, inputOf(name)])) as Inputs

/** Null if the starting price is unknown. */
export function multipleOf(token: ReadToken['token']): number | null {
  const price = priceOf(token)
  return price > 0 && token.startPrice > 0 ? price / token.startPrice : null
}

const returnOf = (price: number, { open }: WindowSums): number => (open > 0 && price > 0 ? price / open - 1 : 0)

function netOf({ buyLamports, sellLamports }: WindowSums): number {
  const traded = buyLamports + sellLamports
  return traded > 0 ? (buyLamports - sellLamports) / traded : 0
}
