import type { ReactNode } from 'react'
import type { RatingValue } from './rating.tsx'
import css from './ui.module.css'

/** A short label, such as graduated or copy. */
export const Flag = ({ children, rating, title }: { children: ReactNode; rating?: RatingValue; title?: string }) => (
  <span className={css.flag} data-rating={rating ?? 'neutral'} title={title}>
    {children}
  </span>
)
