import { sol } from './format.ts'
import css from './ui.module.css'

interface FlowProps {
  /** SOL */
  readonly paid: number
  readonly got: number
  /** largest sum of the list, so that its rows compare */
  readonly most: number
}

/** Money in and out: what was paid leftwards, what was got rightwards of one line. */
export const Flow = ({ paid, got, most }: FlowProps) => {
  const share = (sum: number): string => `${most > 0 ? (100 * sum) / most : 0}%`
  return (
    <span className={css.flow}>
      <span>{sol(paid)}</span>
      <span className={css.paid} style={{ inlineSize: share(paid) }} />
      <span className={css.got} style={{ inlineSize: share(got) }} />
      <span>{sol(got)}</span>
    </span>
  )
}
