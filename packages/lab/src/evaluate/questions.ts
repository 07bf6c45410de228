/** The three questions, defined independently of the engine: the code under evaluation must not set the standard. */
export const QUESTIONS = ['drain', 'halving', 'buyer'] as const
export type Question = (typeof QUESTIONS)[number]

/** True if a yes is good: a gain is, the others are losses. */
export const IS_GOOD: Readonly<Record<Question, boolean>> = { drain: false, halving: false, buyer: true }

/** Slots after the launch at which every token is evaluated. */
export const AGES: readonly number[] = [75, 150, 750, ...Array.from({ length: 12 }, (_, i) => 2_250 * (i + 1))]

/** Slots within which the answer is known. */
export const HORIZON: Readonly<Record<Question, number>> = { drain: 9_000, halving: 9_000, buyer: 2_250 }

export const ASKED = {
  /** Lamports in the market, for `drain`. */
  reserveLamports: 2_000_000_000,
  /** Price over the starting price, for `halving`. */
  multiple: 2,
}

export const ANSWER = {
  /** The answer is yes at or below this share of the reserve, or of the price. */
  drained: 0.2,
  halved: 0.5,
  /** Multiples of the purchase price at which a buyer sells. */
  take: 2,
  stop: 0.6,
  /** Share of the amount, each way; the buyer's own price impact is ignored. */
  fee: 0.0125,
}
