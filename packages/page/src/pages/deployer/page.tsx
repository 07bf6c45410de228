import { deployerRecord } from '@ti/core/base/record.ts'
import type { AppDeployer } from '@ti/core/contract/app.ts'
import type { DevSummary, DevToken } from '@ti/core/contract/resources.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import { SurvivalCurve } from '../../charts/survival-curve.tsx'
import { Link, useRoute } from '../../shell/router.tsx'
import { Download } from '../../ui/download.tsx'
import { Facts } from '../../ui/facts.tsx'
import { count, duration, NONE, pct, SLOT_S, shortAddress, signedSol, usd } from '../../ui/format.ts'
import { fateColumn, LIFE_MEANS, Life, useLives } from '../../ui/life.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table, type TokenColumn, TokenTable } from '../../ui/table.tsx'
import { useTitle } from '../../ui/title.ts'
import { Ago, Usd } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import { launchpadName } from '../token/launchpads.ts'
import { PAGE_SIZE, type Paging, pageOf, pagingOf } from './paging.ts'

/** milliseconds between two requests */
const REFRESH_MS = 30_000

export default function Page({ id: address }: { id: string }) {
  const { query } = useRoute()
  const offset = (pageOf(query.get('page')) - 1) * PAGE_SIZE
  const path = `/v1/devs/${address}/tokens?limit=${PAGE_SIZE}&offset=${offset}`
  const launches = useResource<DevToken[]>(path, { everyMs: REFRESH_MS })
  // totals over all launches; they stay while another page loads
  const overall = useResource<DevToken[]>(`/v1/devs/${address}/tokens?limit=1`, { everyMs: 2 * REFRESH_MS })
  const record = useResource<AppDeployer>(`/app/deployers/${address}`, { everyMs: REFRESH_MS })
  const summary = launches.summary ?? overall.summary
  const { error } = overall
  useTitle(`${shortAddress(address)} · deployer`)

  if (summary === null && error?.status === 404)
    return (
      <Frame title="This wallet has launched nothing here" address={address}>
        <p>
          See <Link to={`/trader/${address}`}>what it traded</Link>, or go <Link to="/">to the board</Link>.
        </p>
      </Frame>
    )
  return (
    <Frame
      kind="Deployer"
      title={null}
      address={address}
      star={<Star kind="deployer" target={address} name={record.data?.name ?? shortAddress(address)} />}
      beside={<Link to={`/trader/${address}`}>What it traded</Link>}
      lead={record.data !== null && <Lead deployer={record.data} />}
    >
      <Loaded of={{ ...overall, data: summary }} lines={14}>
        {(summary) => (
          <>
            <Record summary={summary} record={record.data} />
            <Panel
              title="Its launches"
              how="1-token-basics"
              note={`newest first, ${PAGE_SIZE} a page`}
              actions={
                <Download name={`launches-${address}`} rows={() => (launches.data ?? []).map((row) => ({ ...row }))} />
              }
            >
              <Launches
                address={address}
                launches={launches}
                record={record.data}
                paging={pagingOf(query.get('page'), summary.total_deployed)}
              />
            </Panel>
            <Reached summary={summary} />
          </>
        )}
      </Loaded>
    </Frame>
  )
}

const Lead = ({ deployer }: { deployer: AppDeployer }) => (
  <>
    {deployerRecord(deployer)}.{' '}
    {deployer.actor !== null && (
      <>
        It works with the crew <Link to={`/actor/${deployer.actor.id}`}>{deployer.actor.name}</Link>.
      </>
    )}
  </>
)

/** Its habits with its launches: means over all of them. */
function Record({ summary, record }: { summary: DevSummary; record: AppDeployer | null }) {
  const all = record?.all ?? null
  const share = (value: number | null | undefined): string => (value == null ? NONE : pct(value))
  return (
    <Panel title="What it does with its launches" how="6-lists-agents-deployers" note="over all of them">
      <Facts
        facts={[
          {
            label: 'Took out in all',
            value: all === null ? NONE : signedSol(all.taken_sol),
            means: 'What its own sales brought less what its buys cost.',
            tone: all !== null && all.taken_sol > 0 ? 'bad' : 'plain',
          },
          {
            label: 'First sale after',
            value: all?.first_sale_slots == null ? NONE : duration(all.first_sale_slots * SLOT_S),
          },
          { label: 'Buys at launch', value: share(all?.bought_pct), means: 'Percent of total supply.' },
          {
            label: 'Bundled after a minute',
            value: share(all?.bundled_1m_pct),
            means: 'Percent of total supply with coordinated groups one minute after the launch.',
          },
          {
            label: 'Best peak',
            value: <Usd value={summary.best_ath_mcap} />,
            means: 'The highest market cap that any of its launches reached.',
          },
        ]}
      />
    </Panel>
  )
}

