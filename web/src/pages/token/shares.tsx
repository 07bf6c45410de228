import { useMemo } from 'react'
import type { AppExplain } from '../../../../src/contract/app.ts'
import type { Resource } from '../../api/resource.ts'
import { Bar } from '../../ui/bar.tsx'
import { count } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Pct } from '../../ui/values.tsx'
import { groupNamesOf, type ShareName, type ShareRow, shareRows } from './share-rows.ts'
import css from './shares.module.css'

/** wallets named for each share */
const LISTED_MAX = 10
/** open from the beginning: the reasons are most varied there */
const OPEN: ShareName = 'dirty_pct'

/** Who stands behind each percentage: the largest wallets, and why they count. */
export function Shares({ explain }: { explain: Resource<AppExplain> }) {
  const { data, error } = explain
  const rows = useMemo(() => (data === null ? [] : shareRows(data.shares, groupNamesOf(data.bundles))), [data])
  return (
    <Panel title="Who is behind each share" note="percent of the owned supply; open a row for its largest wallets">
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
          <Bar value={pct} rating={tone === 'bad' ? 'red' : 'green'} label={`${label}, percent of the owned supply`} />
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
