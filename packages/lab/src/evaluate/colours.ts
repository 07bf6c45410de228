import type { Case, Colour } from './cases.ts'
import { answered, type Population, sum, yesOf } from './populations.ts'
import { IS_GOOD, type Question } from './questions.ts'
import { type Rate, wilson } from './wilson.ts'

export const COLOURS: readonly Colour[] = ['green', 'yellow', 'red', 'neutral']

/** A colour with fewer cases is not judged. */
export const CASES_MIN = 100

/** The rate of yes by the colour of the score. */
export interface ColourRates {
  readonly question: Question
  readonly population: Population
  readonly rates: Readonly<Record<Colour, Rate>>
  /** True if no colour with enough cases is worse than the next one; null if fewer than two have. */
  readonly ordered: boolean | null
}

export function colourRates(all: readonly Case[], question: Question, population: Population): ColourRates {
  const cases = answered(all, question, population)
  const rateOf = (colour: Colour): Rate => {
    const those = cases.filter((one) => one.colour === colour)
    return wilson(sum(yesOf(those, question)), those.length)
  }
  const rates = Object.fromEntries(COLOURS.map((colour) => [colour, rateOf(colour)])) as ColourRates['rates']
  const fear = ({ rate }: Rate): number => (IS_GOOD[question] ? -rate! : rate!)
  const enough = [rates.green, rates.yellow, rates.red].filter(({ n }) => n >= CASES_MIN)
  const ordered = enough.every((rate, i) => i === 0 || fear(enough[i - 1]!) <= fear(rate))
  return { question, population, rates, ordered: enough.length < 2 ? null : ordered }
}
