import type { Question } from './questions.ts'

export type Colour = 'green' | 'yellow' | 'red' | 'neutral'

/** The service's prediction for one question, from `outlookOf`. */
export interface Foretold {
  /** 1 to 12, from the card's points. */
  readonly band: number
  readonly points: number
  /** The card's probability of yes in millionths, which is counted. */
  readonly p: number
  /** The served probability. After an exit it is no better than before, which is a rule and not a frequency. */
  readonly served: number
  /** Outcomes that the service has counted in that cell, and those that were yes. */
  readonly n: number
  readonly hits: number
  /** Insiders have just sold. */
  readonly afterExit: boolean
}

/** One token at one age, as served. */
export interface Seen {
  /** Base58. */
  readonly mint: string
  /** Base58; null if unknown. */
  readonly deployer: string | null
  readonly createdSlot: number
  /** Slots after the launch, one of `AGES`. */
  readonly age: number
  readonly slot: number
  readonly holders: number
  /** USD. */
  readonly mcap: number
  readonly score: number
  readonly colour: Colour
  readonly dead: boolean
  readonly phantomPct: number
  /** An unbundled trade within the last 2,250 slots. */
  readonly isTraded: boolean
  readonly foretold: Readonly<Record<Question, Foretold | null>>
}

/** With the outcomes from the log's trades. */
export interface Case extends Seen {
  /** Lamports; null if unknown. */
  readonly real: number | null
  readonly multiple: number | null
  /** Null if not asked, or if the log ends before the answer. */
  readonly answers: Readonly<Record<Question, boolean | null>>
}
