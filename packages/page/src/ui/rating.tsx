import type { ReactNode } from 'react'
import css from './ui.module.css'

export type RatingValue = 'green' | 'yellow' | 'red' | 'neutral'

/** Each rating has a shape of its own, so that colour is never the only sign. */
const SHAPE: Record<RatingValue, string> = {
  green: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4z',
  yellow: 'M5 .9 9.6 9H.4z',
  red: 'M1 1h8v8H1z',
  neutral: 'M5 .8a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 0 1 0-8.4zm0 1.6a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 0 0 0-5.2z',
}

const RatingMark = ({ value }: { value: RatingValue }) => (
  <svg className={css.shape} data-rating={value} viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
    <path d={SHAPE[value]} fill="currentColor" fillRule="evenodd" />
  </svg>
)

/** A value in the colour of its rating. */
export const Rating = ({ value, children }: { value: RatingValue; children?: ReactNode }) => (
  <span className={css.rating} data-rating={value}>
    <RatingMark value={value} />
    <span className="unseen">{value}: </span>
    {children}
  </span>
)

/** A score in the colour of the token's verdict; null until that is known. */
export const ScoreBadge = ({ score, colour }: { score: number; colour: RatingValue | null }) => (
  <span
    className={css.score}
    data-rating={colour ?? 'neutral'}
    title={`verdict ${colour ?? 'not loaded'}, quality score ${score.toFixed(1)} of 10`}
  >
    {colour !== null && <RatingMark value={colour} />}
    <span className="unseen">verdict {colour ?? 'not loaded'}, score </span>
    {score.toFixed(1)}
  </span>
)