interface LaunchesProps {
  readonly address: string
  readonly launches: Resource<DevToken[]>
  readonly record: AppDeployer | null
  readonly paging: Paging
}

function Launches({ address, launches, record, paging }: LaunchesProps) {
  const lives = useLives(launches.data?.map(({ mint }) => mint) ?? [])
  // only of the newest
  const own = new Map(record?.launches.map((launch) => [launch.mint, launch]))
  const columns: readonly TokenColumn<DevToken>[] = [
    {
      label: 'Launched',
      wide: true,
      cell: ({ deployed_at }) => (deployed_at === null ? 'before the log started' : <Ago at={deployed_at} />),
    },
    { label: 'Its life', means: LIFE_MEANS, cell: ({ mint }) => <Life life={lives.get(mint)} /> },
    fateColumn(lives),
    { label: 'Peak', number: true, wide: true, cell: ({ ath_mcap }) => <Usd value={ath_mcap} /> },
    {
      label: 'It bought',
      number: true,
      wide: true,
      means: 'Percent of total supply, at the launch.',
      cell: ({ mint }) => pctOrNone(own.get(mint)?.bought_pct),
    },
    {
      label: 'It took',
      number: true,
      wide: true,
      means: 'What its own sales brought less what its buys cost.',
      cell: ({ mint }) => {
        const launch = own.get(mint)
        return launch === undefined ? NONE : signedSol(launch.taken_sol)
      },
    },
    {
      label: 'Launchpad',
      wide: true,
      cell: ({ launchpad }) => <bdi>{launchpad === null ? NONE : launchpadName(launchpad)}</bdi>,
    },
  ]
  return (
    <Loaded of={launches} lines={10}>
      {(data) => (
        <>
          {data.length === 0 ? (
            <Empty>
              This page is empty. <Link to={`/deployer/${address}`}>To the first page</Link>
            </Empty>
          ) : (
            <TokenTable
              label="Launches"
              rows={data}
              columns={columns}
              colourOf={({ mint }) => lives.get(mint)?.colour}
            />
          )}
          {paging.pages > 1 && <Pages address={address} paging={paging} />}
        </>
      )}
    </Loaded>
  )
}

const pctOrNone = (value: number | null | undefined): string => (value == null ? NONE : pct(value))

function Pages({ address, paging: { page, pages, first, last } }: { address: string; paging: Paging }) {
  const to = (n: number): string => `/deployer/${address}${n === 1 ? '' : `?page=${n}`}`
  return (
    <nav className="row" aria-label="Pages of launches">
      {page > 1 && <Link to={to(Math.min(page - 1, pages))}>Newer</Link>}
      <span className="soft">
        {first <= last ? `${count(first)} to ${count(last)}, ` : ''}page {count(page)} of {count(pages)}
      </span>
      {page < pages && <Link to={to(page + 1)}>Older</Link>}
    </nav>
  )
}

/** launches from which a share of them says something */
const COUNTED = 20

/** The survival of its launches; renders nothing while they are few. */
function Reached({ summary: { ath_milestones: rungs, ath_sample_size: sample } }: { summary: DevSummary }) {
  if (sample < COUNTED) return null
  return (
    <Panel
      title="How far its launches get"
      how="6-lists-agents-deployers"
      note={`of ${count(sample)} with a known peak`}
    >
      <div className="halves">
        <SurvivalCurve rungs={rungs} label={`Share of ${count(sample)} launches that reached each market cap`} />
        <Table
          label="Launches by the market cap they reached"
          columns={[{ label: 'Reached' }, { label: 'Launches', number: true }, { label: 'Share', number: true }]}
        >
          {rungs.map(({ mcap, pct: share, reached }) => (
            <Row key={mcap}>
              <RowHead>{usd(mcap)}</RowHead>
              <Cell number>{count(reached)}</Cell>
              <Cell number>{pct(share)}</Cell>
            </Row>
          ))}
        </Table>
      </div>
    </Panel>
  )
}
