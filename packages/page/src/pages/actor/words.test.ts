import assert from 'node:assert/strict'
import { test } from 'node:test'
import { familiesInWords, recordOf, stillHolds } from './words.ts'

type Played = Parameters<typeof stillHolds>[0]
const sold: Played = { bought_pct: 12, exit_slot: 400_000_100, drained_slot: null, paid_sol: 3, got_sol: 1 }
const held: Played = { ...sold, exit_slot: null, paid_sol: 5.43, got_sol: 0 }
const of = {
  ...{ wallets: 41, tokens: 14, drained: 11, rugged: 9, taken_sol: 120.4, usual_exit_slots: 450 },
  recent_tokens: [sold],
}

test('an actor in a sentence', () => {
  assert.equal(
    recordOf(of),
    '41 wallets, seen on 14 tokens, 11 of them drained, 9 by their own people. It took out 120 SOL and usually sells after 3 min.',
  )
  assert.equal(
    recordOf({ ...of, drained: 0, rugged: 0, taken_sol: 0 }),
    '41 wallets, seen on 14 tokens, none of them drained. It usually sells after 3 min.',
  )
  assert.match(recordOf({ ...of, tokens: 1, drained: 0, rugged: 0 }), /seen on 1 token, which was not drained\./)
  assert.match(recordOf({ ...of, tokens: 1, drained: 1, rugged: 1 }), /1 token, which was drained by its own people\./)
  assert.match(recordOf({ ...of, taken_sol: -2, usual_exit_slots: null }), /It lost 2 SOL\.$/)
})

test('an actor that still holds has lost nothing yet', () => {
  const text = (some: Partial<typeof of>) =>
    recordOf({ ...of, usual_exit_slots: null, ...some }).replace(/^.*people\. /, '')
  assert.equal(
    text({ tokens: 2, taken_sol: -8.45, recent_tokens: [held, { ...held, paid_sol: 3.02 }] }),
    'It has put in 8.45 SOL and sold nothing yet.',
  )
  assert.equal(
    text({
      tokens: 2,
      taken_sol: -8.45,
      recent_tokens: [held, { ...held, paid_sol: 3.02, drained_slot: 400_000_200 }],
    }),
    'It has put 5.43 SOL into a token that it still holds and lost 3.02 SOL on others.',
  )
  assert.equal(
    text({ taken_sol: -7.43, recent_tokens: [held, sold] }),
    'It has put 5.43 SOL into a token that it still holds and lost 2 SOL on others.',
  )
  assert.equal(
    text({ taken_sol: -0.43, usual_exit_slots: 450, recent_tokens: [held, { ...sold, got_sol: 8 }] }),
    'It has put 5.43 SOL into a token that it still holds and took 5 SOL out of others; it usually sells after 3 min.',
  )
  assert.equal(
    text({ taken_sol: -9, recent_tokens: [held, { ...held, paid_sol: 4.57, got_sol: 1 }] }),
    'It has put 9 SOL into 2 tokens that it still holds.',
  )
  assert.equal(text({ taken_sol: -5.43, recent_tokens: [{ ...held, drained_slot: 400_000_200 }] }), 'It lost 5.43 SOL.')
})

test('what is held: not sold by half, not drained, not paid back', () => {
  assert.equal(stillHolds(held), true)
  for (const other of [{ exit_slot: 400_000_100 }, { drained_slot: 400_000_100 }, { bought_pct: 0 }, { got_sol: 6 }])
    assert.equal(stillHolds({ ...held, ...other }), false, JSON.stringify(other))
})

test('evidence in words', () => {
  assert.equal(familiesInWords([]), '')
  assert.equal(familiesInWords(['fee_payer', 'funder']), 'fee payer, funder;')
})
