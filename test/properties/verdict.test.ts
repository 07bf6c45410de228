import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '@ti/core/base/verdict-codes.ts'
import { CLASS, type Class, classOf } from '@ti/core/engine/class-memory.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import { liquidityOf, sharesOf, withdrawnFrom } from '@ti/core/engine/liquidity.ts'
import { phantomOf } from '@ti/core/engine/tokens.ts'
import { isLaunchSeen } from '@ti/core/engine/unseen.ts'
import { verdictOf } from '@ti/core/engine/verdict/said.ts'
import type { Block, LogEntry } from '@ti/core/model/entries.ts'
import type { Token } from '@ti/core/model/state.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, CROWD, crowdSteps, type Step, shortSteps, steps, veteranSteps } from '../support/histories.ts'
import { createMemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { createVerdictReference, type VerdictFacts } from './verdict-reference.ts'

const HOUR = 9_000
const MINUTE = 150
const PART = 375
const everybody = Array.from({ length: CROWD }, (_, wallet) => wallet)

/** What the reasons rest on, as the token's record has it; other tests compare that with references of their own. */
function factsOf(token: Token): VerdictFacts {
  const { verdict } = token
  const liquidity = liquidityOf(token)
  const pct = (part: number): number => (token.supply > 0 ? (100 * part) / token.supply : 0)
  const foretold = (question: number): number => {
    const { n, hits } = token.latched.find((one) => one.question === question) ?? { n: 0, hits: 0 }
    return n < 20 ? 0 : hits / n
  }
  const sums = (which: Class) => classOf(token, which)
  return {
    ...{ rugged: token.ruggedSlot >= 0, drained: token.drainedSlot >= 0, dead: token.dead },
    launchSeen: isLaunchSeen(token),
    exits: token.exits.map(({ index, tokens, early }) => ({ part: index, pct: pct(tokens), early: pct(early) })),
    soldEver: pct(sums(CLASS.signed).sold),
    insiders: pct(sums(CLASS.insiders).held),
    phantom: pct(phantomOf(token)),
    bundled: pct(sums(CLASS.bundled).held),
    snipers: pct(sums(CLASS.firstSeconds).held),
    early: { sold: pct(token.earlySold), peak: pct(sums(CLASS.early).peak) },
    deployerBag: {
      sold: pct(sums(CLASS.deployer).sold),
      held: pct(sums(CLASS.deployer).held),
      peak: pct(sums(CLASS.deployer).peak),
    },
    takenOver: token.takenOverSlot >= 0,
    ofAth: token.ath > 0 ? token.mcap / token.ath : 1,
    withdrawn: ((liquidity && withdrawnFrom(liquidity)?.took) ?? 0) / 1e9,
    pullable: (liquidity && sharesOf(liquidity)?.pullable) ?? 0,
    ...{ actor: verdict.actorLevel, deployer: verdict.deployerLevel, drain: foretold(0), halving: foretold(1) },
    reading:
      verdict.readSlot < 0 ? null : { top10: verdict.top10Pct, known: verdict.knownPct, score: verdict.points / 10 },
  }
}

/** Ages at which questions are asked and holders read. */
const isAsked = (age: number): boolean =>
  [75, 150, 750].includes(age) || (age > 0 && age <= 27_000 && age % 2_250 === 0)
const isFixedAge = (age: number): boolean => isAsked(age) || (age > 27_000 && age % HOUR === 0)

interface Lived {
  readonly born: number
  lastTrade: number
}

/** Slots behind which the fold does something without an event: readings, outcomes of questions, and deaths. */
const isObserved = ({ born, lastTrade }: Lived, slot: number): boolean =>
  isFixedAge(slot - born) ||
  isAsked(slot - born - HOUR) ||
  (slot - born - 1) % 750 === 0 ||
  slot === Math.max(born, lastTrade) + 4_500

/**
 * The history with an empty block behind each of these slots. Its own blocks move on where they would be in the way, so
 * that what a slot's end brings about can be told from what the next block does.
 */
function observed(entries: readonly LogEntry[]): { readonly plain: LogEntry[]; readonly watched: LogEntry[] } {
  const lives = new Map<Key, Lived>()
  const plain: LogEntry[] = []
  const watched: LogEntry[] = []
  const empty = (slot: number): Block => ({ kind: 'block', slot, parent: slot - 1, time: slot, events: [] })
  let shift = 0
  let last = 0
  for (const entry of entries) {
    if (entry.kind !== 'block') {
      plain.push(entry)
      watched.push(entry)
      continue
    }
    const isInTheWay = (slot: number): boolean => [...lives.values()].some((life) => isObserved(life, slot - 1))
    while (isInTheWay(entry.slot + shift)) shift++
    const slot = entry.slot + shift
    for (const at of observedIn(lives, last, slot)) watched.push(empty(at + 1))
    const block: Block = { ...entry, slot, parent: slot - 1, time: slot }
    plain.push(block)
    watched.push(block)
    for (const { mint, kind } of entry.events) {
      if (kind !== 'create' && kind !== 'trade' && kind !== 'migrate') continue
      const life = lives.get(mint) ?? { born: slot, lastTrade: -1 }
      if (kind === 'trade') life.lastTrade = slot
      lives.set(mint, life)
    }
    last = slot
  }
  return { plain, watched }
}

function observedIn(lives: ReadonlyMap<Key, Lived>, from: number, to: number): number[] {
  const slots = new Set<number>()
  for (const life of lives.values()) {
    // nothing is read of what has been dead for long
    const end = Math.min(to - 1, Math.max(life.born, life.lastTrade) + 5_250)
    for (let slot = Math.max(from, life.born); slot < end; slot++) if (isObserved(life, slot)) slots.add(slot)
  }
  return [...slots].sort((a, b) => a - b)
}

interface Judged {
  readonly reference: ReturnType<typeof createVerdictReference>
  facts: VerdictFacts
  /** of the latest judgement that the reference has made */
  slot: number
}

/** Counts what the histories bring about. */
const seen = new Map<string, number>()
const notice = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1)

