import { flag, none, num, numbers, type Open, small, table } from './field.ts'

/** A question put at a fixed age, until its outcome is due (methodology, section 9). */
export const ASKED = table('Asked', {
  /** a trade has decided it, and so that what was asked about happened; it is counted when it is due */
  decided: flag(1),
  hit: flag(2),
  /** place in QUESTIONS, class of the age at which it was put, and the card's band, from 0 */
  question: small<number>(2),
  age: small<number>(2),
  band: small<number>(11),
  dueSlot: num,
  /** then: the real quote reserve for a drain, the price for the others */
  from: num,
  /** probability served then, millionths */
  p: num,
})
export interface Asked extends Open<typeof ASKED> {}

/** What was predicted right before the deployer, insiders or groups sold (methodology, section 9). */
export const FLOOR = table('Floor', {
  /** place in QUESTIONS, and the band, from 0 */
  question: small<number>(2),
  band: small<number>(11),
  /** probability, millionths */
  p: num,
})
export interface Floor extends Open<typeof FLOOR> {}

/** What became of the questions: lists by question, age class and band, in this order (methodology, section 9). */
export const OUTLOOK = table('Outlook', {
  /** outcomes that count for what is served, halved from time to time, and those that came true */
  n: numbers,
  hits: numbers,
  /** all outcomes ever; the sums of the probabilities served and of the squares of their errors in millionths */
  total: numbers,
  totalHits: numbers,
  expected: numbers,
  squared: numbers,
  /** by question: outcomes since the last halving, and what the table's odds are multiplied by, in millionths */
  sinceHalved: numbers,
  odds: numbers,
  /** of the first question put, -1 none */
  firstSlot: none,
})
export interface Outlook extends Open<typeof OUTLOOK> {}
