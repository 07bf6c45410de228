import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs, seed } from '../../../../../test/support/chance.ts'
import fc from '../../../../../test/support/property.ts'
import { seededRandom } from '../../../../../test/support/random.ts'
import { emptyGlobals } from '../../model/generated/empty.ts'
import type { Outlook } from '../../model/outlook.ts'
import { OUTLOOK } from '../constants.ts'
import { ANSWERERS, answerOf, learn, MILLION, probabilityOf, startOutlook } from './counts.ts'
import { BINS, binAt, binOf, edgesOf, INPUT_NAMES, packBins } from './inputs.ts'
import { log2 } from './log2.ts'

function fresh(): Outlook {
  const { outlook } = emptyGlobals()
  startOutlook(outlook)
  return outlook
}

test('a logarithm is the largest k for which 2^k is at most x^64', () => {
  const bits = (x: number): number => (BigInt(x) ** 64n).toString(2).length - 1
  for (let x = 1; x <= 300; x++) assert.equal(log2(x), bits(x))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 32 - 1 }), (x) => {
      assert.equal(log2(x), bits(x))
    }),
    { numRuns: runs(300), seed: seed() },
  )
})

test('bins of all inputs fit into one number, and lie between their edges', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(BINS - 1), { minLength: INPUT_NAMES.length, maxLength: INPUT_NAMES.length }),
      (bins) => {
        const packed = packBins(bins)
        assert.ok(packed < 2 ** 32)
        assert.deepEqual(
          INPUT_NAMES.map((_, input) => binAt(packed, input)),
          bins,
        )
      },
    ),
    { numRuns: runs(200), seed: seed() },
  )
  for (const input of INPUT_NAMES) {
    assert.deepEqual(edgesOf(input, binOf(input, null)), { from: null, below: null })
    for (const edge of OUTLOOK.bins[input]) {
      assert.equal(edgesOf(input, binOf(input, edge)).from, edge)
      assert.equal(edgesOf(input, binOf(input, edge - 1e-9)).below, edge)
    }
    assert.ok(OUTLOOK.bins[input].length <= BINS - 2)
  }
})

interface Case {
  readonly bins: number[]
  readonly p: number
}

/** A token whose outcome depends on the bin of some inputs; the others are noise. */
function caseOf(random: () => number, told: readonly number[], turned: boolean): Case {
  const bins = INPUT_NAMES.map(() => 1 + Math.floor(random() * 8))
  const mean = told.reduce((sum, input) => sum + bins[input]! / 9, 0) / told.length
  return { bins, p: turned ? 1 - mean : mean }
}

/** Feeds outcomes, and returns the errors of what was answered before each, and of the rate so far. */
function feed(outlook: Outlook, cases: readonly Case[], random: () => number) {
  const said: { p: number; hit: boolean }[] = []
  for (const { bins, p } of cases) {
    const of = { question: 0, age: Math.floor(random() * 3), bins: packBins(bins) }
    const answer = probabilityOf(answerOf(outlook, of))
    const hit = random() < p
    if (answer !== null) said.push({ p: answer / MILLION, hit })
    learn(outlook, of, hit)
  }
  return said
}

const brier = (said: readonly { p: number; hit: boolean }[]): number =>
  said.reduce((sum, { p, hit }) => sum + (p - Number(hit)) ** 2, 0) / said.length

const many = (length: number, of: () => Case): Case[] => Array.from({ length }, of)

test('below 20 outcomes of an age class nothing is answered', () => {
  const outlook = fresh()
  const of = { question: 1, age: 2, bins: 0 }
  for (let n = 0; n < OUTLOOK.least; n++) {
    assert.deepEqual(answerOf(outlook, of), { n, hits: Math.ceil(n / 2), by: 1 })
    assert.equal(probabilityOf(answerOf(outlook, of)), null)
    learn(outlook, of, n % 2 === 0)
  }
  assert.equal(probabilityOf(answerOf(outlook, of)), 500_000)
  // another class and another question have learnt nothing
  assert.equal(probabilityOf(answerOf(outlook, { ...of, age: 0 })), null)
  assert.equal(probabilityOf(answerOf(outlook, { ...of, question: 0 })), null)
})

