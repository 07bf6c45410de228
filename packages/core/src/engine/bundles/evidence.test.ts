import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarket, MARKET, type Market } from '../../../../../test/support/bundles-market.ts'
import {
  areTogether,
  buy,
  fund,
  groupOf,
  LATER,
  LAUNCH,
  pairOf,
  play,
  sameSlot,
  sell,
  shareMints,
  weightOf,
} from '../../../../../test/support/bundles-scenes.ts'

test('atomic: two buyers of one transaction are linked by that alone', () => {
  const market = play({}, ...sameSlot(0))
  assert.equal(weightOf(market, 'atomic'), 1)
  assert.ok(areTogether(market, 1, 2))
  assert.deepEqual(groupOf(market, 1)?.members, [1, 2])
})

test('atomic: buying from a seller of the same transaction is no such evidence', () => {
  const market = play({}, ...sameSlot(0, {}, { isBuy: false }))
  assert.equal(pairOf(market, 1, 2), undefined)
})

test('tip payer: the same one counts anywhere in a slot, and links together with their timing', () => {
  const tipped = { tipper: 9, slot: LAUNCH }
  assert.equal(weightOf(play({}, ...sameSlot(1, tipped)), 'jito'), 0.7)
  assert.equal(weightOf(play({}, ...sameSlot(9, tipped)), 'jito'), 0.7)
  assert.equal(weightOf(play({}, ...sameSlot(1, tipped, { slot: LAUNCH + 1 })), 'jito'), 0)
  assert.equal(weightOf(play({}, ...sameSlot(1, tipped, { tipper: 8 })), 'jito'), 0)
  assert.equal(weightOf(play({}, ...sameSlot(1)), 'jito'), 0)
  const market = play({}, ...sameSlot(1, tipped))
  assert.ok(pairOf(market, 1, 2)!.p > 0.7)
  assert.ok(areTogether(market, 1, 2))
})

test('payer: one pays for the other, or a third one for both; decisive up to 16 wallets, nothing beyond 200', () => {
  assert.equal(weightOf(play({}, ...sameSlot(1, {}, { payer: 1 })), 'payer'), 0.95)
  assert.equal(weightOf(play({}, ...sameSlot(1, { payer: 7 })), 'payer'), 0.95)
  for (const [others, weight] of [
    [14, 0.95],
    [15, 0.9],
    [198, 0.9],
    [199, 0],
  ] as const) {
    const market = createMarket()
    for (let i = 0; i < others; i++) market.apply(buy(1_000 + i, { mint: 5, payer: 7 }))
    for (const step of sameSlot(1, { payer: 7 })) market.apply(step)
    assert.equal(market.wallet(7).paidFor, others + 2)
    assert.equal(weightOf(market, 'payer'), weight)
  }
})

test('actor: wallets of one actor are linked by that alone, however far apart they buy', () => {
  const enlist = (wallet: number, actor: number) => ({ kind: 'actor', slot: 1, wallet, actor }) as const
  const market = createMarket()
  for (const step of [enlist(1, 3), enlist(2, 3), enlist(4, 5)]) market.apply(step)
  for (const wallet of [1, 2, 4, 6]) market.apply(buy(wallet))
  assert.equal(weightOf(market, 'actor'), 0.95)
  assert.ok(areTogether(market, 1, 2))
  for (const stranger of [4, 6]) assert.equal(pairOf(market, 1, stranger), undefined)
})

test('actor: a trade is compared with 16 wallets of it on the mint at most, which is enough for one group', () => {
  const market = createMarket()
  for (let wallet = 1; wallet <= 40; wallet++) market.apply({ kind: 'actor', slot: 1, wallet, actor: 3 })
  for (let wallet = 1; wallet <= 40; wallet++) market.apply(buy(wallet))
  assert.equal(groupOf(market, 1)!.members.length, 40)
  assert.equal(weightOf(market, 'actor', 16, 40), 0.95)
  assert.equal(pairOf(market, 17, 40), undefined)
})

test('transfer: links together with any other evidence, not alone', () => {
  const market = play({}, buy(1))
  const at = { kind: 'transfer', mint: 0, from: 1, tokens: 10 } as const
  market.apply({ ...at, to: 2, slot: LATER + 9_000, tx: 3 })
  assert.equal(weightOf(market, 'transfer'), 0.8)
  assert.ok(!areTogether(market, 1, 2))
  market.apply(buy(2, { slot: LATER + 9_500, payer: 1 }))
  assert.ok(areTogether(market, 1, 2))
})

