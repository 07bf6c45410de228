import type { BundleBook } from '../../model/bundles.ts'
import type { Token } from '../../model/state.ts'
import { rootOf } from '../bundles/groups.ts'
import { BUCKET, SIGNALS, SLOTS } from '../constants.ts'
import { ownedByLargest } from '../holders.ts'
import { isMigrated, priceOf } from '../tokens.ts'
import { hasPrice, hasValue, toLamports } from '../units.ts'
import { sumWindow, type WindowSums, windowStart } from '../windows.ts'
import { deployerSoldShare, type Holding, ofSupply, type ReadToken } from './holding.ts'
import { type LeftOut, leftOut } from './left-out.ts'
import type { Market, TradesBack } from './market.ts'
import { recentSizes } from './sizes.ts'

/** One of the 24 paired conditions served as `signals` (methodology, section 7). */
export interface Condition {
  readonly name: string
  /** The value compared with both edges; null if there is no reading or no SOL value. */
  readonly value: number | null
  /** Further values that decide it, by the names in `EDGES`. */
  readonly also?: Readonly<Record<string, number>>
  readonly pump: boolean
  readonly dump: boolean
}

/** Null until the token has traded. */
export function readSignals(
  live: ReadToken,
  reading: Holding,
  market: Market,
  tradesBack: TradesBack,
): readonly Condition[] | null {
  if (live.token.lastTradeSlot < 0) return null
  const { slot } = market
  return [
    ...flow(live, reading, market, leftOut(recentSizes(live, slot, tradesBack), slot, dustOf(live.token))),
    ...price(live, slot),
    ...watched(live, slot),
    ...readings(live, reading, slot, tradesBack),
  ]
}

export const countPump = (conditions: readonly Condition[]): number => conditions.filter(({ pump }) => pump).length
export const countDump = (conditions: readonly Condition[]): number => conditions.filter(({ dump }) => dump).length

type Edges = readonly [pump: number, dump: number]
type Sign = '≥' | '>' | '≤' | '<'
type Rule = readonly [pump: Sign, dump: Sign, edges: Edges]

const RISES = (edges: Edges): Rule => ['≥', '≤', edges]
const FALLS = (edges: Edges): Rule => ['≤', '≥', edges]

/** The conditions that one value decides. */
const RULES = {
  net_to_pool_1m: RISES(SIGNALS.netToPool1m),
  net_to_pool_5m: RISES(SIGNALS.netToPool5m),
  buys_to_sells_1m: RISES(SIGNALS.buysToSells1m),
  buyers_to_sellers_1m: RISES(SIGNALS.buyersToSellers1m),
  holder_change_1m: RISES(SIGNALS.holders1m),
  return_1m: RISES(SIGNALS.return1m),
  return_5m: RISES(SIGNALS.return5m),
  drawdown_from_ath: FALLS(SIGNALS.drawdown),
  alpha_hands_pct: ['>', '<', SIGNALS.alphaHands],
  bundle_pct: ['<', '≥', SIGNALS.bundle],
  bundle_net_sell_5m_pct: FALLS(SIGNALS.bundleNetSellPct),
  dirty_pct: ['<', '>', SIGNALS.dirty],
  dumpers_pct: ['<', '>', SIGNALS.dumpers],
  jeets_pct: ['<', '>', SIGNALS.jeets],
  in_profit_pct: ['>', '<', SIGNALS.inProfit],
  conviction_score: ['>', '<', SIGNALS.conviction],
  cooktimer_slots: ['≥', '<', SIGNALS.cooktimer],
  top_10_pct: FALLS(SIGNALS.top10),
  median_buy_to_sell_5m: RISES(SIGNALS.medianSizes),
  overdue_pct: FALLS(SIGNALS.overduePct),
} as const satisfies Record<string, Rule>

const holds = (value: number, sign: Sign, edge: number): boolean =>
  sign === '≥' ? value >= edge : sign === '≤' ? value <= edge : sign === '>' ? value > edge : value < edge

function judge(name: keyof typeof RULES, value: number | null): Condition {
  const [pump, dump, [up, down]] = RULES[name]
  return {
    name,
    value,
    pump: value !== null && holds(value, pump, up),
    dump: value !== null && holds(value, dump, down),
  }
}

const burst = `volume_to_mean ≥ ${SIGNALS.volume1mToMean}`
const several = `wallets ≥ ${SIGNALS.smartWallets}`

