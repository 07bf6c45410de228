import { bucketOf } from '../reading/knots.ts'
import type { InputName, Inputs } from './inputs.ts'

/** The scorecards: methodology, section 9. */

/** Points by the bin that a reading falls into, and where there is no reading. */
export interface CardInput {
  readonly input: InputName
  /** lower edges of the inner bins, ascending */
  readonly edges: readonly number[]
  /** whole; one more than edges */
  readonly points: readonly number[]
  readonly unknown: number
}

export interface Card {
  readonly inputs: readonly CardInput[]
  /** lowest sums of the second band and those above it; at most `OUTLOOK.bands` - 1 */
  readonly bands: readonly number[]
  /** probability by age class and band, millionths */
  readonly table: readonly (readonly number[])[]
}

export interface CardPart {
  readonly input: InputName
  /** null = no reading */
  readonly x: number | null
  readonly points: number
}

export const partsOf = (card: Card, inputs: Inputs): CardPart[] =>
  card.inputs.map(({ input, edges, points, unknown }) => {
    const x = inputs[input]
    return { input, x, points: x === null ? unknown : points[bucketOf(edges, x)]! }
  })

export const sumOf = (parts: readonly CardPart[]): number => parts.reduce((sum, { points }) => sum + points, 0)

/** How many bands the card distinguishes. */
export const bandCount = ({ bands }: Card): number => bands.length + 1

/** From 0. */
export const bandOf = ({ bands }: Card, sum: number): number => bucketOf(bands, sum)
