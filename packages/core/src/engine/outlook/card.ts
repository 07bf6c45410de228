import { bucketOf } from '../reading/knots.ts'
import type { InputName, InputOf } from './inputs.ts'

/** The scorecards (methodology, section 9). */

/** The points of one input, by the bin of its reading, and the points without a reading. */
export interface CardInput {
  readonly input: InputName
  /** Lower edges of the inner bins, ascending. */
  readonly edges: readonly number[]
  /** Whole numbers, one more than edges. */
  readonly points: readonly number[]
  readonly unknown: number
}

export interface Card {
  readonly inputs: readonly CardInput[]
  /** The lowest sum of each band except the first; at most `OUTLOOK.bands` - 1. */
  readonly bands: readonly number[]
  /** The probability by age class and band, millionths. */
  readonly table: readonly (readonly number[])[]
}

export interface CardPart {
  readonly input: InputName
  /** Null if there is no reading. */
  readonly x: number | null
  readonly points: number
}

export const partsOf = (card: Card, inputOf: InputOf): CardPart[] =>
  card.inputs.map(({ input, edges, points, unknown }) => {
    const x = inputOf(input)
    return { input, x, points: x === null ? unknown : points[bucketOf(edges, x)]! }
  })

export const sumOf = (parts: readonly CardPart[]): number => parts.reduce((sum, { points }) => sum + points, 0)

export const bandCount = ({ bands }: Card): number => bands.length + 1

export const bandOf = ({ bands }: Card, sum: number): number => bucketOf(bands, sum)
