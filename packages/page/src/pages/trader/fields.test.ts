import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trader } from '@ti/core/contract/resources.ts'
import { figureGroups } from './fields.ts'

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
const figuresOf = (trader: Partial<Trader>) =>
  Object.fromEntries(
    figureGroups({ ...NEW, ...trader })
      .flatMap(({ figures }) => figures)
      .map((figure) => [figure.key, figure]),
  )

test('every figure of a trader is shown, with what it means', () => {
  const figures = figuresOf({})
  const elsewhere = ['last_active', 'name', 'recent_mints', 'smart_money', 'user_address']
  assert.deepEqual([...Object.keys(figures), ...elsewhere].sort(), Object.keys(NEW).sort())
  for (const figure of Object.values(figures)) {
    assert.equal(figure.shown, '–')
    assert.equal(figure.means.endsWith('.'), true, figure.key)
  }
})

test('numbers carry sign, unit and tone', () => {
  const figures = figuresOf({ pnl_sol: -2.5, roi: 0.25, win_rate: 0.425, avg_hold_slots: 1500, total_buys_sol: 12.345 })
  assert.deepEqual([figures.pnl_sol?.shown, figures.pnl_sol?.tone], ['−2.5 SOL', 'bad'])
  assert.deepEqual([figures.roi?.shown, figures.roi?.tone], ['+25%', 'good'])
  assert.deepEqual([figures.win_rate?.shown, figures.win_rate?.share], ['42.5%', 0.425])
  assert.deepEqual([figures.avg_hold_slots?.shown, figures.avg_hold_slots?.beside], ['10 min', '1,500 slots'])
  assert.equal(figures.total_buys_sol?.shown, '12.35 SOL')
})

test('the effect of sells is named by its class, edges not included', () => {
  const beside = (sell_impact: number) => figuresOf({ sell_impact }).sell_impact?.beside
  assert.deepEqual(
    [beside(-3.61), beside(-3.6), beside(-0.61), beside(1)],
    ['a chart nuker', 'a dumper', 'prices hold', 'prices hold'],
  )
})
