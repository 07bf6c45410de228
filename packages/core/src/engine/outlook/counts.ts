import type { Asked, Outlook } from '../../model/outlook.ts'
import { OUTLOOK } from '../constants.ts'
import { BINS, binAt, INPUT_NAMES } from './inputs.ts'
import { DOUBLING, log2 } from './log2.ts'
import { QUESTIONS } from './questions.ts'

/** Learns from outcomes and answers with their counts (methodology, section 9). Probabilities are whole millionths. */
export const MILLION = 1_000_000

/** Whose counts can answer: the weighted sum of all inputs, the age class alone, or one input's bins in the class. */
export const ANSWERERS = ['together', 'age', ...INPUT_NAMES] as const
const [TOGETHER, AGE, FIRST_INPUT] = [0, 1, 2]

/** Outcomes, and how many of them came true. */
export interface Share {
  readonly n: number
  readonly hits: number
}

/** A question, the class of the age, and the bins of the inputs. */
type Of = Pick<Asked, 'question' | 'age' | 'bins'>

const SUMS = 2 * OUTLOOK.sumBins + 1
const AGES = [0, 1, 2] as const
const INPUTS = INPUT_NAMES.map((_, input) => input)

export function startOutlook(outlook: Outlook): void {
  const all = (length: number, value = 0): number[] => new Array<number>(length).fill(value)
  const { length } = QUESTIONS
  for (const list of ['n', 'hits'] as const) outlook[list] = all(placeOf(length, 0, 0, 0))
  for (const list of ['sumN', 'sumHits'] as const) outlook[list] = all(length * SUMS)
  outlook.weights = all(length * INPUTS.length, OUTLOOK.weight.start)
  outlook.errors = all(length * ANSWERERS.length)
  for (const list of ['by', 'since'] as const) outlook[list] = all(length)
  for (const list of ['total', 'totalHits', 'expected', 'squared'] as const)
    outlook[list] = all(accuracyOf(length, 0, 0))
}

/** The place of an input's bin in the lists. */
const placeOf = (question: number, age: number, input: number, bin: number): number =>
  ((question * AGES.length + age) * INPUTS.length + input) * BINS + bin

function ofBin({ n, hits }: Outlook, { question, bins }: Of, age: number, input: number): Share {
  const place = placeOf(question, age, input, binAt(bins, input))
  return { n: n[place]!, hits: hits[place]! }
}

/** All outcomes of an age class, by the bins of the first input: each outcome is in one of them. */
function ofAge({ n, hits }: Outlook, question: number, age: number): Share {
  let [all, came] = [0, 0]
  const end = placeOf(question, age, 1, 0)
  for (let place = placeOf(question, age, 0, 0); place < end; place++) {
    all += n[place]!
    came += hits[place]!
  }
  return { n: all, hits: came }
}

const add = (a: Share, b: Share): Share => ({ n: a.n + b.n, hits: a.hits + b.hits })
const sumOf = (shares: readonly Share[]): Share => shares.reduce(add)

/** By how many doublings (in 64ths) the odds in a bin exceed those of the same tokens' age classes. */
function ratioOf({ n, hits }: Share, expectedHits: number): number {
  const few = DOUBLING * OUTLOOK.expected
  const yes = log2(DOUBLING * hits + few) - log2(expectedHits + few)
  return yes - log2(DOUBLING * (n - hits) + few) + log2(DOUBLING * n - expectedHits + few)
}

/** The evidence of each input: doublings of the odds in 64ths, of its bin in this class and in all. */
function partsOf(outlook: Outlook, of: Of, ages: readonly Share[]): number[] {
  return INPUTS.map((input) => {
    const bins = AGES.map((age) => ofBin(outlook, of, age, input))
    const expected = bins.map(({ n }, age) => hitsOf(n, ages[age]!))
    const own = bins[of.age]!
    const everywhere = ratioOf(sumOf(bins), expected[0]! + expected[1]! + expected[2]!)
    const here = ratioOf(own, expected[of.age]!)
    return Math.floor((own.n * here + OUTLOOK.classWeight * everywhere) / (own.n + OUTLOOK.classWeight))
  })
}

