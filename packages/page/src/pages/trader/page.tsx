import type { AppSearch } from '@ti/core/contract/app.ts'
import type { Trader } from '@ti/core/contract/resources.ts'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { Bar } from '../../ui/bar.tsx'
import { Flag } from '../../ui/flag.tsx'
import { counted, shortAddress } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { Ago } from '../../ui/values.tsx'
import { UnknownWallet, WalletPage } from '../../ui/wallet.tsx'
import { Star } from '../../watch/star.tsx'
import { type Figure, figureGroups } from './fields.ts'
import css from './page.module.css'
import { Positions, Ties } from './positions.tsx'
import { RecentTokens } from './recent.tsx'

/** milliseconds between two requests */
const REFRESH_MS = 20_000

export default function Page({ id: address }: { id: string }) {
  const trader = useResource<Trader>(`/v1/traders/${address}`, { everyMs: REFRESH_MS })
  const about = useResource<AppSearch>(`/app/search?q=${address}`)
  const { data, error } = trader
  const wallet = about.data?.wallet ?? null
  useTitle(`${data?.name ?? shortAddress(address)} · trader`)

  if (data === null && error?.status === 404)
    return <Unknown address={address} isDeployer={wallet?.is_deployer ?? false} />
  return (
    <WalletPage
      kind="Trader"
      address={address}
      name={data?.name ?? null}
      star={<Star kind="wallet" target={address} name={data?.name ?? shortAddress(address)} />}
      beside={<Facts trader={data} wallet={wallet} />}
    >
      {data === null && error !== null && <Failure error={error} retry={trader.refresh} />}
      {data === null && error === null && <Skeleton lines={12} />}
      <Ties address={address} />
      {data !== null && <Profile trader={data} />}
    </WalletPage>
  )
}

interface FactsProps {
  readonly trader: Trader | null
  readonly wallet: AppSearch['wallet']
}

const Facts = ({ trader, wallet }: FactsProps) => (
  <ul className={css.facts}>
    {trader?.smart_money && (
      <li>
        <Flag rating="green">smart money</Flag>
      </li>
    )}
    {trader?.name != null && (
      <li>
        <Flag>tracked</Flag>
      </li>
    )}
    {wallet !== null && <li>{counted(wallet.trades, 'trade')} seen</li>}
    {trader?.last_active != null && (
      <li>
        last one <Ago at={trader.last_active} /> ago
      </li>
    )}
    {wallet?.is_deployer && (
      <li>
        <Link to={`/deployer/${wallet.address}`}>it launches tokens too</Link>
      </li>
    )}
  </ul>
)

const Profile = ({ trader }: { trader: Trader }) => (
  <>
    <p className={css.verdict}>
      {trader.smart_money
        ? 'Smart money: patient, with few trades in groups, and among the best in profit, return and win rate of all wallets with at least 20 closed positions.'
        : 'Not smart money: that takes at least 20 closed positions and a place among the best in profit, return and win rate.'}
    </p>
    <Positions address={trader.user_address} />
    <div className={css.groups}>
      {figureGroups(trader).map(({ title, figures }) => (
        <Panel key={title} title={title} how="3-wallet-history">
          <dl className={css.figures}>
            {figures.map((figure) => (
              <Stat key={figure.key} figure={figure} />
            ))}
          </dl>
        </Panel>
      ))}
    </div>
    <Panel title="Recent tokens" how="3-wallet-history" note="newest first, at most 20">
      {trader.recent_mints.length === 0 ? <Empty>None recorded.</Empty> : <RecentTokens mints={trader.recent_mints} />}
    </Panel>
  </>
)

const Stat = ({ figure: { label, shown, beside, means, tone, share } }: { figure: Figure }) => (
  <div className={css.figure}>
    <dt>{label}</dt>
    <dd className={css.number} data-tone={tone}>
      {shown} {beside !== '' && <span className={css.beside}>{beside}</span>}
    </dd>
    {share !== null && (
      <dd>
        <Bar value={100 * share} label={`${label}, percent`} />
      </dd>
    )}
    <dd className="soft">{means}</dd>
  </div>
)

const Unknown = ({ address, isDeployer }: { address: string; isDeployer: boolean }) => (
  <UnknownWallet title="No trade of this wallet has been seen" address={address}>
    <p>The service knows wallets from their trades on the launchpads it follows.</p>
    {isDeployer && (
      <p>
        It has launched tokens, though: <Link to={`/deployer/${address}`}>see its launches</Link>.
      </p>
    )}
    <p>
      Is it a token? See <Link to={`/token/${address}`}>its page</Link>. Or go <Link to="/">to the board</Link>.
    </p>
  </UnknownWallet>
)