test('handover: what is bought and given away in one transaction makes two wallets of one owner, and no bundle', () => {
  for (const [tx, weight] of [
    [4, 0.9],
    [5, 0],
  ] as const) {
    const market = play({}, buy(1, { slot: LATER, tx: 4 }))
    market.apply({ kind: 'transfer', mint: 0, from: 1, to: 2, tokens: 10, slot: LATER, tx })
    assert.equal(weightOf(market, 'handover'), weight)
    assert.ok(pairOf(market, 1, 2)!.p >= 0.8)
    assert.ok(!areTogether(market, 1, 2))
  }
})

test('handover: to three wallets it is dealing out, and they are one group with the giver', () => {
  const market = createMarket()
  for (const [i, to] of [2, 3, 4].entries()) {
    const slot = LATER + 40 * i
    market.apply(buy(1, { slot, tx: 4 }))
    market.apply({ kind: 'transfer', mint: 0, from: 1, to, tokens: 10, slot, tx: 4 })
    assert.equal(areTogether(market, 1, 2), i === 2)
  }
  assert.deepEqual([...groupOf(market, 1)!.members].sort(), [1, 2, 3, 4])
})

test('funder: the weight falls with the number of wallets it funded', () => {
  const tiers: [number, number][] = [
    [2, 0.6],
    [4, 0.6],
    [5, 0.38],
    [8, 0.38],
    [9, 0.26],
    [16, 0.26],
    [17, 0.16],
    [50, 0.16],
    [51, 0],
  ]
  for (const [funded, weight] of tiers) {
    const market = createMarket()
    for (let i = 0; i < funded; i++) fund(market, i < 2 ? i + 1 : 500 + i, 9)
    market.apply(buy(1))
    market.apply(buy(2))
    assert.equal(weightOf(market, 'funder'), weight, `${funded} funded`)
  }
})

test('funder: 24 h apart counts, longer does not; an exchange never', () => {
  for (const [apart, exchange, weight] of [
    [216_000, false, 0.6],
    [216_001, false, 0],
    [0, true, 0],
  ] as const) {
    const market = createMarket()
    fund(market, 1, 9, 0, exchange)
    fund(market, 2, 9, apart)
    market.apply(buy(1))
    market.apply(buy(2))
    assert.equal(weightOf(market, 'funder'), weight)
  }
})

test('funder: the developer as funder weighs most, of one of the two or of both', () => {
  const market = createMarket({ ...MARKET, deployer: 1 })
  fund(market, 2, 1)
  fund(market, 3, 1)
  for (const id of [1, 2, 3]) market.apply(buy(id))
  assert.deepEqual([weightOf(market, 'funder', 1, 2), weightOf(market, 'funder', 2, 3)], [0.95, 0.95])
  assert.ok(areTogether(market, 1, 2))
  const other = createMarket()
  fund(other, 2, 1)
  other.apply(buy(1))
  other.apply(buy(2))
  assert.equal(weightOf(other, 'funder'), 0.6)
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
  const market = play({}, ...sameSlot(1, { slot: LAUNCH }))
  fund(market, 1, 9)
  assert.ok(!areTogether(market, 1, 2))
  market.apply({ kind: 'funder', slot: LATER, wallet: 2, funder: 9, fundedAt: 0, exchange: false })
  assert.ok(areTogether(market, 1, 2))
  assert.equal(groupOf(market, 1)!.firstSlot, LAUNCH)
})

test('timing: at the launch, later, and when many buy', () => {
  const at = (slot: number, apart: number): number => weightOf(play({}, ...sameSlot(apart, { slot })), 'timing')
  assert.deepEqual([at(LAUNCH + 2, 4), at(LAUNCH + 2, 5)], [0.35, 0])
  assert.ok(at(LAUNCH + 3, 4) < 0.2 && at(LAUNCH + 3, 4) > 0.1)
  const crowd = createMarket()
  for (let i = 0; i < 400; i++) crowd.apply(buy(500 + i, { slot: LAUNCH + 3 + i }))
  for (const step of sameSlot(1, { slot: LAUNCH + 403 })) crowd.apply(step)
  assert.ok(Math.abs(weightOf(crowd, 'timing') - 0.2 / (1 + 401 / 404)) < 1e-12)
  assert.equal(weightOf(play({}, ...sameSlot(1, { slot: LAUNCH }, { isBuy: false })), 'timing'), 0)
})

