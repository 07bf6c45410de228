import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSides, signalRows } from './signal-rows.ts'

const signal = (name: string, value: number | 'infinite' | null, pump = false, dump = false) => ({
  name,
  value,
  pump,
  dump,
  edges: { pump: '≥ 0.05', dump: '≤ -0.05' },
})

test('numbers are written with sign and unit', () => {
  const rows = signalRows([
    signal('net_to_pool_1m', -0.0966, false, true),
    signal('buys_to_sells_1m', 'infinite', true),
    signal('drawdown_from_ath', 0.1523),
    signal('smart_net_sol_5m', null),
    signal('cooktimer_slots', -364, false, true),
    signal('kols_in_5m', 2, true),
    signal('median_buy_to_sell_5m', 0.9011),
    signal('net_to_pool_5m', 123.4),
  ])
  const shown = Object.fromEntries(rows.map((row) => [row.name, row.shown]))
  assert.deepEqual(shown, {
    net_to_pool_1m: '−9.7%',
    net_to_pool_5m: '+12.3k%',
    buys_to_sells_1m: '∞',
    drawdown_from_ath: '15.2%',
    smart_net_sol_5m: '–',
    kols_in_5m: '+2',
    cooktimer_slots: 'overdue 2 min',
    median_buy_to_sell_5m: '0.9×',
  })
})

test('rows stand in the order of the methodology, whatever the order of the answer', () => {
  const rows = signalRows([signal('overdue_pct', 1), signal('return_1m', 1), signal('net_to_pool_1m', 1)])
  assert.deepEqual(
    rows.map(({ no }) => no),
    [0, 5, 23],
  )
})

test('edges are those of the answer, in the unit of the value; one that names another value keeps its words', () => {
  const edges = { pump: 'kols_in ≥ 1, kols_out = 0', dump: 'kols_out ≥ 1' }
  const rows = signalRows([
    signal('return_1m', 0),
    { ...signal('cooktimer_slots', 0), edges: { pump: '≥ 2500', dump: '< 1000' } },
    { ...signal('kols_in_5m', 0), edges },
  ])
  assert.deepEqual(
    rows.map(({ pumpEdge, dumpEdge }) => `${pumpEdge}; ${dumpEdge}`),
    ['≥ 5%; ≤ −5%', 'kols in ≥ 1, kols out = 0; kols out ≥ 1', '≥ 16 min 40 s; < 6 min 40 s'],
  )
})

test('each condition is pump, dump, neither, or without a reading', () => {
  const rows = signalRows([
    signal('return_1m', 1, true),
    signal('return_5m', -1, false, true),
    signal('bundle_pct', 55),
    signal('dirty_pct', null),
    signal('something_new', 3),
  ])
  assert.deepEqual(countSides(rows), { pump: 1, dump: 1, none: 2, unread: 1 })
  assert.equal(rows.at(-1)?.label, 'something new')
})