/** What time alone brings, from one entry to the next: a change that waited, and parts of an exit's hour that end. */
function passTime(judged: Judged, to: number): void {
  const { reference, facts } = judged
  for (let slot = judged.slot; slot < to; ) {
    const due = reference.due()
    const hasExit = reference.soldWithinHour(facts, slot) > 0 || reference.earlyWithinHour(facts, slot) > 0
    const parts = hasExit ? (Math.floor(slot / PART) + 1) * PART : Infinity
    const next = Math.min(due > slot ? due : Infinity, parts)
    if (next >= to) break
    reference.judge(facts, next, 'time')
    judged.slot = next
    slot = next
  }
}

function check(entries: readonly LogEntry[]): void {
  const { plain, watched } = observed(entries)
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
  const all = new Map<number, Judged>()
  watched.forEach((entry, seq) => {
    engine.apply(seq, entry)
    store.write(engine.changes())
    engine.committed()
    const { slot } = engine.globals
    if (slot < 0) return
    for (let id = 0; id < engine.globals.nextToken; id++) {
      const token = engine.tokens.peekId(id)?.token ?? store.token(id)!
      const facts = factsOf(token)
      const known = all.get(id)
      const judged = known ?? { reference: createVerdictReference(), facts, slot }
      all.set(id, judged)
      const events = entry.kind === 'block' ? entry.events.filter(({ mint }) => mint === token.mint) : []
      const isRead = !token.dead && isFixedAge(slot - 1 - token.createdSlot)
      if (known !== undefined && entry.kind === 'block') {
        const isEnd = entry.events.length === 0
        passTime(judged, isEnd ? slot - 1 : slot)
        if (isEnd) judged.reference.judge(facts, slot - 1, isRead ? 'reading' : 'time')
      }
      if (events.length > 0 || entry.kind === 'facts') {
        judged.reference.judge(facts, slot, entry.kind === 'facts' ? 'fact' : 'trade')
        judged.slot = slot
      } else if (entry.kind === 'block' && entry.events.length === 0) judged.slot = slot - 1
      judged.facts = facts
      compare(token, judged, slot)
    }
  })
  compareUnwatched(engine, plain, (id) => engine.tokens.peekId(id)?.token ?? store.token(id)!)
}

function compare(token: Token, { reference, facts }: Judged, slot: number): void {
  const { name, code } = verdictOf(token)
  const history = token.verdict.history.map((change) => ({
    slot: change.slot,
    colour: COLOURS[change.colour]!,
    code: VERDICT_CODES[change.code]!,
    event: VERDICT_EVENTS[change.event]!,
  }))
  assert.equal(history.length, Math.min(64, reference.changes.length), `token ${token.id} at ${slot}`)
  assert.deepEqual(history.at(-1), reference.changes.at(-1), `token ${token.id} at ${slot}`)
  assert.deepEqual({ colour: name, code }, reference.said(facts), `token ${token.id} at ${slot}`)
  notice(`${name} ${code}`)
  for (const [i, change] of history.entries()) {
    const before = history[i - 1]
    if (before === undefined) continue
    assert.notEqual(change.colour, before.colour)
    assert.ok(change.slot - before.slot >= MINUTE, `${before.slot}, ${change.slot}`)
  }
  const last = history.at(-1)
  if (last?.slot === slot || last?.slot === slot - 1) notice(`by ${last.event}`)
  const isOut = facts.rugged || facts.drained || facts.dead || reference.soldWithinHour(facts, slot - 1) >= 5
  if (!isOut) return
  notice('out')
  if (name !== 'red') assert.ok(slot - (last?.slot ?? -HOUR) <= MINUTE, `${name} at ${slot}, since ${last?.slot}`)
  assert.ok(name !== 'green' || last!.slot < slot, 'it has turned green')
}

