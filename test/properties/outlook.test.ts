import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { answerOf, learn, startOutlook } from '@ti/core/engine/outlook/counts.ts'
import { binAt, binOf, INPUT_NAMES, packBins } from '@ti/core/engine/outlook/inputs.ts'
import { latchedColour, latchedOf } from '@ti/core/engine/outlook/outlook.ts'
import { ageClass, cameTrue, QUESTIONS } from '@ti/core/engine/outlook/questions.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { emptyGlobals, emptyToken } from '@ti/core/model/generated/empty.ts'
import type { Asked, Latched } from '@ti/core/model/outlook.ts'
import type { Token } from '@ti/core/model/state.ts'
import { runs, seed } from '../support/chance.ts'
import { buildHistory, steps } from '../support/histories.ts'
import { createMemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { seededRandom } from '../support/random.ts'
import { type Counted, ReferenceOutlook, referenceQuestions } from './outlook-reference.ts'
import { createReference } from './reference.ts'

const binsOf = (packed: number): number[] => INPUT_NAMES.map((_, input) => binAt(packed, input))

interface Put {
  readonly of: Asked
  readonly latched: Latched
  /** outcomes counted before */
  readonly outcomes: number
  hit: boolean | null
}

/**
 * Every question that the fold put, and every outcome in the order in which it was counted: what a token asks is compared before
 * and after each entry. Empty blocks between the entries let each wake have one of its own; tokens of the same slot wake by number.
 */
function watch(entries: readonly LogEntry[]) {
  const store = createMemoryStore()
  const asked: Put[] = []
  const counted: Counted[] = []
  // one engine throughout: what it asks is recognised by its record
  const engine = createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
  const bundled = new Set<number>()
  const asking = () =>
    new Map([...engine.tokens.live()].map(({ token }) => [token.id, { ...token, asked: [...token.asked] }]))
  let seq = 0
  let before = asking()
  const apply = (entry: LogEntry): void => {
    engine.apply(seq++, entry)
    const after = asking()
    for (const id of [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b)) {
      const [was, is] = [before.get(id), after.get(id)]
      for (const of of was?.asked ?? []) {
        if (is?.asked.includes(of)) continue
        const hit = cameTrue(of, was!)
        asked.find((one) => one.of === of)!.hit = hit
        counted.push({ question: of.question, age: of.age, bins: binsOf(of.bins), hit })
      }
      for (const of of is?.asked ?? []) {
        if (was?.asked.includes(of)) continue
        asked.push({ of, latched: latchedOf(is!, QUESTIONS[of.question]!)!, outcomes: counted.length, hit: null })
      }
    }
    before = after
    const changes = engine.changes()
    for (const row of changes.trades) if (row.group >= 0) bundled.add(row.no)
    store.write(changes)
    engine.committed()
  }
  for (const entry of entries) {
    const head = entry.kind === 'block' ? entry.slot : entry.kind === 'gap' ? entry.to : -1
    for (let slot = nextWake(before.values()) + 1; slot < head; slot = nextWake(before.values()) + 1)
      apply({ kind: 'block', slot, parent: slot - 1, time: 0, events: [] })
    apply(entry)
  }
  return { asked, counted, bundled, outlook: engine.globals.outlook }
}

const nextWake = (tokens: Iterable<Token>): number =>
  Math.min(...Array.from(tokens, ({ wakeSlot }) => (wakeSlot < 0 ? Number.POSITIVE_INFINITY : wakeSlot)))

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)

