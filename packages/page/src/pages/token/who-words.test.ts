import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from '@ti/core/contract/who.ts'
import { chanceOf, firstBuyersInWords, sharesInWords } from './who-words.ts'

const buyers = (some: Partial<NonNullable<Parameters<typeof firstBuyersInWords>[0]>>) => ({
  ...{ count: 70, holding: 0, gain: 0, loss: 0, moved: 0, unpriced: 0, bought_pct: 60, held_pct: 20 },
  ...some,
})

test('what became of the first buyers, in words', () => {
  assert.equal(
    firstBuyersInWords(buyers({ holding: 22, gain: 31, loss: 12, moved: 5 })),
    'Of the first 70 buyers 22 hold, 31 sold at a gain, 12 at a loss, 5 moved their coins.',
  )
  assert.equal(
    firstBuyersInWords(buyers({ holding: 1, loss: 66, moved: 1, unpriced: 2 })),
    'Of the first 70 buyers 1 holds, 66 sold at a loss, 1 moved its coins, 2 sold for something of unknown price.',
  )
})

test('how much of the pool is locked, now, as planned or unknown', () => {
  const shares = { planned: false, locked_share: 0.25, pullable_share: 0.75, withdrawn: null }
  assert.equal(sharesInWords(shares), 'Now 25% of the pool is locked for ever, and 75% can be withdrawn.')
  assert.equal(
    sharesInWords({ ...shares, planned: true }),
    'After graduation 25% of the pool will be locked for ever, and 75% can be withdrawn.',
  )
  const unknown = { ...shares, locked_share: null, pullable_share: null }
  assert.equal(sharesInWords(unknown), 'How much of the pool is locked is unknown.')
})

test('fewer first buyers than are counted', () => {
  assert.equal(
    firstBuyersInWords(buyers({ count: 12, holding: 11, gain: 1 })),
    'Of the 12 buyers so far 11 hold, 1 sold at a gain.',
  )
  assert.equal(firstBuyersInWords(buyers({ count: 1, holding: 1 })), 'The only buyer so far holds.')
  assert.equal(firstBuyersInWords(buyers({ count: 1, loss: 1 })), 'The only buyer so far sold at a loss.')
})

test('unknown first buyers have no words', () => {
  assert.equal(firstBuyersInWords(null), null)
  assert.equal(firstBuyersInWords(buyers({ count: 0 })), null)
})

test('outcomes of others are counts, and no count of few is told', () => {
  const chance = (n: number, hits: number) =>
    chanceOf('drain', { outlook: { drain: { n, hits } }, memory: { drained: null } } as unknown as Who)
  assert.equal(chance(90, 2), '2 of 90, 1 in 45')
  assert.equal(chance(90, 54), '54 of 90')
  assert.equal(chance(90, 0), 'none of 90')
  assert.equal(chance(19, 19), '19 like it so far, too few to say')
  const none = (drained: object | null) =>
    chanceOf('drain', { outlook: { drain: null }, memory: { drained } } as unknown as Who)
  assert.deepEqual([none(null), none({ slot: 1 })], ['not asked at this age', 'not asked: it is drained'])
})
