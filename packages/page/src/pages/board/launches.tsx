import { useRef } from 'react'
import { Link } from '../../shell/router.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import { Ago } from '../../ui/values.tsx'
import { useBeat } from './beat.ts'
import css from './launches.module.css'
import type { Launch, Pulse } from './pulse.ts'

/** The latest launches, before they have a score. The number of lines is fixed, so that the list below does not move. */
export const Launches = ({ launches, pulse }: { launches: readonly Launch[]; pulse: Pulse }) => (
  <div className={css.launches}>
    {launches.length === 0 && <p className={css.none}>New launches appear here before they have a score.</p>}
    <ul aria-label="Just launched, no score yet">
      {launches.map((launch) => (
        <Line key={launch.mint} launch={launch} pulse={pulse} />
      ))}
    </ul>
  </div>
)

function Line({ launch: { mint, symbol, name, at }, pulse }: { launch: Launch; pulse: Pulse }) {
  const cap = useRef<HTMLSpanElement>(null)
  useBeat(pulse, mint, null, 0, { cap })
  return (
    <li>
      <Link to={`/token/${mint}`} className={css.line} tabIndex={-1}>
        <TokenMark mint={mint} size={16} />
        <span className={css.names}>
          <bdi className={css.symbol}>{symbol || '(no symbol)'}</bdi> <bdi>{name}</bdi>
        </span>
        <span className={css.cap} ref={cap} />
        <span className={css.age}>
          <Ago at={at} />
        </span>
      </Link>
    </li>
  )
}
