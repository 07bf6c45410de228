import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from './record.ts'

type All = NonNullable<Parameters<typeof recordOf>[0]['all']>
const all = { drained: 3, rugged: 1, taken_sol: 0.9, first_sale_slots: 450 } as All

test('a record adds up: what was rugged is part of what was drained', () => {
  assert.equal(
    recordOf({ launched: 7, graduated: 2, all }, 'other launch'),
    '7 other launches: 3 drained (1 of them rugged), 4 not drained. 2 graduated. It took out 0.9 SOL and first sells after 3 min on average.',
  )
  assert.equal(
    recordOf(
      { launched: 1, graduated: 0, all: { ...all, drained: 0, rugged: 0, taken_sol: -2, first_sale_slots: null } },
      'launch',
    ),
    '1 launch: 0 drained. 0 graduated.',
  )
})

test('without a record there is the number of graduations', () => {
  assert.equal(recordOf({ launched: 3, graduated: 1, all: null }, 'launch'), '3 launches, 1 graduated.')
})
