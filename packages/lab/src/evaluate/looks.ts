import type { Question } from '@ti/core/engine/outlook/questions.ts'
import type { TruthToken } from '../simulator/truth.ts'

/** Looks at a market while it is folded. Slots are 400 ms. */

/** Ages at which every launch is looked at: 60 s, 5 and 15 minutes. */
export const AGES: readonly number[] = [150, 750, 2_250]
/** Few labelled tokens are looked at more often: every 15 minutes for four hours. */
export const LABELLED_AGES: readonly number[] = [150, 750, ...Array.from({ length: 16 }, (_, i) => 2_250 * (i + 1))]

export const ageName = (age: number): string => (age < 750 ? `${(age * 2) / 5} s` : `${age / 150} min`)

export const HOUR = 9_000
/** Slots after which an impatient buyer sells, and since whose last trade a token can still be bought. */
export const QUARTER = 2_250
/** Slots between two samples of a token's colour, and of the lists. */
export const SAMPLE = 150
export const LISTING = 750

/**
 * The standard, apart from the engine's: the code under evaluation must not set it. A drain and a halving are asked
 * about where there is something to lose; a buyer sells at `take` or `stop` of the price.
 */
export const STANDARD = {
  drain: { leastLamports: 2_000_000_000, left: 0.2 },
  halving: { leastMultiple: 2, left: 0.5 },
  buyer: { take: 2, stop: 0.6, fee: 0.0125 },
} as const

export const QUESTIONS = ['drain', 'halving', 'buyer'] as const satisfies readonly Question[]
export type { Question }

/** `over`: red for what happened, which is no forecast: it is drained, rugged, dead, or its own people have just sold. */
export const COLOURS = ['green', 'yellow', 'red', 'over', 'grey'] as const
export type Colour = (typeof COLOURS)[number]

/** Single numbers that the outlook has to beat. */
export const BASELINES = [
  'age',
  'market cap',
  'price multiple',
  'holders',
  'liquidity',
  'first bag',
  'net flow',
  'idle time',
] as const
export type Baseline = (typeof BASELINES)[number]

/** The fate of a token, and of a buyer of 0.5 SOL with costs (share of the stake); null if the log ends before. */
export interface Outcome {
  /** The reserve fell to a fifth, the price to half, within the hour. */
  drained: boolean | null
  halved: boolean | null
  /** The price doubled before it fell to 0.6, or is above the fees after 15 minutes: the question `buyer`. */
  gained: boolean | null
  /** Sold at the double, at 0.6, or after 15 minutes; or after the hour; or held for the hour. */
  quick: number | null
  hour: number | null
  hold: number | null
}

/** One token at one age, as served. */
export interface Look extends Outcome {
  readonly launch: Launch
  readonly age: number
  readonly slot: number
  readonly colour: Colour
  readonly code: string
  /** Codes of the reasons behind it. */
  readonly reasons: readonly string[]
  readonly score: number
  /** False where nothing could be scored: then the rating is grey. */
  readonly hasReading: boolean
  readonly rating: Colour
  readonly state: readonly ('drained' | 'rugged')[]
  /** The served answer, null where the question was not answered. */
  readonly foretold: Readonly<Record<Question, { readonly p: number; readonly n: number } | null>>
  /** True if the standard asks. */
  readonly asked: Readonly<Record<Question, boolean>>
  readonly single: Readonly<Record<Baseline, number>>
}

export interface Sample {
  readonly slot: number
  readonly colour: Colour
  readonly code: string
  readonly price: number
  readonly holders: number
}

/** A trade of the token's own people, by the truth. */
interface OwnTrade {
  readonly slot: number
  readonly isBuy: boolean
  readonly tokens: number
  /** True for the wallet's first trade anywhere. */
  readonly isNew: boolean
}

export interface Launch {
  readonly id: number
  /** Base58. */
  readonly mint: string
  readonly deployer: string | null
  readonly createdSlot: number
  readonly truth: TruthToken | null
  readonly own: OwnTrade[]
  readonly samples: Sample[]
  supply: number
  /** Base units bought in the creation slot. */
  firstBag: number
  /** Lamports: the highest reserve, and the lowest after it. */
  high: number
  low: number
  /** Slot of the last trade in the log, -1 if none. */
  lastTrade: number
  /** State at the end of the log. */
  ruggedSlot: number
  groups: readonly (readonly string[])[]
  fundersKnown: boolean
}

/** A purchase of a token from a list. */
export interface Listed extends Outcome {
  readonly launch: Launch
  readonly slot: number
  readonly list: string
}

/** The looks at one market. */
export interface Material {
  readonly name: string
  readonly slots: readonly [number, number]
  readonly trades: number
  readonly launches: readonly Launch[]
  readonly looks: readonly Look[]
  readonly listed: readonly Listed[]
}

/** A part of the report. `figures` are compared when something is hidden. */
export interface Section {
  readonly title: string
  readonly lines: readonly string[]
  readonly bars: readonly Bar[]
  readonly figures: Readonly<Record<string, string>>
}

/** A requirement; null if it could not be judged for want of cases. */
export interface Bar {
  readonly bar: string
  readonly passed: boolean | null
  readonly detail: string
}
