import assert from 'node:assert/strict'
import { test } from 'node:test'
import { familiesInWords, recordOf, resultSteps, stillHolds } from './words.ts'

type Played = Parameters<typeof stillHolds>[0]
const sold: Played = { bought_pct: 12, exit_slot: 400_000_100, drained_slot: null, paid_sol: 3, got_sol: 1 }
const held: Played = { ...sold, exit_slot: null, paid_sol: 5.43, got_sol: 0 }
const of = {
  ...{ wallets: 41, tokens: 14, launched: 12, drained: 11, rugged: 9, taken_sol: 120.4, usual_exit_slots: 450 },
}

test('an actor in a sentence', () => {
  assert.equal(
    recordOf(of),
    '41 wallets, seen on 14 tokens, launched 12: 11 drained (9 rugged) while it gained. It took 120 SOL out of its launches and usually sells after 3 min.',
  )
  assert.equal(
    recordOf({ ...of, drained: 0, rugged: 0, taken_sol: 0 }),
    '41 wallets, seen on 14 tokens, launched 12. It usually sells after 3 min.',
  )
  assert.match(
    recordOf({ ...of, tokens: 1, launched: 1, drained: 1, rugged: 0 }),
    /seen on 1 token, launched 1: 1 drained while it gained\./,
  )
  assert.match(
    recordOf({ ...of, taken_sol: -2, usual_exit_slots: null }),
    /It has put 2 SOL more into its launches than it took out\.$/,
  )
})

test('what is held: not sold by half, not drained, not paid back', () => {
  assert.equal(stillHolds(held), true)
  for (const other of [{ exit_slot: 400_000_100 }, { drained_slot: 400_000_100 }, { bought_pct: 0 }, { got_sol: 6 }])
    assert.equal(stillHolds({ ...held, ...other }), false, JSON.stringify(other))
})

test('its result runs on token by token, in order of the launches', () => {
  const token = (deployed_at: string | null, paid_sol: number, got_sol: number) =>
    ({ ...sold, deployed_at, paid_sol, got_sol, symbol: 'A', name: '', mint: 'M' }) as never
  const steps = resultSteps([
    token('2026-01-01T00:01:00Z', 1, 4),
    token('2026-01-01T00:00:00Z', 3, 2),
    token(null, 1, 9),
    { ...(token('2026-01-01T00:02:00Z', 3, 0) as object), exit_slot: null } as never,
  ])
  assert.deepEqual(
    steps.map(({ made, value }) => [made, value]),
    [
      [-1, -1],
      [3, 2],
    ],
  )
})

test('evidence in words', () => {
  assert.equal(familiesInWords([]), '')
  assert.equal(familiesInWords(['fee_payer', 'funder']), 'fee payer, funder;')
})
