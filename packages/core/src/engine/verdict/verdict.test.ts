import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import { COLOUR, COLOURS, VERDICT_CODES, VERDICT_EVENTS, type VerdictCode } from '../../base/verdict-codes.ts'
import { emptyDeployer, emptyGlobals, emptyToken, emptyWallet } from '../../model/generated/empty.ts'
import type { Token } from '../../model/state.ts'
import { CLASS } from '../class-memory.ts'
import { EXITS, VERDICT } from '../constants.ts'
import { createTokenEvents } from '../token-events.ts'
import { capOf, verdictOf } from './said.ts'
import { deployerLevel, judgeVerdict } from './verdict.ts'

const KEY = 'key' as Key
const PCT = 10_000

/** A token that is judged by hand: what happened to it is written into its record. */
function createJudged() {
  const token = emptyToken(7, KEY)
  token.supply = 100 * PCT
  token.createdKnown = true
  token.classes = Object.values(CLASS).map(() => ({ wallets: 0, held: 0, peak: 0, sold: 0, paid: 0, got: 0 }))
  const globals = { ...emptyGlobals(), solUsd: 100 }
  const events = createTokenEvents(globals)
  return {
    token,
    events,
    judge(slot: number) {
      judgeVerdict({ globals, tokenEvents: events }, token, { slot, time: slot }, 'trade')
      return COLOURS[verdictOf(token).colour]
    },
    bundled(pct: number) {
      token.classes[CLASS.bundled]!.held = pct * PCT
    },
  }
}

const codeOf = (token: Token): string => verdictOf(token).code

test('a change names its event, is kept and told', () => {
  const { token, events, judge, bundled } = createJudged()
  assert.equal(judge(1_000), 'neutral')
  assert.deepEqual([token.verdict.history, events.added], [[], []])
  bundled(20)
  assert.equal(judge(1_010), 'red')
  const change = { colour: COLOUR.red, code: VERDICT_CODES.indexOf('bundled'), event: VERDICT_EVENTS.indexOf('trade') }
  assert.deepEqual(token.verdict.history, [{ slot: 1_010, ...change }])
  assert.deepEqual(events.added, [
    { seq: 1, token: 7, slot: 1_010, time: 1_010, kind: 'verdict', no: 1, from: COLOUR.neutral, ...change, score: -1 },
  ])
  token.ruggedSlot = 1_020
  assert.deepEqual([judge(1_020), codeOf(token), token.verdict.history.length], ['red', 'rugged', 1])
})

test('the colour changes once a minute: what comes earlier waits for its minute, and is judged again then', () => {
  const { token, judge, bundled } = createJudged()
  bundled(20)
  judge(1_000)
  bundled(0)
  assert.equal(judge(1_149), 'red')
  assert.deepEqual([token.verdict.dueSlot, codeOf(token)], [1_150, 'bundled'])
  assert.equal(judge(1_150), 'neutral')
  assert.equal(token.verdict.dueSlot, -1)
  bundled(20)
  judge(1_151)
  bundled(0)
  judge(1_152)
  judge(1_300)
  assert.deepEqual(
    token.verdict.history.map(({ slot }) => slot),
    [1_000, 1_150],
    'what has gone by then changes nothing',
  )
})

test('a reason stays until its number is a fifth below the edge at which it came', () => {
  const { judge, bundled } = createJudged()
  let slot = 0
  const colours = [19.99, 20, 16, 15.99, 19.99, 5, 4, 3.99, 4.99].map((pct) => {
    bundled(pct)
    slot += VERDICT.everySlots
    return judge(slot)
  })
  assert.deepEqual(colours, ['yellow', 'red', 'red', 'yellow', 'yellow', 'yellow', 'yellow', 'neutral', 'neutral'])
})

test('an exit of 5 % is red for an hour, and expires without an event', () => {
  const { token, judge } = createJudged()
  const slot = 20 * EXITS.bucketSlots + 100
  token.exits = [{ index: 20, tokens: 5 * PCT - 1, early: 0 }]
  assert.equal(judge(slot), 'neutral')
  token.exits[0]!.tokens++
  assert.deepEqual([judge(slot), codeOf(token)], ['red', 'sold_in_hour'])
  let at = slot
  while (token.verdict.dueSlot >= 0) {
    assert.ok(token.verdict.dueSlot > at)
    at = token.verdict.dueSlot
    judge(at)
  }
  assert.equal(at, (20 + EXITS.buckets + 1) * EXITS.bucketSlots)
  assert.ok(at - slot >= 9_000)
  assert.deepEqual([verdictOf(token).name, verdictOf(token).sinceSlot], ['neutral', at])
})

test('green needs a launch that was seen, known holders and a score of 5 of its own', () => {
  const { token, judge } = createJudged()
  const { verdict } = token
  const said = (slot: number): unknown[] => [judge(slot), codeOf(token)]
  assert.deepEqual(said(0), ['neutral', 'unknown_holders'])
  Object.assign(verdict, { readSlot: 0, knownPct: 49.9, points: 50 })
  assert.deepEqual(said(1), ['neutral', 'unknown_holders'])
  Object.assign(verdict, { knownPct: 50, points: 49 })
  assert.deepEqual(said(2), ['neutral', 'low_score'])
  verdict.points = 50
  token.createdKnown = false
  assert.deepEqual(said(3), ['neutral', 'launch_unseen'])
  token.fromStart = true
  token.ath = 100
  token.mcap = 49
  assert.deepEqual(said(4), ['neutral', 'fallen'])
  token.mcap = 50
  assert.deepEqual(said(5), ['green', 'known_holders'])
  token.classes[CLASS.signed]!.sold = 15 * PCT
  assert.deepEqual(said(200), ['neutral', 'sold_ever'])
})

