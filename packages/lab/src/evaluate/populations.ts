import type { Case } from './cases.ts'
import { ASKED, type Question } from './questions.ts'

/** Populations in order of relevance: launches without holders or money are easy to predict and matter to few. */
const POPULATIONS = {
  'at least 20 holders': ({ holders }: Case) => holders >= 20,
  'at least 40 holders': ({ holders }: Case) => holders >= 40,
  'at least 2 SOL in the market': ({ real }: Case) => (real ?? 0) >= ASKED.reserveLamports,
  'price at least twice the start': ({ multiple }: Case) => (multiple ?? 0) >= ASKED.multiple,
  'all that are asked': () => true,
} as const
export type Population = keyof typeof POPULATIONS
export const POPULATION_NAMES = Object.keys(POPULATIONS) as Population[]
export const EVERYBODY: Population = 'all that are asked'

/** Cases of a population that have an answer. */
export const answered = (cases: readonly Case[], question: Question, population: Population): Case[] =>
  cases.filter((one) => one.answers[question] !== null && POPULATIONS[population](one))

export const yesOf = (cases: readonly Case[], question: Question): Uint8Array =>
  Uint8Array.from(cases, ({ answers }) => (answers[question] ? 1 : 0))

export const sum = (of: ArrayLike<number>): number => {
  let total = 0
  for (let i = 0; i < of.length; i++) total += of[i]!
  return total
}
