import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from './random.ts'

const first = (seed: number, purpose: string): number[] => {
  const random = createRandom(seed, purpose)
  return [random.float(), random.float(), random.float()]
}

test('a stream is a function of its seed and purpose', () => {
  assert.deepEqual(first(1, 'a'), first(1, 'a'))
  assert.notDeepEqual(first(1, 'a'), first(2, 'a'))
  assert.notDeepEqual(first(1, 'a'), first(1, 'b'))
})

test('whole numbers are even: chi-square of 16 cells below its 0.999 point', () => {
  const random = createRandom(5, 'even')
  const cells = new Array<number>(16).fill(0)
  for (let i = 0; i < 16_000; i++) cells[random.int(16)]!++
  const chi = cells.reduce((sum, n) => sum + ((n - 1000) * (n - 1000)) / 1000, 0)
  assert.ok(chi < 37.7, `seed 5: ${chi}`)
})
