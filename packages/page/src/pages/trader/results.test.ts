import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultOf } from './results.ts'

test('what is not known is left out of the sums', () => {
  const of = (realised_sol: number | null, unrealised_sol: number | null) => ({ realised_sol, unrealised_sol })
  assert.deepEqual(resultOf([of(2, null), of(-0.5, 1), of(null, 0.25), of(0, null)]), {
    made: 1.5,
    open: 1.25,
    won: 1,
    lost: 1,
  })
})
