import type { ReactNode } from 'react'
import css from './flag.module.css'
import type { RatingValue } from './rating.tsx'

/** A short fact about something: graduated, copy, DEX paid. */
export const Flag = ({ children, rating, title }: { children: ReactNode; rating?: RatingValue; title?: string }) => (
  <span className={css.flag} data-rating={rating ?? 'neutral'} title={title}>
    {children}
  </span>
)
