import type { Question } from './questions.ts'

export type Colour = 'green' | 'yellow' | 'red' | 'neutral'

/** What the service foretells of one question; from `outlookOf`. */
export interface Foretold {
  /** 1 to 12, by the card's points */
  readonly band: number
  readonly points: number
  /** probability of yes, millionths: what is counted */
  readonly p: number
  /** as it is served: after an exit no better than before it, which is a rule and no frequency */
  readonly served: number
  /** outcomes that the service has counted in that cell, and how many of them were yes */
  readonly n: number
  readonly hits: number
  /** its own people have just sold */
  readonly afterExit: boolean
}

/** One token at one age, as it was served then. */
export interface Seen {
  /** base58 */
  readonly mint: string
  /** base58; null unknown */
  readonly deployer: string | null
  readonly createdSlot: number
  /** slots after the launch: one of `AGES` */
  readonly age: number
  readonly slot: number
  readonly holders: number
  /** USD */
  readonly mcap: number
  readonly score: number
  readonly colour: Colour
  readonly dead: boolean
  readonly phantomPct: number
  /** a trade outside every bundle in the last 2,250 slots */
  readonly isTraded: boolean
  readonly foretold: Readonly<Record<Question, Foretold | null>>
}

/** With what the log's trades say of it. */
export interface Case extends Seen {
  /** lamports; null unknown */
  readonly real: number | null
  readonly multiple: number | null
  /** null: not asked, or the log ends before the answer */
  readonly answers: Readonly<Record<Question, boolean | null>>
}
