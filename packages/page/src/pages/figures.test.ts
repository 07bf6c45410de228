import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRICE } from '@ti/core/contract/endpoints.ts'
import { FILTER_BOUNDS, parseFilter, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import { CLASSES, LISTS, SIGNALS } from '@ti/core/engine/constants.ts'
import { KEY_COUNTS } from '@ti/service/access/accounts/accounts.ts'
import { KEY_NAME_LENGTH } from '@ti/service/access/accounts/key-info.ts'
import { SUBSCRIPTION } from '@ti/service/access/accounts/subscription.ts'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { SHARED } from '@ti/service/access/shared/table.ts'
import { TRIALS } from '@ti/service/access/trials.ts'
import { PAGE_ROWS } from '@ti/service/alerts/delivery/deliveries.ts'
import { URL_LENGTH as DESTINATION_URL_LENGTH } from '@ti/service/alerts/delivery/lines.ts'
import { MIN_SOL_MAX, WATCH_NAME_LENGTH } from '@ti/service/alerts/watch-json.ts'
import { GIVEN, NAME_MAX } from './account/account.ts'
import { DELIVERIES_PAGE, URL_LENGTH } from './account/destination.ts'
import { FILTER_EXAMPLES, FILTER_FIELDS, FILTER_LENGTH } from './account/filter-fields.ts'
import { MOST_SOL } from './account/watch-form.ts'
import { verdictOf } from './deployer/record.ts'
import { RATED } from './token/metrics.ts'
import { signalRows } from './token/signal-rows.ts'
import { impactOf } from './trader/fields.ts'

/** Numbers in the page's texts equal the service's limits and thresholds. */

const EDGES = {
  bundle: SIGNALS.bundle,
  dirty: SIGNALS.dirty,
  dumpers: SIGNALS.dumpers,
  jeets: SIGNALS.jeets,
  alpha_hands: SIGNALS.alphaHands,
  in_profit: SIGNALS.inProfit,
  conviction: SIGNALS.conviction,
  cooktimer: SIGNALS.cooktimer,
  pump_dump: [-SIGNALS.lead, SIGNALS.lead],
} as const

/** texts use minutes, thresholds slots of 0.4 s */
const inSlots = (text: string): string =>
  text.replace(/(\d+) min(?: (\d+) s)?/g, (_, min, s = 0) => String((60 * Number(min) + Number(s)) / 0.4))

const numbersIn = (text: string): number[] =>
  [
    ...inSlots(text)
      .replaceAll(',', '')
      .replaceAll('−', '-')
      .matchAll(/-?\d+(?:\.\d+)?/g),
  ].map(([number]) => Number(number))

test('colours begin where the signals do, in figures and in words', () => {
  for (const { rating, edges, rule } of RATED) {
    if (rating === 'score') continue
    const inOrder = [...EDGES[rating]].sort((a, b) => a - b)
    assert.deepEqual(edges, inOrder, rating)
    // pump v dump uses one number on both sides
    const shown = [...new Set(numbersIn(rule))].sort((a, b) => a - b)
    assert.deepEqual(shown, rating === 'pump_dump' ? [SIGNALS.lead] : inOrder, rule)
  }
})

/** Edges of each condition in the unit of its text; those without a number are in words. */
const percent = ([pump, dump]: readonly [number, number]): [number, number] => [100 * pump, 100 * dump]
const CONDITIONS: Record<string, readonly [pump: number | null, dump: number | null]> = {
  net_to_pool_1m: percent(SIGNALS.netToPool1m),
  net_to_pool_5m: percent(SIGNALS.netToPool5m),
  buys_to_sells_1m: SIGNALS.buysToSells1m,
  buyers_to_sellers_1m: SIGNALS.buyersToSellers1m,
  holder_change_1m: percent(SIGNALS.holders1m),
  return_1m: percent(SIGNALS.return1m),
  return_5m: percent(SIGNALS.return5m),
  drawdown_from_ath: percent(SIGNALS.drawdown),
  volume_burst_net_sol_1m: [0, 0],
  smart_net_sol_5m: [0, 0],
  alpha_hands_pct: SIGNALS.alphaHands,
  kols_in_5m: [null, null],
  bundle_pct: SIGNALS.bundle,
  bundle_net_sell_5m_pct: SIGNALS.bundleNetSellPct,
  dirty_pct: SIGNALS.dirty,
  dumpers_pct: SIGNALS.dumpers,
  jeets_pct: SIGNALS.jeets,
  in_profit_pct: SIGNALS.inProfit,
  conviction_score: SIGNALS.conviction,
  cooktimer_slots: SIGNALS.cooktimer,
  top_10_pct: SIGNALS.top10,
  deployer_bag_pct: [SIGNALS.deployerBagPct, null],
  median_buy_to_sell_5m: SIGNALS.medianSizes,
  overdue_pct: SIGNALS.overduePct,
}

test('each of the 24 conditions tells the edges it is judged by', () => {
  const names = Object.keys(CONDITIONS)
  const rows = signalRows(names.map((name) => ({ name, value: null, pump: false, dump: false })))
  assert.equal(rows.length, 24)
  const shown = rows.map(({ name, pumpEdge, dumpEdge }) => [
    name,
    numbersIn(pumpEdge)[0] ?? null,
    numbersIn(dumpEdge)[0] ?? null,
  ])
  const judged = rows.map(({ name }) => [
    name,
    ...CONDITIONS[name]!.map((edge) => (edge === null ? null : Math.round(1e6 * edge) / 1e6)),
  ])
  assert.deepEqual(shown, judged)
  // the text says "half"
  assert.equal(SIGNALS.deployerSoldShare, 0.5)
})

test('dumpers and chart nukers begin where the classes of holders do', () => {
  for (const [value, word] of [
    [CLASSES.nukerImpact - 0.01, 'a chart nuker'],
    [CLASSES.nukerImpact, 'a dumper'],
    [CLASSES.dumperImpact - 0.01, 'a dumper'],
    [CLASSES.dumperImpact, 'prices hold'],
  ] as const)
    assert.equal(impactOf(value).beside, word, `${value}`)
})

test('a deployer fails where the rug filter says so', () => {
  const failing = (launches: number, p75: number): boolean =>
    verdictOf({
      total_deployed: launches,
      bonded_count: 0,
      ath_mcap_percentiles: { p75 },
    } as Parameters<typeof verdictOf>[0]).failing
  const { serialLaunches, serialAthP75Usd } = LISTS
  assert.equal(failing(serialLaunches, serialAthP75Usd - 1), true)
  assert.equal(failing(serialLaunches - 1, serialAthP75Usd - 1), false)
  assert.equal(failing(serialLaunches, serialAthP75Usd), false)
})

test('an account is told what it is given', () => {
  assert.deepEqual(GIVEN, {
    keys: KEY_COUNTS.perAccount,
    freeCalls: RATES.free,
    proCalls: RATES.pro,
    trialS: TRIALS.ms / 1000,
    watches: { free: SHARED.watches.share.free, pro: SHARED.watches.share.pro },
    destinations: { free: SHARED.destinations.share.free, pro: SHARED.destinations.share.pro },
    pro: { sol: SUBSCRIPTION.lamports / 1e9, days: SUBSCRIPTION.days },
    callUsd: PRICE.other / 1e6,
    snapshotUsd: PRICE.snapshot / 1e6,
  })
  assert.deepEqual([NAME_MAX, NAME_MAX], [KEY_NAME_LENGTH, WATCH_NAME_LENGTH])
  assert.deepEqual([URL_LENGTH, DELIVERIES_PAGE], [DESTINATION_URL_LENGTH, PAGE_ROWS])
  assert.deepEqual([FILTER_LENGTH, MOST_SOL], [FILTER_BOUNDS.length, MIN_SOL_MAX])
})

test('conditions are explained with the fields there are, by examples that are taken', () => {
  const types = Object.fromEntries(Object.entries(FILTER_FIELDS).map(([name, [type]]) => [name, type]))
  assert.deepEqual(types, TOKEN_FIELDS)
  for (const text of FILTER_EXAMPLES) assert.equal(parseFilter(text, TOKEN_FIELDS).ok, true, text)
})
