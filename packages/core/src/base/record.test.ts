import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployerRecord } from './record.ts'

test('a record adds up: tokens that were rugged are part of those drained', () => {
  const said = (launched: number, graduated: number, drained: number, rugged: number, taken_sol: number): string =>
    deployerRecord({ launched, graduated, all: { drained, rugged, taken_sol } }, 'other launch')
  assert.deepEqual(
    [
      said(7, 2, 3, 1, 0.9),
      said(4, 0, 4, 4, -2),
      said(3, 0, 0, 1, 0),
      said(1, 1, 0, 0, 0),
      said(1, 0, 1, 1, 2),
      said(0, 0, 0, 0, 0),
    ],
    [
      '7 other launches: 3 drained (1 rugged), 4 not; 2 graduated; 0.9 SOL taken out',
      '4 other launches: 4 drained (4 rugged); none graduated',
      '3 other launches: 1 rugged; none graduated',
      '1 other launch: not drained; graduated',
      '1 other launch: rugged; not graduated; 2 SOL taken out',
      'first launch',
    ],
  )
})

test('without a record there is the number of graduations', () => {
  assert.equal(deployerRecord({ launched: 3, graduated: 1, all: null }), '3 launches: 1 graduated')
})
