import type { Who } from '@ti/core/contract/who.ts'
import { count, pct } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'

export type Question = keyof Who['outlook']

interface Words {
  readonly label: string
  readonly means: string
}

export const OUTLOOK: Readonly<Record<Question, Words>> = {
  drain: {
    label: 'Drained within an hour',
    means: 'Will at least 80% of the SOL in its market leave within an hour? Counted among the latest tokens like it.',
  },
  halving: {
    label: 'Halves within an hour',
    means:
      'Will the price be half or less within an hour? Asked where it is at least twice the first, or after graduation.',
  },
  buyer: {
    label: 'A buyer now gains',
    means: 'Would 0.5 SOL, sold at twice the price, at 40% less or after 15 minutes, end with a gain after fees?',
  },
}

interface Chance {
  readonly text: string
  readonly counted: string
  readonly rating: RatingValue
}

/** Probability as "54%" and its sample, in the colour of its reason in the verdict; null if the question does not apply. */
export function chanceOf(
  question: Question,
  { outlook: all, verdict }: Pick<Who, 'outlook' | 'verdict'>,
): Chance | null {
  const outlook = all[question]
  if (outlook === null) return null
  const { p, n, hits } = outlook
  if (p === null) return { text: 'learning', counted: `${count(n)} of 20 like it counted`, rating: 'neutral' }
  const rating = verdict.reasons.find(({ code }) => code === `outlook_${question}`)?.colour ?? 'neutral'
  return { text: pct(100 * p), counted: `${count(hits)} of the latest ${count(n)} like it`, rating }
}
