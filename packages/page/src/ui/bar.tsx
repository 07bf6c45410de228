import type { RatingValue } from './rating.tsx'
import css from './ui.module.css'

interface BarProps {
  readonly value: number
  readonly max?: number
  readonly rating?: RatingValue
  /** accessible description */
  readonly label: string
}

export function Bar({ value, max = 100, rating, label }: BarProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <span>
      <span className="unseen">{label}</span>
      <span className={css.track} aria-hidden="true">
        <span className={css.fill} data-rating={rating} style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </span>
  )
}
