import type { Trade } from '@ti/core/contract/resources.ts'
import { type FocusEvent, memo, type PointerEvent, type ReactNode, useState } from 'react'
import type { Resource } from '../../api/resource.ts'
import type { Link } from '../../live/streams.ts'
import { Choice } from '../../ui/choice.tsx'
import { Button } from '../../ui/controls.tsx'
import { Download } from '../../ui/download.tsx'
import { Flag } from '../../ui/flag.tsx'
import { compact, count, duration, NONE, pct, SLOT_S, signed, sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Address } from '../../ui/links.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import css from './details.module.css'
import { FILTERS, type FilterName } from './trade-list.ts'

const LINKS: Record<Link, string> = {
  live: 'live',
  connecting: 'connecting',
  lost: 'the stream is down, polled every few seconds',
  refused: 'no stream for this session, polled every few seconds',
}

const FILTER_LABELS = Object.fromEntries(Object.entries(FILTERS).map(([name, [label]]) => [name, label])) as Record<
  FilterName,
  string
>

interface TradesProps {
  readonly list: readonly Trade[]
  readonly resource: Resource<Trade[]>
  readonly link: Link
}

/** The newest hundred trades, each with its trader's record before that trade. */
export function Trades({ list, resource, link }: TradesProps) {
  const [filter, setFilter] = useState<FilterName>('all')
  const { shown, waits, apply, handlers } = useHeld(list)
  const newer = waits ? newerThan(list, shown[0]) : 0
  const rows = shown.filter(FILTERS[filter][1])
  return (
    <>
      <div className="row">
        <p className="soft">
          newest first · {LINKS[link]} · each trader’s record before that trade{' '}
          <How part="3-wallet-history" of="Trades" />
        </p>
        {newer > 0 && (
          <Button look="strong" onClick={apply}>
            {newer} new
          </Button>
        )}
        <Choice label="Which trades" options={FILTER_LABELS} chosen={filter} choose={setFilter} />
        {rows.length > 0 && <Download name={`trades-${rows[0]?.mint}`} rows={() => rows.map((row) => ({ ...row }))} />}
      </div>
      {list.length === 0 && resource.state === 'loading' && <Skeleton lines={8} />}
      {list.length === 0 && resource.error !== null && <Failure error={resource.error} retry={resource.refresh} />}
      {list.length === 0 && resource.state === 'ready' && <Empty>No trade yet. The first one will appear here.</Empty>}
      {list.length > 0 && rows.length === 0 && (
        <Empty>None of the last {shown.length} trades matches this filter.</Empty>
      )}
      {rows.length > 0 && (
        <section
          className={css.scroll}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          aria-label="Table of trades"
          {...handlers}
        >
          <Table columns={COLUMNS}>
            {rows.map((trade) => (
              <TradeRow key={trade.unique_id} trade={trade} />
            ))}
          </Table>
        </section>
      )}
    </>
  )
}

/** Counts the trades before the topmost shown one. */
function newerThan(list: readonly Trade[], top: Trade | undefined): number {
  const at = list.findIndex(({ unique_id }) => unique_id === top?.unique_id)
  return at < 0 ? list.length : at
}

const TradeRow = memo(({ trade }: { trade: Trade }) => (
  <Row>
    <Cell>
      <Ago at={trade.timestamp} />
    </Cell>
    <Cell data-tone={trade.is_buy ? 'good' : 'bad'}>{trade.is_buy ? 'buy' : 'sell'}</Cell>
    <Cell number title={`${trade.sol_amount} SOL`}>
      {sol(trade.sol_amount)}
    </Cell>
    <Cell number wide title={String(trade.token_amount)}>
      {compact(trade.token_amount)}
    </Cell>
    <Cell number>
      <Usd value={trade.mcap} />
    </Cell>
    <Cell className={css.trader}>
      {trade.user_name !== null && <bdi title={trade.user_name}>{trade.user_name} </bdi>}
      <Address value={trade.user_address} kind="wallet" />
      {trade.smart_money && <Flag rating="green">smart</Flag>}
      {trade.bundled && (
        <Flag rating="red" title={trade.bundle_id ?? ''}>
          {trade.bundle_name ?? 'bundled'}
        </Flag>
      )}
    </Cell>
    {HISTORY.map(({ key, show }) => (
      <Cell key={key} number wide>
        {show(trade)}
      </Cell>
    ))}
    <Cell wide>{trade.signature === '' ? NONE : <Address value={trade.signature} kind="tx" />}</Cell>
  </Row>
))

/** A column of the trader's history before the trade. */
interface HistoryColumn {
  readonly key: keyof Trade
  readonly label: string
  /** one sentence */
  readonly means: string
  readonly show: (trade: Trade) => ReactNode
}

