import type { AppSearch } from '@ti/core/contract/app.ts'
import type { WalletPosition, WalletSummary } from '@ti/core/contract/positions.ts'
import type { Trader } from '@ti/core/contract/resources.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Flag } from '../../ui/flag.tsx'
import { counted, shortAddress, sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { Ago } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import { Neighbours } from './neighbours.tsx'
import { Positions, Profit } from './positions.tsx'
import { habitsOf, traderInWords } from './words.ts'

/** milliseconds between two requests */
const REFRESH_MS = 20_000

export default function Page({ id: address }: { id: string }) {
  const trader = useResource<Trader>(`/v1/traders/${address}`, { everyMs: REFRESH_MS })
  const about = useResource<AppSearch>(`/app/search?q=${address}`)
  const positions = useResource<readonly WalletPosition[]>(`/v1/wallets/${address}/positions?limit=100`, {
    everyMs: REFRESH_MS,
  })
  const summary = positions.summary as WalletSummary | null
  const wallet = about.data?.wallet ?? null
  const { data, error } = trader
  useTitle(`${data?.name ?? shortAddress(address)} · trader`)

  if (data === null && error?.status === 404)
    return <Unknown address={address} isDeployer={wallet?.is_deployer ?? false} />
  return (
    <Frame
      kind="Trader"
      title={data?.name ?? null}
      address={address}
      star={<Star kind="wallet" target={address} name={data?.name ?? shortAddress(address)} />}
      beside={<Beside trader={data} wallet={wallet} />}
      lead={data !== null && traderInWords(data, positions.data ?? [])}
    >
      {summary !== null && <Ties summary={summary} />}
      <Loaded of={trader} lines={12}>
        {(trader) => <Profile trader={trader} positions={positions} summary={summary} trades={wallet?.trades ?? 0} />}
      </Loaded>
    </Frame>
  )
}

const Beside = ({ trader, wallet }: { trader: Trader | null; wallet: AppSearch['wallet'] }) => (
  <div className="row soft">
    {trader?.smart_money && <Flag rating="green">smart money</Flag>}
    {wallet !== null && <span>{counted(wallet.trades, 'trade')} seen</span>}
    {trader?.last_active != null && (
      <span>
        last one <Ago at={trader.last_active} /> ago
      </span>
    )}
    {wallet?.is_deployer && <Link to={`/deployer/${wallet.address}`}>What it launched</Link>}
  </div>
)

/** The crew and the funder of a wallet. */
function Ties({ summary: { actor, funder } }: { summary: WalletSummary }) {
  if (actor === null && funder === null) return null
  return (
    <p>
      {actor !== null && (
        <>
          Belongs to or serves the crew <Link to={`/actor/${actor.id}`}>{actor.name}</Link>.{' '}
        </>
      )}
      {funder !== null && (
        <>
          Its first {sol(funder.sol)} SOL came from <Address value={funder.wallet} kind="wallet" />
        </>
      )}
    </p>
  )
}

interface ProfileProps {
  readonly trader: Trader
  readonly positions: Resource<readonly WalletPosition[]>
  readonly summary: WalletSummary | null
  /** seen */
  readonly trades: number
}

const Profile = ({ trader, positions, summary, trades }: ProfileProps) => (
  <>
    <div className="halves">
      <Panel title="Results and habits" how="3-wallet-history" note="over all its trades">
        <Facts facts={habitsOf(trader, { trades, tokens: summary?.mints_bought ?? 0 })} />
      </Panel>
      <Neighbours address={trader.user_address} />
    </div>
    <Positions address={trader.user_address} positions={positions} summary={summary} />
    <Profit positions={positions.data ?? []} slot={summary?.slot ?? 0} />
  </>
)

const Unknown = ({ address, isDeployer }: { address: string; isDeployer: boolean }) => (
  <Frame
    title="No trade of this wallet has been seen"
    address={address}
    lead="The service knows wallets from their trades on the launchpads it follows."
  >
    {isDeployer && (
      <p>
        It has launched tokens, though: <Link to={`/deployer/${address}`}>see its launches</Link>.
      </p>
    )}
    <p>
      Is it a token? See <Link to={`/token/${address}`}>its page</Link>. Or go <Link to="/">to the board</Link>.
    </p>
  </Frame>
)
