import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from '@ti/core/contract/examples.ts'
import { TokenCard } from '@ti/core/contract/token.ts'
import { cardOf, nextOf } from './watched-cards.ts'

test('a snapshot makes the card that lists have', () => {
  const snapshot = EXAMPLES.snapshot.data
  const card = cardOf(snapshot)
  assert.deepEqual(TokenCard.parse(card), card)
  assert.deepEqual([card.mint, card.mcap, card.score], [snapshot.meta.mint, snapshot.market.mcap, snapshot.score.value])
})

test('every watched token is asked about in turn, new ones first', () => {
  const asked = new Map<string, number>()
  const turns = Array.from({ length: 6 }, (_, i) => {
    const mints = i < 4 ? ['a', 'b', 'c'] : ['a', 'b', 'c', 'd']
    const next = nextOf(mints, asked)!
    asked.set(next, i + 1)
    return next
  })
  assert.deepEqual(turns, ['a', 'b', 'c', 'a', 'd', 'b'])
  assert.equal(nextOf([], asked), null)
})
