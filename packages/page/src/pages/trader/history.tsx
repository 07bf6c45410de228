import type { WalletPosition, WalletSummary } from '@ti/core/contract/positions.ts'
import type { Trade } from '@ti/core/contract/resources.ts'
import { useMemo } from 'react'
import { StepChart } from '../../charts/step-line.tsx'
import { Link } from '../../shell/router.tsx'
import { compact, counted, duration, NONE, SLOT_S, shortAddress, signedSol, sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import css from './history.module.css'
import { lastTraded, ownTrades, profitSteps } from './history.ts'
import { useTrades } from './use-trades.ts'

interface HistoryProps {
  readonly address: string
  readonly positions: readonly WalletPosition[]
  readonly summary: WalletSummary | null
}

export const History = ({ address, positions, summary }: HistoryProps) => (
  <div className={css.halves}>
    <Profit positions={positions} summary={summary} />
    <RecentTrades address={address} positions={positions} />
  </div>
)

function Profit({ positions, summary }: Omit<HistoryProps, 'address'>) {
  const steps = profitSteps(positions)
  const [first, last] = [steps[0], steps.at(-1)]
  const end = Math.max(summary?.slot ?? 0, last?.slot ?? 0)
  const ago = (slot: number): string => `${duration((end - slot) * SLOT_S)} ago`
  return (
    <Panel title="Profit over time" how="2-positions" note="realised on these tokens, each counted at its last sale">
      {first === undefined || last === undefined ? (
        <Empty>It has sold nothing with a known result yet.</Empty>
      ) : (
        <StepChart
          label={`Realised over ${counted(steps.length, 'token')} since ${ago(first.slot)}: ${signedSol(last.sum)}`}
          points={steps.map(({ slot, token, made, sum }) => ({
            ...{ at: slot, value: sum },
            title: `${token}: ${signedSol(made)}, ${signedSol(sum)} in all, ${ago(slot)}`,
          }))}
          end={end}
          written={(value) => (value === 0 ? '0' : signedSol(value))}
          ends={[ago(first.slot), 'now']}
        />
      )}
    </Panel>
  )
}

const COLUMNS = [
  { label: 'Token' },
  { label: 'Age', className: css.number },
  { label: 'Side' },
  { label: 'SOL', className: css.number },
  { label: 'Tokens', className: `${css.number} ${css.wide}` },
  { label: 'Market cap', className: `${css.number} ${css.wide}` },
  { label: 'Transaction', className: css.wide },
]

function RecentTrades({ address, positions }: Omit<HistoryProps, 'summary'>) {
  const { trades, done } = useTrades(useMemo(() => lastTraded(positions), [positions]))
  const own = ownTrades(address, trades)
  const names = new Map(positions.map(({ mint, symbol, name }) => [mint, symbol || name]))
  return (
    <Panel title="Recent trades" how="2-positions" note="from the newest hundred trades of each token it traded last">
      {!done && <Skeleton lines={6} />}
      {done && own.length === 0 && <Empty>None of its trades is among them.</Empty>}
      {own.length > 0 && (
        <Table className={css.table} label="Recent trades" columns={COLUMNS}>
          {own.map((trade) => (
            <TradeRow key={trade.unique_id} trade={trade} name={names.get(trade.mint) ?? ''} />
          ))}
        </Table>
      )}
    </Panel>
  )
}

const TradeRow = ({ trade, name }: { trade: Trade; name: string }) => (
  <Row>
    <RowHead className={css.token}>
      <Link to={`/token/${trade.mint}`}>
        <bdi>{name || shortAddress(trade.mint)}</bdi>
      </Link>
    </RowHead>
    <Cell className={css.number}>
      <Ago at={trade.timestamp} />
    </Cell>
    <Cell className={css.side} data-side={trade.is_buy ? 'buy' : 'sell'}>
      {trade.is_buy ? 'buy' : 'sell'}
    </Cell>
    <Cell className={css.number}>{sol(trade.sol_amount)}</Cell>
    <Cell className={`${css.number} ${css.wide}`}>{compact(trade.token_amount)}</Cell>
    <Cell className={`${css.number} ${css.wide}`}>
      <Usd value={trade.mcap} />
    </Cell>
    <Cell className={css.wide}>{trade.signature === '' ? NONE : <Address value={trade.signature} kind="tx" />}</Cell>
  </Row>
)
