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
    assert.deepEqual(edgesOf(input, binOf(input, null)), { at_least: null, below: null })
    for (const edge of OUTLOOK.bins[input]) {
      assert.equal(edgesOf(input, binOf(input, edge)).at_least, edge)
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

interface Said {
  readonly p: number
  readonly true: number
  readonly hit: boolean
}

/** Feeds outcomes, and returns what was answered before each. */
function feed(outlook: Outlook, cases: readonly Case[], random: () => number): Said[] {
  const said: Said[] = []
  for (const { bins, p } of cases) {
    const of = { question: 0, age: Math.floor(random() * 3), bins: packBins(bins) }
    const answer = probabilityOf(answerOf(outlook, of))
    const hit = random() < p
    if (answer !== null) said.push({ p: answer / MILLION, true: p, hit })
    learn(outlook, of, hit)
  }
  return said
}

const mean = (said: readonly Said[], of: (one: Said) => number): number =>
  said.reduce((sum, one) => sum + of(one), 0) / said.length

const brier = (said: readonly Said[]): number => mean(said, ({ p, hit }) => (p - Number(hit)) ** 2)

/** Mean distance from the probability that the market really has. */
const off = (said: readonly Said[]): number => mean(said, (one) => Math.abs(one.p - one.true))

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
  t.diagnostic(`off by ${[before, worst, after].map((said) => off(said).toFixed(3)).join(', ')}`)
  assert.ok(off(before) < 0.1 && off(worst) > 0.2, 'the turn was not felt')
  assert.ok(off(after) < 0.1)
})

test('an answer never falls as the sum rises, and has its least outcomes if there are as many', () => {
  const sums = 2 * OUTLOOK.sumBins + 1
  const counts = fc.array(fc.tuple(fc.nat(60), fc.nat(100)), { minLength: sums, maxLength: sums })
  fc.assert(
    fc.property(counts, (list) => {
      const outlook = fresh()
      // one input tells, the higher its bin the more; the first one has all outcomes of its class in one bin
      outlook.weights.fill(0)
      outlook.weights[1] = MILLION
      ;[outlook.n[1], outlook.hits[1]] = [15_000, 7_500]
      for (let bin = 1; bin < BINS; bin++) [outlook.n[BINS + bin], outlook.hits[BINS + bin]] = [1_000, 65 * bin]
      for (const [at, [n, share]] of list.entries()) {
        outlook.sumN[at] = n
        outlook.sumHits[at] = Math.floor((n * share) / 100)
      }
      const answers = Array.from({ length: BINS - 1 }, (_, bin) =>
        answerOf(outlook, { question: 0, age: 0, bins: packBins([1, bin + 1, 0, 0, 0, 0, 0, 0]) }),
      )
      const all = list.reduce((sum, [n]) => sum + n, 0)
      for (const [i, { n, hits, by }] of answers.entries()) {
        const before = answers[i - 1] ?? { n: 1, hits: 0 }
        assert.equal(by, 0)
        assert.ok(n >= Math.min(all, OUTLOOK.least) && hits <= n)
        assert.ok(hits * before.n >= before.hits * n, `${i}: ${before.hits} of ${before.n}, then ${hits} of ${n}`)
      }
    }),
    { numRuns: runs(300), seed: seed() },
  )
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