/** Hits among `n` at the class's rate, in 64ths. */
const hitsOf = (n: number, { n: all, hits }: Share): number => (all === 0 ? 0 : Math.floor((DOUBLING * n * hits) / all))

/** The bin of the weighted sum, to which the odds of the age class are added. */
function sumBin({ weights }: Outlook, { question, age }: Of, ages: readonly Share[], parts: readonly number[]): number {
  const { n, hits } = sumOf(ages)
  if (hits === 0 || hits === n) return OUTLOOK.sumBins
  const own = ages[age]!
  const few = OUTLOOK.expected
  const odds = log2(own.hits * n + few * hits) - log2((own.n - own.hits) * n + few * (n - hits))
  const usual = log2(hits) - log2(n - hits)
  const weighted = parts.reduce((sum, part, input) => sum + part * weights[question * parts.length + input]!, 0)
  const halves = Math.floor((odds - usual + weighted / MILLION) / (DOUBLING / 2) + 1 / 2)
  return OUTLOOK.sumBins + Math.max(-OUTLOOK.sumBins, Math.min(OUTLOOK.sumBins, halves))
}

/**
 * The outcomes of the sum's bin, pooled with its neighbours where they are fewer than the least or where a higher sum
 * came true less often: the answer never falls as the sum rises.
 */
function ofSum({ sumN, sumHits }: Outlook, question: number, bin: number): Share {
  let [pool, answer] = [-1, 0]
  for (let at = 0; at < SUMS; at++) {
    pool++
    POOLS.n[pool] = sumN[question * SUMS + at]!
    POOLS.hits[pool] = sumHits[question * SUMS + at]!
    for (; pool > 0 && isPooled(pool); pool--) merge(pool)
    // the pool of the bin, unless it is merged into a lower one later
    if (at <= bin || answer > pool) answer = pool
  }
  if (pool > 0 && POOLS.n[pool]! < OUTLOOK.least) merge(pool--)
  answer = Math.min(answer, pool)
  return { n: POOLS.n[answer]!, hits: POOLS.hits[answer]! }
}

/** Scratch space of `ofSum`: an outcome asks for it twice. */
const POOLS = { n: new Array<number>(SUMS).fill(0), hits: new Array<number>(SUMS).fill(0) }

function isPooled(pool: number): boolean {
  const { n, hits } = POOLS
  return n[pool - 1]! < OUTLOOK.least || hits[pool - 1]! * n[pool]! >= hits[pool]! * n[pool - 1]!
}

function merge(pool: number): void {
  POOLS.n[pool - 1]! += POOLS.n[pool]!
  POOLS.hits[pool - 1]! += POOLS.hits[pool]!
}

/** The shares of such tokens by age class, by input, and by the sum. */
function look(outlook: Outlook, of: Of) {
  const ages = AGES.map((age) => ofAge(outlook, of.question, age))
  const parts = partsOf(outlook, of, ages)
  const bin = sumBin(outlook, of, ages, parts)
  const shareOf = (by: number): Share => {
    if (by === AGE) return ages[of.age]!
    return by === TOGETHER ? ofSum(outlook, of.question, bin) : ofBin(outlook, of, of.age, by - FIRST_INPUT)
  }
  return { ages, parts, bin, shareOf }
}

/** The answer, and the index of who gives it. While its age class is new, that class alone answers: with too few. */
export function answerOf(outlook: Outlook, of: Of): Share & { readonly by: number } {
  const { ages, shareOf } = look(outlook, of)
  const by = ages[of.age]!.n < OUTLOOK.least ? AGE : outlook.by[of.question]!
  const { n, hits } = shareOf(by)
  return { n, hits, by }
}

/** Null below the least number of outcomes. */
export const probabilityOf = ({ n, hits }: Share): number | null =>
  n < OUTLOOK.least ? null : Math.round((MILLION * hits) / n)

export const TENTHS = 10

