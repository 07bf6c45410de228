import { useMemo } from 'react'
import type { TokenSnapshot } from '../../../../src/contract/resources.ts'
import { Panel } from '../../ui/panel.tsx'
import { Tip } from '../../ui/tip.tsx'
import { type Cohort, cohortRows } from './cohort-rows.ts'
import css from './cohorts.module.css'
import { inPercent } from './readings.ts'

/** Seven ways to sort the owned supply by who holds it. */
export function Cohorts({ cohorts }: { cohorts: TokenSnapshot['cohorts'] }) {
  const rows = useMemo(() => cohortRows(cohorts), [cohorts])
  return (
    <Panel title="Cohorts" note="percent of the owned supply, by its holders’ history">
      <div className={css.cohorts}>
        {rows.map((cohort) => (
          <Bars key={cohort.name} cohort={cohort} />
        ))}
      </div>
    </Panel>
  )
}

const Bars = ({ cohort: { label, means, buckets, unread } }: { cohort: Cohort }) => (
  <section className={css.cohort}>
    <h3 className={css.title}>
      <Tip text={means}>{label}</Tip>
    </h3>
    <dl className={css.bars}>
      {buckets.map((bucket) => (
        <div key={bucket.label} data-none={bucket.pct === 0 || undefined}>
          <dt>{bucket.label}</dt>
          <dd className={css.value}>{inPercent(bucket.pct)}</dd>
          <dd className={css.track} aria-hidden="true">
            <span data-tone={bucket.tone} style={{ inlineSize: `${bucket.pct}%` }} />
          </dd>
        </div>
      ))}
      {unread > 0 && (
        <div className={css.unread}>
          <dt>no reading</dt>
          <dd className={css.value}>{inPercent(unread)}</dd>
        </div>
      )}
    </dl>
  </section>
)
