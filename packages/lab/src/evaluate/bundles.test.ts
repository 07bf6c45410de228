import assert from 'node:assert/strict'
import { test } from 'node:test'
import { synthetic } from '../../../../test/support/synthetic-log.ts'
import { judgeBundles } from './bundles.ts'
import type { Evaluation, PairFound, PairTruth } from './sample.ts'

const base = synthetic({ seed: 1, tokens: 1, scoreSkill: 1, mcapSkill: 1 })

const truth: PairTruth = {
  mint: 'm',
  bundles: [
    { type: 'atomic', wallets: ['a', 'b', 'c'] },
    { type: 'quiet', wallets: ['q', 'r'] },
  ],
  snipers: ['s', 't', 'u', 'a', 'b'],
  copies: [
    ['lead', 'follow'],
    ['a', 'b'],
  ],
  washers: ['w', 'x'],
}

const judged = (truths: PairTruth[] | null, found: PairFound[]) =>
  judgeBundles({ ...base, truth: truths, found } satisfies Evaluation, 1)

test('pairs by hand', () => {
  const groups = [
    ['a', 'b', 's'],
    ['t', 'u'],
    ['lead', 'follow'],
    ['w', 'x'],
  ]
  const { all, pairs } = judged([truth], [{ mint: 'm', groups, hidden: null }])
  assert.ok(all)
  assert.equal(pairs, 6)
  assert.deepEqual([all.found, all.correct], [6, 1])
  assert.deepEqual([all.planted, all.recalled], [4, 1])
  // of ten sniper pairs a–b was planted together; a–s, b–s and t–u are wrong
  assert.deepEqual([all.sniperPairs, all.sniperMerges], [9, 3])
  // a follows b but was planted with it
  assert.deepEqual([all.copyPairs, all.copyMerges], [1, 1])
  assert.equal(all.washerMerges, 1)
  assert.deepEqual(all.byType, [
    { type: 'atomic', bundles: 1, touched: 1, planted: 3, recalled: 1 },
    { type: 'quiet', bundles: 1, touched: 0, planted: 1, recalled: 0 },
  ])
})

test('the planted groups themselves are perfect, and nothing found recalls nothing', () => {
  const perfect = judged([truth], [{ mint: 'm', groups: truth.bundles.map(({ wallets }) => wallets), hidden: [] }])
  assert.deepEqual([perfect.all!.precision.value, perfect.all!.recall.value], [1, 1])
  assert.deepEqual([perfect.hidden!.precision.value, perfect.hidden!.recall.value], [null, 0])
  assert.deepEqual(perfect.kept, { pairs: 4, again: 0 })
  const nothing = judged([truth], [{ mint: 'm', groups: [], hidden: null }])
  assert.deepEqual([nothing.all!.recall.value, nothing.all!.notLookedAt], [0, 0])
})

test('a token whose first hour the log does not hold is no miss, and is counted', () => {
  const { all } = judged([truth], [])
  assert.deepEqual([all!.recall.value, all!.planted, all!.notLookedAt], [null, 0, 1])
})

test('groups on a token that nothing was planted on are wrong', () => {
  const { all } = judged([], [{ mint: 'n', groups: [['a', 'b']], hidden: null }])
  assert.deepEqual([all!.precision.value, all!.recall.value], [0, null])
})

test('random groups find what chance finds', () => {
  const many = Array.from({ length: 300 }, (_, i): PairTruth => ({ ...truth, mint: `m${i}`, copies: [], washers: [] }))
  const found = many.map(({ mint }): PairFound => ({ mint, groups: [['a', 'b', 'c']], hidden: null }))
  const { placebo } = judged(many, found)
  // named wallets: a b c q r s t u, so 28 pairs of which 4 are planted
  assert.ok(Math.abs(placebo!.precision! - 4 / 28) < 0.01, `seed 1: ${placebo!.precision}`)
})

test('without truth only the groups and what hiding leaves of them can be told', () => {
  const { all, placebo, kept, groups } = judged(null, [{ mint: 'm', groups: [['a', 'b', 'c']], hidden: [['a', 'b']] }])
  assert.deepEqual([all, placebo, groups], [null, null, 1])
  assert.deepEqual(kept, { pairs: 3, again: 1 })
})