/** The place of a question's age class and tenth of the probability in the lists of the accuracy. */
export const accuracyOf = (question: number, age: number, tenth: number): number =>
  (question * (OUTLOOK.classes.length + 1) + age) * TENTHS + tenth

/** The accuracy counts what was said when it was asked. */
export function noteAccuracy(outlook: Outlook, { question, age, p }: Asked, hit: boolean): void {
  if (p < 0) return
  const at = accuracyOf(question, age, Math.min(TENTHS - 1, Math.floor((TENTHS * p) / MILLION)))
  const missed = p - (hit ? MILLION : 0)
  outlook.total[at]!++
  if (hit) outlook.totalHits[at]!++
  outlook.expected[at]! += p
  outlook.squared[at]! += Math.round((missed * missed) / MILLION)
}

/**
 * Learns from an outcome when it is due: every answerer is judged by what it would have said without it, then the
 * weights move and the outcome is counted.
 */
export function learn(outlook: Outlook, of: Of, hit: boolean): void {
  const { question, age, bins } = of
  const came = hit ? MILLION : 0
  const { ages, parts, bin, shareOf } = look(outlook, of)
  // two outcomes at the rate of the age class, so that a bin's first outcomes do not decide
  const rate = (MILLION * (ages[age]!.hits + 1)) / (ages[age]!.n + 2)
  for (const by of ANSWERERS.keys()) {
    const { n, hits } = shareOf(by)
    const missed = Math.round((MILLION * hits + 2 * rate) / (n + 2)) - came
    outlook.errors[question * ANSWERERS.length + by]! += Math.round((missed * missed) / MILLION)
  }
  const p = probabilityOf(shareOf(TOGETHER))
  if (p !== null) weigh(outlook, question, parts, came - p)
  count(outlook.sumN, outlook.sumHits, question * SUMS + bin, hit)
  for (const input of INPUTS) count(outlook.n, outlook.hits, placeOf(question, age, input, binAt(bins, input)), hit)
  const all = add(sumOf(ages), { n: 1, hits: hit ? 1 : 0 })
  if (all.n >= OUTLOOK.most || Math.min(all.hits, all.n - all.hits) >= OUTLOOK.rarerMost) halve(outlook, question)
  decide(outlook, question)
}

function count(n: number[], hits: number[], place: number, hit: boolean): void {
  n[place]!++
  if (hit) hits[place]!++
}

/** Moves the weight of each input by the error, as far as it told something (logistic regression by single steps). */
function weigh({ weights }: Outlook, question: number, parts: readonly number[], error: number): void {
  const { step, most } = OUTLOOK.weight
  for (const [input, part] of parts.entries()) {
    const at = question * parts.length + input
    const moved = weights[at]! + Math.round((step * error * part) / (MILLION * DOUBLING))
    weights[at] = Math.max(0, Math.min(most, moved))
  }
}

/** From time to time: the counts with the least error answer, and a market that has turned is learnt anew. */
function decide(outlook: Outlook, question: number): void {
  if (++outlook.since[question]! < OUTLOOK.decideEvery) return
  outlook.since[question] = 0
  const first = question * ANSWERERS.length
  const errors = outlook.errors.slice(first, first + ANSWERERS.length)
  const best = errors.indexOf(Math.min(...errors))
  if (errors[best]! < (1 - OUTLOOK.lead) * errors[outlook.by[question]!]!) outlook.by[question] = best
  if (errors[TOGETHER]! > (1 + OUTLOOK.turned) * errors[AGE]!) halve(outlook, question)
  for (const [by, error] of errors.entries()) outlook.errors[first + by] = Math.floor(error / 2)
}

/** Halves the counts of a question, rounded down. */
function halve({ n, hits, sumN, sumHits }: Outlook, question: number): void {
  for (const list of [n, hits]) halveFrom(list, placeOf(question, 0, 0, 0), placeOf(question + 1, 0, 0, 0))
  for (const list of [sumN, sumHits]) halveFrom(list, question * SUMS, (question + 1) * SUMS)
}

function halveFrom(list: number[], from: number, to: number): void {
  for (let at = from; at < to; at++) list[at] = Math.floor(list[at]! / 2)
}
