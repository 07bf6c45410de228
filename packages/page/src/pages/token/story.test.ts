import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from '@ti/core/contract/who.ts'
import type { LineMark } from '../../charts/line-data.ts'
import { shortened, storyOf } from './story.ts'

const mark = (kind: LineMark['kind'], slot: number, some: Partial<LineMark> = {}): LineMark => ({
  ...{
    kind,
    name: null,
    group: null,
    time: slot,
    until: slot,
    slot,
    until_slot: slot,
    mcap_before: 60_000,
    mcap: 38_000,
  },
  ...{ wallets: 1, pct: 9.8, sol: 16.2 },
  ...some,
})

const GROUP = {
  ...{ id: 'bdl_1', name: 'faded-cliff-255', confirmed: true, confirmed_slot: 205, has_deployer: true, wallets: 7 },
  ...{ peak_pct: 9.8, members: [{ first_buy_slot: 102 }, { first_buy_slot: 101 }] },
  evidence: [{ families: [{ family: 'payer' }] }, { families: [{ family: 'payer' }, { family: 'funder' }] }],
}

/** the fields that the story reads */
const whoOf = (some: object = {}) =>
  ({
    ...{ slot: 900, created_slot: 100, coverage: { launch_seen: true }, first_bag: { transaction_pct: 9.8 } },
    deployer: { wallet: 'DEPLOYER', launched: 0, graduated: 0, all: null },
    classes: { first_block: { wallets: 3, peak_pct: 4 } },
    groups: [GROUP],
    memory: { rugged: null, drained: { slot: 700 }, state: { name: 'drained', since_slot: 700, took_sol: null } },
    liquidity: null,
    first_buyers: { count: 70, holding: 10, gain: 36, loss: 24, moved: 0, unpriced: 0 },
    verdict: { history: [{ slot: 150, colour: 'yellow', code: 'bundled', event: 'trade' }] },
    ...some,
  }) as unknown as Who

const MARKS = [
  mark('graduated', 400, { mcap: 63_000 }),
  mark('launcher_sell', 500),
  mark('group_sell', 600, { name: GROUP.name, wallets: 7, pct: 9.8, sol: 14.9, until_slot: 625 }),
  mark('kol_sell', 650, { name: 'kol-1', pct: 1, sol: null, mcap_before: 0 }),
]
const told = (who: Who, until: number | null = null) => storyOf(who, MARKS, until, (slot) => `at ${slot}`)

test('a life in sentences, in order', () => {
  assert.deepEqual(
    told(whoOf()).map(({ slot, text }) => `${slot} ${text}`),
    [
      '100 launches it, and 9.8% of supply is bought in the same transaction. Its first launch.',
      '100 3 wallets buy in the block of the launch: 4% of supply.',
      '101 Group faded-cliff-255: 7 wallets, one of them the deployer, get 9.8% of supply (fees paid, same funder). Known as a group since at 205.',
      '150 The verdict turns yellow: coordinated wallets hold a lot of it.',
      '400 Graduates at $63k.',
      '500 The deployer sells 9.8% of supply for 16.2 SOL; market cap −37%.',
      '600 Group faded-cliff-255: 7 wallets sell 9.8% of supply for 14.9 SOL within 10 s; market cap −37%.',
      '650 KOL kol-1 sells 1% of supply.',
      '700 Drained: most of its money has left within minutes.',
      '900 Of the first 70 buyers 10 hold, 36 sold at a gain, 24 at a loss.',
    ],
  )
})

test('as of then nothing later is told, nor what is counted now', () => {
  const lines = told(whoOf(), 500)
  assert.equal(lines.at(-1)!.slot, 500)
  assert.equal(lines.length, 6)
})

test('what matters most is told first, still in order', () => {
  const lines = told(whoOf())
  const few = shortened(lines, 4)
  assert.deepEqual(
    few.map(({ slot }) => slot),
    [100, 150, 700, 900],
  )
  assert.deepEqual(shortened(lines, 99), lines)
})

test('a launch that was not seen, an unknown signer, and a record', () => {
  const first = (some: object) => told(whoOf(some))[0]!.text
  assert.equal(first({ coverage: { launch_seen: false } }), 'First seen; its launch was not.')
  assert.equal(first({ deployer: null, first_bag: { transaction_pct: null } }), 'Launched. Who signed is not known.')
  const all = { drained: 3, rugged: 2, taken_sol: 23, first_sale_slots: null }
  assert.equal(
    first({ deployer: { wallet: 'D', launched: 5, graduated: 1, all }, first_bag: { transaction_pct: 0 } }),
    'launches it. Its 5 earlier launches: 3 drained (2 rugged), 2 not; 1 graduated; 23 SOL taken out.',
  )
})
