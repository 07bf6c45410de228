import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarket, keyOf, type Market } from '../../../../../test/support/bundles-market.ts'
import { buy, groupOf, LATER, LAUNCH, play, sameSlot, sell } from '../../../../../test/support/bundles-scenes.ts'
import { BUNDLES } from '../constants.ts'
import { confirmedGroup, holdingGroups, isRed, rootOf } from './groups.ts'
import { findPair } from './pairs.ts'

test('a crowd of independent snipers that leaves in a panic is no group', () => {
  const market = createMarket()
  for (let i = 0; i < 40; i++) {
    const at = { slot: LAUNCH, tx: i, paid: 5e8, payer: 100 + i, tipper: 100 + i }
    market.apply(buy(100 + i, at))
  }
  for (let i = 0; i < 40; i++) market.apply(sell(100 + i, { slot: LAUNCH + 200, tx: i }))
  assert.deepEqual(market.live(0).bundles.groups, [])
})

/** Two groups of `size` wallets, each bought in one transaction: wallets 1… and 21…. */
function twoGangs(size: number): Market {
  const market = createMarket()
  for (const first of [1, 21]) {
    const slot = LATER + first
    for (let i = 0; i < size; i++) market.apply(buy(first + i, { slot, tx: 7 }))
  }
  return market
}

/** Links a wallet of each group: one pays the other's fee. */
function bridge(market: Market, a: number, b: number): void {
  const slot = LATER + 20_000 + a * 100
  market.apply(buy(a, { slot, tx: 1 }))
  market.apply(buy(b, { slot, tx: 2, payer: a }))
}

test('a merge keeps the older group; the other number stays as its alias', () => {
  const market = twoGangs(3)
  bridge(market, 1, 21)
  const { groups } = market.live(0).bundles
  assert.equal(groups.length, 2)
  assert.deepEqual([groups[0]!.mergedInto, groups[1]!.mergedInto], [-1, 0])
  assert.equal(rootOf(market.live(0).bundles, 1), groups[0])
  assert.deepEqual(
    [...groups[0]!.members].sort((a, b) => a - b),
    [1, 2, 3, 21, 22, 23],
  )
  assert.deepEqual(groups[1]!.members, [])
  assert.equal(groups[0]!.firstSlot, LATER + 1)
  assert.equal(market.live(0).positions.get(22)!.group, 0)
})

test('the founder is the wallet with the smaller key', () => {
  const market = play({}, ...sameSlot(0))
  assert.ok(keyOf(2) < keyOf(1))
  assert.equal(groupOf(market, 1)!.founder, 2)
})

test('confirmed at exactly half a percent of supply held together, counted above 0.05 %', () => {
  for (const [tokens, slot] of [
    [2.5e12, LATER],
    [2.5e12 - 1, -1],
  ] as const) {
    const market = play({}, ...sameSlot(0, { tokens }))
    assert.equal(groupOf(market, 1)!.confirmedSlot, slot)
    const { bundles, token, positions } = market.live(0)
    assert.equal(confirmedGroup(bundles, positions.get(1)!) !== null, slot >= 0)
    assert.equal(holdingGroups(bundles, token).length, slot >= 0 ? 1 : 0)
  }
  const market = play({}, ...sameSlot(0, { tokens: 1e13 }), sell(1, { tokens: 1e13 }), sell(2, { tokens: 1e13 - 5e11 }))
  assert.equal(holdingGroups(market.live(0).bundles, market.live(0).token).length, 0)
  assert.equal(groupOf(market, 1)!.peak, 2e13)
})

test('a sell that betrays a group counts what was held before it', () => {
  const market = play({}, buy(1, { tokens: 3e12 }), buy(2, { tokens: 3e12 }))
  market.apply(sell(2, { slot: LATER + 8_000, tokens: 3e12, payer: 1 }))
  assert.equal(groupOf(market, 1)!.peak, 6e12)
  assert.equal(groupOf(market, 1)!.confirmedSlot, LATER + 8_000)
})

test('red: half sold with a net half percent, or two percent alone; it ends after 1,500 slots without', () => {
  /** Each buys `bought` and sells `sold` of it a thousand slots later. */
  const scene = (bought: number, sold: number): Market => {
    const market = play({}, ...sameSlot(0, { tokens: bought }))
    market.apply(sell(1, { slot: LATER + 1_000, tokens: sold }))
    return market
  }
  const redAt = (market: Market, slot: number): boolean => isRed(groupOf(market, 1)!, slot)
  assert.ok(redAt(scene(5e12, 5e12), LATER + 1_000), 'half sold, half a percent')
  assert.ok(!redAt(scene(5e12, 5e12 - 1), LATER + 1_000), 'a token less')
  assert.ok(!redAt(scene(5e12 + 2, 5e12), LATER + 1_000), 'less than half')
  assert.ok(redAt(scene(1e14, 2e13), LATER + 1_000), 'two percent of supply')
  assert.ok(!redAt(scene(1e14, 2e13 - 1), LATER + 1_000))
  const market = scene(1e14, 2e13)
  assert.ok(redAt(market, LATER + 2_499))
  assert.ok(!redAt(market, LATER + 2_500))
  market.apply(sell(1, { slot: LATER + 2_600, tokens: 1 }))
  assert.ok(!redAt(market, LATER + 2_600), 'a trifle does not bring it back')
})

test('a rug counts once against each member that gained, also against those found out later', () => {
  const bought = { tokens: 1e13, paid: 1e9 }
  const market = play({}, ...sameSlot(0, bought), buy(4, { ...bought, slot: LATER, tx: 10 }), buy(3, bought))
  for (const wallet of [1, 2, 3]) market.apply(sell(wallet, { tokens: 1e12, paid: 1e9 + 1 }))
  market.apply(sell(4, { tokens: 1e12, paid: 1e9 }))
  const rugs = (): number[] => [1, 2, 3, 4].map((id) => market.wallet(id).rugs)
  market.apply({ kind: 'rug', mint: 0, slot: LATER + 500 })
  market.apply({ kind: 'rug', mint: 0, slot: LATER + 600 })
  assert.deepEqual(rugs(), [1, 1, 0, 0])
  market.apply(buy(3, { slot: LATER + 5_000, tx: 1, paid: 0 }))
  market.apply(buy(1, { slot: LATER + 5_000, tx: 1, paid: 0 }))
  assert.deepEqual(rugs(), [1, 1, 1, 0])
})

test('pairs are bounded: the oldest that linked nobody goes first', () => {
  const market = play({}, ...sameSlot(0))
  const givers = BUNDLES.pairsMax + 1
  for (let i = 0; i < givers; i++) {
    market.apply(buy(1_000 + i))
    market.apply({ kind: 'transfer', mint: 0, slot: LATER, tx: 1, from: 1_000 + i, to: 3_000 + i, tokens: 1e12 })
  }
  const { bundles } = market.live(0)
  assert.equal(bundles.pairs.length, BUNDLES.pairsMax)
  assert.deepEqual(
    bundles.pairs.slice(0, 2).map(({ a, b }) => [a, b]),
    [
      [1, 2],
      [1_002, 3_002],
    ],
  )
  assert.ok(bundles.pairs.every((pair) => findPair(bundles, pair.b, pair.a) === pair))
})