test('questions, outcomes, answers and their accuracy equal the slow reference', (t) => {
  let questions = 0
  let hits = 0
  fc.assert(
    fc.property(steps, (list) => {
      const entries = buildHistory(list)
      const { asked, counted, bundled, outlook } = watch(entries)
      const line = (question: number, due: number, from: number, hit: boolean | null, bins: number[]): string =>
        `${question} ${due} ${from} ${hit} ${bins}`
      const [multiple, idle] = [INPUT_NAMES.indexOf('price_multiple'), INPUT_NAMES.indexOf('idle_slots')]
      const expected = referenceQuestions(createReference(entries, bundled))
      assert.deepEqual(
        asked
          .map(({ of, hit }) =>
            line(of.question, of.dueSlot, of.from, hit, [binAt(of.bins, multiple), binAt(of.bins, idle)]),
          )
          .sort(),
        expected
          .map((one) =>
            line(one.question, one.dueSlot, one.from, one.hit, [
              binOf('price_multiple', one.multiple),
              binOf('idle_slots', one.idle),
            ]),
          )
          .sort(),
      )
      questions += expected.length
      hits += counted.filter(({ hit }) => hit).length
      const reference = new ReferenceOutlook()
      let learnt = 0
      for (const { of, latched, outcomes } of asked) {
        for (; learnt < outcomes; learnt++) reference.learn(counted[learnt]!)
        const { by, ...share } = reference.answer({ ...of, bins: binsOf(of.bins) })
        assert.deepEqual(
          { n: latched.n, hits: latched.hits, by: latched.by, bins: latched.bins },
          { ...share, by, bins: of.bins },
        )
        assert.equal(of.p, share.n < 20 ? -1 : Math.round((1e6 * share.hits) / share.n))
      }
      const answered = asked.filter(({ of, hit }) => hit !== null && of.p >= 0)
      assert.equal(sum(outlook.total), answered.length)
      assert.equal(sum(outlook.totalHits), answered.filter(({ hit }) => hit).length)
      assert.equal(sum(outlook.expected), sum(answered.map(({ of }) => of.p)))
    }),
    { numRuns: runs(150) },
  )
  t.diagnostic(`${questions} questions, ${hits} came true`)
  assert.ok(questions > 0 && hits > 0)
})

test('of thousands of outcomes of a market that turns, the fold learns what the slow reference does', (t) => {
  t.diagnostic(`seed ${seed()}`)
  const random = seededRandom(seed())
  const { outlook } = emptyGlobals()
  startOutlook(outlook)
  const reference = new ReferenceOutlook()
  const by = new Set<number>()
  for (let i = 0; i < 4_000; i++) {
    const bins = INPUT_NAMES.map(() => Math.floor(random() * 12))
    const like = { question: i % 8 === 0 ? 1 : 0, age: Math.floor(random() * 3), bins }
    const lead = (bins[0]! + (i < 2_500 ? bins[3]! : 11 - bins[3]!)) / 22
    const hit = random() < lead * 0.8
    const of = { ...like, bins: packBins(bins) }
    const expected = reference.answer(like)
    assert.deepEqual(answerOf(outlook, of), expected, `outcome ${i}`)
    by.add(expected.by)
    learn(outlook, of, hit)
    reference.learn({ ...like, hit })
  }
  assert.ok(by.has(0), 'the sum never answered')
})

test('the colour of what is latched: none below 20 outcomes or where nothing was asked', () => {
  const at = (n: number, hits: number) => ({
    ...emptyToken(0, '1'.repeat(32) as Key),
    latched: [{ question: 1, slot: 7, n, hits, by: 0, bins: 0 }],
  })
  const cases = [
    [19, 19, null],
    [20, 4, 'green'],
    [20, 5, 'yellow'],
    [40, 19, 'yellow'],
    [40, 20, 'red'],
  ] as const
  for (const [n, hits, colour] of cases) assert.equal(latchedColour(at(n, hits), 'halving'), colour, `${hits} of ${n}`)
  assert.equal(latchedColour(at(40, 20), 'drain'), null)
})

test('classes of ages begin where the constants say', () => {
  assert.deepEqual([75, 150, 749, 750, 2_250, 4_499, 4_500, 27_000].map(ageClass), [0, 0, 0, 1, 1, 1, 2, 2])
})
