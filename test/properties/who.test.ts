import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { CLASS, classOf } from '@ti/core/engine/class-memory.ts'
import { allDeeds, recentDeeds, withoutLaunch } from '@ti/core/engine/deployers.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { whoOf } from '@ti/core/engine/reading/who.ts'
import type { Launch } from '@ti/core/model/deployer.ts'
import type { Wallet } from '@ti/core/model/state.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { renderWho } from '@ti/core/query/who.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, crowdSteps, type Step, shortSteps, steps } from '../support/histories.ts'
import { QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { type Folded, fold, givenOf } from './folded.ts'
import { createWhoReference } from './who-reference.ts'

/** Classes with memory, first buyers and deployers' records equal the slow reference. */
const RUNS = runs(100)
const MANY = 6 * RUNS
const CROWDS = runs(20)

/** Counts what the histories bring about, so that a comparison of nothing with nothing is noticed. */
const seen = new Map<string, number>()
const notice = (what: string, happens: boolean): void => void (happens && seen.set(what, (seen.get(what) ?? 0) + 1))

const near = (actual: number, expected: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${what}: ${actual} ≠ ${expected}`)

type Expected = ReturnType<typeof createWhoReference>

function compareWho(view: TokenView, mint: Key, expected: Expected): void {
  const { classes, firstBuyers } = whoOf(view.live, view.market.firstSlot)
  for (const [name, sums] of Object.entries(expected.classes(mint))) {
    assert.deepEqual(classes[name as keyof typeof classes], sums, name)
    for (const [what, tokens] of Object.entries(sums ?? {})) notice(`${name} ${what}`, tokens > 0)
    notice(`${name} unknown`, sums === null)
  }
  const { peak, ...bundled } = expected.bundled(mint)
  const { held, sold } = bundled
  const { peak: _, ...money } = classes.bundled!
  assert.deepEqual(money, bundled)
  const { peak: __, ...others } = classOf(view.live.token, CLASS.others)
  assert.deepEqual(others, expected.others(mint))
  assert.ok(classes.bundled!.peak >= Math.max(held, peak), `${classes.bundled!.peak} is less than ${held} or ${peak}`)
  notice('bundled held', held > 0)
  notice('bundled sold', sold > 0)
  const { buyers, fates, sums } = expected.firstBuyers(mint)
  const { token } = view.live
  assert.deepEqual(
    token.firstBuyers.map((id) => view.wallet(id).address),
    buyers,
  )
  notice('more buyers than first ones', buyers.length === 70)
  for (const fate of ['holding', 'gain', 'loss', 'moved'] as const) {
    const count = fates.filter((one) => one === fate).length
    assert.equal(firstBuyers?.fates[fate] ?? 0, count, fate)
    notice(fate, count > 0)
  }
  for (const [what, value] of Object.entries(sums)) {
    near(firstBuyers?.[what as keyof typeof sums] ?? 0, value, `first buyers: ${what}`)
    notice(`first buyers ${what}`, value > 0)
  }
  near(view.reading().traced, expected.traced(mint), 'traced')
  notice('traced', view.reading().traced > 0)
}

function compareDeployer(deployer: Wallet, launches: readonly Omit<Launch, 'token'>[]): void {
  const { recent } = deployer.deployer!
  const byText = (list: readonly object[]) => list.map((one) => JSON.stringify(Object.entries(one).sort())).sort()
  assert.deepEqual(byText(recent.map(({ token: _, ...launch }) => launch)), byText(launches))
  const all = allDeeds(deployer)!
  assert.equal(all.launches, launches.length)
  const known = (values: readonly number[]) => values.filter((value) => value >= 0)
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
  const same = (actual: number | null, expected: number | null, what: string): void => {
    if (actual === null || expected === null) assert.equal(actual, expected, what)
    else near(actual, expected, what)
    notice(what, (expected ?? 0) > 0)
  }
  const part = (values: readonly number[]) => mean(known(values).map((value) => value / 1e6))
  for (const deeds of [all, recentDeeds(deployer.deployer!)]) {
    same(deeds.drained, launches.filter(({ drained }) => drained).length, 'drained')
    same(deeds.rugged, launches.filter(({ rugged }) => rugged).length, 'rugged')
    same(
      deeds.taken,
      launches.reduce((total, { taken }) => total + taken, 0),
      'taken',
    )
    same(deeds.bought, part(launches.map(({ bought }) => bought)), 'bought')
    same(deeds.bundled, part(launches.map(({ bundled }) => bundled)), 'bundled at a minute')
    same(deeds.sold, known(launches.map(({ firstSale }) => firstSale)).length, 'sold')
  }
  same(all.firstSale, mean(known(launches.map(({ firstSale }) => firstSale))), 'first sale')
}

const viewsOf = ({ engine, store }: Pick<Folded, 'engine' | 'store'>) => createViews(engine, store, 100)

function compare(list: Parameters<typeof buildHistory>[0]): void {
  const entries = buildHistory(list)
  const folded = fold(entries)
  const expected = createWhoReference(entries, givenOf(folded))
  const views = viewsOf(folded)
  const launches = new Map<Key, Omit<Launch, 'token'>[]>()
  for (const mint of expected.mints) {
    compareWho(views.find(mint)!, mint, expected)
    const deployer = expected.deployerOf(mint)
    const { drainedSlot, ruggedSlot } = folded.store.token(folded.store.tokenIdByMint(mint)!)!
    const fate = { drained: drainedSlot >= 0, rugged: ruggedSlot >= 0 }
    if (deployer === null) continue
    launches.set(deployer, [...(launches.get(deployer) ?? []), { ...fate, ...expected.launch(mint) }])
  }
  for (const [deployer, own] of launches) {
    const wallet = folded.store.wallet(folded.store.walletIdByAddress(deployer)!)!
    compareDeployer(wallet, own)
    const mints = expected.mints.filter((mint) => expected.deployerOf(mint) === deployer)
    mints.forEach((mint, i) => {
      const token = folded.store.token(folded.store.tokenIdByMint(mint)!)!
      compareDeployer(withoutLaunch(wallet, token), own.toSpliced(i, 1))
    })
  }
}

test('classes, first buyers, deployers and traced supply equal the slow reference', () => {
  fc.assert(fc.property(steps, compare), { numRuns: RUNS })
})

test('so they do on many short histories of one or two tokens', () => {
  fc.assert(fc.property(shortSteps, compare), { numRuns: MANY })
})

test('so they do in a crowd, of which not everybody is a first buyer', () => {
  fc.assert(fc.property(crowdSteps, compare), { numRuns: CROWDS })
})

/** A launch with everything in its first slots: its deployer buys, somebody snipes, two buy in one transaction. */
const launch: readonly Step[] = [
  { gap: 1, token: 0, wallet: 0, action: 'create', size: 1 },
  { gap: 0, token: 0, wallet: 0, action: 'buy', size: 60 },
  { gap: 0, token: 0, wallet: 1, action: 'buy', size: 50 },
  { gap: 5, token: 0, wallet: 2, action: 'joint', size: 120 },
]

test('so they do from the creation on', () => {
  const list = shortSteps.map((later) => [...launch, ...later])
  fc.assert(fc.property(list, compare), { numRuns: RUNS })
})

const COMMON = [
  ...['firstBlock', 'firstSeconds', 'fresh', 'kols', 'bundled'].flatMap((name) => [`${name} held`, `${name} sold`]),
  ...['firstBlock unknown', 'fresh unknown', 'fresh peak', 'kols peak'],
  ...['holding', 'gain', 'loss', 'moved', 'traced'],
  ...['bought', 'held', 'sold', 'moved', 'paid', 'got'].map((what) => `first buyers ${what}`),
  ...[
    'drained',
    'rugged',
    'taken',
    'bought',
    'bundled at a minute',
    'sold',
    'first sale',
    'more buyers than first ones',
  ],
]

test('the histories had in them what can be told apart', {
  skip: RUNS < 100 && 'too few histories to expect everything',
}, () => {
  assert.deepEqual(
    COMMON.filter((what) => !seen.has(what)),
    [],
  )
})

test('who has a token depends neither on what is in memory nor on what was asked before', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const entries = buildHistory(list)
      const { engine, store } = fold(entries)
      const mints = [...Array(engine.globals.nextToken).keys()].map((id) => store.token(id)!.mint)
      const render = (one: Pick<Folded, 'engine' | 'store'>): string[] => {
        const views = viewsOf(one)
        const known = mints.flatMap((mint) => views.find(mint) ?? [])
        return known.map((view) => JSON.stringify(renderWho(view)))
      }
      const expected = render({ engine, store })
      const again = createEngine({ reader: store, walletsCached: 2, quiet: QUIET_AT_ONCE })
      assert.deepEqual(render({ engine: again, store }), expected)
      const asked = fold(entries, (folded) => void render({ ...folded, engine: folded.engine }), 2)
      assert.deepEqual(render(asked), expected)
      assert.equal(asked.store.dump(), store.dump(), 'asking changes no state')
    }),
    { numRuns: RUNS },
  )
})
