import type { AppDeployer } from '@ti/core/contract/app.ts'
import type { DevSummary, DevToken } from '@ti/core/contract/resources.ts'
import { useResource } from '../../api/resource.ts'
import { SurvivalCurve } from '../../charts/survival-curve.tsx'
import { Link, useRoute } from '../../shell/router.tsx'
import { Download } from '../../ui/download.tsx'
import { count, pct, shortAddress, usd } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { recordOf } from '../../ui/record.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { useTitle } from '../../ui/title.ts'
import { Usd } from '../../ui/values.tsx'
import { UnknownWallet, WalletPage } from '../../ui/wallet.tsx'
import { Star } from '../../watch/star.tsx'
import { DeedsPanel } from './deeds.tsx'
import { Launches } from './launches.tsx'
import css from './page.module.css'
import { fateOf, hasSpread, PAGE_SIZE, pageOf, pagingOf } from './record.ts'

/** milliseconds between two requests */
const REFRESH_MS = 30_000

export default function Page({ id: address }: { id: string }) {
  const { query } = useRoute()
  const offset = (pageOf(query.get('page')) - 1) * PAGE_SIZE
  const path = `/v1/devs/${address}/tokens?limit=${PAGE_SIZE}&offset=${offset}`
  const launches = useResource<DevToken[]>(path, { everyMs: REFRESH_MS })
  // totals over all launches; they stay while another page loads
  const overall = useResource<DevToken[]>(`/v1/devs/${address}/tokens?limit=1`, { everyMs: 2 * REFRESH_MS })
  const deeds = useResource<AppDeployer>(`/app/deployers/${address}`, { everyMs: REFRESH_MS })
  const summary = launches.summary ?? overall.summary
  const error = overall.error ?? launches.error
  useTitle(`${shortAddress(address)} · deployer`)

  if (summary === null && error?.status === 404) return <Unknown address={address} />
  return (
    <WalletPage
      kind="Deployer"
      address={address}
      name={null}
      star={<Star kind="deployer" target={address} name={deeds.data?.name ?? shortAddress(address)} />}
      beside={<Link to={`/trader/${address}`}>its own trades</Link>}
    >
      {summary === null && error !== null && <Failure error={error} retry={overall.refresh} />}
      {summary === null && error === null && <Skeleton lines={14} />}
      {deeds.data !== null && <Deeds deployer={deeds.data} />}
      {summary !== null && <Summary summary={summary} />}
      {summary !== null && (
        <Panel
          title="Launches"
          how="1-token-basics"
          note={`newest first, ${PAGE_SIZE} a page`}
          actions={
            <Download name={`launches-${address}`} rows={() => (launches.data ?? []).map((row) => ({ ...row }))} />
          }
        >
          <Launches
            address={address}
            launches={launches}
            fates={new Map(deeds.data?.launches.map((launch) => [launch.mint, fateOf(launch).fate]))}
            paging={pagingOf(query.get('page'), summary.total_deployed)}
          />
        </Panel>
      )}
    </WalletPage>
  )
}

function Deeds({ deployer }: { deployer: AppDeployer }) {
  return (
    <>
      <p className={css.headline}>
        {recordOf(deployer, 'launch')}{' '}
        {deployer.actor !== null && (
          <>
            It belongs to or serves the actor <Link to={`/actor/${deployer.actor.id}`}>{deployer.actor.name}</Link>.
          </>
        )}
      </p>
      <DeedsPanel deployer={deployer} />
    </>
  )
}

function Summary({ summary }: { summary: DevSummary }) {
  const spread = hasSpread(summary)
  return (
    <>
      <div className={css.groups} data-single={!spread || undefined}>
        <Panel title="Record" how="6-lists-agents-deployers">
          <dl className={css.figures}>
            <div>
              <dt>
                <Tip text="Tokens launched by this wallet that the service has seen.">Launched</Tip>
              </dt>
              <dd className={css.number}>{count(summary.total_deployed)}</dd>
            </div>
            <div>
              <dt>
                <Tip text="Launches that graduated to a decentralized exchange, and their share of all launches.">
                  Graduated
                </Tip>
              </dt>
              <dd className={css.number}>
                {count(summary.bonded_count)} <span className={css.beside}>{pct(summary.bond_rate, 1)}</span>
              </dd>
            </div>
            <div>
              <dt>
                <Tip text="The highest market cap that any of its launches reached.">Best peak</Tip>
              </dt>
              <dd className={css.number}>
                <Usd value={summary.best_ath_mcap} />
              </dd>
            </div>
          </dl>
          {spread ? (
            <Quartiles summary={summary} />
          ) : (
            <p className="soft">Too few launches have a recorded peak to say how far they usually get.</p>
          )}
        </Panel>
        {spread && (
          <Panel
            title="How far its launches get"
            how="6-lists-agents-deployers"
            note="share of launches that reached each market cap"
          >
            <Ladder rungs={summary.ath_milestones} sample={summary.ath_sample_size} />
          </Panel>
        )}
      </div>
    </>
  )
}

function Quartiles({ summary: { ath_mcap_percentiles: peaks, ath_sample_size: sample } }: { summary: DevSummary }) {
  const percentiles = [
    ['A quarter peaked below', peaks.p25],
    ['Half peaked below', peaks.p50],
    ['Three quarters peaked below', peaks.p75],
    ['Nine of ten peaked below', peaks.p90],
  ] as const
  return (
    <>
      <dl className={css.percentiles}>
        {percentiles.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Usd value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="soft">of {count(sample)} launches with a recorded peak</p>
    </>
  )
}

const Ladder = ({ rungs, sample }: { rungs: DevSummary['ath_milestones']; sample: number }) => (
  <div className={css.ladder}>
    <SurvivalCurve rungs={rungs} label={`Share of ${count(sample)} launches that reached each market cap`} />
    <table className={css.rungs}>
      <thead>
        <tr>
          <th scope="col">Reached</th>
          <th scope="col">Launches</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {rungs.map(({ mcap, pct: share, reached }) => (
          <tr key={mcap} data-none={reached === 0 || undefined}>
            <th scope="row">{usd(mcap)}</th>
            <td>{count(reached)}</td>
            <td>{pct(share, 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Unknown = ({ address }: { address: string }) => (
  <UnknownWallet title="No launch of this wallet is tracked" address={address}>
    <p>
      See <Link to={`/trader/${address}`}>its trades</Link>, or go <Link to="/">to the board</Link>.
    </p>
  </UnknownWallet>
)
