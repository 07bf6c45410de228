import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarket, MARKET, type TransferStep } from '../../../../../test/support/bundles-market.ts'
import {
  areTogether,
  buy,
  fund,
  groupOf,
  isLinkedBy,
  LATER,
  LAUNCH,
  play,
  sameSlot,
  sell,
} from '../../../../../test/support/bundles-scenes.ts'

const SUPPLY = MARKET.supply

test('atomic: two buyers of one transaction are linked; side by side, in one slot, they are not', () => {
  const market = play({}, ...sameSlot(0))
  assert.ok(isLinkedBy(market, 'atomic'))
  assert.deepEqual(groupOf(market, 1)?.members, [1, 2])
  assert.deepEqual(play({}, ...sameSlot(1)).live(0).bundles.pairs, [])
  assert.deepEqual(play({}, ...sameSlot(0, {}, { isBuy: false })).live(0).bundles.pairs, [])
})

test('atomic: a source that does not know the order of transactions shows none', () => {
  assert.deepEqual(play({}, ...sameSlot(0, { tx: -1 })).live(0).bundles.pairs, [])
})

test('payer: one pays for the other, or a third one for both, the fee or the tip; up to 16 wallets', () => {
  assert.ok(isLinkedBy(play({}, ...sameSlot(1, {}, { payer: 1 })), 'payer'))
  assert.ok(isLinkedBy(play({}, buy(1, { payer: 7 }), buy(2, { payer: 7 })), 'payer'))
  assert.ok(isLinkedBy(play({}, buy(1, { tipper: 7 }), buy(2, { tipper: 7 })), 'payer'))
  assert.ok(!isLinkedBy(play({}, buy(1, { tipper: 1 }), buy(2, { tipper: 2 })), 'payer'), 'each for itself')
  for (const [others, linked] of [
    [14, true],
    [15, false],
  ] as const) {
    const market = createMarket()
    for (let i = 0; i < others; i++) market.apply(buy(1_000 + i, { mint: 5, payer: 7 }))
    for (const step of sameSlot(1, { payer: 7 })) market.apply(step)
    assert.equal(market.wallet(7).paidFor, others + 2)
    assert.equal(isLinkedBy(market, 'payer'), linked)
  }
})

const give = (from: number, to: number, tokens: number, over: Partial<TransferStep> = {}): TransferStep => ({
  ...{ kind: 'transfer', mint: 0, from, to, tokens, slot: LATER + 9_000, tx: 3 },
  ...over,
})

test('transfer: the receiver is nobody’s partner until it has parted with a tenth of what it was given', () => {
  const market = play({}, buy(1, { tokens: 1e13 }), buy(2, { tokens: 1e13 }))
  market.apply(give(1, 2, 1e13))
  assert.equal(groupOf(market, 2), null)
  market.apply(sell(2, { slot: LATER + 9_010, tokens: 1e13 }))
  assert.equal(groupOf(market, 2), null, 'it sold its own')
  market.apply(sell(2, { slot: LATER + 9_020, tokens: 1e12 }))
  assert.equal(groupOf(market, 2), null, 'exactly a tenth is left out')
  market.apply(sell(2, { slot: LATER + 9_030, tokens: 1 }))
  assert.ok(isLinkedBy(market, 'transfer'))
  const passed = play({}, buy(1, { tokens: 1e13 }))
  passed.apply(give(1, 2, 1e13))
  passed.apply(give(2, 3, 5e12, { slot: LATER + 9_100 }))
  assert.ok(areTogether(passed, 1, 2), 'passed on')
  assert.ok(!areTogether(passed, 2, 3))
})

test('transfer: dust to somebody who has more is nothing, whatever he does with it', () => {
  for (const [tokens, own, linked] of [
    [SUPPLY / 2_000 - 1, SUPPLY / 100, false],
    [SUPPLY / 2_000, SUPPLY / 100, true],
    [1e11, 9e11, true],
    [1e11, 9e11 + 10, false],
  ] as const) {
    const market = play({}, buy(1, { tokens: 1e13 }), buy(2, { tokens: own }))
    market.apply(give(1, 2, tokens))
    market.apply(sell(2, { slot: LATER + 9_500, tokens: own + tokens }))
    assert.equal(isLinkedBy(market, 'transfer'), linked, `${tokens}`)
  }
})

