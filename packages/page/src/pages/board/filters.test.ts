import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoardCard } from '@ti/core/contract/app.ts'
import { parseFilter, TOKEN_FIELDS } from '@ti/core/contract/filter.ts'
import { cardOf } from './example.test-data.ts'
import {
  conditionOf,
  FILTER_NAMES,
  type Filters,
  filtersOf,
  filtersOfCondition,
  PRESETS,
  passes,
  queryOf,
  readNumber,
  sameFilters,
  wordsOf,
} from './filters.ts'

const EACH: Filters = {
  ...{ dev: 3, top10: 25, bundle: 30, dirty: 40, snipers: 2.5, fresh: 10, holders: 20, kols: 1, score: 4.5, curve: 50 },
  ...{ cap_from: 20_000, cap_to: 1_500_000, age: 5, calm: 1, original: 1, known: 1, clean: 1 },
}

const conditionPasses = (card: BoardCard, filters: Filters): boolean => {
  const parsed = parseFilter(conditionOf(filters), TOKEN_FIELDS)
  assert.ok(parsed.ok, `${conditionOf(filters)}: ${parsed.ok ? '' : parsed.message}`)
  assert.equal(parsed.filter.text, conditionOf(filters), 'it is in canonical form, by which a watch is recognised')
  return parsed.filter.test({ ...card.values, colour: card.colour })
}

test('a filter and the alert that it becomes agree on every card, also where a reading is missing', () => {
  assert.deepEqual(Object.keys(EACH).sort(), [...FILTER_NAMES].sort())
  const sides = [0, 1, 3, 3.01, 10, 25, 49.9, 50, 750, 751, 20_000, 1e7, null]
  let passed = 0
  for (const name of FILTER_NAMES) {
    const filter = { [name]: EACH[name] }
    for (const value of sides)
      for (const colour of ['red', 'yellow', 'neutral', 'green'] as const) {
        const values = Object.fromEntries(
          Object.keys(cardOf({}).values).map((field) => [field, field === 'copied' ? value === 1 : value]),
        )
        const card = cardOf({ colour, values })
        assert.equal(passes(card, filter), conditionPasses(card, filter), `${name} of ${value}, ${colour}`)
        if (passes(card, filter)) passed++
      }
  }
  assert.ok(passed > 100)
})

test('all filters together are one condition, which gives them back', () => {
  assert.equal(conditionPasses(cardOf({}), EACH), passes(cardOf({}), EACH))
  assert.deepEqual(filtersOfCondition(conditionOf(EACH)), EACH)
  for (const name of FILTER_NAMES) {
    const one = { [name]: EACH[name] }
    assert.deepEqual(filtersOfCondition(conditionOf(one)), one, name)
  }
  for (const other of ['', 'trades >= 2', 'deployer_pct <= 3 or kols >= 1', 'symbol == "A and B"'])
    assert.equal(filtersOfCondition(other), null, other)
})

test('filters are in the address, which keeps what else it says', () => {
  const query = queryOf(EACH, new URLSearchParams('tab=near&dev=99'))
  assert.deepEqual(filtersOf(new URLSearchParams(query)), EACH)
  assert.equal(new URLSearchParams(query).get('tab'), 'near')
  assert.equal(queryOf({}, new URLSearchParams(query)), 'tab=near')
  assert.deepEqual(filtersOf(new URLSearchParams('dev=x&curve=101&known=2&score=')), {})
})

test('numbers are read as people write them', () => {
  assert.deepEqual(
    ['20k', '1.5m', '$3', '0,5', '7%', '', '-1', '1e3', '101'].map((text) => readNumber(text, 2e6)),
    [20_000, 1_500_000, 3, 0.5, 7, null, null, null, 101],
  )
  assert.equal(readNumber('101', 100), null)
})

test('presets are told apart, and one finds tokens near graduation whose deployer holds at most 3%', () => {
  const [all, ...others] = PRESETS
  assert.ok(passes(cardOf({}), all!.filters))
  for (const one of others) assert.equal(PRESETS.filter(({ filters }) => sameFilters(filters, one.filters)).length, 1)
  const near = PRESETS.find(({ label }) => label.startsWith('Near graduation'))!
  const card = (deployer_pct: number | null, curve_pct: number | null) =>
    cardOf({ values: { ...cardOf({}).values, deployer_pct, curve_pct } })
  assert.deepEqual(
    [card(3, 50), card(3.01, 50), card(0, 49), card(null, 60), card(0, null)].map((one) => passes(one, near.filters)),
    [true, false, false, false, false],
  )
})

test('an alert has the name of its filters', () => {
  assert.equal(wordsOf({ dev: 3, cap_from: 20_000, known: 1 }), 'Dev ≤ 3%, Market cap ≥ $20000, Known crew in it')
})
