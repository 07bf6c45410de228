import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASS, classOf } from '@ti/core/engine/class-memory.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import { bandCount } from '@ti/core/engine/outlook/card.ts'
import { CARDS } from '@ti/core/engine/outlook/cards.ts'
import { cellOf, countOutcome, MILLION, probabilityOf, startOutlook } from '@ti/core/engine/outlook/counts.ts'
import { isExit } from '@ti/core/engine/outlook/floor.ts'
import { type OutlookReading, outlookOf } from '@ti/core/engine/outlook/outlook.ts'
import { ageClass, QUESTIONS } from '@ti/core/engine/outlook/questions.ts'
import { readToken } from '@ti/core/engine/reading/reading.ts'
import type { LiveToken } from '@ti/core/engine/resident.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import { emptyGlobals } from '@ti/core/model/generated/empty.ts'
import type { Asked } from '@ti/core/model/outlook.ts'
import { runs, seed } from '../support/chance.ts'
import { buildHistory, steps } from '../support/histories.ts'
import { createMemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { seededRandom } from '../support/random.ts'
import { type Counted, referenceProbability, referenceQuestions } from './outlook-reference.ts'
import { createReference } from './reference.ts'

const tableP = ({ question, ageClass, band }: Pick<Counted, 'question' | 'ageClass' | 'band'>): number =>
  CARDS[QUESTIONS[question]!].table[ageClass]![band]!

/** Every question that the fold put, and every outcome in the order in which it was counted. */
function watch(entries: readonly LogEntry[]) {
  const store = createMemoryStore()
  const asked: { of: Asked; hit: boolean | null }[] = []
  const counted: Counted[] = []
  const before: { of: Asked; outcomes: number }[] = []
  const watcher = {
    asked(of: Asked) {
      asked.push({ of, hit: null })
      before.push({ of, outcomes: counted.length })
    },
    due(of: Asked, hit: boolean) {
      asked.find((one) => one.of === of)!.hit = hit
      counted.push({ question: of.question, ageClass: of.age, band: of.band, hit })
    },
  }
  // one engine throughout: what it asks is recognised by its record
  const engine = createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE, watcher })
  const bundled = new Set<number>()
  entries.forEach((entry, seq) => {
    engine.apply(seq, entry)
    const changes = engine.changes()
    for (const row of changes.trades) if (row.group >= 0) bundled.add(row.no)
    store.write(changes)
    engine.committed()
  })
  return { asked, counted, before, bundled, outlook: engine.globals.outlook }
}

test('questions, outcomes and counts equal the slow reference', (t) => {
  let questions = 0
  let hits = 0
  fc.assert(
    fc.property(steps, (list) => {
      const entries = buildHistory(list)
      const { asked, counted, before, bundled, outlook } = watch(entries)
      const line = (question: number, due: number, from: number, hit: boolean | null): string =>
        `${question} ${due} ${from} ${hit}`
      const expected = referenceQuestions(createReference(entries, bundled))
      assert.deepEqual(
        asked.map(({ of, hit }) => line(of.question, of.dueSlot, of.from, hit)).sort(),
        expected.map(({ question, dueSlot, from, hit }) => line(question, dueSlot, from, hit)).sort(),
      )
      questions += expected.length
      hits += counted.filter(({ hit }) => hit).length
      for (const { of, outcomes } of before) {
        const cell = { question: of.question, ageClass: of.age, band: of.band }
        assert.equal(of.p, referenceProbability(counted.slice(0, outcomes), cell, tableP).p)
      }
      for (const one of counted) {
        const cell = cellOf(one.question, one.ageClass, one.band)
        const like = asked.filter(
          ({ of, hit }) =>
            hit !== null && of.question === one.question && of.age === one.ageClass && of.band === one.band,
        )
        assert.equal(outlook.total[cell], like.length)
        assert.equal(outlook.totalHits[cell], like.filter(({ hit }) => hit).length)
        assert.equal(
          outlook.expected[cell],
          like.reduce((sum, { of }) => sum + of.p, 0),
        )
      }
    }),
    { numRuns: runs(150) },
  )
  t.diagnostic(`${questions} questions, ${hits} came true`)
  assert.ok(questions > 0 && hits > 0)
})

/** What is foretold of a token as it stands before a block. */
function foretoldAt(engine: Engine, token: number, slot: number): OutlookReading {
  const live = engine.tokens.peekId(token)!
  const market = { ...engine.globals, slot, wallet: engine.wallet }
  return outlookOf(live, market, readToken(live, market))
}

function isSeenComing(engine: Engine, live: LiveToken, event: ChainEvent, slot: number): boolean {
  if (event.kind !== 'trade' || event.mint !== live.token.mint) return false
  const seller = [...live.positions.values()]
    .map((position) => engine.wallet(position.wallet))
    .find(({ address }) => address === event.user)
  return seller !== undefined && isExit(live, event, seller, slot)
}

/** 0 green, 1 yellow, 2 red */
const colourOf = (p: number): number => [250_000, 500_000].filter((edge) => p >= edge).length

