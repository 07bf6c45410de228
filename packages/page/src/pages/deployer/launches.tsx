import type { DevToken } from '@ti/core/contract/resources.ts'
import type { Resource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, duration } from '../../ui/format.ts'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { TOKEN_ROWS, TokenRowHead } from '../../ui/token-row-head.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import { launchpadName } from '../token/launchpads.ts'
import css from './launches.module.css'
import { type Fate, type Paging, timeToPeak } from './record.ts'

interface LaunchesProps {
  readonly address: string
  readonly launches: Resource<DevToken[]>
  readonly paging: Paging
  /** outcomes of the newest launches only */
  readonly fates: ReadonlyMap<string, Fate>
}

export function Launches({ address, launches, paging, fates }: LaunchesProps) {
  const { data, error } = launches
  return (
    <>
      {data === null && error !== null && <Failure error={error} retry={launches.refresh} />}
      {data === null && error === null && <Skeleton lines={10} />}
      {data?.length === 0 && (
        <Empty>
          This page is empty. <Link to={`/deployer/${address}`}>To the first page</Link>
        </Empty>
      )}
      {data !== null && data.length > 0 && (
        <Table className={`${TOKEN_ROWS} ${css.table}`} columns={COLUMNS}>
          {data.map((token) => (
            <Launch key={token.mint} token={token} fate={fates.get(token.mint)} />
          ))}
        </Table>
      )}
      {paging.pages > 1 && <Pages address={address} paging={paging} />}
    </>
  )
}

const COLUMNS = [
  { label: 'Token' },
  { label: 'Launched' },
  { label: 'Launchpad' },
  { label: 'Peak', className: css.number },
  { label: 'Peaked after', className: css.number },
  { label: 'Became' },
]

function Launch({ token, fate }: { token: DevToken; fate: Fate | undefined }) {
  const seconds = timeToPeak(token)
  return (
    <Row>
      <TokenRowHead token={token} size={24} className={css.token} symbolClass={css.symbol}>
        {token.symbol !== '' && <bdi className={css.name}>{token.name}</bdi>}
      </TokenRowHead>
      <Cell className={css.when}>
        {token.deployed_at === null ? (
          'before the log started'
        ) : (
          <>
            <Ago at={token.deployed_at} /> ago
          </>
        )}
      </Cell>
      <Cell className={css.pad}>
        <bdi>{token.launchpad === null ? '' : launchpadName(token.launchpad)}</bdi>
      </Cell>
      <Cell className={css.peak}>
        <Usd value={token.ath_mcap} />
      </Cell>
      <Cell className={css.after}>{seconds === null ? '–' : duration(seconds)}</Cell>
      <Cell className={css.flags}>
        {(fate === 'rugged' || fate === 'drained') && <Flag rating="red">{fate}</Flag>}{' '}
        {token.has_migrated && <Flag rating="green">graduated</Flag>} {token.dex_paid && <Flag>DEX paid</Flag>}
      </Cell>
    </Row>
  )
}

function Pages({ address, paging: { page, pages, first, last } }: { address: string; paging: Paging }) {
  const to = (n: number): string => `/deployer/${address}${n === 1 ? '' : `?page=${n}`}`
  return (
    <nav className={css.pages} aria-label="Pages of launches">
      {page > 1 ? <Link to={to(Math.min(page - 1, pages))}>Newer</Link> : <span>Newer</span>}
      <span className={css.where}>
        {first <= last ? `${count(first)} to ${count(last)}, ` : ''}page {count(page)} of {count(pages)}
      </span>
      {page < pages ? <Link to={to(page + 1)}>Older</Link> : <span>Older</span>}
    </nav>
  )
}
