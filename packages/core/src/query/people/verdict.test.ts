import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FURTHER_EXAMPLES } from '../../contract/examples-who.ts'
import type { Who } from '../../contract/who.ts'
import { type Facts, verdictOf } from './verdict.ts'

const example: Who = FURTHER_EXAMPLES.who.data
const [group] = example.groups
const SLOT = example.slot
const SLOTS_23_S = 57
const HOUR = 9_000

const quiet: Facts = {
  ...example,
  ...{ groups: [], actors: [], deployer: null, outlook: { drain: null, halving: null, buyer: null } },
  ...{ score: { value: 2.1, rating: 'red' }, hasTraded: true, graduated: false },
}

const left = (facts: Partial<Facts['groups'][number]>, ago = SLOTS_23_S): Facts['groups'][number] => ({
  ...group!,
  exit: { ...group!.exit!, slot: SLOT - ago },
  ...facts,
})
const rugged = (ago_slots: number): Facts['memory'] => ({
  ...example.memory,
  rugged: { slot: SLOT - ago_slots, ago_slots, by: ['groups'] },
})
const codes = (facts: Facts) => verdictOf(facts).sentences.map(({ code }) => code)

test('after a dump the first sentence is who sold, how much and when, whatever else is red', () => {
  const { headline, severity, sentences } = verdictOf({ ...quiet, memory: rugged(SLOTS_23_S), groups: [left({})] })
  assert.equal(headline, 'Deployer’s group of 7 sold 29 % of supply in one block, 23 s ago, and holds 0.4 %.')
  assert.equal(severity, 'red')
  assert.deepEqual(
    sentences.slice(0, 3).map(({ code }) => code),
    ['group_exit', 'rugged', 'sold_in_hour'],
  )
})

test('liquidity: who took it, and how much can still be taken', () => {
  const taken = { sol: 67.3, tokens: 2e8, by: example.deployer!.wallet, slot: SLOT - SLOTS_23_S, signature: 's' }
  const pool = { planned: false, locked_share: 0, pullable_share: 1, withdrawn: taken }
  const { deployer } = example
  const said = (facts: Partial<Facts>) =>
    verdictOf({ ...quiet, ...facts }).sentences.filter(({ code }) => code.startsWith('liquidity'))
  const of = (facts: Partial<Facts>) => said(facts).map(({ severity, text }) => `${severity}: ${text}`)
  assert.deepEqual(of({ liquidity: pool, deployer }), [
    'yellow: 67 SOL of liquidity were withdrawn by the deployer, last 23 s ago.',
    'yellow: 100 % of the pool can be withdrawn.',
  ])
  const memory = { ...example.memory, rugged: { slot: SLOT, ago_slots: 0, by: ['liquidity'] } }
  assert.deepEqual(of({ liquidity: pool, memory }), [
    'red: 67 SOL of liquidity were withdrawn mostly by one wallet, last 23 s ago.',
  ])
  const pulled = { ...memory, rugged: { slot: SLOT - 57, ago_slots: 57, by: ['deployer', 'liquidity'] } }
  assert.equal(
    verdictOf({ ...quiet, liquidity: pool, memory: pulled }).headline,
    'Rugged 23 s ago by its deployer, who withdrew the liquidity.',
  )
  const planned = { planned: true, locked_share: 0.7, pullable_share: 0.3, withdrawn: null }
  assert.deepEqual(of({ liquidity: planned }), ['yellow: After graduation 30 % of the pool will not be locked.'])
  const safe = { ...planned, locked_share: 0.9, pullable_share: 0.1 }
  assert.deepEqual([of({ liquidity: safe }), of({ liquidity: null })], [[], []])
  const little = { ...pool, pullable_share: null, withdrawn: { ...taken, sol: 1.9 } }
  assert.deepEqual(of({ liquidity: little }), [])
})

test('of several exits the largest is said first, a group before its deployer', () => {
  const small = left({ id: 'bdl_small', name: 'small', has_deployer: false, sold_pct: 8 })
  const deployer = { ...example.deployer!, sold_pct: 12, holds_pct: 0, peak_pct: 12, last_sell_slot: SLOT - SLOTS_23_S }
  const said = verdictOf({ ...quiet, groups: [small, left({})], deployer }).sentences
  assert.deepEqual(
    said.slice(0, 3).map(({ code, numbers }) => [code, numbers.sold_pct]),
    [
      ['group_exit', 29.1],
      ['deployer_sold', 12],
      ['group_exit', 8],
    ],
  )
  const equal = verdictOf({ ...quiet, groups: [left({ sold_pct: 12 })], deployer }).sentences
  assert.deepEqual(
    equal.slice(0, 2).map(({ code }) => code),
    ['group_exit', 'deployer_sold'],
  )
})

test('a deployer alone: its sale, with its time, before the word for what became of the token', () => {
  const deployer = { ...example.deployer!, sold_pct: 24, holds_pct: 0, peak_pct: 24, last_sell_slot: SLOT - SLOTS_23_S }
  const { headline, sentences } = verdictOf({ ...quiet, memory: rugged(SLOTS_23_S), deployer })
  assert.equal(headline, 'The deployer sold 24 % of supply, 100 % of its bag, last 23 s ago, and holds nothing.')
  assert.equal(sentences[1]!.code, 'rugged')
})

