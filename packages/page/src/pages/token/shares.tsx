import type { AppExplain } from '@ti/core/contract/app.ts'
import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import { useMemo } from 'react'
import type { Resource } from '../../api/resource.ts'
import { Bar } from '../../ui/bar.tsx'
import { count } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { Pct } from '../../ui/values.tsx'
import { type Cohort, cohortRows, groupNamesOf, type ShareName, type ShareRow, shareRows } from './share-rows.ts'
import css from './shares.module.css'
import { inPercent } from './words.ts'

/** wallets listed per share */
const LISTED_MAX = 10
/** initially open, because its reasons vary most */
const OPEN: ShareName = 'dirty_pct'

/** Lists the largest wallets of each share and why they count. */
export function Shares({ explain }: { explain: Resource<AppExplain> }) {
  const { data, error } = explain
  const rows = useMemo(() => (data === null ? [] : shareRows(data.shares, groupNamesOf(data.bundles))), [data])
  return (
    <Panel
      title="Who is behind each share"
      how="4-score-group"
      note="percent of holders’ coins; open a row for its largest wallets"
    >
      {data === null && error !== null && <Empty>Not read: {error.message}</Empty>}
      {data === null && error === null && <Skeleton lines={9} />}
      <div className={css.list}>
        {rows.map((row) => (
          <Share key={row.name} row={row} />
        ))}
      </div>
    </Panel>
  )
}

function Share({ row }: { row: ShareRow }) {
  const { label, means, tone, pct, wallets, largest } = row
  return (
    <details className={css.share} open={row.name === OPEN}>
      <summary>
        <span className={css.label}>{label}</span>
        <span className={css.bar}>
          <Bar value={pct} rating={tone === 'bad' ? 'red' : 'green'} label={`${label}, percent of holders’ coins`} />
        </span>
        <span className={css.pct}>
          <Pct value={pct} digits={1} />
        </span>
        <span className={css.wallets}>
          {count(wallets)} {wallets === 1 ? 'wallet' : 'wallets'}
        </span>
      </summary>
      <p className={css.means}>{means}</p>
      {largest.length > 0 && (
        <ol className={css.holders}>
          {largest.slice(0, LISTED_MAX).map(({ wallet, pct: held, why }) => (
            <li key={wallet}>
              <Address value={wallet} kind="wallet" />
              <span className={css.why}>
                <bdi>{why.join(', ')}</bdi>
              </span>
              <Pct value={held} digits={2} />
            </li>
          ))}
        </ol>
      )}
      {wallets > LISTED_MAX && largest.length > 0 && (
        <p className={css.means}>and {count(wallets - Math.min(LISTED_MAX, largest.length))} smaller</p>
      )}
    </details>
  )
}

/** Seven distributions of the holders' coins. */
export function Cohorts({ cohorts }: { cohorts: TokenSnapshot['cohorts'] }) {
  const rows = useMemo(() => cohortRows(cohorts), [cohorts])
  return (
    <Panel title="Cohorts" how="5-cohorts" note="percent of holders’ coins, by its holders’ history">
      <div className={css.cohorts}>
        {rows.map((cohort) => (
          <Bars key={cohort.name} cohort={cohort} />
        ))}
      </div>
    </Panel>
  )
}

const Bars = ({ cohort: { label, means, buckets, unread } }: { cohort: Cohort }) => (
  <section>
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