test('timing: with more than three buys a slot it is no evidence', () => {
  for (const [buyers, weight] of [
    [11, 0.05],
    [12, 0],
  ] as const) {
    const crowd = createMarket()
    for (let i = 0; i < buyers; i++) crowd.apply(buy(500 + i, { slot: LAUNCH, tx: 100 * i }))
    // four slots in total; the first of the two holds one more buy
    for (const step of sameSlot(1, { slot: LAUNCH + 3 })) crowd.apply(step)
    assert.equal(weightOf(crowd, 'timing'), weight)
  }
})

test('timing: a launch that was not seen is no launch', () => {
  const market = createMarket()
  market.live(0).token.createdKnown = false
  for (const step of sameSlot(1, { slot: LAUNCH })) market.apply(step)
  assert.equal(weightOf(market, 'timing'), 0.2 / 2)
})

test('size: near, identical, identical but round, and only beside timing or a shared funder', () => {
  const sizes = (one: number, other: number, apart = 1): number =>
    weightOf(
      play({}, ...sameSlot(apart, { slot: LAUNCH, paid: one, lamports: one }, { paid: other, lamports: other })),
      'size',
    )
  assert.equal(sizes(1_000_000_001, 1_000_000_001), 0.4)
  assert.equal(sizes(1_000_000_000, 1_000_000_000), 0.25)
  assert.equal(sizes(1_000_000_001, 980_000_001), 0.25)
  assert.equal(sizes(1_000_000_001, 979_999_999), 0)
  assert.equal(sizes(1_000_000_001, 1_000_000_001, 5), 0)
})

test('history: three earlier mints together, ten times what chance gives; this mint does not count', () => {
  for (const [mints, weight] of [
    [2, 0],
    [3, 0.5],
  ] as const) {
    const market = createMarket()
    shareMints(market, mints, 0)
    for (const step of sameSlot(1, { slot: LATER + 50_000 })) market.apply(step)
    assert.equal(weightOf(market, 'history'), weight)
    market.apply(buy(1, { slot: LATER + 50_001 }))
    assert.equal(weightOf(market, 'history'), weight)
  }
})

test('history: exactly ten times chance counts, less does not', () => {
  // 3 mints together, 4 bought by each: 3 · N = 10 · 4 · 4 has no whole N; with 5 and 6 bought N is 100
  for (const [otherMints, weight] of [
    [100, 0.5],
    [99, 0],
  ] as const) {
    const market = createMarket({ ...MARKET, otherMints: otherMints - 7 })
    shareMints(market, 3, 0)
    market.apply(buy(1, { mint: 20 }))
    market.apply(buy(2, { mint: 21 }))
    market.apply(buy(2, { mint: 22 }))
    for (const step of sameSlot(1, { slot: LATER + 50_000 })) market.apply(step)
    const { mintsBought: a } = market.wallet(1)
    const { mintsBought: b } = market.wallet(2)
    assert.deepEqual([a, b], [5, 6])
    assert.equal(weightOf(market, 'history'), weight, `N = ${otherMints}`)
  }
})

test('copy trading: who always follows is no accomplice; one lead and it may be', () => {
  const scene = (slotsAfter: number, leads: boolean): Market => {
    const market = createMarket()
    shareMints(market, 3, slotsAfter)
    if (leads) {
      market.apply(buy(2, { mint: 30, slot: 20_000 }))
      market.apply(buy(1, { mint: 30, slot: 20_004 }))
    }
    for (const step of sameSlot(1, { slot: LATER + 50_000 })) market.apply(step)
    return market
  }
  assert.equal(pairOf(scene(1, false), 1, 2), undefined)
  assert.equal(pairOf(scene(3, false), 1, 2), undefined)
  for (const market of [scene(4, false), scene(0, false), scene(1, true)]) {
    assert.equal(weightOf(market, 'history'), 0.5)
    assert.ok(weightOf(market, 'timing') > 0)
  }
})

test('exits: twice within two slots of each other; parts of one sale count once', () => {
  const sales = (...slots: [number, number][]): number => {
    const market = play({}, buy(1), buy(2))
    for (const [one, other] of slots) {
      market.apply(sell(1, { slot: LATER + 9_000 + one, tokens: 1 }))
      market.apply(sell(2, { slot: LATER + 9_000 + other, tx: 50, tokens: 1 }))
    }
    return weightOf(market, 'exits')
  }
  assert.equal(sales([0, 2]), 0)
  assert.equal(sales([0, 2], [100, 102]), 0.4)
  assert.equal(sales([0, 2], [100, 103]), 0)
  assert.equal(sales([0, 0], [4, 4]), 0)
  assert.equal(sales([0, 0], [5, 5]), 0.4)
})
