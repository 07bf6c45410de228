import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rate } from './colours.ts'
import { judgeGroups } from './groups.ts'
import { readLabels } from './labels.ts'
import type { Colour, Launch, Look } from './looks.ts'
import { changesPerHour, exitsOf, fallsOf } from './never-green.ts'
import { foresight } from './outlook.ts'
import { gainOf, judgeRugs } from './rugs.ts'

/** Sections on numbers made by hand. */

const SOL = 1_000_000_000
const launchOf = (n: number, more: object = {}): Launch => ({
  ...{ id: n, mint: `mint-${n}`, deployer: `d-${n}`, createdSlot: 0, truth: null, own: [], samples: [], supply: 1_000 },
  ...{ firstBag: 0, high: 0, low: 0, lastTrade: 0, ruggedSlot: -1, groups: [], fundersKnown: false },
  ...more,
})
const lookOf = (n: number, more: Partial<Look>): Look => ({
  ...{ launch: launchOf(n), age: 150, slot: 150, colour: 'grey', code: 'x', score: 3, rating: 'grey', state: [] },
  ...{ reasons: [], hasReading: false },
  foretold: { drain: null, halving: null, buyer: null },
  asked: { drain: true, halving: true, buyer: true },
  single: {
    ...{ age: 150, 'market cap': 0, 'price multiple': 1, holders: 0, liquidity: 0, 'first bag': 0, 'net flow': 0 },
    'idle time': 0,
  },
  ...{ drained: null, halved: null, gained: null, quick: null, hour: null, hold: null },
  ...more,
})
const DRAINED = {
  name: 'drained',
  fear: 1,
  read: ({ drained }: Look) => (drained === null ? null : Number(drained)),
} as const
const many = (n: number, from: number, more: (i: number) => Partial<Look>): Look[] =>
  Array.from({ length: n }, (_, i) => lookOf(from + i, more(i)))

test('rates by colour are those of the looks with an answer, and a difference is worse less better', () => {
  const looks = [
    ...many(10, 0, (i) => ({ colour: 'green', drained: i < 1 })),
    ...many(10, 10, (i) => ({ colour: 'red', drained: i < 6 })),
    ...many(5, 20, () => ({ colour: 'red', drained: null })),
  ]
  const { counts, estimates } = rate(looks, ({ colour }) => colour, DRAINED, 1)
  assert.deepEqual([counts.green, counts.red, counts.yellow], [10, 10, 0])
  assert.deepEqual([estimates.green!.value, estimates.red!.value, estimates['green red']!.value], [0.1, 0.6, 0.5])
})

test('at the same price multiple a colour that only says how far the price has risen says nothing', () => {
  const risen = (multiple: number, drained: boolean, colour: Colour): Partial<Look> => {
    return { colour, drained, single: { ...lookOf(0, {}).single, 'price multiple': multiple } }
  }
  // of risen tokens 8 in 10 drain, of others 2 in 10, whatever their colour; most of the red ones have risen
  const looks = [
    ...many(40, 0, (i) => risen(8, i % 10 < 8, 'red')),
    ...many(10, 40, (i) => risen(1, i % 10 < 2, 'red')),
    ...many(10, 50, (i) => risen(8, i % 10 < 8, 'green')),
    ...many(40, 60, (i) => risen(1, i % 10 < 2, 'green')),
  ]
  const { estimates } = rate(looks, ({ colour }) => colour, DRAINED, 1)
  assert.ok(Math.abs(estimates['green red']!.value - 0.36) < 1e-12)
  assert.ok(Math.abs(estimates['green red =']!.value) < 1e-12)
})

test('an outlook that knows is ahead of the best number and below a constant; one that knows nothing is not', () => {
  const made = (p: (yes: boolean, i: number) => number): Look[] =>
    many(200, 0, (i) => {
      const drained = i % 4 === 0
      const single = { ...lookOf(0, {}).single, holders: (i * 37) % 100 }
      return { drained, single, foretold: { drain: { p: p(drained, i), n: 50 }, halving: null, buyer: null } }
    })
  const knows = foresight(
    made((yes) => (yes ? 0.9 : 0.1)),
    'drain',
    'at risk',
    150,
    1,
  )!
  assert.deepEqual([knows.n, knows.yes, knows.outlook.value], [200, 50, 1])
  assert.ok(knows.ahead.low! > 0 && knows.overConstant.high! < 0 && Math.abs(knows.brier - 0.01) < 1e-12)
  const guesses = foresight(
    made((_, i) => ((i * 61) % 100) / 100),
    'drain',
    'at risk',
    150,
    1,
  )!
  assert.ok(guesses.overConstant.low! > 0)
  assert.equal(foresight(made(() => 0.5).slice(0, 20), 'drain', 'at risk', 150, 1), null)
})

