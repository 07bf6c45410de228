import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppDeployer } from '@ti/core/contract/app.ts'
import { inStripOrder, stripReading } from './strip.ts'

type Launch = AppDeployer['launches'][number]

const launch = (mint: string, numbers: Partial<Launch>): Launch => ({
  ...{
    mint,
    said_by_deployer: { symbol: mint, name: mint },
    deployed_at: null,
    drained: false,
    rugged: false,
    graduated: false,
  },
  ...{ taken_sol: 0, first_sale_slots: null, bought_pct: null, bundled_1m_pct: null },
  ...numbers,
})
/** newest first */
const LAUNCHES = [
  launch('a', { taken_sol: -1, first_sale_slots: 500 }),
  launch('b', { taken_sol: 3, bought_pct: 4 }),
  launch('c', { taken_sol: 3, first_sale_slots: 5, bundled_1m_pct: 12 }),
]
const mints = (launches: readonly Launch[]): string => launches.map(({ mint }) => mint).join('')

test('what one fears most stands first, what is not known last', () => {
  assert.equal(mints(inStripOrder(LAUNCHES, 'newest')), 'abc')
  assert.equal(mints(inStripOrder(LAUNCHES, 'taken')), 'bca', 'equals stay newest first')
  assert.equal(mints(inStripOrder(LAUNCHES, 'sale')), 'cab')
  assert.equal(mints(inStripOrder(LAUNCHES, 'bought')), 'bac')
  assert.equal(mints(inStripOrder(LAUNCHES, 'bundled')), 'cab')
  assert.equal(mints(LAUNCHES), 'abc', 'the answer itself stays as it was')
})

test('the number that decides', () => {
  assert.equal(stripReading(LAUNCHES[1]!, 'taken'), '+3')
  assert.equal(stripReading(LAUNCHES[0]!, 'taken'), '−1')
  assert.equal(stripReading(LAUNCHES[2]!, 'sale'), '2 s')
  assert.equal(stripReading(LAUNCHES[1]!, 'sale'), '–')
  assert.equal(stripReading(LAUNCHES[2]!, 'bundled'), '12%')
})
