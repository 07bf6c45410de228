import { useLayoutEffect, useRef } from 'react'
import { showAge } from './clock.ts'
import { count, NONE, pct, usd, usdExact } from './format.ts'
import css from './ui.module.css'

type Value = number | null | undefined

/** A dash, with words for screen readers. */
const None = () => (
  <span className={css.muted}>
    <span aria-hidden="true">{NONE}</span>
    <span className="unseen">no reading</span>
  </span>
)

export const Pct = ({ value, digits }: { value: Value; digits?: number }) =>
  value == null ? <None /> : <span className={css.number}>{pct(value, digits)}</span>

export const Usd = ({ value }: { value: Value }) =>
  value == null ? (
    <None />
  ) : (
    <span className={css.number} title={usdExact(value)}>
      {usd(value)}
    </span>
  )

export const Count = ({ value }: { value: Value }) =>
  value == null ? <None /> : <span className={css.number}>{count(value)}</span>

/** A live age; the title has the moment. */
export function Ago({ at }: { at: string | number | null | undefined }) {
  const ref = useRef<HTMLTimeElement>(null)
  const time = at == null ? Number.NaN : new Date(at).getTime()
  useLayoutEffect(() => (ref.current === null || Number.isNaN(time) ? undefined : showAge(ref.current, time)), [time])
  if (Number.isNaN(time)) return <None />
  return <time ref={ref} className={css.number} dateTime={new Date(time).toISOString()} />
}
