import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, moreOf } from './example.test-data.ts'
import { countFilters, filtersOf, NO_FILTERS, passes, queryOf, readNumber } from './filters.ts'

const NOW = Date.parse('2026-11-21T20:00:00Z')

test('numbers as people type them', () => {
  const cases: [string, number | null][] = [
    ['5', 5],
    ['5.5', 5.5],
    ['5,5', 5.5],
    [' 20k ', 20_000],
    ['$1.5M', 1_500_000],
    ['40%', 40],
    ['', null],
    ['-1', null],
    ['1e3', null],
    ['nine', null],
    ['2000000000m', null],
  ]
  for (const [text, value] of cases) assert.equal(readNumber(text, 1e12), value, text)
  assert.equal(readNumber('11', 10), null, 'over the limit')
})

test('filters survive the way through the address', () => {
  const filters = {
    scoreMin: 4.5,
    bundleMax: 30,
    dirtyMax: 40,
    devMax: 5,
    topMax: 25,
    soldMax: 1.5,
    snipersMax: 2.5,
    freshMax: 10,
    drainMax: 20,
    capMin: 10_000,
    capMax: 1_000_000,
    ageMax: 30,
    kolsMin: 1,
    curveMin: 50,
    original: true,
    known: true,
    clean: true,
  } as const
  const query = queryOf(filters, new URLSearchParams('tab=pumps'))
  assert.deepEqual(filtersOf(new URLSearchParams(query)), filters)
  assert.match(query, /tab=pumps/)
  assert.equal(countFilters(filters), 17)
  assert.match(query, /top10=25&.*snipers=2\.5&fresh=10/)
  assert.equal(queryOf(NO_FILTERS, new URLSearchParams(query)), 'tab=pumps')
  assert.equal(countFilters(filtersOf(new URLSearchParams('score=x&bundle=x&dirty=101&original=yes'))), 0)
})

test('each threshold lets through what it says', () => {
  const card = cardOf({
    score: 5,
    dirty_pct: 40,
    mcap: 20_000,
    kols_in_count: 2,
    deployed_at: '2026-11-21T19:50:00.000000Z',
  })
  const more = moreOf({
    bundle_pct: 30,
    dev_pct: 4,
    top_10_pct: 20,
    snipers_pct: 3,
    fresh_pct: 7,
    group_sold_pct: 2,
    drain: { p: 0.25, n: 80 },
    curve_pct: 60,
    actors: 1,
  })
  const with_ = (some: object) => passes({ card, more }, { ...NO_FILTERS, ...some }, NOW)
  const cases: [object, boolean][] = [
    [{}, true],
    [{ scoreMin: 5 }, true],
    [{ scoreMin: 5.1 }, false],
    [{ dirtyMax: 40 }, true],
    [{ dirtyMax: 39 }, false],
    [{ capMin: 20_000, capMax: 20_000 }, true],
    [{ capMin: 20_001 }, false],
    [{ capMax: 19_999 }, false],
    [{ ageMax: 10 }, true],
    [{ ageMax: 9 }, false],
    [{ kolsMin: 2 }, true],
    [{ kolsMin: 3 }, false],
    [{ bundleMax: 30 }, true],
    [{ bundleMax: 29 }, false],
    [{ devMax: 4 }, true],
    [{ devMax: 3.9 }, false],
    [{ topMax: 20 }, true],
    [{ topMax: 19.9 }, false],
    [{ snipersMax: 3 }, true],
    [{ snipersMax: 2 }, false],
    [{ freshMax: 7 }, true],
    [{ freshMax: 6 }, false],
    [{ soldMax: 2 }, true],
    [{ soldMax: 1 }, false],
    [{ drainMax: 25 }, true],
    [{ drainMax: 24 }, false],
    [{ curveMin: 60 }, true],
    [{ curveMin: 61 }, false],
    [{ original: true }, true],
    [{ known: true }, true],
  ]
  for (const [some, expected] of cases) assert.equal(with_(some), expected, JSON.stringify(some))
})

test('clean: nobody in it is known from a drained or rugged token, neither an actor nor the deployer', () => {
  const deployer = { wallet: '1'.repeat(32), launched: 9, graduated: 0, drained: 0 }
  const isClean = (some: object): boolean =>
    passes(
      { card: cardOf({}), more: moreOf({ deployer, actors_bad: 0, ...some }) },
      { ...NO_FILTERS, clean: true },
      NOW,
    )
  assert.equal(isClean({ actors: 2 }), true)
  assert.equal(isClean({ deployer: null }), true)
  assert.equal(isClean({ deployer: { ...deployer, drained: null } }), true)
  assert.equal(isClean({ actors: 2, actors_bad: 1 }), false)
  assert.equal(isClean({ deployer: { ...deployer, drained: 1 } }), false)
  assert.equal(passes({ card: cardOf({}), more: null }, { ...NO_FILTERS, clean: true }, NOW), false, 'not loaded yet')
})

test('no reading passes no threshold, an unknown launch no age', () => {
  const ratings = { ...cardOf({}).ratings, score: 'neutral', dirty: 'neutral', bundle: 'neutral' } as const
  const card = cardOf({ ratings, score: 9, dirty_pct: 0, deployed_at: null })
  const more = moreOf({ dev_pct: null, snipers_pct: null, fresh_pct: null })
  const unknown = [
    { devMax: 100 },
    { snipersMax: 100 },
    { freshMax: 100 },
    { drainMax: 100 },
    { curveMin: 0 },
    { known: true },
  ]
  for (const some of [{ scoreMin: 1 }, { dirtyMax: 100 }, { bundleMax: 100 }, { ageMax: 1e6 }, ...unknown]) {
    assert.equal(passes({ card, more }, { ...NO_FILTERS, ...some }, NOW), false, JSON.stringify(some))
  }
  assert.equal(passes({ card, more }, NO_FILTERS, NOW), true)
})

test('until the bundled share is told, the verdict says how much it is at most', () => {
  const rated = (bundle: 'green' | 'yellow' | 'red') => cardOf({ ratings: { ...cardOf({}).ratings, bundle } })
  const allowed = (bundleMax: number, bundlePct: number | null) =>
    (['green', 'yellow', 'red'] as const).filter((verdict) =>
      passes(
        { card: rated(verdict), more: bundlePct === null ? null : moreOf({ bundle_pct: bundlePct }) },
        { ...NO_FILTERS, bundleMax },
        NOW,
      ),
    )
  assert.deepEqual(allowed(99, null), ['green', 'yellow'])
  assert.deepEqual(allowed(50, null), ['green'])
  assert.deepEqual(allowed(49, null), [])
  assert.deepEqual(allowed(49, 12), ['green', 'yellow', 'red'])
})

test('copies may be left out', () => {
  const having = (field: 'image' | 'name') => cardOf({ duplication: { ...cardOf({}).duplication, [field]: true } })
  const isShown = (card: ReturnType<typeof having>): boolean =>
    passes({ card, more: null }, { ...NO_FILTERS, original: true }, NOW)
  assert.equal(isShown(having('image')), false)
  assert.equal(isShown(having('name')), true, 'names repeat by chance')
})
