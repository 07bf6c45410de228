import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOut } from './left-out.ts'
import { MARK, noSizes, type RecentSizes } from './sizes.ts'

/** At a bucket's edge: the last minute begins 150 slots earlier, the 5 minutes 750. */
const NOW = 100_000

type Trade = readonly [wallet: number, size: number, ago?: number, marks?: number]

function sizesOf(...trades: readonly Trade[]): RecentSizes {
  const sizes = noSizes()
  for (const [wallet, size, ago = 0, marks = MARK.pricing] of trades) {
    sizes.slots.push(NOW - ago)
    sizes.wallets.push(wallet)
    sizes.lamports.push(size)
    sizes.marks.push(marks | (size > 0 ? MARK.buy : 0))
  }
  return sizes
}

const NOTHING = { buys: 0, sells: 0, bought: 0, sold: 0 }

test('nobody is left out where nobody trades three times', () => {
  const out = leftOut(sizesOf([1, 5], [2, 5], [1, -5], [2, 7]), NOW, 0)
  assert.deepEqual([out.busiest, out.minute, out.fiveMinutes], [null, NOTHING, NOTHING])
  assert.deepEqual(leftOut(noSizes(), NOW, 0).wash, { trades: 0, volume: 0 })
})

test('the busiest wallet: most trades, then the larger volume, then the one that traded first', () => {
  const three = (wallet: number, size: number): Trade[] => [
    [wallet, size],
    [wallet, size],
    [wallet, size],
  ]
  const boughtBy = (...trades: Trade[]): number => leftOut(sizesOf(...trades), NOW, 0).minute.bought
  assert.equal(boughtBy(...three(1, 5), ...three(2, 4)), 15)
  assert.equal(boughtBy(...three(1, 5), ...three(2, 4), [2, 1]), 13)
  assert.equal(boughtBy(...three(2, 3), ...three(1, 3), [3, 100]), 9)
  const { busiest } = leftOut(sizesOf(...three(1, 5), [2, 20], [3, 5]), NOW, 0)
  assert.deepEqual(busiest, { trades: 0.6, volume: 0.375 })
})

test('wash traders are left out as well, whatever they do in the window', () => {
  const wash = MARK.pricing | MARK.wash
  const { busiest, wash: part, minute, buyers, sellers } = leftOut(sizesOf([1, 5, 0, wash], [2, -5], [3, 10]), NOW, 0)
  assert.equal(busiest, null)
  assert.deepEqual(part, { trades: 1 / 3, volume: 0.25 })
  assert.deepEqual(minute, { buys: 1, sells: 0, bought: 5, sold: 0 })
  assert.deepEqual([buyers, sellers], [1, 0])
})

test('what a wallet takes out beyond what it brought stays in', () => {
  const { fiveMinutes } = leftOut(sizesOf([1, 4], [1, -3], [1, -3], [1, -3]), NOW, 0)
  assert.deepEqual(fiveMinutes, { buys: 1, sells: 3, bought: 4, sold: 4 })
})

test('two windows, and markets that do not set the price', () => {
  const elsewhere = 0
  const out = leftOut(sizesOf([1, 4, 151], [1, 4, 150], [1, 4, 0], [1, -9, 0, elsewhere]), NOW, 0)
  assert.equal(out.fiveMinutes.buys, 3)
  assert.equal(out.minute.buys, 2)
  assert.deepEqual([out.fiveMinutes.sells, out.buyers, out.sellers], [0, 1, 1])
})

test('dust: its trades and wallets are left out, its amounts stay, and it makes nobody the busiest', () => {
  const dust = Array.from({ length: 5 }, (): Trade => [1, 1])
  const out = leftOut(sizesOf(...dust, [2, 20], [2, -1], [3, -1], [4, 10], [4, 10], [4, -10]), NOW, 10)
  assert.deepEqual(out.minute, { buys: 7, sells: 3, bought: 20, sold: 10 })
  assert.deepEqual([out.buyers, out.sellers, out.dustBuyers], [2, 3, 1])
  assert.equal(out.busiest?.trades, 0.75)
})