test('what is answered is no worse than the best single input, and much better where two of them tell', (t) => {
  t.diagnostic(`seed ${seed()}`)
  for (const told of [[2], [0, 6]]) {
    const random = seededRandom(seed())
    const outlook = fresh()
    const said = feed(
      outlook,
      many(4_000, () => caseOf(random, told, false)),
      random,
    ).slice(2_000)
    const { errors } = outlook
    const single = Math.min(...errors.slice(2, ANSWERERS.length))
    assert.ok(errors[outlook.by[0]!]! <= single * 1.01, `${told}: ${errors.slice(0, ANSWERERS.length)}`)
    const rate = said.filter(({ hit }) => hit).length / said.length
    assert.ok(brier(said) < 0.95 * rate * (1 - rate), `${told}: ${brier(said)} of ${rate}`)
  }
})

test('after an input has turned round, the answers are right again within 2,000 outcomes', (t) => {
  t.diagnostic(`seed ${seed()}`)
  const random = seededRandom(seed() + 1)
  const outlook = fresh()
  const before = feed(
    outlook,
    many(6_000, () => caseOf(random, [2], false)),
    random,
  ).slice(-1_000)
  const worst = feed(
    outlook,
    many(500, () => caseOf(random, [2], true)),
    random,
  )
  feed(
    outlook,
    many(1_500, () => caseOf(random, [2], true)),
    random,
  )
  const after = feed(
    outlook,
    many(1_000, () => caseOf(random, [2], true)),
    random,
  )
  t.diagnostic(`Brier ${[before, worst, after].map((said) => brier(said).toFixed(4)).join(', ')}`)
  assert.ok(brier(worst) > brier(before) * 1.1, 'the turn was not felt')
  assert.ok(brier(after) < brier(before) * 1.05)
})

test('an answer never falls as the sum rises, and has its least outcomes', () => {
  const random = seededRandom(seed())
  const outlook = fresh()
  feed(
    outlook,
    many(1_500, () => caseOf(random, [1, 4], false)),
    random,
  )
  outlook.by[0] = 0
  const weakest = INPUT_NAMES.map(() => 1)
  let last = 0
  for (let bin = 1; bin <= 8; bin++) {
    const bins = weakest.map((least, input) => (input === 1 || input === 4 ? bin : least))
    const answer = answerOf(outlook, { question: 0, age: 0, bins: packBins(bins) })
    assert.ok(answer.n >= OUTLOOK.least && answer.hits <= answer.n)
    assert.ok(answer.hits / answer.n >= last - 0.1, `${bin}`)
    last = answer.hits / answer.n
  }
  assert.ok(last > 0.5)
})

test('the counts are bounded, however many outcomes there are', () => {
  const outlook = fresh()
  const lengths = Object.values(outlook).map((value) => (Array.isArray(value) ? value.length : 1))
  const of = { question: 2, age: 0, bins: 0 }
  // all miss: only the bound of all outcomes applies
  for (let i = 0; i < 70_000; i++) learn(outlook, of, false)
  for (const list of [outlook.n, outlook.sumN]) assert.ok(Math.max(...list) <= OUTLOOK.most)
  for (let i = 0; i < 5_000; i++) learn(outlook, of, i % 2 === 0)
  assert.ok(Math.max(...outlook.errors) <= 2 * OUTLOOK.decideEvery * MILLION)
  assert.ok(outlook.hits.every((hits, at) => hits <= outlook.n[at]!))
  assert.ok(outlook.weights.every((weight) => weight >= 0 && weight <= OUTLOOK.weight.most))
  assert.deepEqual(
    Object.values(outlook).map((value) => (Array.isArray(value) ? value.length : 1)),
    lengths,
  )
})
