import { quantile } from './bootstrap.ts'
import { COLOURS } from './colours.ts'
import { colourOf, METRICS, type Metric } from './metrics.ts'
import type { Colour, Sample } from './sample.ts'

/** Where today's tokens land against the specification's thresholds. It is told, never tuned. */
export interface Threshold {
  /** the metric's name, or the rating's where no metric has its name */
  readonly name: string
  readonly rating: string | null
  readonly readings: number
  /** null without readings */
  readonly quartiles: readonly [number, number, number] | null
  readonly green: number | null
  readonly red: number | null
  /** colour of the median, by the specification's table */
  readonly medianColour: Colour | null
  /** served colours as shares of all samples; null when none was served */
  readonly shares: Readonly<Record<Colour, number>> | null
}

/** `samples` of one decision time. */
export function thresholds(samples: readonly Sample[]): Threshold[] {
  if (samples.length === 0) return []
  const names = (pick: (sample: Sample) => object): string[] =>
    [...new Set(samples.flatMap((sample) => Object.keys(pick(sample))))].sort()
  const metrics = names((sample) => sample.metrics)
  const rated = new Set(METRICS.filter(({ name }) => metrics.includes(name)).map(({ rating }) => rating))
  const others = names((sample) => sample.ratings).filter((rating) => !rated.has(rating) && rating !== 'score')
  return [
    row(samples, 'score', (sample) => sample.score, SCORE_RATING),
    ...metrics.map((name) => {
      const known = METRICS.find((metric) => metric.name === name)
      return row(samples, name, (sample) => sample.metrics[name] ?? null, known)
    }),
    ...others.map((rating) => ({ ...row(samples, rating, () => null), rating, shares: shares(samples, rating) })),
  ]
}

/** The served score's own edges: specification. */
const SCORE_RATING: Metric = {
  name: 'score',
  rating: 'score',
  better: 'high',
  green: 5,
  red: 3,
  greenEdge: true,
  redEdge: false,
}

function row(
  samples: readonly Sample[],
  name: string,
  read: (sample: Sample) => number | null,
  metric?: Metric,
): Threshold {
  const values = samples
    .map(read)
    .filter((value) => value !== null)
    .sort((a, b) => a - b)
  const at = (q: number): number => quantile(values, q)
  const quartiles = values.length === 0 ? null : ([at(0.25), at(0.5), at(0.75)] as const)
  const rating = metric?.rating ?? null
  return {
    name,
    rating,
    readings: values.length,
    quartiles,
    green: rating === null ? null : metric!.green,
    red: rating === null ? null : metric!.red,
    medianColour: rating === null || quartiles === null ? null : colourOf(metric!, quartiles[1]),
    shares: rating === null ? null : shares(samples, rating),
  }
}

function shares(samples: readonly Sample[], rating: string): Record<Colour, number> | null {
  if (samples.every((sample) => sample.ratings[rating] === undefined)) return null
  const share = (colour: Colour): number =>
    samples.filter((sample) => sample.ratings[rating] === colour).length / samples.length
  return Object.fromEntries(COLOURS.map((colour) => [colour, share(colour)])) as Record<Colour, number>
}
