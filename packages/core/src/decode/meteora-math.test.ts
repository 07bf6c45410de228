import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { i128 } from '../../../../test/support/encode.ts'
import { buyFrom, depthOf, pieceOf, sellTo } from '../../../../test/support/meteora.ts'
import { type TradeEvent, VENUE } from '../model/events.ts'
import { isDepthKnown } from '../model/venues.ts'
import { curveReserves, priceAt } from './meteora-math.ts'

/** Seeded, so that failures are reproducible. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

const shown = (quoteAmount: number, tokenAmount: number, quoteReserve: number): boolean =>
  isDepthKnown({ venue: VENUE.meteora_dbc, quoteAmount, tokenAmount, quoteReserve } as TradeEvent)

describe('reserves of a curve from one trade', () => {
  test('the price is the square of the root, over 2^128', () => {
    assert.equal(priceAt(i128(1n << 64n), 0), 1)
    assert.equal(priceAt(i128((1n << 64n) >> 1n), 0), 0.25)
    assert.equal(priceAt(i128(3n << 64n), 0), 9)
    assert.equal(priceAt(i128(0n), 0), 0)
    // even the largest root gives a number
    assert.ok(Number.isFinite(priceAt(Buffer.alloc(16, 255), 0)))
  })

  test('are those of the piece of the curve, for buys and sells of any size that tells', () => {
    const random = randoms(7)
    const draw = (low: number, high: number): number => low * (high / low) ** random.next().value
    let known = 0
    for (let i = 0; i < 4_000; i++) {
      const piece = pieceOf(draw(1e8, 1e12), draw(1e13, 2e15))
      const isBuy = i % 2 === 0
      const start = depthOf(piece)
      const amount = BigInt(Math.ceil(draw(1e-7, 0.5) * (isBuy ? start.quote : start.base)))
      const got = isBuy ? buyFrom(piece, amount) : sellTo(piece, amount)
      const [quote, base] = isBuy ? [Number(amount), Number(got)] : [Number(got), Number(amount)]
      if (quote === 0 || base === 0) continue
      const truth = depthOf(piece)
      const price = truth.quote / truth.base
      const reserves = curveReserves(quote, base, priceAt(i128(piece.root), 0))
      assert.ok(Math.abs(reserves.quote / reserves.base / price - 1) < 1e-5, `price ${i}`)
      if (!shown(quote, base, reserves.quote)) continue
      known++
      // rounding to whole amounts costs up to one unit each, which the error bound covers
      assert.ok(Math.abs(reserves.quote / truth.quote - 1) < 0.03, `depth ${i}: ${reserves.quote} of ${truth.quote}`)
    }
    assert.ok(known > 2_000, `${known} trades told the depth`)
  })

  test('a trade of a few lamports gives the price and says that it does not know the depth', () => {
    const piece = pieceOf(30e9, 1e15)
    const base = buyFrom(piece, 1_000n)
    const reserves = curveReserves(1_000, Number(base), priceAt(i128(piece.root), 0))
    assert.ok(!shown(1_000, Number(base), reserves.quote))
    assert.ok(Math.abs(reserves.quote / reserves.base / 3e-5 - 1) < 1e-6)
  })
})