/** When each condition holds, in words: an edge without a name is that of the value. */
export const EDGES: Readonly<Record<string, { readonly pump: string; readonly dump: string }>> = {
  ...Object.fromEntries(
    Object.entries<Rule>(RULES).map(([name, [pump, dump, [up, down]]]) => [
      name,
      { pump: `${pump} ${up}`, dump: `${dump} ${down}` },
    ]),
  ),
  volume_burst_net_sol_1m: { pump: `> 0, ${burst}`, dump: `< 0, ${burst}` },
  smart_net_sol_5m: { pump: `> 0, ${several}`, dump: `< 0, ${several}` },
  kols_in_5m: { pump: 'kols_in ≥ 1, kols_out = 0', dump: 'kols_out ≥ 1' },
  deployer_bag_pct: {
    pump: `≤ ${SIGNALS.deployerBagPct}, sold_share = 0`,
    dump: `sold_share ≥ ${SIGNALS.deployerSoldShare}`,
  },
}

/** The ratio; infinite if only the divisor is 0, null if both are. */
const ratio = (part: number, whole: number): number | null => {
  if (whole !== 0) return part / whole
  return part === 0 ? null : part > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

/** Conditions 1 to 5 and 9: flows of the last minute and 5 minutes. */
function flow({ token }: ReadToken, reading: Holding, { slot, solUsd }: Market, out: LeftOut): Condition[] {
  const minute = without(sumWindow(token, slot, BUCKET.minute), out.minute)
  const five = without(sumWindow(token, slot, BUCKET.fiveMinutes), out.fiveMinutes)
  const net = minute.buyLamports - minute.sellLamports
  const volume = minute.buyLamports + minute.sellLamports
  const mean = (five.buyLamports + five.sellLamports) / 5
  const busy = volume >= SIGNALS.volume1mToMean * mean
  const pool = inPool(token, solUsd)
  const buyers = reading.minute.buyers - out.buyers
  const sellers = reading.minute.sellers - out.sellers
  const came = token.holders - minute.holders
  // buyers of dust cancel at most the rise of the count
  const change = came > 0 ? Math.max(0, came - out.dustBuyers) : came
  const holders = minute.holders < 0 ? 0 : ratio(change, minute.holders)
  return [
    judge('net_to_pool_1m', ratio(net, pool)),
    judge('net_to_pool_5m', ratio(five.buyLamports - five.sellLamports, pool)),
    judge('buys_to_sells_1m', ratio(minute.buys, minute.sells)),
    judge('buyers_to_sellers_1m', ratio(buyers, sellers)),
    judge('holder_change_1m', holders),
    {
      name: 'volume_burst_net_sol_1m',
      value: inSol(token, net),
      also: { volume_to_mean: mean > 0 ? volume / mean : 0 },
      pump: busy && net > 0,
      dump: busy && net < 0,
    },
  ]
}

/** A window without the excluded trades; clamped at 0, in case the token has changed its unit since. */
const without = (sums: WindowSums, { buys, sells, bought, sold }: LeftOut['minute']): WindowSums => ({
  ...sums,
  buys: Math.max(0, sums.buys - buys),
  sells: Math.max(0, sums.sells - sells),
  buyLamports: Math.max(0, sums.buyLamports - bought),
  sellLamports: Math.max(0, sums.sellLamports - sold),
})

/** The pool's depth in the token's unit: the curve's reserve without its virtual start, or the AMM pool's own. */
function inPool(token: Token, solUsd: number): number {
  const quote = isMigrated(token) ? token.quoteReserve : Math.max(0, token.quoteReserve - token.startQuote)
  return hasPrice(token) ? toLamports(token.quote, quote, solUsd) : quote
}

const inSol = (token: Token, amount: number): number | null => (hasPrice(token) ? amount / 1e9 : null)

function price({ token }: ReadToken, slot: number): Condition[] {
  const now = priceOf(token)
  const change = (buckets: number): number => {
    const { open } = sumWindow(token, slot, buckets)
    return open > 0 ? now / open - 1 : 0
  }
  const drawdown = token.ath > 0 && hasValue(token) ? 1 - token.mcap / token.ath : null
  return [
    judge('return_1m', change(BUCKET.minute)),
    judge('return_5m', change(BUCKET.fiveMinutes)),
    judge('drawdown_from_ath', drawdown),
  ]
}

/** Conditions 10 and 12: smart wallets and KOLs in the last 5 minutes. */
function watched({ token }: ReadToken, slot: number): Condition[] {
  const since = slot - SLOTS.fiveMinutes
  const recent = token.watched.filter((trade) => trade.slot > since)
  const smart = recent.filter((trade) => trade.smart)
  const wallets = new Set(smart.map(({ wallet }) => wallet)).size
  const enough = wallets >= SIGNALS.smartWallets
  const net = smart.reduce((sum, { lamports }) => sum + lamports, 0)
  const kols = recent.filter((trade) => trade.kol)
  const into = new Set(kols.filter(({ lamports }) => lamports > 0).map(({ wallet }) => wallet)).size
  const out = new Set(kols.filter(({ lamports }) => lamports < 0).map(({ wallet }) => wallet)).size
  return [
    {
      name: 'smart_net_sol_5m',
      value: enough ? inSol(token, net) : null,
      also: { wallets },
      pump: enough && net > 0,
      dump: enough && net < 0,
    },
    {
      name: 'kols_in_5m',
      value: into - out,
      also: { kols_in: into, kols_out: out },
      pump: into >= 1 && out === 0,
      dump: out >= 1,
    },
  ]
}

/** Conditions 11 and 13 to 24, from the holders' reading. */
function readings(live: ReadToken, reading: Holding, slot: number, tradesBack: TradesBack): Condition[] {
  const { token, positions, bundles } = live
  const { metrics } = reading
  const top10 = ofSupply(token, ownedByLargest(reading.holders))
  const deployer = token.deployer < 0 ? undefined : positions.get(token.deployer)
  const bag = ofSupply(token, deployer?.balance ?? 0)
  const sold = deployerSoldShare(live)
  return [
    judge('alpha_hands_pct', metrics.alphaHands),
    judge('bundle_pct', metrics.bundle),
    judge('bundle_net_sell_5m_pct', ofSupply(token, bundleNetSell(bundles, slot))),
    judge('dirty_pct', metrics.dirty),
    judge('dumpers_pct', metrics.dumpers),
    judge('jeets_pct', metrics.jeets),
    judge('in_profit_pct', metrics.inProfit),
    judge('conviction_score', metrics.conviction),
    judge('cooktimer_slots', metrics.cooktimer),
    judge('top_10_pct', reading.holders.owned > 0 ? top10 : null),
    {
      name: 'deployer_bag_pct',
      value: token.deployer < 0 ? null : bag,
      also: { sold_share: sold },
      pump: token.deployer >= 0 && (deployer?.sold ?? 0) === 0 && bag <= SIGNALS.deployerBagPct,
      dump: token.deployer >= 0 && sold >= SIGNALS.deployerSoldShare,
    },
    judge('median_buy_to_sell_5m', medianSizes(live, slot, tradesBack)),
    judge('overdue_pct', metrics.cooktimer === null ? null : reading.overduePct),
  ]
}

/** Base units that confirmed groups sold beyond what they bought in the last 5 minutes. */
function bundleNetSell(book: BundleBook, slot: number): number {
  const from = windowStart(slot, BUCKET.fiveMinutes) / BUCKET.slots
  let net = 0
  for (const group of book.groups) {
    if (group.confirmedSlot < 0 || rootOf(book, group.no) !== group) continue
    for (const { index, bought, sold } of group.flows) if (index >= from) net += sold - bought
  }
  return net
}

/** A smaller trade is dust, in the token's unit; 0 if the unit has no price. */
export const dustOf = ({ asset }: Token): number => (asset === null ? SIGNALS.dustLamports : 0)

/** Median buy over median sell in SOL, without dust, over 5 minutes or the newest trades if there are many. */
function medianSizes(live: ReadToken, slot: number, tradesBack: TradesBack): number | null {
  const { slots, lamports } = recentSizes(live, slot, tradesBack)
  const dust = dustOf(live.token)
  const recent = lamports.filter((size, i) => slots[i]! > slot - SLOTS.fiveMinutes && Math.abs(size) >= dust)
  return ratio(median(recent.filter((size) => size > 0)), -median(recent.filter((size) => size < 0)))
}

/** The median; 0 for an empty list. */
function median(sizes: number[]): number {
  if (sizes.length === 0) return 0
  sizes.sort((a, b) => a - b)
  const middle = sizes.length >> 1
  return sizes.length % 2 === 1 ? sizes[middle]! : (sizes[middle - 1]! + sizes[middle]!) / 2
}
