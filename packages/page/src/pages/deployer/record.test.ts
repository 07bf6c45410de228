import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fateOf, hasSpread, PAGE_SIZE, pageOf, pagingOf, timeToPeak } from './record.ts'

test('pages of launches', () => {
  assert.deepEqual(pagingOf(null, 60), { page: 1, pages: 3, offset: 0, first: 1, last: PAGE_SIZE })
  assert.deepEqual(pagingOf('3', 60), { page: 3, pages: 3, offset: 50, first: 51, last: 60 })
  assert.deepEqual(pagingOf('1', 0), { page: 1, pages: 1, offset: 0, first: 0, last: 0 })
})

test('an odd page in the address is the first', () => {
  for (const odd of ['0', '-1', 'x', '1.5', '', '99999999', 'NaN']) assert.equal(pageOf(odd), 1, odd)
})

test('time from launch to peak', () => {
  const launch = '2026-01-01T00:00:00.000000Z'
  assert.equal(timeToPeak({ deployed_at: launch, ath_at: '2026-01-01T00:01:30.000000Z' }), 90)
  assert.equal(timeToPeak({ deployed_at: launch, ath_at: '2025-12-31T00:00:00.000000Z' }), 0)
  assert.equal(timeToPeak({ deployed_at: null, ath_at: launch }), null)
})

test('what became of a launch: what is worst of it', () => {
  assert.equal(fateOf({ rugged: true, drained: true, graduated: false }).fate, 'rugged')
  assert.equal(fateOf({ rugged: false, drained: false, graduated: true }).mark, 'G')
})

test('three peaks have no quartiles, four have', () => {
  assert.deepEqual(
    [0, 1, 3, 4, 100].map((ath_sample_size) => hasSpread({ ath_sample_size })),
    [false, false, false, true, true],
  )
})
