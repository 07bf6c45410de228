import type { Accuracy } from '@ti/core/contract/accuracy.ts'
import { count, counted, pct } from '../../ui/format.ts'

export type Question = Accuracy['questions'][number]

/** outcomes from which a share of them says something */
export const COUNTED = 20

export interface Bin {
  /** tenth of the probability, from 1 */
  readonly band: number
  /** mean served probability, 0 to 1 */
  readonly served: number
  readonly observed: number
  readonly n: number
  readonly hits: number
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
    .map(([band, { n, hits, expected }]) => ({
      ...{ band, n, hits, served: expected / n, observed: hits / n },
      ...wilson(hits, n),
    }))
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

/** tenth of 80% and more */
const HIGH = 9

/** "Of 207 predictions of 80% and more, 178 came true. Of the other 3,210, 96 did." The highest tenths with enough outcomes. */
export function answerOf(bins: readonly Bin[]): string {
  const sum = (some: readonly Bin[], of: 'n' | 'hits'): number => some.reduce((all, bin) => all + bin[of], 0)
  const n = sum(bins, 'n')
  if (n < COUNTED) return `Too early to say: ${counted(n, 'outcome')} so far, and ${COUNTED} are needed.`
  const over = (band: number) => bins.filter((bin) => bin.band >= band)
  const from = [HIGH, 8, 7, 6, 5, 4, 3, 2].find((band) => sum(over(band), 'n') >= COUNTED) ?? 1
  const [high, low] = [over(from), bins.filter(({ band }) => band < from)]
  const of = from === 1 ? '' : ` of ${pct(10 * (from - 1))} and more`
  const others = low.length === 0 ? '' : ` Of the other ${count(sum(low, 'n'))}, ${count(sum(low, 'hits'))} did.`
  return `Of ${count(sum(high, 'n'))} predictions${of}, ${count(sum(high, 'hits'))} came true.${others}`
}
