import type { WalletPosition, WalletSummary } from '@ti/core/contract/positions.ts'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { Download } from '../../ui/download.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, NONE, pct, signedSol, sol, toneOf } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { type TokenColumn, TokenTable } from '../../ui/token-table.tsx'
import { History } from './history.tsx'
import { resultOf } from './results.ts'

/** milliseconds between two requests */
const REFRESH_MS = 30_000

/** Positions of a wallet, token by token. */
export function Positions({ address }: { address: string }) {
  const positions = useResource<readonly WalletPosition[]>(`/v1/wallets/${address}/positions?limit=100`, {
    everyMs: REFRESH_MS,
  })
  const { data, error } = positions
  const summary = positions.summary as WalletSummary | null
  return (
    <>
      {data !== null && data.length > 0 && <History address={address} positions={data} summary={summary} />}
      <Panel
        title="Positions"
        how="2-positions"
        note={
          summary === null || summary.complete
            ? 'every token it traded'
            : `${count(summary.known)} of the ${count(summary.mints_bought)} tokens it bought: the last ones`
        }
        actions={
          data !== null && data.length > 0 ? (
            <Download
              name={`positions-${address}`}
              rows={() => data.map(({ group, ...row }) => ({ ...row, group: group?.name ?? null }))}
            />
          ) : undefined
        }
      >
        {data === null && error !== null && <Failure error={error} retry={positions.refresh} />}
        {data === null && error === null && <Skeleton lines={8} />}
        {data?.length === 0 && <Empty>None recorded.</Empty>}
        {data !== null && data.length > 0 && <Table positions={data} />}
      </Panel>
    </>
  )
}

function Table({ positions }: { positions: readonly WalletPosition[] }) {
  const { made, open, won, lost } = resultOf(positions)
  return (
    <>
      <Facts
        facts={[
          { label: 'Realised on these', value: signedSol(made), tone: toneOf(made) ?? 'plain' },
          {
            label: 'Unrealised',
            value: signedSol(open),
            tone: toneOf(open) ?? 'plain',
            means: 'What it still holds, at the last price.',
          },
          { label: 'With a gain', value: count(won) },
          { label: 'With a loss', value: count(lost) },
        ]}
      />
      <TokenTable label="Positions" rows={positions} columns={COLUMNS} />
    </>
  )
}

const gain = (value: number | null): string => (value === null ? NONE : signedSol(value))

const COLUMNS: readonly TokenColumn<WalletPosition>[] = [
  { label: 'Holds', number: true, means: 'Percent of total supply.', cell: ({ holds_pct }) => pct(holds_pct) },
  { label: 'Sold', number: true, means: 'Percent of total supply.', cell: ({ sold_pct }) => pct(sold_pct) },
  { label: 'Paid', number: true, wide: true, cell: ({ paid_sol }) => `${sol(paid_sol)} SOL` },
  { label: 'Got', number: true, wide: true, cell: ({ got_sol }) => `${sol(got_sol)} SOL` },
  {
    label: 'Realised',
    number: true,
    cell: ({ realised_sol }) => gain(realised_sol),
    tone: ({ realised_sol }) => toneOf(realised_sol ?? 0),
  },
  {
    label: 'Unrealised',
    number: true,
    cell: ({ unrealised_sol }) => gain(unrealised_sol),
    tone: ({ unrealised_sol }) => toneOf(unrealised_sol ?? 0),
  },
  {
    label: 'Role',
    cell: ({ deployed, group }) => (
      <>
        {deployed && <Flag>deployed it</Flag>}{' '}
        {group !== null && <Flag title="A confirmed group of coordinated wallets.">in {group.name}</Flag>}
      </>
    ),
  },
  {
    label: 'Became',
    cell: ({ graduated, drained, rugged }) => (
      <>
        {graduated && <Flag rating="green">graduated</Flag>}{' '}
        {rugged ? <Flag rating="red">rugged</Flag> : drained && <Flag rating="red">drained</Flag>}
      </>
    ),
  },
]

/** The actor and the funder of a wallet. */
export function Ties({ address }: { address: string }) {
  const { summary } = useResource<readonly WalletPosition[]>(`/v1/wallets/${address}/positions?limit=1`)
  const ties = summary as WalletSummary | null
  if (ties === null || (ties.actor === null && ties.funder === null)) return null
  return (
    <p>
      {ties.actor !== null && (
        <>
          Belongs to or serves the actor <Link to={`/actor/${ties.actor.id}`}>{ties.actor.name}</Link>.{' '}
        </>
      )}
      {ties.funder !== null && (
        <>
          Its first SOL came from <Address value={ties.funder.wallet} kind="wallet" />: {sol(ties.funder.sol)} SOL.
        </>
      )}
    </p>
  )
}
