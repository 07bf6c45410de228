import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOf, moreOf } from './example.test-data.ts'
import { countFilters, filtersOf, NO_FILTERS, queryOf } from './filters.ts'
import { PRESETS, presetOf } from './presets.ts'
import { CELLS, clicked, sorted, sortingOf, sortingText } from './sorting.ts'

const NOW = Date.parse('2026-11-21T20:00:00Z')
const row = (mint: string, dev_pct: number | null) => ({ card: cardOf({ mint }), more: moreOf({ dev_pct }) })
const order = (text: string) =>
  sorted([row('a', 3), row('b', null), row('c', 1), row('d', 3)], sortingOf(new URLSearchParams({ sort: text })), NOW)
    .map(({ card }) => card.mint)
    .join('')

test('rows stand by a number, equals as in the list, what has no reading last', () => {
  assert.equal(order(''), 'abcd')
  assert.equal(order('dev'), 'cadb')
  assert.equal(order('-dev'), 'adcb')
  assert.equal(order('nonsense'), 'abcd')
})

test('clicks on a head ask for its own order, the reverse, and the list again', () => {
  const first = clicked(null, 'score')
  const second = clicked(first, 'score')
  assert.deepEqual(
    [first, second, clicked(second, 'score')],
    [{ by: 'score', falling: true }, { by: 'score', falling: false }, null],
  )
  assert.deepEqual(clicked(second, 'dev'), { by: 'dev', falling: false })
  assert.deepEqual([sortingText(first), sortingText(second), sortingText(null)], ['-score', 'score', ''])
  assert.deepEqual(sortingOf(new URLSearchParams({ sort: sortingText(first) })), first)
  assert.equal(CELLS.length, 8)
})

test('a preset is known by its thresholds and its order, also from an address', () => {
  for (const preset of PRESETS) {
    const filters = filtersOf(new URLSearchParams(queryOf(preset.filters, new URLSearchParams())))
    assert.equal(presetOf(filters, preset.sorting)?.id, preset.id)
    assert.equal(presetOf({ ...filters, kolsMin: 9 }, preset.sorting), null)
    assert.ok(countFilters(filters) > 0)
  }
  assert.equal(presetOf(NO_FILTERS, null), null)
})