const known = <T,>(value: T | null, show: (value: T) => string): string => (value === null ? NONE : show(value))
/** buys below which a share says nothing */
const BUYS_LEAST = 20

/** A share of the wallet's record: of a few picks it says nothing. */
const rate = (value: number | null, { buys_count: buys }: Pick<Trade, 'buys_count'>): string =>
  value !== null && (buys ?? 0) < BUYS_LEAST ? 'few' : known(value, (one) => pct(100 * one, 0))

const HISTORY: readonly HistoryColumn[] = [
  {
    key: 'buys_count',
    label: 'Buys',
    means: 'The wallet’s earlier buys, of any token.',
    show: ({ buys_count }) => known(buys_count, (n) => (n < 10_000 ? count(n) : compact(n))),
  },
  {
    key: 'total_buys_sol',
    label: 'Spent SOL',
    means: 'SOL spent on buys before this trade.',
    show: ({ total_buys_sol }) => known(total_buys_sol, compact),
  },
  {
    key: 'user_pnl',
    label: 'Profit SOL',
    means: 'Lifetime profit in SOL before this trade.',
    show: ({ user_pnl }) =>
      known(user_pnl, (value) => signed(value, Math.abs(value) >= 1000 ? compact(value) : sol(value))),
  },
  {
    key: 'roi',
    label: 'Return',
    means: 'Lifetime profit relative to the cost of closed positions.',
    show: ({ roi }) =>
      known(roi, (value) => signed(value, Math.abs(value) >= 100 ? `${compact(value)}×` : pct(100 * value, 0))),
  },
  {
    key: 'win_rate',
    label: 'Won',
    means: 'Share of closed positions that ended in profit; “few” with less than 20 buys.',
    show: (trade) => rate(trade.win_rate, trade),
  },
  {
    key: 'healthy_coins_rate',
    label: 'Healthy',
    means: 'Share of its picks that were still healthy an hour later.',
    show: (trade) => rate(trade.healthy_coins_rate, trade),
  },
  {
    key: 'avg_hold_slots',
    label: 'Holds',
    means: 'How long it usually holds before it sells.',
    show: ({ avg_hold_slots }) => known(avg_hold_slots, (slots) => duration(slots * SLOT_S)),
  },
  {
    key: 'sell_impact',
    label: 'Impact',
    means: 'Average price move within ten seconds of its past sells.',
    show: ({ sell_impact }) => known(sell_impact, (value) => signed(value, pct(value, 1))),
  },
  {
    key: 'bundled_trades_rate',
    label: 'In groups',
    means: 'Share of its trades made as part of a coordinated group.',
    show: (trade) => rate(trade.bundled_trades_rate, trade),
  },
  {
    key: 'user_sol_balance',
    label: 'Had SOL',
    means: 'SOL balance before this trade.',
    show: ({ user_sol_balance }) => known(user_sol_balance, (value) => (value >= 1000 ? compact(value) : sol(value))),
  },
]

const COLUMNS = [
  { label: 'Age' },
  { label: 'Side' },
  { label: 'SOL', number: true },
  { label: 'Tokens', number: true, wide: true },
  { label: 'Market cap', number: true },
  { label: 'Trader' },
  ...HISTORY.map(({ label, means }) => ({ label, means, number: true, wide: true })),
  { label: 'Transaction', wide: true },
]

interface Held<T> {
  readonly shown: T
  /** a newer value is held back */
  readonly waits: boolean
  /** shows the newer value despite the hold */
  apply(): void
  /** for the element that holds the value while it is hovered or focused */
  readonly handlers: {
    onPointerEnter(event: PointerEvent): void
    onPointerLeave(event: PointerEvent): void
    onFocus(event: FocusEvent): void
    onBlur(event: FocusEvent): void
  }
}

/** Holds a value while the element is hovered or focused. */
function useHeld<T>(value: T): Held<T> {
  const [held, setHeld] = useState<{ readonly value: T } | null>(null)
  const hold = (): void => setHeld((now) => now ?? { value })
  const isInside = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
    relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
  return {
    shown: held === null ? value : held.value,
    waits: held !== null && held.value !== value,
    apply: () => setHeld((now) => (now === null ? null : { value })),
    handlers: {
      onPointerEnter: ({ pointerType }) => {
        if (pointerType === 'mouse') hold()
      },
      onPointerLeave: ({ pointerType, currentTarget }) => {
        if (pointerType === 'mouse' && !currentTarget.contains(document.activeElement)) setHeld(null)
      },
      onFocus: hold,
      onBlur: (event) => {
        if (!isInside(event)) setHeld(null)
      },
    },
  }
}
