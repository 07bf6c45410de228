import { atMost, flag, none, num, numbers, type Open, small, table } from './field.ts'

/** A question asked at a fixed age, kept until its outcome is due (methodology, section 9). */
export const ASKED = table('Asked', {
  /** `decided`: a trade decided the outcome; `hit`: it came true. It is counted when it is due. */
  decided: flag(1),
  hit: flag(2),
  /** Index in QUESTIONS, and class of the age, from 0. */
  question: small<number>(2),
  age: small<number>(2),
  dueSlot: num,
  /** The level at that time: the real quote reserve for a drain, the price for the others. */
  from: num,
  /** The bins of the inputs, packed (`packBins`). */
  bins: num,
  /** Probability served at that time in millionths, -1 if none. */
  p: none,
})
export interface Asked extends Open<typeof ASKED> {}

/** An answer, served until the next fixed age: `hits` of `n` like it. */
export const LATCHED = table('Latched', {
  /** Index in QUESTIONS. */
  question: small<number>(2),
  slot: num,
  n: num,
  hits: num,
  /** Index in ANSWERERS, and the bins of the inputs, packed. */
  by: small<number>(9),
  bins: num,
})
export interface Latched extends Open<typeof LATCHED> {}

/** The counts and weights learnt from outcomes, by question (methodology, section 9). */
export const OUTLOOK = table('Outlook', {
  /** By question, age class, input and bin: outcomes, halved from time to time, and those that came true. */
  n: atMost(1_152, numbers),
  hits: atMost(1_152, numbers),
  /** By question and bin of the sum, likewise. */
  sumN: atMost(99, numbers),
  sumHits: atMost(99, numbers),
  /** By question and input: its weight in the sum, millionths. */
  weights: atMost(24, numbers),
  /** By question and answerer: recent squared errors, millionths. */
  errors: atMost(30, numbers),
  /** By question: index in ANSWERERS of the counts that answer, and outcomes since that was decided. */
  by: atMost(3, numbers),
  since: atMost(3, numbers),
  /**
   * By question, age class and tenth of the probability: all outcomes with an answer, those that came true, sums of the
   * probabilities and of their squared errors in millionths.
   */
  total: atMost(90, numbers),
  totalHits: atMost(90, numbers),
  expected: atMost(90, numbers),
  squared: atMost(90, numbers),
  /** Slot of the first question, -1 if none. */
  firstSlot: none,
})
export interface Outlook extends Open<typeof OUTLOOK> {}
