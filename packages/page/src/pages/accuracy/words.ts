import type { Accuracy } from '@ti/core/contract/accuracy.ts'

type Question = Accuracy['questions'][number]

export interface Bin {
  /** mean served probability, 0 to 1 */
  readonly served: number
  readonly observed: number
  readonly n: number
  /** 95% interval of the observed share (Wilson) */
  readonly low: number
  readonly high: number
}

const Z = 1.96

/** Wilson interval of a share. */
export function wilson(hits: number, n: number): { low: number; high: number } {
  const p = hits / n
  const z2 = (Z * Z) / n
  const middle = (p + z2 / 2) / (1 + z2)
  const half = (Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n))) / (1 + z2)
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Merges the tenths of all ages; those without an outcome are omitted. */
export function binsOf({ ages }: Pick<Question, 'ages'>): Bin[] {
  const sums = new Map<number, { n: number; hits: number; expected: number }>()
  for (const { band, n, hits, expected } of ages.flatMap(({ bands }) => bands)) {
    const sum = sums.get(band) ?? { n: 0, hits: 0, expected: 0 }
    sums.set(band, { n: sum.n + n, hits: sum.hits + hits, expected: sum.expected + expected })
  }
  return [...sums.entries()]
    .sort(([a], [b]) => a - b)
    .filter(([, { n }]) => n > 0)
    .map(([, { n, hits, expected }]) => ({ served: expected / n, observed: hits / n, n, ...wilson(hits, n) }))
}

export const WORDS: Readonly<Record<Question['question'], { title: string; means: string }>> = {
  drain: {
    title: 'Drained within an hour',
    means: 'Did at least 80% of the money in the market leave within an hour? Asked where it held 2 SOL or more.',
  },
  halving: {
    title: 'Price halved within an hour',
    means:
      'Was the price half or less within an hour? Asked where it was at least twice the launch price, or the token had graduated.',
  },
  buyer: {
    title: 'A buyer gained',
    means:
      'Would 0.5 SOL bought then and sold at +100%, at −40% or after 15 minutes have ended with a gain, fees included?',
  },
}

/** Mean served probability minus observed share, in percentage points; null without outcomes. */
export const gapOf = ({ n, hits, expected }: Pick<Question, 'n' | 'hits' | 'expected'>): number | null =>
  n === 0 ? null : (100 * (expected - hits)) / n
