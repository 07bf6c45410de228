import type { AppCard } from '@ti/core/contract/app.ts'
import { count, counted } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'

/** Words and ratings of a card about the people behind its token. */

interface Chip {
  readonly text: string
  readonly rating: RatingValue
  readonly title: string
}

/** launches from which a deployer without a graduation is red, as in the rug filter */
const MANY = 10

export function deployerChip(more: AppCard | null): Chip {
  if (more === null) return { text: '', rating: 'neutral', title: '' }
  const { deployer } = more
  if (deployer === null) return { text: 'deployer unknown', rating: 'neutral', title: 'its launch was not seen' }
  const { launched, graduated, drained } = deployer
  if (launched === 0)
    return { text: 'first launch', rating: 'neutral', title: 'the deployer has launched nothing else' }
  const rating =
    graduated > 0 ? (graduated * 5 >= launched ? 'green' : 'neutral') : launched >= MANY ? 'red' : 'neutral'
  const robbed = drained === null || drained === 0 ? '' : `; ${count(drained)} drained of their money`
  return {
    text: `${count(graduated)} of ${count(launched)} graduated`,
    rating,
    title: `the deployer launched ${counted(launched, 'other token')}, ${count(graduated)} graduated${robbed}`,
  }
}

/** percent of supply sold by groups: visible in the price, and decisive */
const SOLD = { some: 1, much: 5 } as const
export const soldRating = (pct: number): RatingValue =>
  pct >= SOLD.much ? 'red' : pct >= SOLD.some ? 'yellow' : 'neutral'

/** probability of a drain */
const DRAIN = { some: 0.25, much: 0.5 } as const
export const drainRating = (p: number): RatingValue => (p >= DRAIN.much ? 'red' : p >= DRAIN.some ? 'yellow' : 'green')
