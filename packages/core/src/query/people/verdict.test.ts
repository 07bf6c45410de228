import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import { COLOUR, VERDICT_CODES, type VerdictCode } from '../../base/verdict-codes.ts'
import { FURTHER_EXAMPLES } from '../../contract/examples-who.ts'
import type { Who } from '../../contract/who.ts'
import { emptyToken } from '../../model/generated/empty.ts'
import type { Token } from '../../model/state.ts'
import { type Facts, verdictOf } from './verdict.ts'

const example: Who = FURTHER_EXAMPLES.who.data
const [group] = example.groups
const SLOT = example.slot
const SLOTS_23_S = 57
const HOUR = 9_000

const bitsOf = (codes: readonly VerdictCode[]): number =>
  codes.reduce((bits, code) => bits | (1 << VERDICT_CODES.indexOf(code)), 0)

interface Judged {
  readonly red?: readonly VerdictCode[]
  readonly yellow?: readonly VerdictCode[]
  readonly knownPct?: number
  readonly readSlot?: number
}

/** A token as the fold has judged it. */
function judged({ red = [], yellow = [], knownPct = 100, readSlot = SLOT }: Judged): Token {
  const token = emptyToken(1, 'mint' as Key)
  token.lastTradeSlot = SLOT
  const colour = red.length > 0 ? COLOUR.red : yellow.length > 0 ? COLOUR.yellow : COLOUR.neutral
  const [code = 'unknown_holders'] = [...red, ...yellow]
  const change = { slot: SLOT - SLOTS_23_S, colour, code: VERDICT_CODES.indexOf(code), event: 0 }
  const history = colour === COLOUR.neutral ? [] : [change]
  Object.assign(token.verdict, { red: bitsOf(red), yellow: bitsOf(yellow), knownPct, readSlot, history })
  return token
}