test('an exit of hours ago is yellow, but red and first where it ended the token', () => {
  const groups = [left({ selling: false }, 3 * HOUR)]
  const memory = { ...example.memory, sold_in_hour_pct: 0 }
  const past = verdictOf({ ...quiet, memory, groups }).sentences
  assert.equal(past.find(({ code }) => code === 'group_exit')!.severity, 'yellow')
  const { headline, sentences } = verdictOf({ ...quiet, memory: rugged(3 * HOUR), groups })
  assert.equal(sentences[0]!.code, 'group_exit')
  assert.match(headline, /3 h ago, and holds/)
})

test('a group that has sold little so far stands behind what became of the token', () => {
  const groups = [left({ sold_pct: 2, selling: true })]
  const said = codes({ ...quiet, memory: rugged(SLOTS_23_S), groups })
  assert.deepEqual(said.slice(0, 3), ['rugged', 'sold_in_hour', 'group_selling'])
})

test('a group that is not confirmed, and one that has not sold, are no exit', () => {
  const groups = [left({ confirmed: false }), left({ exit: null, selling: false, sold_pct: 0 })]
  assert.ok(!codes({ ...quiet, groups }).some((code) => code === 'group_exit' || code === 'group_selling'))
})

const held = (name: 'bundled' | 'insiders' | 'first_3s', held_pct: number): Facts => ({
  ...quiet,
  classes: { ...example.classes, [name]: { ...example.classes[name]!, held_pct } },
})
const launched = (drained: number, launches: number, graduated = 0): Facts => ({
  ...quiet,
  deployer: {
    ...example.deployer!,
    ...{ sold_pct: 0, launched: launches, graduated, all: { ...example.deployer!.all!, drained, rugged: 0 } },
  },
})

/** As the methodology has them, section 12: the facts at a value, and the values at which yellow and red begin. */
const EDGES: readonly [string, (value: number) => Facts, number, number, number][] = [
  ['bundled', (pct) => held('bundled', pct), 5, 20, 0.01],
  ['insiders', (pct) => held('insiders', pct), 5, 20, 0.01],
  ['snipers', (pct) => held('first_3s', pct), 10, 30, 0.01],
  ['concentrated', (top_10_pct) => ({ ...quiet, holders: { ...example.holders, top_10_pct } }), 40, 70, 0.01],
  [
    'deployer_sold',
    (pct) => ({ ...quiet, deployer: { ...example.deployer!, sold_pct: pct / 4, holds_pct: (100 - pct) / 4 } }),
    ...([20, 80, 0.01] as const),
  ],
  ['actor', (drained) => ({ ...quiet, actors: [{ ...example.actors[0]!, drained, rugged: 0 }] }), 1, 2, 1],
  ['deployer_record', (drained) => launched(drained, 100), 25, 50, 1],
]

test('each sentence turns yellow and red at its edges', () => {
  for (const [code, at, yellow, red, step] of EDGES) {
    const severityAt = (value: number) => verdictOf(at(value)).sentences.find((one) => one.code === code)?.severity
    const isBad = (value: number): boolean => ['yellow', 'red'].includes(severityAt(value) ?? '')
    // of a deployer with many launches and no graduation, the rest is yellow, too
    if (code !== 'deployer_record') assert.equal(isBad(yellow - step), false, `${code} below ${yellow}`)
    const severities = [yellow, red - step, red].map(severityAt)
    assert.deepEqual(severities, ['yellow', red - step < yellow ? undefined : 'yellow', 'red'], code)
  }
})

test('a deployer’s record speaks from 3 launches on, and of failure from 20 without a graduation', () => {
  const severityOf = (facts: Facts) =>
    verdictOf(facts).sentences.find(({ code }) => code === 'deployer_record')!.severity
  assert.deepEqual([severityOf(launched(2, 2)), severityOf(launched(2, 3))], ['yellow', 'red'])
  assert.deepEqual([severityOf(launched(0, 19)), severityOf(launched(0, 20))], ['neutral', 'yellow'])
  assert.deepEqual([severityOf(launched(2, 9, 1)), severityOf(launched(3, 12, 1))], ['neutral', 'yellow'])
})

test('unknown funders are said below half of held supply, and no group is a word from 20 holders on', () => {
  const traced = (funders_traced_pct: number): Facts => ({
    ...quiet,
    coverage: { ...example.coverage, funders_traced_pct },
  })
  const among = (count: number): Facts => ({
    ...quiet,
    ...{ holders: { ...example.holders, count }, coverage: { ...example.coverage, launch_seen: true } },
  })
  assert.deepEqual(
    [49.9, 50].map((pct) => codes(traced(pct)).includes('funders_unknown')),
    [true, false],
  )
  assert.deepEqual(
    [19, 20].map((count) => codes(among(count)).includes('no_groups')),
    [false, true],
  )
})