/** The same history without anybody who watches ends the same, in one commit or in many. */
function compareUnwatched(watched: Engine, entries: readonly LogEntry[], tokenOf: (id: number) => Token): void {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  for (const [seq, entry] of entries.entries()) engine.apply(seq, entry)
  assert.equal(engine.globals.nextToken, watched.globals.nextToken)
  store.write(engine.changes())
  for (let id = 0; id < engine.globals.nextToken; id++) assert.deepEqual(store.token(id)!.verdict, tokenOf(id).verdict)
}

/**
 * What it takes to be green: everybody has sold out of a token before and has a known funder, a day before a crowd of them
 * buys another one, which is still traded after its last question is answered. Then anything happens.
 */
const settledSteps = fc.tuple(fc.shuffledSubarray(everybody, { minLength: 60 }), shortSteps).map(([crowd, later]) => {
  // sizes and gaps of their own, and exchanges as funders: nothing by which they could belong together
  const step = (wallet: number, action: Step['action'], token: number, size: number): Step => {
    return { gap: 11 + ((wallet * 31) % 23), token, wallet, action, size }
  }
  const past = [
    ...crowd.map((wallet) => step(wallet, 'buy', 3, 3 + ((wallet * 13) % 17))),
    ...[...crowd].reverse().map((wallet) => step(wallet, 'sell', 3, 850)),
    ...crowd.map((wallet) => step(wallet, 'funder', 3, 10 * (1 + (wallet % 7)))),
  ]
  const buys = crowd.map((wallet) => step(wallet, 'buy', 0, 20 + ((wallet * 37) % 60)))
  const alive = Array.from({ length: 12 }, (): Step => ({ ...buys[0]!, gap: 4_000, size: 5 }))
  const creation: Step = { ...buys[0]!, gap: 216_000, action: 'create' }
  return [...past, creation, ...buys, ...alive, ...later.map((one) => ({ ...one, token: 0 }))]
})

const act = (gap: number, token: number, wallet: number, action: Step['action'], size: number): Step => {
  return { gap, token, wallet, action, size }
}

/** A launcher who sells to the buyers of its own token, and buyers who are left with what remains. */
const ruggedSteps = shortSteps.map((later) => [
  act(7, 1, 1, 'create', 1),
  act(0, 1, 1, 'buy', 1_000),
  ...[2, 3, 4].map((wallet) => act(40, 1, wallet, 'buy', 500)),
  ...[1, 2, 3].map((wallet) => act(40, 1, wallet, 'sell', 800)),
  ...later,
])

const TOLD = 24
/** Tokens that all lose their reserve to a stranger, and when that is known another one like them. */
const foretoldSteps = shortSteps.map((later) => {
  const tokens = Array.from({ length: TOLD }, (_, token) => token)
  const begin = (gap: number, token: number) => [
    act(gap, token, 40 + token, 'create', 1),
    act(19, token, 40 + token, 'buy', 400),
  ]
  return [
    ...tokens.flatMap((token) => begin(11, token)),
    ...tokens.map((token) => act(token === 0 ? 200 : 7, token, 40 + token, 'sell', 800)),
    ...begin(10_000, TOLD),
    ...later.map((step) => ({ ...step, token: TOLD })),
  ]
})

const checks = (arbitrary: fc.Arbitrary<Step[]>, all: number): void =>
  fc.assert(
    fc.property(arbitrary, (list) => check(buildHistory(list))),
    { numRuns: runs(all) },
  )

test('colour, code and history of every token at every block equal the slow reference', () => {
  checks(steps, 30)
  checks(shortSteps, 150)
  checks(veteranSteps, 10)
})

test('so they do in a crowd of up to a hundred holders, and where it takes a green verdict, a rug or a forecast', () => {
  checks(crowdSteps, 20)
  checks(settledSteps, 10)
  checks(ruggedSteps, 20)
  checks(foretoldSteps, 10)
})

/** What the histories bring about. */
const COMMON = [
  ...['by trade', 'by time', 'by reading', 'out', 'green known_holders'],
  ...['neutral launch_unseen', 'neutral unknown_holders', 'neutral low_score'],
  ...['rugged', 'drained', 'dead', 'sold_in_hour', 'outlook_drain', 'bundled', 'insiders', 'concentrated'].map(
    (code) => `red ${code}`,
  ),
  ...['actor', 'bundled', 'insiders', 'concentrated', 'snipers', 'phantom'].map((code) => `yellow ${code}`),
]

test('the histories had in them what can be told apart', { skip: runs(100) < 100 && 'too few histories' }, () => {
  assert.deepEqual(
    COMMON.filter((what) => !seen.has(what)),
    [],
  )
})
