import assert from 'node:assert/strict'
import { test } from 'node:test'
import { age, bytes, clock, compact, count, counted, duration, listed, pct, shortAddress, sol, usd } from './format.ts'

const each = <T>(how: (value: T) => string, cases: readonly (readonly [T, string])[]) => {
  for (const [value, text] of cases) assert.equal(how(value), text, String(value))
}

test('three digits and a letter', () => {
  each(compact, [
    [0, '0'],
    [-0, '0'],
    [0.5, '0.5'],
    [9.994, '9.99'],
    [42.25, '42.3'],
    [999, '999'],
    [999.4, '999'],
    [1000, '1k'],
    [4_240, '4.24k'],
    [38_219, '38.2k'],
    [99_960, '100k'],
    [999_400, '999k'],
    [999_600, '1M'],
    [1_250_000, '1.25M'],
    [2_500_000_000, '2.5B'],
    [7e12, '7T'],
    [1e300, '1.0e+300'],
    [-4_240, '−4.24k'],
  ])
  each(usd, [
    [0, '$0'],
    [80_123, '$80.1k'],
    [-5, '−$5'],
  ])
})

test('counts, percentages, SOL', () => {
  each(count, [
    [1234567, '1,234,567'],
    [-3, '−3'],
    [-12_345.5, '−12,346'],
    [999.4, '999'],
  ])
  each(
    (value: number) => pct(value),
    [
      [0, '0%'],
      [0.004, '<0.01%'],
      [0.005, '0.01%'],
      [99.4, '99%'],
      [99.96, '>99%'],
      [0.04, '0.04%'],
      [9.96, '10%'],
      [5.25, '5.3%'],
      [79.52, '80%'],
      [100, '100%'],
    ],
  )
  assert.equal(pct(79.52, 2), '79.52%')
  each(sol, [
    [0, '0'],
    [0.00001, '<0.0001'],
    [0.00123, '0.0012'],
    [0.0624, '0.062'],
    [4.1494, '4.15'],
    [388.4, '388'],
    [1234.5, '1,235'],
    [52_000, '52k'],
    [-0.5, '−0.5'],
  ])
})

test('lengths of time', () => {
  each(duration, [
    [0, '0 s'],
    [0.4, '0 s'],
    [42, '42 s'],
    [89.4, '89 s'],
    [95, '2 min'],
    [185, '3 min'],
    [3_580, '1 h'],
    [7_500, '2 h 5 min'],
    [86_390, '1 d'],
    [90_000, '1 d 1 h'],
    [-145, '−2 min'],
  ])
  each(age, [
    [-3, '0s'],
    [59.9, '59s'],
    [60, '1m'],
    [3_599, '59m'],
    [3_600, '1h'],
    [86_400, '1d'],
  ])
})

test('sizes and addresses', () => {
  each(bytes, [
    [0, '0 B'],
    [999, '999 B'],
    [1_500, '1.5 kB'],
    [412_345_678, '412 MB'],
    [2.34e9, '2.3 GB'],
  ])
  assert.equal(shortAddress('4XvoSsTnqKx1pZLrzXQmXj5vX'), '4Xvo…j5vX')
  assert.equal(shortAddress('short'), 'short')
})

test('times of day, counts with their word, lists', () => {
  assert.equal(clock(1_790_000_744.9), '14:25:44')
  assert.equal(counted(1, 'launch', 'launches'), '1 launch')
  assert.equal(counted(1_200, 'wallet'), '1,200 wallets')
  assert.deepEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed), ['', 'a', 'a and b', 'a, b and c'])
})
