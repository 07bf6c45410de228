import type { AppLine } from '@ti/core/contract/app.ts'
import type { TokenSnapshot, Trade } from '@ti/core/contract/resources.ts'
import { lazy, Suspense, useMemo } from 'react'
import type { Resource } from '../../api/resource.ts'
import { factsOf, type LineFacts, type LineMark, MARK_WORDS, withTrades } from '../../charts/line-data.ts'
import { Boundary } from '../../shell/boundary.tsx'
import { count, sol, usd } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import css from './line.module.css'

const LineChart = lazy(() => import('../../charts/line-chart.tsx'))

/** marks in the list */
const LISTED_MAX = 40

interface LineProps {
  readonly line: Resource<AppLine>
  readonly trades: readonly Trade[]
  readonly market: TokenSnapshot['market']
}

/** The market cap over time and its events. */
export function Line({ line, trades, market }: LineProps) {
  const { data, error } = line
  const points = useMemo(() => withTrades(data?.points ?? [], trades), [data, trades])
  const facts = useMemo(() => factsOf(points), [points])
  const marks = data?.marks ?? []
  return (
    <Panel
      title="Market cap"
      how="1-token-basics"
      note={facts === null ? undefined : sentence(facts, data?.truncated ?? false)}
    >
      {facts === null && line.state === 'loading' && <Skeleton lines={10} />}
      {facts === null && error !== null && <Failure error={error} retry={line.refresh} />}
      {facts === null && line.state === 'ready' && (
        <Empty>
          {market.ath_at === null ? 'No trade yet. The line starts with the first one.' : 'No trades are stored.'}
        </Empty>
      )}
      {facts !== null && (
        <Boundary>
          <Suspense fallback={<Skeleton lines={10} />}>
            <LineChart points={points} marks={marks} />
          </Suspense>
        </Boundary>
      )}
      {marks.length > 0 && <Marks marks={marks} />}
    </Panel>
  )
}

const sentence = ({ first, last, buys, sells, trades }: LineFacts, truncated: boolean): string =>
  `${usd(first.mcap)} to ${usd(last.mcap)} in ${count(trades)} ${truncated ? 'latest ' : ''}trades; ${sol(buys)} SOL bought, ${sol(sells)} SOL sold`

/** The marks as text. */
const Marks = ({ marks }: { marks: readonly LineMark[] }) => (
  <details className={css.marks}>
    <summary>
      {count(marks.length)} {marks.length === 1 ? 'event' : 'events'} on the line
    </summary>
    <ol>
      {marks
        .slice(-LISTED_MAX)
        .reverse()
        .map(({ kind, time, slot, mcap, label }) => (
          <li key={`${kind} ${slot} ${label}`}>
            <span className={css.kind} data-kind={kind}>
              {MARK_WORDS[kind]}
            </span>
            <bdi className={css.label}>{label}</bdi>
            <Usd value={mcap} />
            <span className={css.when}>
              <Ago at={time * 1000} /> ago
            </span>
          </li>
        ))}
    </ol>
  </details>
)
