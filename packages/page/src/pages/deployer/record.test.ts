import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DevSummary } from '@ti/core/contract/resources.ts'
import { deedsInWords, fateOf, hasSpread, PAGE_SIZE, pageOf, pagingOf, timeToPeak, verdictOf } from './record.ts'

test('pages of launches', () => {
  assert.deepEqual(pagingOf(null, 60), { page: 1, pages: 3, offset: 0, first: 1, last: PAGE_SIZE })
  assert.deepEqual(pagingOf('3', 60), { page: 3, pages: 3, offset: 50, first: 51, last: 60 })
  assert.deepEqual(pagingOf('1', 0), { page: 1, pages: 1, offset: 0, first: 0, last: 0 })
})

test('an odd page in the address is the first', () => {
  for (const odd of ['0', '-1', 'x', '1.5', '', '99999999', 'NaN']) assert.equal(pageOf(odd), 1, odd)
})

const summary = (total_deployed: number, bonded_count: number, p75: number | null) =>
  ({ total_deployed, bonded_count, ath_mcap_percentiles: { p75 } }) as DevSummary

test('a serial failure is told by the rule of the lists', () => {
  assert.equal(verdictOf(summary(10, 0, 6_999)).failing, true)
  assert.equal(verdictOf(summary(9, 0, 6_999)).failing, false)
  assert.equal(verdictOf(summary(10, 0, 7_000)).failing, false)
  assert.equal(verdictOf(summary(10, 0, null)).failing, false)
  assert.equal(verdictOf(summary(10, 1, 100)).failing, false)
})

test('how many graduated, in words', () => {
  const text = (total: number, bonded: number) => verdictOf(summary(total, bonded, null)).text
  assert.equal(text(1, 0), 'Its only launch has not graduated.')
  assert.equal(text(1, 1), 'Its only launch graduated.')
  assert.equal(text(4, 0), 'None of its 4 launches has graduated to a decentralized exchange.')
  assert.equal(text(4, 1), 'One of its 4 launches has graduated to a decentralized exchange.')
  assert.equal(text(4, 3), '3 of its 4 launches have graduated to a decentralized exchange.')
  assert.equal(text(4, 4), 'All of its 4 launches have graduated to a decentralized exchange.')
})

test('time from launch to peak', () => {
  const launch = '2026-01-01T00:00:00.000000Z'
  assert.equal(timeToPeak({ deployed_at: launch, ath_at: '2026-01-01T00:01:30.000000Z' }), 90)
  assert.equal(timeToPeak({ deployed_at: launch, ath_at: '2025-12-31T00:00:00.000000Z' }), 0)
  assert.equal(timeToPeak({ deployed_at: null, ath_at: launch }), null)
})

test('a deployer in words', () => {
  const all = {
    launches: 133,
    drained: 70,
    rugged: 60,
    sold: 120,
    taken_sol: 88,
    first_sale_slots: 45,
    bought_pct: 4,
    bundled_1m_pct: 12,
  }
  assert.deepEqual(deedsInWords({ launched: 133, graduated: 1, all }), {
    severity: 'red',
    text: '133 launched, 1 graduated, 70 drained (60 by its own people). It took out 88 SOL and first sells 18 s after the launch.',
  })
  assert.equal(deedsInWords({ launched: 2, graduated: 0, all: null }).text, '2 launched, 0 graduated.')
  assert.equal(fateOf({ rugged: true, drained: true, graduated: false }).fate, 'rugged')
  assert.equal(fateOf({ rugged: false, drained: false, graduated: true }).mark, 'G')
})

test('three peaks have no quartiles, four have', () => {
  assert.deepEqual(
    [0, 1, 3, 4, 100].map((ath_sample_size) => hasSpread({ ath_sample_size })),
    [false, false, false, true, true],
  )
})
