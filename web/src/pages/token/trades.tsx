import { memo, useState } from 'react'
import type { Trade } from '../../../../src/contract/resources.ts'
import type { Resource } from '../../api/resource.ts'
import type { Link } from '../../live/streams.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { compact, sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import { HISTORY } from './trade-columns.tsx'
import { FILTERS, type FilterName } from './trade-list.ts'
import css from './trades.module.css'
import { useHeld } from './use-held.ts'

const LINKS: Record<Link, string> = {
  live: 'live',
  connecting: 'connecting',
  lost: 'the stream is down, polled every few seconds',
  refused: 'no stream for this session, polled every few seconds',
}

interface TradesProps {
  readonly list: readonly Trade[]
  readonly resource: Resource<Trade[]>
  readonly link: Link
}

/** The newest hundred trades as they come, each with what its trader was before it. */
export function Trades({ list, resource, link }: TradesProps) {
  const [filter, setFilter] = useState<FilterName>('all')
  const { shown, waits, apply, handlers } = useHeld(list)
  const newer = waits ? newerThan(list, shown[0]) : 0
  const rows = shown.filter(FILTERS[filter][1])
  return (
    <Panel
      title="Trades"
      note={`newest first · ${LINKS[link]} · each trader’s record before that trade`}
      actions={
        <>
          {newer > 0 && (
            <Button look="strong" onClick={apply}>
              {newer} new
            </Button>
          )}
          <Filters filter={filter} set={setFilter} />
        </>
      }
    >
      {list.length === 0 && resource.state === 'loading' && <Skeleton lines={8} />}
      {list.length === 0 && resource.error !== null && <Failure error={resource.error} retry={resource.refresh} />}
      {list.length === 0 && resource.state === 'ready' && <Empty>No trade yet. The first one appears by itself.</Empty>}
      {list.length > 0 && rows.length === 0 && (
        <Empty>None of the last {shown.length} trades matches this filter.</Empty>
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section className={css.scroll} tabIndex={0} aria-label="Table of trades" {...handlers}>
          <Table className={css.table} columns={COLUMNS}>
            {rows.map((trade) => (
              <TradeRow key={trade.unique_id} trade={trade} />
            ))}
          </Table>
        </section>
      )}
    </Panel>
  )
}

/** How many stand before the one that is on top of what is shown. */
function newerThan(list: readonly Trade[], top: Trade | undefined): number {
  const at = list.findIndex(({ unique_id }) => unique_id === top?.unique_id)
  return at < 0 ? list.length : at
}

const Filters = ({ filter, set }: { filter: FilterName; set: (name: FilterName) => void }) => (
  // biome-ignore lint/a11y/useSemanticElements: browsers lay a fieldset out in their own way
  <div className={css.filters} role="group" aria-label="Which trades">
    {(Object.keys(FILTERS) as FilterName[]).map((name) => (
      <button key={name} type="button" aria-pressed={filter === name} onClick={() => set(name)}>
        {FILTERS[name][0]}
      </button>
    ))}
  </div>
)

const COLUMNS = [
  { label: 'Age' },
  { label: 'Side' },
  { label: 'SOL', className: css.number },
  { label: 'Tokens', className: css.number },
  { label: 'Market cap', className: css.number },
  { label: 'Trader' },
  ...HISTORY.map(({ label, means }) => ({ label, means, className: css.number })),
  { label: 'Transaction' },
]

const TradeRow = memo(({ trade }: { trade: Trade }) => (
  <Row className={css.row} data-side={trade.is_buy ? 'buy' : 'sell'}>
    <Cell className={css.age}>
      <Ago at={trade.timestamp} />
    </Cell>
    <Cell className={css.side}>{trade.is_buy ? 'buy' : 'sell'}</Cell>
    <Cell className={css.sol} title={`${trade.sol_amount} SOL`}>
      {sol(trade.sol_amount)}
      <span className={css.unit}> SOL</span>
    </Cell>
    <Cell className={css.tokens} title={String(trade.token_amount)}>
      {compact(trade.token_amount)}
    </Cell>
    <Cell className={css.mcap}>
      <Usd value={trade.mcap} />
    </Cell>
    <Cell className={css.trader}>
      {trade.user_name !== null && (
        <bdi className={css.name} title={trade.user_name}>
          {trade.user_name}
        </bdi>
      )}
      <Address value={trade.user_address} kind="wallet" />
      {trade.smart_money && <Flag rating="green">smart</Flag>}
      {trade.bundled && (
        <Flag rating="red" title={trade.bundle_id ?? ''}>
          {trade.bundle_name ?? 'bundled'}
        </Flag>
      )}
    </Cell>
    {HISTORY.map(({ key, label, show }) => (
      <Cell key={key} className={css.history} data-label={label} data-none={trade[key] === null || undefined}>
        {show(trade)}
      </Cell>
    ))}
    <Cell className={css.tx}>{trade.signature === '' ? '–' : <Address value={trade.signature} kind="tx" />}</Cell>
  </Row>
))
