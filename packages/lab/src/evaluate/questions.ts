/**
 * The three questions as the evaluation asks them. Written down here a second time, apart from the engine's: what is judged
 * must not also be the judge.
 */
export const QUESTIONS = ['drain', 'halving', 'buyer'] as const
export type Question = (typeof QUESTIONS)[number]

/** Of the question's yes: a gain is good, the others are what a reader fears. */
export const IS_GOOD: Readonly<Record<Question, boolean>> = { drain: false, halving: false, buyer: true }

/** Slots after the launch at which every token is looked at. */
export const AGES: readonly number[] = [75, 150, 750, ...Array.from({ length: 12 }, (_, i) => 2_250 * (i + 1))]

/** Slots within which the answer is known. */
export const HORIZON: Readonly<Record<Question, number>> = { drain: 9_000, halving: 9_000, buyer: 2_250 }

export const ASKED = {
  /** lamports in the market, for `drain` */
  reserveLamports: 2_000_000_000,
  /** price over the starting price, for `halving` */
  multiple: 2,
}

export const ANSWER = {
  /** part of the reserve, and of the price, at or below which it is yes */
  drained: 0.2,
  halved: 0.5,
  /** price over that of the purchase at which a buyer leaves */
  take: 2,
  stop: 0.6,
  /** of the amount, on the way in and on the way out; the buyer's own price impact is left out */
  fee: 0.0125,
}
