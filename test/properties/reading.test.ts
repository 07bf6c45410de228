import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { COLOUR, COLOURS, VERDICT_CODES, type VerdictCode } from '@ti/core/base/verdict-codes.ts'
import { DevSummary, SNAPSHOT_GROUPS, TokenCard, TokenSnapshot } from '@ti/core/contract/resources.ts'
import { confirmedGroup } from '@ti/core/engine/bundles/groups.ts'
import { CLASS, classOf } from '@ti/core/engine/class-memory.ts'
import { deployerRecord } from '@ti/core/engine/deployers.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import { soldInHour } from '@ti/core/engine/exits.ts'
import { DIRTY, dirtyReasons } from '@ti/core/engine/reading/classes.ts'
import type { Reading } from '@ti/core/engine/reading/reading.ts'
import { type Condition, EDGES } from '@ti/core/engine/reading/signals.ts'
import { verdictOf } from '@ti/core/engine/verdict/said.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { renderCard } from '@ti/core/query/card.ts'
import { renderDevSummary } from '@ti/core/query/deployer.ts'
import { explain } from '@ti/core/query/explain.ts'
import { SNAPSHOT_GROUP } from '@ti/core/query/snapshot.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, busySteps, crowdSteps, shortSteps, steps, veteranSteps } from '../support/histories.ts'
import { QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { type Folded, fold, givenOf } from './folded.ts'
import { ratingByTable } from './reading-ratings.ts'
import { createReadingReference } from './reading-reference.ts'

/** Histories of the costly kinds; there are six times as many short ones. */
const RUNS = runs(100)
const MANY = 6 * RUNS
const CROWDS = runs(20)

const viewsOf = ({ engine, store }: Folded) => createViews(engine, store, 100)

const anySteps = fc.oneof({ weight: 1, arbitrary: steps }, { weight: 5, arbitrary: shortSteps })

/** What is asked of every token of a generated history. */
function eachToken(folded: Folded, entries: readonly LogEntry[], check: (view: TokenView, mint: Key) => void): void {
  const views = viewsOf(folded)
  const mints = new Set(
    entries.flatMap((entry) => (entry.kind === 'block' ? entry.events.map(({ mint }) => mint) : [])),
  )
  for (const mint of mints) {
    const view = views.find(mint)
    if (view !== null) check(view, mint)
  }
}

const near = (actual: number | null, expected: number | null, what: string, slack = 1e-6): void => {
  if (expected === null || actual === null) return assert.equal(actual, expected, what)
  const most = slack * Math.max(1, Math.abs(expected))
  assert.ok(Math.abs(actual - expected) <= most, `${what}: ${actual} ≠ ${expected}`)
}

/** Served numbers are rounded to hundredths: `most` is what the roundings of both sides can add up to. */
const within = (actual: number, expected: number, most: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= most, `${what}: ${actual} ≠ ${expected}`)

const allNear = (actual: readonly number[], expected: readonly number[], what: string): void => {
  assert.equal(actual.length, expected.length, what)
  for (const [i, value] of actual.entries()) near(value, expected[i]!, `${what} ${i}`)
}

/** The conditions' names in the order of the methodology's table. */
const CONDITIONS = [
  'net_to_pool_1m',
  'net_to_pool_5m',
  'buys_to_sells_1m',
  'buyers_to_sellers_1m',
  'holder_change_1m',
  'return_1m',
  'return_5m',
  'drawdown_from_ath',
  'volume_burst_net_sol_1m',
  'smart_net_sol_5m',
  'alpha_hands_pct',
  'kols_in_5m',
  'bundle_pct',
  'bundle_net_sell_5m_pct',
  'dirty_pct',
  'dumpers_pct',
  'jeets_pct',
  'in_profit_pct',
  'conviction_score',
  'cooktimer_slots',
  'top_10_pct',
  'deployer_bag_pct',
  'median_buy_to_sell_5m',
  'overdue_pct',
]

type Expected = ReturnType<ReturnType<typeof createReadingReference>['read']>

function compareReading(view: TokenView, reading: Reading, expected: Expected): void {
  const { holders, bundles, shares, cohorts } = reading
  assert.equal(holders.count, expected.holders.count)
  assert.equal(holders.owned, expected.holders.owned)
  assert.deepEqual(
    holders.top.map(({ balance }) => balance),
    expected.holders.top,
  )
  assert.equal(view.live.token.holders, expected.holders.count, 'the running count of holders')
  assert.equal(view.live.token.owned, expected.holders.owned, 'the running sum of what they own')
  assert.equal(bundles.count, expected.bundles.count)
  assert.equal(bundles.redCount, expected.bundles.redCount)
  assert.equal(bundles.owned, expected.bundles.owned)
  assert.deepEqual(bundles.largest, expected.bundles.largest)
  near(reading.coverage, expected.coverage, 'coverage')
  near(reading.settled, expected.settled, 'in known hands')
  notice('in known hands', expected.settled > 0)
  for (const [name, share] of Object.entries(expected.shares)) near(shares[name as keyof typeof shares], share, name)
  near(reading.conviction, expected.conviction, 'conviction')
  near(reading.cooktimer, expected.cooktimer, 'cooktimer', 0.5001)
  near(reading.overduePct, expected.overduePct, 'overdue')
  assert.equal(reading.smartWallets, expected.smartWallets)
  for (const [name, metric] of Object.entries(expected.metrics)) {
    near(reading.metrics[name as keyof typeof reading.metrics], metric, `metric ${name}`)
  }
  assert.deepEqual(reading.life, expected.life)
  notice('phantom', reading.life.phantomPct > 1)
  assert.equal(reading.score.hasReading, expected.score !== null)
  near(reading.score.value, expected.score ?? 0, 'score', 0.0501)
  for (const [name, buckets] of Object.entries(expected.cohorts)) {
    const pct = cohorts[name as keyof typeof cohorts].map((held) =>
      holders.owned > 0 ? (100 * held) / holders.owned : 0,
    )
    allNear(pct, buckets, `cohort ${name}`)
  }
  assert.deepEqual(
    reading.kols.map(({ wallet, balance }) => [wallet.address, balance]),
    expected.kols.map(({ wallet, balance }) => [wallet, balance]),
  )
  reading.kols.forEach(({ expectedSellSlot }, i) => {
    near(expectedSellSlot, expected.kols[i]!.expectedSellSlot, 'expected sell slot', 0.5001)
  })
}

function compareDirty({ live, wallet }: TokenView, { engine, store }: Folded, expected: Expected): void {
  const { slot, firstSlot, solUsd, population } = engine.globals
  const market = { slot, firstSlot, solUsd, population, wallet }
  for (const position of store.positions(live.token.id)) {
    const owner = wallet(position.wallet)
    const reasons = expected.dirty.get(owner.address)
    if (reasons === undefined) continue
    const bits = dirtyReasons(live.token, position, owner, confirmedGroup(live.bundles, position) !== null, market)
    const found = Object.entries(DIRTY).flatMap(([reason, bit]) => ((bits & bit) !== 0 ? [reason] : []))
    assert.deepEqual(found.sort(), [...reasons].sort())
  }
}

/** Every served colour is that of the number beside it. */
function compareRatings(view: TokenView, { metrics, ...reading }: Reading): void {
  const s = TokenSnapshot.required().parse(
    Object.fromEntries(SNAPSHOT_GROUPS.map((group) => [group, SNAPSHOT_GROUP[group](view)])),
  )
  const hasTraded = view.live.token.lastTradeSlot >= 0
  const isRead = hasTraded && reading.holders.owned > 0
  const isRated = isRead && reading.coverage >= 0.2
  const isThere: Record<keyof typeof s.ratings, boolean> = {
    ...{ alpha_hands: isRated, dumpers: isRated, jeets: isRated, cooktimer: isRated },
    ...{ conviction: metrics.conviction !== null, pump_dump: hasTraded },
    ...{ bundle: isRead, dirty: isRead, in_profit: isRead, score: isRead },
  }
  for (const [name, there] of Object.entries(isThere)) {
    const rating = s.ratings[name as keyof typeof s.ratings]
    assert.equal(rating, there ? ratingByTable(name, s) : 'neutral', `${name} of ${JSON.stringify(s.score)}`)
    notice(`${rating} ${name}`, true)
  }
}

/** The most that the score can be: only green leaves it as it is. */
function capBy({ verdict: { history, yellow } }: TokenView['live']['token']): number | null {
  const colour = COLOURS[history.at(-1)?.colour ?? 0]
  if (colour === 'green') return null
  if (colour === 'red') return 2.9
  const hadExit = ['early_exit', 'sold_ever', 'deployer_sold'].some(
    (code) => Math.floor(yellow / 2 ** VERDICT_CODES.indexOf(code as VerdictCode)) % 2 === 1,
  )
  return hadExit ? 3.9 : 4.9
}

function compareSignals(view: TokenView, expected: Expected): void {
  const conditions = view.conditions()
  assert.equal(conditions === null, expected.signals === null)
  if (conditions === null || expected.signals === null) return
  assert.equal(conditions.length, 24)
  for (const [i, name] of CONDITIONS.entries()) {
    const condition: Condition | undefined = conditions.find((one) => one.name === name)
    const pair: readonly boolean[] = expected.signals[i]!
    assert.deepEqual([condition?.pump, condition?.dump], pair, `${i + 1} ${name} ${condition?.value}`)
    const { pump, dump } = EDGES[name]!
    assert.deepEqual([meets(condition!, pump), meets(condition!, dump)], pair, `${name} by its words: ${pump}; ${dump}`)
  }
}

/** Whether the numbers shown meet an edge in words, such as `> 0, wallets ≥ 2`. */
const meets = ({ value, also = {} }: Condition, edge: string): boolean =>
  edge.split(', ').every((clause) => {
    const [, name, sign, number] = /^(?:(\w+) )?([≥≤<>=]) (-?[\d.]+)$/.exec(clause)!
    const shown = name === undefined ? value : also[name]!
    if (value === null) return false
    const [a, b] = [shown!, Number(number)]
    return sign === '≥' ? a >= b : sign === '≤' ? a <= b : sign === '>' ? a > b : sign === '<' ? a < b : a === b
  })

/** Counts what the histories bring about, so that a comparison of nothing with nothing is noticed. */
const seen = new Map<string, number>()
const notice = (what: string, happens: boolean): void => void (happens && seen.set(what, (seen.get(what) ?? 0) + 1))

function compare(list: Parameters<typeof buildHistory>[0]): void {
  const entries = buildHistory(list)
  const folded = fold(entries)
  const { read } = createReadingReference(entries, givenOf(folded))
  eachToken(folded, entries, (view, mint) => {
    const reading = view.reading()
    const expected = read(mint, capBy(view.live.token))
    compareReading(view, reading, expected)
    compareDirty(view, folded, expected)
    compareSignals(view, expected)
    compareRatings(view, reading)
    const { token } = view.live
    const { peak: insiderPeak, sold: insiderSold } = classOf(token, CLASS.insiders)
    const deployerPeak = classOf(token, CLASS.deployer).peak
    const signedSold = classOf(token, CLASS.signed).sold
    const soldHour = soldInHour(token, view.slot)
    assert.deepEqual({ deployerPeak, insiderPeak, insiderSold, signedSold, soldInHour: soldHour }, expected.memory)
    notice('a crowd of holders', expected.holders.count > 50)
    for (const [what, tokens] of Object.entries(expected.memory)) notice(what, tokens > 0)
    for (const reasons of expected.dirty.values()) for (const reason of reasons) notice(`dirty ${reason}`, true)
    for (const [name, share] of Object.entries(expected.shares)) notice(name, share > 0)
    for (const [name, buckets] of Object.entries(expected.cohorts)) {
      for (const [i, held] of buckets.entries()) notice(`${name} ${i}`, held > 0)
    }
    expected.signals?.forEach(([pump, dump], i) => {
      notice(`pump ${i + 1}`, pump)
      notice(`dump ${i + 1}`, dump)
    })
    notice('kols', expected.kols.length > 0)
    notice('conviction', expected.conviction !== null)
    notice('smart wallets', expected.smartWallets > 0)
    notice('red', expected.bundles.redCount > 0)
  })
}

test('every reading of every token equals the slow reference', () => {
  fc.assert(fc.property(steps, compare), { numRuns: RUNS })
})

test('so it does on many short histories of one or two tokens', () => {
  fc.assert(fc.property(shortSteps, compare), { numRuns: MANY })
})

test('so it does where a wallet is smart money', () => {
  fc.assert(fc.property(veteranSteps, compare), { numRuns: Math.ceil(RUNS / 2) })
})

test('so it does in a crowd', () => {
  fc.assert(fc.property(crowdSteps, compare), { numRuns: CROWDS })
})

test('so it does after more trades than are looked back on', { skip: RUNS < 100 && 'takes seconds a history' }, () => {
  fc.assert(fc.property(busySteps, compare), { numRuns: 1 })
})

/** What every few histories bring about: without it a comparison would say little. */
const COMMON = [
  ...['alphaHands', 'bundle', 'dirty', 'dumpers', 'nukers', 'jeets', 'inProfit', 'diamond'],
  ...['conviction', 'kols', 'smart wallets', 'phantom', 'a crowd of holders', 'in known hands'],
  ...['bundle', 'sniper', 'wash', 'insider'].map((reason) => `dirty ${reason}`),
  ...[0, 1, 2, 3, 4].flatMap((n) => [`hold ${n}`, `sellImpact ${n}`, `solBalance ${n}`]),
  ...['pnl 1', 'pnl 2', 'pnl 3', 'roi 1', 'roi 2', 'roi 3', 'healthyRate 0', 'healthyRate 1', 'healthyRate 3'],
  ...[1, 2, 3, 4, 6, 7, 8, 9, 13, 15, 16, 18, 21, 22, 23, 24].flatMap((n) => [`pump ${n}`, `dump ${n}`]),
  ...['pump 5', 'pump 11', 'dump 11', 'pump 12', 'pump 14', 'pump 17', 'pump 19', 'pump 20', 'dump 20'],
]

const tooFew = RUNS < 100 && 'too few histories to expect everything'

test('the histories had in them what can be told apart', { skip: tooFew }, () => {
  assert.deepEqual(
    COMMON.filter((what) => !seen.has(what)),
    [],
  )
})

test('a served snapshot holds its invariants, and its ratings follow from its numbers', () => {
  fc.assert(
    fc.property(anySteps, (list) => {
      const entries = buildHistory(list)
      const folded = fold(entries)
      eachToken(folded, entries, (view) => checkServed(view))
    }),
    { numRuns: MANY },
  )
  if (!tooFew) assert.ok(seen.has(PART), 'no bundle held a part of the supply')
  if (!tooFew) assert.ok(seen.has('red') && seen.has('yellow') && seen.has('neutral'), 'too few colours')
})

const PART = 'bundles of a part of the supply'

function checkServed(view: TokenView): void {
  const served = Object.fromEntries(SNAPSHOT_GROUPS.map((group) => [group, SNAPSHOT_GROUP[group](view)]))
  const s = TokenSnapshot.required().parse(JSON.parse(JSON.stringify(served)))
  const card = TokenCard.parse(JSON.parse(JSON.stringify(renderCard(view))))
  const reading = view.reading()
  const hasOwners = reading.holders.owned > 0

  // now and then transfers of these histories bring more tokens than there are: what is owned is all of them at most
  if (reading.holders.owned <= view.live.token.supply && reading.life.phantomPct <= 1) {
    const ofSupply = (s.score.bundle_pct * s.holders.pct_supply_owned) / 100
    within(s.bundles.owned_pct_supply, ofSupply, 0.0151, 'bundles of supply')
    notice(PART, ofSupply > 0)
  } else if (reading.life.phantomPct <= 1) assert.equal(s.holders.pct_supply_owned, 100)
  assert.ok(s.score.dumpers_pct >= card.chart_nukers_pct)
  within(s.cohorts.hold_duration_pct.over_600s!, card.diamond_hands_pct, 1e-6, 'over_600s = diamond hands')
  const { neg9_9_to_neg3_6, under_neg9_9 } = s.cohorts.sell_impact_pct
  within(neg9_9_to_neg3_6! + under_neg9_9!, card.chart_nukers_pct, 0.0151, 'chart nukers')
  for (const [name, cohort] of Object.entries(s.cohorts)) {
    const sum = Object.values(cohort).reduce((total, share) => total + share, 0)
    if (name === 'buys_pct' || name === 'hold_duration_pct')
      within(sum, hasOwners ? 100 : 0, hasOwners ? 0.0251 : 0, name)
    else assert.ok(sum <= 100.031, `${name} sums to ${sum}`)
  }
  const { top_3_pct, top_5_pct, top_10_pct } = s.holders
  assert.ok(top_3_pct <= top_5_pct && top_5_pct <= top_10_pct && top_10_pct <= s.holders.pct_supply_owned + 0.011)

  const micros = reading.score.contributions.reduce((sum, { micro }) => sum + micro, 0)
  assert.ok(reading.score.contributions.every(({ micro }) => Number.isInteger(micro)))
  assert.equal(micros, Math.round(reading.score.value * 1_000_000))
  assert.equal(s.score.value, reading.score.value)

  compareRatings(view, reading)
  assert.deepEqual(card.ratings, s.ratings)
  assert.deepEqual(explain(view, 0).ratings, s.ratings)
  const { colour } = verdictOf(view.live.token)
  if (reading.score.hasReading && colour !== COLOUR.green) assert.notEqual(s.ratings.score, 'green')
  if (reading.score.hasReading && colour === COLOUR.red) assert.equal(s.ratings.score, 'red')
  notice(COLOURS[colour]!, true)
}

test('what is served depends neither on what is in memory nor on what was asked before', () => {
  fc.assert(
    fc.property(anySteps, (list) => {
      const entries = buildHistory(list)
      const { engine, store } = fold(entries)
      const render = (one: Engine): string[] => {
        const texts: string[] = []
        eachToken({ engine: one, store, bundled: new Set(), members: new Map() }, entries, (view) => {
          texts.push(JSON.stringify(SNAPSHOT_GROUPS.map((group) => SNAPSHOT_GROUP[group](view))))
          texts.push(JSON.stringify([view.reading().score, view.reading().conviction, view.conditions()]))
        })
        return texts
      }
      const expected = render(engine)
      assert.deepEqual(render(createEngine({ reader: store, walletsCached: 2, quiet: QUIET_AT_ONCE })), expected)
      const ask = (folded: Folded) => eachToken(folded, entries, (view) => void view.conditions())
      const asked = fold(entries, ask, 2)
      assert.deepEqual(render(asked.engine), expected)
      assert.equal(asked.store.dump(), store.dump(), 'asking changes no state')
    }),
    { numRuns: MANY / 2 },
  )
})

test('the ladder of milestones never rises, and its shares are of the sample', () => {
  const peak = fc.option(fc.oneof(fc.nat({ max: 20_000_000 }), fc.constantFrom(9_999, 10_000, 10_001, 10_000_000)))
  fc.assert(
    fc.property(
      fc.array(fc.record({ ath: peak, bonded: fc.boolean() }), { maxLength: 40, size: 'max' }),
      (launches) => {
        const summary = DevSummary.parse(renderDevSummary(deployerRecord(launches)))
        const peaks = launches.flatMap(({ ath }) => (ath === null ? [] : [ath]))
        assert.equal(summary.ath_sample_size, peaks.length)
        summary.ath_milestones.forEach(({ mcap, reached, pct }, i) => {
          assert.equal(reached, peaks.filter((ath) => ath >= mcap).length)
          near(pct, peaks.length > 0 ? (100 * reached) / peaks.length : 0, 'pct', 0.0051)
          const last = summary.ath_milestones[i - 1]
          assert.ok(last === undefined || (last.mcap < mcap && last.reached >= reached && last.pct >= pct))
        })
        const bonded = launches.filter((launch) => launch.bonded).length
        near(summary.bond_rate, launches.length > 0 ? (100 * bonded) / launches.length : 0, 'bond rate', 0.0051)
      },
    ),
    { numRuns: MANY },
  )
})
