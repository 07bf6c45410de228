import type { Asked, Outlook } from '../../model/outlook.ts'
import { OUTLOOK } from '../constants.ts'
import { CARDS } from './cards.ts'
import { QUESTIONS } from './questions.ts'

/** Counts of outcomes (methodology, section 9). Probabilities are whole millionths. */
export const MILLION = 1_000_000

const CLASSES = OUTLOOK.classes.length + 1
const CELLS = QUESTIONS.length * CLASSES * OUTLOOK.bands

/** The index of a question's cell in the lists. */
export const cellOf = (question: number, age: number, band: number): number =>
  (question * CLASSES + age) * OUTLOOK.bands + band

export function startOutlook(outlook: Outlook): void {
  const none = (length: number): number[] => new Array<number>(length).fill(0)
  outlook.n = none(CELLS)
  outlook.hits = none(CELLS)
  outlook.total = none(CELLS)
  outlook.totalHits = none(CELLS)
  outlook.expected = none(CELLS)
  outlook.squared = none(CELLS)
  outlook.sinceHalved = none(QUESTIONS.length)
  outlook.odds = QUESTIONS.map(() => MILLION)
}

/** The table's probability, with its odds multiplied by the question's factor. */
export function priorOf(outlook: Outlook, question: number, age: number, band: number): number {
  const p = CARDS[QUESTIONS[question]!].table[age]![band]!
  const odds = p * outlook.odds[question]!
  return Math.round((odds / (odds + (MILLION - p) * MILLION)) * MILLION)
}

/** The served probability: (prior · p + hits) / (prior + n). */
export function probabilityOf(outlook: Outlook, question: number, age: number, band: number): number {
  const cell = cellOf(question, age, band)
  const weighted = OUTLOOK.prior * priorOf(outlook, question, age, band) + outlook.hits[cell]! * MILLION
  return Math.round(weighted / (OUTLOOK.prior + outlook.n[cell]!))
}

export function countOutcome(outlook: Outlook, { question, age, band, p }: Asked, hit: boolean): void {
  const cell = cellOf(question, age, band)
  const came = hit ? MILLION : 0
  outlook.total[cell]!++
  if (hit) outlook.totalHits[cell]!++
  outlook.expected[cell]! += p
  outlook.squared[cell]! += Math.round(((p - came) * (p - came)) / MILLION)

  const { step, least, most } = OUTLOOK.odds
  const missed = came - priorOf(outlook, question, age, band)
  const odds = Math.round(outlook.odds[question]! * (1 + (step * missed) / MILLION))
  outlook.odds[question] = Math.max(least, Math.min(most, odds))
  outlook.n[cell]!++
  if (hit) outlook.hits[cell]!++
  outlook.sinceHalved[question]!++
  if (outlook.sinceHalved[question]! >= OUTLOOK.halvedAfter) halve(outlook, question)
}

/** Halves the counts of a question, because old outcomes say less about a changing market. */
function halve(outlook: Outlook, question: number): void {
  outlook.sinceHalved[question] = 0
  const end = cellOf(question + 1, 0, 0)
  for (let cell = cellOf(question, 0, 0); cell < end; cell++) {
    outlook.n[cell] = Math.floor(outlook.n[cell]! / 2)
    outlook.hits[cell] = Math.floor(outlook.hits[cell]! / 2)
  }
}
