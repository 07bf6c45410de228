import { atMost, flag, none, num, numbers, type Open, small, table } from './field.ts'

/** A question asked at a fixed age, kept until its outcome is due (methodology, section 9). */
export const ASKED = table('Asked', {
  /** `decided`: a trade decided the outcome; `hit`: it came true. It is counted when it is due. */
  decided: flag(1),
  hit: flag(2),
  /** Index in QUESTIONS, class of the age, and the card's band, all from 0. */
  question: small<number>(2),
  age: small<number>(2),
  band: small<number>(11),
  dueSlot: num,
  /** The level at that time: the real quote reserve for a drain, the price for the others. */
  from: num,
  /** Probability served at that time, millionths. */
  p: num,
})
export interface Asked extends Open<typeof ASKED> {}

/** A prediction made right before the deployer, insiders or groups sold (methodology, section 9). */
export const FLOOR = table('Floor', {
  /** Index in QUESTIONS, and the band, from 0. */
  question: small<number>(2),
  band: small<number>(11),
  /** Probability, millionths. */
  p: num,
})
export interface Floor extends Open<typeof FLOOR> {}

/** Outcome counts: lists by question, age class and band, in this order (methodology, section 9). */
export const OUTLOOK = table('Outlook', {
  /** Outcomes behind the served probabilities, halved from time to time, and those that came true. */
  n: atMost(108, numbers),
  hits: atMost(108, numbers),
  /** All outcomes ever; sums of the served probabilities and of their squared errors, millionths. */
  total: atMost(108, numbers),
  totalHits: atMost(108, numbers),
  expected: atMost(108, numbers),
  squared: atMost(108, numbers),
  /** By question: outcomes since the last halving, and the factor of the table's odds in millionths. */
  sinceHalved: atMost(3, numbers),
  odds: atMost(3, numbers),
  /** Slot of the first question, -1 if none. */
  firstSlot: none,
})
export interface Outlook extends Open<typeof OUTLOOK> {}