const quiet: Facts = {
  ...example,
  ...{ groups: [], actors: [], deployer: null, outlook: { drain: null, halving: null, buyer: null } },
  ...{ score: 2.1, token: judged({}) },
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
const codes = (facts: Facts) => verdictOf(facts).reasons.map(({ code }) => code)

test('after a dump the first sentence is who sold, how much and when, whatever else is red', () => {
  const token = judged({ red: ['rugged', 'sold_in_hour'] })
  const facts = { ...quiet, token, memory: rugged(SLOTS_23_S), groups: [left({})] }
  const { headline, colour, code, reasons } = verdictOf(facts)
  assert.equal(headline, 'The deployer’s group (7 wallets) sold 29% of supply in one block 23 s ago and holds 0.4%.')
  assert.deepEqual([colour, code], ['red', 'rugged'])
  assert.deepEqual(
    reasons.slice(0, 3).map((one) => [one.code, one.colour]),
    ['group_exit', 'rugged', 'sold_in_hour'].map((one) => [one, 'red']),
  )
})

test('liquidity: who took it, and how much can still be taken', () => {
  const taken = { sol: 67.3, tokens: 2e8, by: example.deployer!.wallet, slot: SLOT - SLOTS_23_S, signature: 's' }
  const pool = { planned: false, locked_share: 0, pullable_share: 1, withdrawn: taken }
  const { deployer } = example
  const token = judged({ red: ['rugged'], yellow: ['liquidity_withdrawn', 'liquidity_unlocked'] })
  const of = (facts: Partial<Facts>) =>
    verdictOf({ ...quiet, token, ...facts })
      .reasons.filter(({ code }) => code.startsWith('liquidity'))
      .map(({ colour, text }) => `${colour}: ${text}`)
  assert.deepEqual(of({ liquidity: pool, deployer }), [
    'yellow: The deployer withdrew 67.3 SOL of liquidity, most recently 23 s ago.',
    'yellow: 100% of the pool can be withdrawn.',
  ])
  const memory = { ...example.memory, rugged: { slot: SLOT - 57, ago_slots: 57, by: ['deployer', 'liquidity'] } }
  assert.equal(
    verdictOf({ ...quiet, token, liquidity: pool, memory }).headline,
    'Rugged 23 s ago by its deployer, who withdrew the liquidity.',
  )
  const planned = { planned: true, locked_share: 0.7, pullable_share: 0.3, withdrawn: null }
  assert.deepEqual(of({ liquidity: planned }), ['yellow: After graduation 30% of the pool can be withdrawn.'])
  const safe = { ...planned, locked_share: 0.9, pullable_share: 0.1 }
  assert.deepEqual([of({ liquidity: safe }), of({ liquidity: null })], [[], []])
  const little = { ...pool, pullable_share: null, withdrawn: { ...taken, sol: 1.9 } }
  assert.deepEqual(of({ liquidity: little }), [])
})

test('of several exits the largest is said first, a group before its deployer', () => {
  const small = left({ id: 'bdl_small', name: 'small', has_deployer: false, sold_pct: 8 })
  const deployer = { ...example.deployer!, sold_pct: 12, holds_pct: 0, peak_pct: 12, last_sell_slot: SLOT - SLOTS_23_S }
  const token = judged({ red: ['sold_in_hour'] })
  const said = verdictOf({ ...quiet, token, groups: [small, left({})], deployer }).reasons
  assert.deepEqual(
    said.slice(0, 3).map(({ code, numbers }) => [code, numbers.sold_pct]),
    [
      ['group_exit', 29.1],
      ['deployer_sold', 12],
      ['group_exit', 8],
    ],
  )
  const equal = verdictOf({ ...quiet, token, groups: [left({ sold_pct: 12 })], deployer }).reasons
  assert.deepEqual(
    equal.slice(0, 2).map(({ code }) => code),
    ['group_exit', 'deployer_sold'],
  )
})

test('a deployer alone: its sale, with its time, before the word for what became of the token', () => {
  const deployer = { ...example.deployer!, sold_pct: 24, holds_pct: 0, peak_pct: 24, last_sell_slot: SLOT - SLOTS_23_S }
  const token = judged({ red: ['rugged', 'sold_in_hour'] })
  const { headline, reasons } = verdictOf({ ...quiet, token, memory: rugged(SLOTS_23_S), deployer })
  assert.equal(
    headline,
    'The deployer sold 100% of its tokens (24% of supply), most recently 23 s ago, and holds nothing.',
  )
  assert.equal(reasons[1]!.code, 'rugged')
})

test('an exit of hours ago has the colour of what was ever sold, and stands behind what became of the token', () => {
  const groups = [left({ selling: false }, 3 * HOUR)]
  const memory = { ...example.memory, sold_in_hour_pct: 0 }
  const past = verdictOf({ ...quiet, token: judged({ yellow: ['sold_ever', 'snipers'] }), memory, groups })
  const [first, second] = past.reasons
  assert.deepEqual(
    [past.colour, first!.code, second!.code, second!.colour],
    ['yellow', 'snipers', 'group_exit', 'neutral'],
  )
  assert.match(second!.text, /3 h ago and holds/)
  const token = judged({ red: ['rugged'], yellow: ['sold_ever'] })
  const { headline, reasons } = verdictOf({ ...quiet, token, memory: rugged(3 * HOUR), groups })
  assert.match(headline, /^Rugged 3 h ago/)
  assert.deepEqual(
    reasons.filter(({ code }) => code === 'group_exit').map(({ colour }) => colour),
    ['neutral'],
  )
})

test('a group that has sold little so far stands behind what became of the token', () => {
  const groups = [left({ sold_pct: 2, selling: true })]
  const said = codes({
    ...quiet,
    token: judged({ red: ['rugged', 'sold_in_hour'] }),
    memory: rugged(SLOTS_23_S),
    groups,
  })
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
const bag = (sold_pct: number): Facts => ({
  ...quiet,
  deployer: { ...example.deployer!, sold_pct: sold_pct / 4, holds_pct: (100 - sold_pct) / 4 },
})

/** The facts at a value, and the value from which they are said (methodology, section 12). */
const EDGES: readonly [string, (value: number) => Facts, number][] = [
  ['bundled', (pct) => held('bundled', pct), 5],
  ['insiders', (pct) => held('insiders', pct), 5],
  ['snipers', (pct) => held('first_3s', pct), 20],
  ['concentrated', (top_10_pct) => ({ ...quiet, holders: { ...example.holders, top_10_pct } }), 40],
  ['deployer_sold', bag, 80],
]

test('a share is said from its edge on', () => {
  for (const [code, at, edge] of EDGES) {
    const isSaid = (value: number): boolean => codes(at(value)).some((one) => one === code)
    assert.deepEqual([isSaid(edge - 0.01), isSaid(edge)], [false, true], code)
  }
})

test('a reason of the fold is said below its edge too, so that a colour never lacks its sentence', () => {
  const { headline, reasons } = verdictOf({ ...held('insiders', 4.2), token: judged({ yellow: ['insiders'] }) })
  assert.equal(headline, 'The deployer and insiders hold 4.2% of supply.')
  assert.equal(reasons[0]!.colour, 'yellow')
})

test('a deployer’s record is without this token', () => {
  const deployer = { ...example.deployer!, launched: 0, graduated: 0, all: null }
  const { text } = verdictOf({ ...quiet, deployer }).reasons.find(({ code }) => code === 'deployer_record')!
  assert.equal(text, 'The deployer’s first launch.')
})

const actorSaid = (facts: Partial<Facts['actors'][number]>): string =>
  verdictOf({ ...quiet, actors: [{ ...example.actors[0]!, ...facts }] }).reasons.find(({ code }) => code === 'actor')!
    .text

test('an actor: what it did before, then what it has here', () => {
  assert.equal(
    actorSaid({
      name: 'hollow-iris-7',
      launched: 6,
      drained: 6,
      rugged: 6,
      usual_exit_slots: 150,
      holds_pct: 3,
      sold_pct: 5,
    }),
    'hollow-iris-7 again: 6 launches, 6 drained (6 rugged), usually out after 60 s; holds 3% and has sold 5% of supply.',
  )
  const quietly = { launched: 0, tokens: 1, drained: 0, rugged: 0, usual_exit_slots: null, holds_pct: 0, sold_pct: 0 }
  assert.equal(actorSaid({ ...quietly, name: 'dry-oak-1' }), 'dry-oak-1 again: seen on 1 token.')
})

test('a sentence has the colour of its reason in the fold, whatever its numbers are', () => {
  const facts = { ...held('bundled', 30), actors: [example.actors[0]!] }
  for (const code of ['bundled', 'actor', 'concentrated', 'score'] as const) {
    const colours = ([{ red: ['bundled'] }, { yellow: ['actor'] }, {}] satisfies Judged[]).map(
      (how) => verdictOf({ ...facts, token: judged(how) }).reasons.find((one) => one.code === code)?.colour,
    )
    const expected = {
      bundled: ['red', 'neutral', 'neutral'],
      actor: ['neutral', 'yellow', 'neutral'],
      concentrated: [undefined, undefined, undefined],
      score: ['neutral', 'neutral', 'neutral'],
    }
    assert.deepEqual(colours, expected[code], code)
  }
})

test('the verdict is that of the fold: colour, code, since when, why, and what it was before', () => {
  const token = judged({ yellow: ['insiders'] })
  const first = { slot: SLOT - 900, colour: COLOUR.red, code: VERDICT_CODES.indexOf('sold_in_hour'), event: 3 }
  token.verdict.history.unshift(first)
  const { reasons, headline, ...said } = verdictOf({ ...held('insiders', 7), token })
  assert.equal(headline, 'The deployer and insiders hold 7% of supply.')
  assert.equal(reasons[0]!.text, headline)
  assert.deepEqual(said, {
    ...{ state: 'live', colour: 'yellow', code: 'insiders', since_slot: SLOT - SLOTS_23_S, event: 'trade' },
    history: [
      { slot: SLOT - 900, colour: 'red', code: 'sold_in_hour', event: 'fact' },
      { slot: SLOT - SLOTS_23_S, colour: 'yellow', code: 'insiders', event: 'trade' },
    ],
  })
  const before = verdictOf(quiet)
  assert.deepEqual([before.colour, before.event, before.history], ['neutral', null, []])
})

test('supply with unknown wallets is said below half known, and no group from 20 holders on', () => {
  const known = (knownPct: number, readSlot = SLOT) => codes({ ...quiet, token: judged({ knownPct, readSlot }) })
  const words = (pct: number) => known(pct).filter((code) => code.endsWith('_holders'))
  assert.deepEqual([words(49.9), words(50)], [['unknown_holders'], ['known_holders']])
  const young = verdictOf({ ...quiet, token: judged({ readSlot: -1 }) })
  assert.ok(young.reasons.some(({ text }) => text === 'Too early: holders are first judged 30 s after launch.'))
  const left = verdictOf({
    ...quiet,
    holders: { ...example.holders, count: 0 },
    token: judged({ readSlot: 1, knownPct: 0 }),
  })
  assert.equal(left.reasons.find(({ code }) => code === 'unknown_holders')?.text, 'Nobody holds it any more.')
  const among = (count: number): Facts => ({
    ...quiet,
    ...{ holders: { ...example.holders, count }, coverage: { ...example.coverage, launch_seen: true } },
  })
  assert.deepEqual(
    [19, 20].map((count) => codes(among(count)).includes('no_groups')),
    [false, true],
  )
})
