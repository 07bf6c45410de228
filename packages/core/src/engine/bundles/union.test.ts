import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarket, keyOf, type Market } from '../../../../../test/support/bundles-market.ts'
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
import { FAMILIES, type Family } from '../../model/bundles.ts'
import { setEvidence } from '../../model/pair.ts'
import { BUNDLES } from '../constants.ts'
import { confirmedGroup, holdingGroups, isRed, rootOf } from './groups.ts'
import { findPair, isLink, probability } from './pairs.ts'

test('a link needs 0.70 from two families, one of them telling', () => {
  const pair = (evidence: Partial<Record<Family, number>>): boolean => {
    const found = { families: 0, evidence: [] }
    for (const [family, weight] of Object.entries(evidence))
      setEvidence(found, FAMILIES.indexOf(family as Family), weight, LAUNCH)
    return isLink({ ...found, p: probability(found) })
  }
  assert.ok(pair({ funder: 0.6, size: 0.25 }), 'exactly 0.70')
  assert.ok(!pair({ funder: 0.6, size: 0.2499 }))
  assert.ok(!pair({ payer: 0.9 }), 'one family')
  assert.ok(!pair({ timing: 0.5, size: 0.4 }), 'none telling')
  assert.ok(!pair({ payer: 0.9, size: 0.4 }), 'size beside neither timing nor funder')
  assert.ok(pair({ payer: 0.9, timing: 0.01 }))
  assert.ok(pair({ atomic: 1 }))
})

test('a crowd of independent snipers is no group', () => {
  const market = createMarket()
  for (let i = 0; i < 40; i++) {
    const wallet = 100 + i
    fund(market, wallet, 1_000 + i)
    market.apply(buy(wallet, { slot: LAUNCH, tx: i, paid: 5e8, lamports: 5e8, payer: wallet, tipper: wallet }))
  }
  for (let i = 0; i < 40; i++) market.apply(sell(100 + i, { slot: LAUNCH + 20 + 3 * i, tx: i }))
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

/** Links a wallet of each group: one pays the other's fee, in the same slot. */
function bridge(market: Market, a: number, b: number): void {
  const slot = LATER + 20_000 + a * 100
  market.apply(buy(a, { slot, tx: 1 }))
  market.apply(buy(b, { slot, tx: 2, payer: a }))
}

test('two large groups join on the second link across, small ones on the first', () => {
  const large = twoGangs(5)
  bridge(large, 1, 21)
  assert.ok(!areTogether(large, 1, 21))
  assert.equal(pairOf(large, 1, 21)!.linked, false)
  assert.ok(isLink(pairOf(large, 1, 21)!))
  bridge(large, 2, 22)
  assert.ok(areTogether(large, 1, 21))
  assert.ok(pairOf(large, 1, 21)!.linked)
  const small = twoGangs(4)
  bridge(small, 1, 21)
  assert.ok(areTogether(small, 1, 21))
})

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
  const [first, second] = [buy(1, { slot: LATER, tokens: 3e12, payer: 2 }), buy(2, { slot: LATER + 10, tokens: 3e12 })]
  const market = play({}, first, second)
  market.apply(sell(1, { slot: LATER + 8_000, tx: 1, tokens: 1 }))
  market.apply(sell(2, { slot: LATER + 8_000, tx: 2, tokens: 3e12 }))
  assert.equal(groupOf(market, 1)!.peak, 6e12 - 1)
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

test('a rug counts once against each member, also against those found out later', () => {
  const market = play({}, ...sameSlot(0, { tokens: 1e13 }), buy(3, { tokens: 1e13 }))
  const rugs = (): number[] => [1, 2, 3].map((id) => market.wallet(id).rugs)
  market.apply({ kind: 'rug', mint: 0, slot: LATER + 500 })
  market.apply({ kind: 'rug', mint: 0, slot: LATER + 600 })
  assert.deepEqual(rugs(), [1, 1, 0])
  market.apply(buy(3, { slot: LATER + 5_000, tx: 1 }))
  market.apply(buy(1, { slot: LATER + 5_000, tx: 1 }))
  assert.deepEqual(rugs(), [1, 1, 1])
})

test('partners: the later first buyer remembers; a new one takes the place of one met once', () => {
  const market = createMarket()
  shareMints(market, 2, 2)
  assert.deepEqual(market.wallet(2).partners, [{ wallet: 1, together: 2, follows: 2, behind: 2 }])
  assert.deepEqual(market.wallet(1).partners, [])
  for (let i = 0; i < 8; i++) {
    market.apply(buy(50 + i, { mint: 40 + i, slot: 30_000 + i * 10 }))
    market.apply(buy(2, { mint: 40 + i, slot: 30_000 + i * 10 + 5 }))
  }
  const partners = market.wallet(2).partners.map(({ wallet }) => wallet)
  assert.deepEqual(partners, [1, 51, 52, 53, 54, 55, 56, 57])
  assert.deepEqual(market.wallet(2).partners[7], { wallet: 57, together: 1, follows: 0, behind: 1 })
})

test('pairs are bounded: the least probable that linked nobody goes first, the oldest of these', () => {
  const market = play({}, ...sameSlot(0), buy(3, { slot: LATER + 50, tx: 1 }), buy(4, { slot: LATER + 50, tx: 2 }))
  for (let i = 0; i < 300; i++) {
    const slot = LATER + 100 + i * 10
    for (let k = 0; k < 3; k++) market.apply(sell(1_000 + 3 * i + k, { slot, tx: k * 10 }))
  }
  const { pairs } = market.live(0).bundles
  assert.equal(pairs.length, BUNDLES.pairsMax)
  assert.ok(pairOf(market, 1, 2)!.linked)
  assert.ok(weightOf(market, 'timing', 3, 4) > 0)
  const first = 1_000 + 900 - (BUNDLES.pairsMax - 2)
  assert.deepEqual([pairs[2]!.a, pairs[2]!.b], [first, first + 1])
  assert.ok(pairs.every((pair) => findPair(market.live(0).bundles, pair.b, pair.a) === pair))
})
