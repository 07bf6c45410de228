import assert from 'node:assert/strict'
import { test } from 'node:test'
import { familiesInWords, verdictOf } from './words.ts'

test('an actor in a sentence', () => {
  const of = { wallets: 41, tokens: 14, drained: 11, rugged: 9, taken_sol: 120.4, usual_exit_slots: 450 }
  assert.deepEqual(verdictOf(of), {
    severity: 'red',
    text: '41 wallets, seen on 14 tokens, 11 of them drained, 9 by their own people. It took out 120 SOL and usually sells after 3 min.',
  })
  assert.deepEqual(verdictOf({ ...of, drained: 0, rugged: 0, taken_sol: 0 }), {
    severity: 'neutral',
    text: '41 wallets, seen on 14 tokens, none of them drained. It usually sells after 3 min.',
  })
  assert.equal(verdictOf({ ...of, drained: 1, rugged: 0, usual_exit_slots: null, taken_sol: -2 }).severity, 'yellow')
  assert.match(verdictOf({ ...of, taken_sol: -2, usual_exit_slots: null }).text, /It lost 2 SOL\.$/)
})

test('evidence in words', () => {
  assert.equal(familiesInWords([]), '')
  assert.equal(familiesInWords(['fee_payer', 'funder']), 'fee payer, funder;')
})
