import type { Cohort } from './cohort.ts'
import { IS_GOOD } from './cohort.ts'
import type { Colour } from './sample.ts'

export const COLOURS: readonly Colour[] = ['green', 'yellow', 'red', 'neutral']

/** Fewer samples of a colour say nothing about it. */
export const COLOUR_SAMPLES_MIN = 30

/** z of the two-sided 95 % interval */
const Z = 1.959963984540054

interface Rate {
  readonly n: number
  readonly positives: number
  /** null without samples; Wilson 95 % interval */
  readonly rate: number | null
  readonly low: number | null
  readonly high: number | null
}

/** Wilson's score interval: keeps its coverage for rates near 0 and 1, where most outcomes here lie. */
export function wilson(positives: number, n: number): Rate {
  if (n === 0) return { n, positives, rate: null, low: null, high: null }
  const p = positives / n
  const spread = (Z * Math.sqrt((p * (1 - p) + (Z * Z) / (4 * n)) / n)) / (1 + (Z * Z) / n)
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n)
  // at the ends the formula gives 0 and 1 up to its last bits
  const low = positives === 0 ? 0 : middle - spread
  return { n, positives, rate: p, low, high: positives === n ? 1 : middle + spread }
}

export interface ColourTable {
  readonly rating: string
  readonly colours: Readonly<Record<Colour, Rate>>
  /** whether green beats yellow beats red, among colours with enough samples; null = fewer than two of them */
  readonly monotone: boolean | null
  /** whether the intervals of the best and the worst of those colours lie apart, in the right direction */
  readonly apart: boolean | null
}

/** Outcome rate by colour, one table for each rating that the samples carry. */
export function colourTables(cohort: Cohort): ColourTable[] {
  const ratings = new Set(cohort.samples.flatMap((sample) => Object.keys(sample.ratings)))
  return [...ratings].sort().map((rating) => colourTable(cohort, rating))
}

function colourTable(cohort: Cohort, rating: string): ColourTable {
  const tally = (colour: Colour): Rate => {
    let n = 0
    let positives = 0
    cohort.samples.forEach((sample, i) => {
      if (sample.ratings[rating] !== colour) return
      n++
      positives += cohort.positive[i]!
    })
    return wilson(positives, n)
  }
  const [green, yellow, red, neutral] = COLOURS.map(tally) as [Rate, Rate, Rate, Rate]
  const best = [green, yellow, red].filter(({ n }) => n >= COLOUR_SAMPLES_MIN)
  const ordered = IS_GOOD[cohort.label] ? best : best.toReversed()
  const judged = ordered.length >= 2
  return {
    rating,
    colours: { green, yellow, red, neutral },
    monotone: judged ? ordered.every((rate, i) => i === 0 || ordered[i - 1]!.rate! > rate.rate!) : null,
    apart: judged ? ordered[0]!.low! > ordered.at(-1)!.high! : null,
  }
}
