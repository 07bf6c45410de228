import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trader } from '@ti/core/contract/resources.ts'
import { habitsOf, neighboursInWords, profitSteps, traderInWords } from './words.ts'

const NEW: Trader = {
  avg_hold_slots: null,
  bundled_trades_rate: null,
  healthy_coins_rate: null,
  last_active: null,
  median_hold_slots: null,
  name: null,
  pnl_sol: null,
  recent_mints: [],
  roi: null,
  sell_impact: null,
  smart_money: false,
  total_buys_sol: null,
  user_address: 'W',
  win_rate: null,
}
const MANY = { trades: 20, tokens: 20 }
const shown = (trader: Partial<Trader>, seen = MANY) =>
  Object.fromEntries(
    habitsOf({ ...NEW, ...trader }, seen).map(({ label, value, tone }) => [label, `${value} ${tone ?? ''}`]),
  )

test('a wallet in a sentence: counts, not a percentage', () => {
  const realised = [1, 2, -1, 0, null].map((realised_sol) => ({ realised_sol }))
  assert.equal(
    traderInWords({ ...NEW, pnl_sol: -2.5, median_hold_slots: 450, sell_impact: -1, win_rate: 0.7 }, realised),
    'Lost 2.5 SOL: 2 tokens with a gain, 1 with a loss. Half of what it sold, it held for less than 3 min. Prices fall by 1% within ten seconds of its sales.',
  )
  assert.match(traderInWords(NEW, []), /^Its result is not known\.$/)
})

test('figures carry sign, unit and tone', () => {
  const figures = shown({ pnl_sol: -2.5, roi: 0.25, sell_impact: -3.61, median_hold_slots: 1500 })
  assert.equal(figures['Lifetime profit'], '−2.5 SOL bad')
  assert.equal(figures['Lifetime return'], '+25% good')
  assert.equal(figures['After its sales'], '−3.6%, nukes charts ')
  assert.equal(figures['Holds for'], '10 min ')
  assert.match(shown({ sell_impact: -3.6 })['After its sales']!, /dumps/)
  assert.match(shown({ sell_impact: -0.61 })['After its sales']!, /prices hold/)
})

test('a share of fewer than twenty is not shown', () => {
  const rates = { healthy_coins_rate: 0.5, bundled_trades_rate: 0.25 }
  assert.deepEqual([shown(rates)['Healthy picks'], shown(rates)['Trades in groups']], ['50% ', '25% '])
  const few = shown(rates, { trades: 19, tokens: 19 })
  assert.deepEqual([few['Healthy picks'], few['Trades in groups']], ['too few yet ', 'too few yet '])
})

test('who trades beside it', () => {
  const beside = (wallet: string, after: number, before: number) => ({ wallet, name: null, after, before, bought: 9 })
  const found = { within_s: 10, tokens: 12, unread: 0, wallets: [beside('A', 7, 1), beside('B', 0, 3)] }
  assert.equal(
    neighboursInWords(found),
    'A bought within 10 s after it on 7 of the 12 newest tokens that could be read. It bought within 10 s after B on 3.',
  )
  assert.match(
    neighboursInWords({ ...found, wallets: [beside('A', 1, 1)] }),
    /^Nobody bought .* more than one of the 12/,
  )
  assert.match(neighboursInWords({ ...found, tokens: 0, wallets: [] }), /nothing can be said/)
})

test('what was made adds up in the order of the last sales', () => {
  const sold = (mint: string, last_sell_slot: number | null, realised_sol: number | null) => ({
    ...{ mint, symbol: '', name: '', last_sell_slot, realised_sol },
  })
  const steps = profitSteps([sold('b', 20, -1), sold('a', 10, 3), sold('held', null, 0), sold('given', 15, null)])
  assert.deepEqual(steps, [
    { at: 10, token: 'a', made: 3, value: 3 },
    { at: 20, token: 'b', made: -1, value: 2 },
  ])
  assert.deepEqual(profitSteps([]), [])
})