test('the newest 64 changes are kept', () => {
  const { token, judge, bundled } = createJudged()
  for (let n = 0; n < 70; n++) {
    bundled(n % 2 === 0 ? 20 : 0)
    judge(1_000 + n * VERDICT.everySlots)
  }
  const { history } = token.verdict
  assert.equal(history.length, 64)
  assert.deepEqual([history[0]!.slot, history.at(-1)!.slot], [1_000 + 6 * 150, 1_000 + 69 * 150])
})

test('only green leaves the score as it is', () => {
  const cases: [(judged: ReturnType<typeof createJudged>) => void, ReturnType<typeof capOf>][] = [
    [() => {}, { code: 'unknown_holders', at: 4.9 }],
    [({ bundled }) => bundled(5), { code: 'bundled', at: 4.9 }],
    [({ bundled }) => bundled(20), { code: 'bundled', at: 2.9 }],
    [({ token }) => Object.assign(token, { ruggedSlot: 1, drainedSlot: 1 }), { code: 'rugged', at: 2.9 }],
    [({ token }) => Object.assign(token, { drainedSlot: 1 }), { code: 'drained', at: 2.9 }],
    [({ token }) => Object.assign(token, { dead: true }), { code: 'dead', at: 2.9 }],
    [({ token }) => Object.assign(token.classes[CLASS.signed]!, { sold: 15 * PCT }), { code: 'sold_ever', at: 3.9 }],
    [({ token }) => Object.assign(token.verdict, { readSlot: 1, knownPct: 50, points: 50 }), null],
  ]
  for (const [happen, cap] of cases) {
    const judged = createJudged()
    happen(judged)
    judged.judge(10)
    assert.deepEqual(capOf(judged.token), cap)
  }
  const bundledAndSold = createJudged()
  bundledAndSold.bundled(5)
  bundledAndSold.token.classes[CLASS.signed]!.sold = 15 * PCT
  bundledAndSold.judge(10)
  assert.deepEqual([codeOf(bundledAndSold.token), capOf(bundledAndSold.token)?.at], ['bundled', 3.9])
})

test('what is asked of all holders is red and yellow at its edges', () => {
  const at = (set: (token: Token) => void): readonly [string | undefined, VerdictCode] => {
    const judged = createJudged()
    set(judged.token)
    return [judged.judge(0), verdictOf(judged.token).code]
  }
  const foretold =
    (hits: number, n = 100) =>
    (token: Token) => {
      token.latched = [{ question: 0, slot: 0, n, hits, by: 0, bins: 0 }]
    }
  const top10 = (pct: number) => (token: Token) => {
    token.verdict.top10Pct = pct
  }
  assert.deepEqual(
    [24, 25, 50].map((hits) => at(foretold(hits))[0]),
    ['neutral', 'yellow', 'red'],
  )
  assert.deepEqual([at(foretold(19, 19))[0], at(foretold(20, 20))[0]], ['neutral', 'red'], 'from 20 outcomes on')
  assert.deepEqual(
    [39.9, 40, 70].map((pct) => at(top10(pct))[0]),
    ['neutral', 'yellow', 'red'],
  )
  assert.deepEqual([at(foretold(50))[1], at(top10(70))[1]], ['outlook_drain', 'concentrated'])
  for (const [level, colour] of [
    [1, 'yellow'],
    [2, 'red'],
  ] as const) {
    assert.deepEqual(
      at(({ verdict }) => Object.assign(verdict, { actorLevel: level })),
      [colour, 'actor'],
    )
    assert.deepEqual(
      at(({ verdict }) => Object.assign(verdict, { deployerLevel: level })),
      [colour, 'deployer_record'],
    )
  }
})

test('a deployer’s record is that before this token', () => {
  const level = (launches: number, rugged: number, drained = 0, here: Partial<Token> = {}): number => {
    const wallet = emptyWallet(1, KEY)
    wallet.launches = launches
    wallet.deployer = { ...emptyDeployer(), rugged, drained }
    return deployerLevel(Object.assign(emptyToken(1, KEY), here), wallet)
  }
  assert.equal(deployerLevel(emptyToken(1, KEY), null), 0)
  assert.equal(deployerLevel(emptyToken(1, KEY), emptyWallet(1, KEY)), 0)
  assert.deepEqual([level(1, 0), level(3, 1), level(3, 2)], [0, 0, 0], 'two launches make no record')
  assert.deepEqual([level(5, 0), level(5, 1), level(5, 2), level(6, 1), level(101, 49)], [0, 1, 2, 0, 1])
  assert.deepEqual([level(5, 0, 4), level(5, 1, 4)], [0, 1], 'drained ones by which it did not gain say nothing')
  const here = { ruggedSlot: 5, drainedSlot: 5 }
  assert.deepEqual([level(1, 1, 1, here), level(5, 1, 1, here), level(5, 3, 3, here)], [0, 0, 2])
})
