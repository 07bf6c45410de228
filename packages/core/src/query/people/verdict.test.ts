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