test('no answer is better within the hour after own people sold than before', (t) => {
  let exits = 0
  let held = 0
  fc.assert(
    fc.property(steps, (list) => {
      const store = createMemoryStore()
      const engine = createEngine({ reader: store, walletsCached: 4 })
      /** by token: the slot of the latest exit that was seen coming, and what was foretold before it */
      const before = new Map<number, { slot: number; said: OutlookReading }>()
      buildHistory(list).forEach((entry, seq) => {
        const slot = entry.kind === 'block' ? entry.slot : engine.globals.slot
        const early = new Map<number, { said: OutlookReading; sold: number; isComing: boolean }>()
        for (const live of engine.tokens.live()) {
          const { id } = live.token
          if (slot < 0) continue
          // whose sale shows only afterwards that it was one of its own people cannot be seen coming: methodology, section 9
          const isComing =
            entry.kind === 'block' && entry.events.some((event) => isSeenComing(engine, live, event, slot))
          early.set(id, { said: foretoldAt(engine, id, slot), sold: classOf(live.token, CLASS.signed).sold, isComing })
        }
        engine.apply(seq, entry)
        store.write(engine.changes())
        engine.committed()
        for (const { token } of engine.tokens.live()) {
          const was = early.get(token.id)
          if (was === undefined) continue
          // what others do in the same block is no exit
          const own = entry.kind === 'block' ? entry.events.filter(({ mint }) => mint === token.mint) : []
          const isSold = classOf(token, CLASS.signed).sold - was.sold >= token.supply * 0.05
          const isExit = own.length === 1 && isSold && was.isComing
          if (isExit) before.set(token.id, { slot, said: was.said })
          const exit = before.get(token.id)
          if (exit === undefined || slot - exit.slot > 9_000) continue
          if (isExit) exits++
          const now = foretoldAt(engine, token.id, slot)
          for (const question of QUESTIONS) {
            const [a, b] = [exit.said[question], now[question]]
            if (a === null || b === null) continue
            assert.ok(question === 'buyer' ? b.band <= a.band : b.band >= a.band, `${question} ${a.band} → ${b.band}`)
            if (question !== 'buyer') assert.ok(colourOf(b.p) >= colourOf(a.p), `${question} ${a.p} → ${b.p}`)
            if (b.band !== b.ownBand || b.p !== b.ownP) held++
          }
        }
      })
    }),
    { numRuns: runs(100) },
  )
  t.diagnostic(`${exits} exits, ${held} answers held back by what was foretold before`)
  assert.ok(exits > 0 && held > 0)
})

/** Many outcomes as a market would give them, whose odds are `times` those of the table from the first on. */
function outcomesOf(random: () => number, count: number, times: number): Counted[] {
  return Array.from({ length: count }, () => {
    const question = 0
    const cell = { question, ageClass: Math.floor(random() * 3), band: Math.floor(random() * bandCount(CARDS.drain)) }
    const p = tableP(cell) / MILLION
    return { ...cell, hit: random() < (times * p) / (times * p + 1 - p) }
  })
}

test('counts are halved, forgotten and moved together as the reference says', (t) => {
  t.diagnostic(`seed ${seed()}`)
  const random = seededRandom(seed())
  const { outlook } = emptyGlobals()
  startOutlook(outlook)
  const outcomes = outcomesOf(random, 3_500, 2)
  for (const { question, ageClass: age, band, hit } of outcomes)
    countOutcome(outlook, { question, age, band, p: 0, decided: hit, hit, dueSlot: 0, from: 1 }, hit)
  for (let age = 0; age < 3; age++) {
    for (let band = 0; band < bandCount(CARDS.drain); band++) {
      const expected = referenceProbability(outcomes, { question: 0, ageClass: age, band }, tableP)
      const cell = cellOf(0, age, band)
      assert.deepEqual(
        { n: outlook.n[cell], hits: outlook.hits[cell], p: probabilityOf(outlook, 0, age, band) },
        expected,
      )
    }
  }
})

test('after the odds of a market triple, what is served is calibrated again within 2,000 outcomes', (t) => {
  t.diagnostic(`seed ${seed()}`)
  const random = seededRandom(seed() + 1)
  for (const times of [3, 1 / 3]) {
    const { outlook } = emptyGlobals()
    startOutlook(outlook)
    const errors: number[] = []
    for (const [from, of] of [outcomesOf(random, 4_000, 1), outcomesOf(random, 4_000, times)].entries()) {
      let missed = 0
      for (const [i, { question, ageClass: age, band, hit }] of of.entries()) {
        const p = probabilityOf(outlook, question, age, band)
        missed += (hit ? 1 : 0) - p / MILLION
        countOutcome(outlook, { question, age, band, p, decided: hit, hit, dueSlot: 0, from: 1 }, hit)
        if ((i + 1) % 500 !== 0) continue
        if (from === 1) errors.push(missed / 500)
        missed = 0
      }
    }
    t.diagnostic(
      `odds × ${times.toFixed(2)}, came true less served by 500: ${errors.map((e) => e.toFixed(3)).join(' ')}`,
    )
    const later = errors.slice(4).reduce((sum, e) => sum + e, 0) / 4
    assert.ok(Math.abs(later) <= 0.05, `${later}`)
  }
})

test('classes of ages begin where the constants say', () => {
  assert.deepEqual([75, 150, 749, 750, 2_250, 4_499, 4_500, 27_000].map(ageClass), [0, 0, 0, 1, 1, 1, 2, 2])
})
