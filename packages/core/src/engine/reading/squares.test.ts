import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { addSquare, noSquares, sumOfSquares } from './squares.ts'

test('sums of squares are those of BigInt, whenever they are asked for', () => {
  const whole = fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER))
  fc.assert(
    fc.property(fc.array(whole), fc.array(whole), (first, second) => {
      const squares = noSquares()
      for (const value of first) addSquare(squares, value)
      const exact = (values: number[]): bigint => values.reduce((sum, value) => sum + BigInt(value) ** 2n, 0n)
      assert.equal(sumOfSquares(squares), exact(first))
      for (const value of second) addSquare(squares, value)
      assert.equal(sumOfSquares(squares), exact([...first, ...second]))
    }),
  )
})

test('a hundred thousand of the largest are still exact', () => {
  const squares = noSquares()
  for (let n = 0; n < 100_000; n++) addSquare(squares, Number.MAX_SAFE_INTEGER)
  assert.equal(sumOfSquares(squares), 100_000n * BigInt(Number.MAX_SAFE_INTEGER) ** 2n)
})