test('transfer: who buys for another owns both wallets; from three on it deals out', () => {
  const market = createMarket()
  for (const [i, to] of [2, 3, 4].entries()) {
    const slot = LATER + 40 * i
    market.apply(buy(1, { slot, tx: 4 }))
    market.apply(give(1, to, 1e12, { slot, tx: 4 }))
    market.apply(sell(to, { slot: slot + 10, tokens: 1e12 }))
    assert.equal(areTogether(market, 1, to), i === 2)
  }
  const other = play({}, buy(1, { slot: LATER, tx: 4 }))
  other.apply(give(1, 2, 1e12, { slot: LATER, tx: 5 }))
  other.apply(sell(2, { slot: LATER + 10, tokens: 1e12 }))
  assert.ok(areTogether(other, 1, 2), 'in another transaction')
})

test('funder: one that sent the other its first SOL, unless that was too little for what it bought', () => {
  for (const [lamports, paid, linked] of [
    [5e8, 1e9, true],
    [5e8 - 1, 1e9, false],
    // dust links nobody, not even where the price is unknown and nothing counts as paid
    [2e7, 0, true],
    [2e7 - 1, 0, false],
  ] as const) {
    const market = createMarket()
    fund(market, 2, 1, 0, lamports)
    market.apply(buy(1))
    market.apply(buy(2, { paid }))
    assert.equal(isLinkedBy(market, 'funder'), linked, `${lamports}`)
  }
})

test('funder: an exchange is none, listed or not', () => {
  for (const [funded, linked] of [
    [64, true],
    [65, false],
  ] as const) {
    const market = createMarket()
    for (let i = 0; i < funded; i++) fund(market, i === 0 ? 2 : 500 + i, 1)
    market.apply(buy(1))
    market.apply(buy(2))
    assert.equal(isLinkedBy(market, 'funder'), linked)
  }
  const market = createMarket()
  market.apply({ kind: 'funder', slot: 1, wallet: 2, funder: 1, fundedAt: 0, exchange: true, lamports: 1e12 })
  market.apply(buy(1))
  market.apply(buy(2))
  assert.equal(groupOf(market, 1), null)
})

test('funder: the deployer as funder, of one of the two or of both, within 24 h of each other', () => {
  const market = createMarket({ ...MARKET, deployer: 1 })
  fund(market, 2, 1)
  fund(market, 3, 1, 216_000)
  fund(market, 4, 1, 216_001)
  for (const id of [2, 3, 4]) market.apply(buy(id))
  assert.deepEqual(
    [
      [2, 3],
      [2, 4],
      [3, 4],
    ].map(([a, b]) => isLinkedBy(market, 'funder', a, b)),
    [true, false, true],
  )
})

test('funder: a crew is three wallets of one funder, a quarter of all it funded, twenty times chance', () => {
  const crew = (here: number, elsewhere: number, wallets: number, strangers = 0): boolean => {
    const market = createMarket({ ...MARKET, wallets })
    for (let id = 1; id <= here + elsewhere; id++) fund(market, id, 900)
    for (let id = 0; id < strangers; id++) market.apply(buy(500 + id, { slot: LAUNCH + id * 30 }))
    for (let id = 1; id <= here; id++) market.apply(buy(id, { slot: LATER + id * 30 }))
    return areTogether(market, 1, here)
  }
  assert.ok(!crew(2, 0, 1_000))
  assert.ok(crew(3, 0, 1_000))
  assert.ok(crew(3, 9, 1_000))
  assert.ok(!crew(3, 10, 1_000), 'less than a quarter')
  // 3 here, 3 funded, 3 + 17 buyers: 20 times chance needs 400 wallets
  assert.ok(crew(3, 0, 400, 17))
  assert.ok(!crew(3, 0, 399, 17))
})

test('funder: known late, it is compared with who is on the mint already', () => {
  const market = play({}, buy(1), buy(2), buy(3))
  for (const wallet of [1, 2, 3]) {
    assert.equal(groupOf(market, 1), null)
    market.apply({ kind: 'funder', slot: LATER, wallet, funder: 9, fundedAt: 0, exchange: false, lamports: 1e12 })
  }
  assert.deepEqual([...groupOf(market, 3)!.members].sort(), [1, 2, 3])
})
