import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import type { Block } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE, VENUE } from '@ti/core/model/events.ts'
import { answer, createPaths, isAtRisk, type Path, standingAt } from './outcomes.ts'

const MINT = 'mint'.repeat(8) as Key
const POOL = 'pool'.repeat(8) as Key
const SOL = 1e9
const START = 30 * SOL

/** An event with only the fields that are read here. */
const event = (of: object): ChainEvent => ({ mint: MINT, quote: QUOTE.SOL, ...of }) as unknown as ChainEvent

const launch = event({ kind: 'create', creator: MINT, quoteReserve: START, baseReserve: 1_000 })
/** A trade on the curve that leaves this much real SOL, at the start's price times `multiple`. */
const trade = (real: number, multiple: number, isBuy = true): ChainEvent => {
  const quoteReserve = START + real * SOL
  const baseReserve = quoteReserve / ((START / 1_000) * multiple)
  return event({ kind: 'trade', venue: VENUE.pump, isBuy, quoteReserve, baseReserve, quoteBefore: -1, pool: null })
}
const inPool = (quoteBefore: number, quoteAmount: number, pool = POOL): ChainEvent =>
  event({
    ...{ kind: 'trade', venue: VENUE.pumpswap, isBuy: false, pool, quoteBefore: quoteBefore * SOL },
    ...{ quoteAmount: quoteAmount * SOL, quoteReserve: START, baseReserve: 1_000 },
  })

function pathOf(blocks: readonly (readonly [number, readonly ChainEvent[]])[]): Path {
  const paths = createPaths()
  for (const [slot, events] of blocks) {
    const block: Block = { kind: 'block', slot, parent: slot - 1, time: 0, events }
    paths.take(block)
  }
  return paths.of(MINT)!
}

const LAST = 100_000

test('a market stands as it was after the slot, with all of its trades', () => {
  const path = pathOf([
    [1, [launch]],
    [5, [trade(1, 1.5), trade(3, 2.5)]],
    [6, [trade(4, 3)]],
  ])
  assert.equal(standingAt(path, 4), null)
  const standing = standingAt(path, 5)!
  assert.equal(standing.real, 3 * SOL)
  assert.ok(Math.abs(standing.multiple! - 2.5) < 1e-9)
  assert.deepEqual([isAtRisk('drain', standing), isAtRisk('halving', standing)], [true, true])
  const quiet = standingAt(pathOf([[1, [launch, trade(1.99, 1.9)]]]), 1)!
  assert.deepEqual([isAtRisk('drain', quiet), isAtRisk('halving', quiet)], [false, false])
})

test('drain: a fifth or less of the reserve is left at any time within 9,000 slots', () => {
  const left = (real: number, slot: number) =>
    answer(
      'drain',
      pathOf([
        [1, [launch, trade(10, 2)]],
        [slot, [trade(real, 2, false)]],
        [slot + 1, [trade(9, 2)]],
      ]),
      1,
      LAST,
    )
  assert.equal(left(2, 9_001), true)
  assert.equal(left(2, 9_002), false)
  assert.equal(left(2.01, 100), false)
})

test('halving: half of the price or less at any time within 9,000 slots', () => {
  const falls = (multiple: number, slot: number) =>
    answer(
      'halving',
      pathOf([
        [1, [launch, trade(10, 4)]],
        [slot, [trade(9, multiple)]],
      ]),
      1,
      LAST,
    )
  assert.equal(falls(1.999, 9_001), true)
  assert.equal(falls(1.999, 9_002), false)
  assert.equal(falls(2.01, 100), false)
})

test('buyer: out at twice, at −40 % or when the time is over, whichever is first; fees make small gains losses', () => {
  const gains = (...later: (readonly [number, number])[]) =>
    answer(
      'buyer',
      pathOf([[1, [launch, trade(10, 1)]], ...later.map(([slot, at]) => [slot, [trade(9, at)]] as const)]),
      1,
      LAST,
    )
  assert.equal(gains([2, 2], [3, 0.1]), true)
  assert.equal(gains([2, 0.59], [3, 5]), false)
  assert.equal(gains([2, 0.61], [3, 5]), true)
  assert.equal(gains([2, 1.5], [2_251, 1.02]), false)
  assert.equal(gains([2, 0.8], [2_251, 1.03]), true)
  assert.equal(gains([2_252, 5]), false)
})

test('what is not over when the log ends has no answer, even where it is clear', () => {
  const path = pathOf([
    [1, [launch, trade(10, 4)]],
    [2, [trade(1, 1)]],
  ])
  assert.equal(answer('halving', path, 1, 9_001), null)
  assert.equal(answer('halving', path, 1, 9_002), true)
})

test('after graduation only the canonical pool counts, and the reserve is the pool’s own', () => {
  const other = 'othr'.repeat(8) as Key
  const path = pathOf([
    [1, [launch, trade(80, 15)]],
    [2, [event({ kind: 'migrate', pool: POOL }), trade(1, 1), inPool(85, 5), inPool(85, 84, other)]],
  ])
  const standing = standingAt(path, 2)!
  assert.deepEqual([standing.real, standing.graduated, path.points.length], [80 * SOL, true, 2])
})

test('what is in a market quoted in dollars is told at the SOL price of the moment', () => {
  const paths = createPaths()
  const price = (usd: number): void =>
    paths.take({ kind: 'facts', time: 0, byOperator: false, facts: [{ kind: 'sol_price', usd }] })
  const block = (slot: number, events: readonly ChainEvent[]): void =>
    paths.take({ kind: 'block', slot, parent: slot - 1, time: 0, events } as Block)
  price(150)
  // 299 dollars: slightly less than 2 SOL at first, slightly more after SOL fell
  const dollars = event({ kind: 'create', creator: MINT, quote: QUOTE.USDC, quoteReserve: 1e6, baseReserve: 1_000 })
  const first = { kind: 'trade', venue: VENUE.pump, isBuy: true, quoteBefore: -1, pool: null, quote: QUOTE.USDC }
  block(1, [dollars, event({ ...first, quoteReserve: 300e6, quoteAmount: 299e6, baseReserve: 900, tokenAmount: 100 })])
  block(5, [])
  price(149)
  const path = paths.of(MINT)!
  const isAsked = (slot: number): boolean => isAtRisk('drain', standingAt(path, slot)!)
  assert.deepEqual([isAsked(4), isAsked(5)], [false, true])
})

test('a launch that states no reserves starts where its first trade found it', () => {
  const unknown = event({ kind: 'create', creator: MINT, quoteReserve: 0, baseReserve: 0 })
  const first = { kind: 'trade', venue: VENUE.launchlab, isBuy: true, quoteBefore: -1, pool: null }
  const path = pathOf([
    [
      1,
      [unknown, event({ ...first, quoteReserve: START + SOL, quoteAmount: SOL, baseReserve: 900, tokenAmount: 100 })],
    ],
  ])
  assert.deepEqual([path.startPrice, standingAt(path, path.points[0]!.slot)!.real], [START / 1_000, SOL])
})