const groupOf = (wallets: readonly string[], paid: number, got: number, more: object = {}) => ({
  ...{ type: 'quiet', wallets, person: 'p', members: [], funder: null, exits: [], paid: paid * SOL, got: got * SOL },
  ...more,
})
const truthOf = (
  launch: string,
  groups: readonly object[],
  launcher = { paid: 0, got: 0 },
  bundles: readonly object[] = [],
) => ({
  ...{
    kind: 'token',
    launch,
    deployer: 'd',
    groups,
    launcher: { paid: launcher.paid * SOL, got: launcher.got * SOL },
    bundles,
  },
})

test('rugs: who took 2 SOL and emptied the market has to be found; who gained nothing must not', () => {
  const made = (launch: string, gain: number, low: number, ruggedSlot: number) =>
    launchOf(0, { truth: truthOf(launch, [groupOf(['a'], 1, 1 + gain)]), high: 10 * SOL, low: low * SOL, ruggedSlot })
  const rows = judgeRugs([
    made('quiet_farm', 3, 1, 50),
    made('quiet_farm', 3, 1, -1),
    made('quiet_farm', 3, 9, -1),
    made('panic', 0, 1, 50),
    launchOf(1),
  ])
  const farm = { launches: 3, took: 3, tookFound: 1, emptied: 2, emptiedFound: 1, accused: 0 }
  assert.deepEqual(rows.get('quiet_farm'), farm)
  assert.equal(rows.get('panic')!.accused, 1)
  const inGroup = truthOf('farm', [groupOf(['d', 'a'], 1, 4)], { paid: 1, got: 2 })
  assert.equal(gainOf(launchOf(0, { truth: inGroup })), 3 * SOL)
  assert.equal(gainOf(launchOf(0, { truth: truthOf('farm', [groupOf(['a'], 1, 4)], { paid: 1, got: 2 }) })), 4 * SOL)
})

test('exits of 5 % within an hour and falls to half of its highest price forbid green for an hour', () => {
  const sale = (slot: number, tokens: number) => ({ slot, isBuy: false, tokens, isNew: false })
  assert.deepEqual(exitsOf({ supply: 1_000, own: [sale(10, 30), sale(20, 20), sale(9_100, 40)] }), [[20, 9_020]])
  assert.deepEqual(exitsOf({ supply: 1_000, own: [sale(10, 30), sale(9_020, 30)] }), [])
  const at = (slot: number, price: number, colour: Colour = 'grey') => ({ slot, price, colour, code: '', holders: 0 })
  assert.deepEqual(fallsOf([at(0, 4), at(150, 3), at(300, 2), at(450, 3)]), [[300, 9_300]])
  assert.deepEqual(fallsOf([at(0, 4), at(9_150, 2)]), [])
  assert.equal(changesPerHour([at(0, 1), at(4_500, 1, 'red'), at(9_000, 1)]), 2)
  assert.equal(changesPerHour([at(0, 1), at(150, 1, 'red')]), null)
})

test('groups: right if half of the pairs were planted together; a clean token with a group is counted', () => {
  const planted = (wallets: readonly string[]) =>
    truthOf('ordinary', [], undefined, [{ type: 'same_tx', wallets }]) as unknown as Launch['truth']
  const clean = truthOf('ordinary', []) as unknown as Launch['truth']
  const counts = judgeGroups([
    { groups: [['a', 'b', 'c']], truth: planted(['a', 'b', 'c']) },
    { groups: [['a', 'x', 'y']], truth: planted(['a', 'b', 'c']) },
    { groups: [['u', 'v']], truth: clean },
    { groups: [], truth: clean },
    { groups: [['u', 'v']], truth: null },
  ])
  assert.deepEqual([counts.groups, counts.right, counts.clean, counts.cleanFlagged], [3, 1, 2, 1])
  assert.deepEqual(counts.types.get('same_tx'), { planted: 2, met: 1 })
})

test('labels are read by position', () => {
  assert.deepEqual(readLabels('mint,name,rug,note,trades\nm1,cat,1,1 (slow),1\nm2,dog,0,0,1\n'), [
    { mint: 'm1', name: 'cat', isRug: true },
    { mint: 'm2', name: 'dog', isRug: false },
  ])
})
