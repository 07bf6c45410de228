import type { AppExplain } from '@ti/core/contract/app.ts'
import { useState } from 'react'
import type { Resource } from '../../api/resource.ts'
import { type Bar, waterfall } from '../../charts/waterfall.ts'
import { Button } from '../../ui/controls.tsx'
import { compact, NONE, pct } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { Tip } from '../../ui/tip.tsx'
import css from './score.module.css'
import { pointsOf, type ScoreRow, scoreRows, sumOf } from './score-rows.ts'
import { written } from './words.ts'

export function Score({ explain }: { explain: Resource<AppExplain> }) {
  const { data, error } = explain
  const [exact, setExact] = useState(false)
  return (
    <Panel
      title="What the score is made of"
      how="4-score-group"
      note={data === null ? undefined : <Note explain={data} />}
      actions={
        <Button look="quiet" aria-pressed={exact} onClick={() => setExact(!exact)}>
          Exact sum
        </Button>
      }
    >
      {data !== null ? (
        <Composition explain={data} exact={exact} />
      ) : error !== null ? (
        <Failure error={error} retry={explain.refresh} />
      ) : (
        <Skeleton lines={12} />
      )}
    </Panel>
  )
}

const Note = ({ explain: { score } }: { explain: AppExplain }) => (
  <>{pct(100 * score.coverage, 0)} of holders’ coins belong to wallets with a track record</>
)

interface CompositionProps {
  readonly explain: AppExplain
  /** all digits, and on a phone all columns */
  readonly exact: boolean
}

function Composition({ explain: { score }, exact }: CompositionProps) {
  const rows = scoreRows(score.contributions)
  if (rows.length === 0) return <Empty>The token has no holders yet, so there is nothing to score.</Empty>
  const { bars, end, ticks } = waterfall(
    rows.map(({ points, most }) => (most === null ? { value: points } : { value: points, most })),
  )
  return (
    <>
      <Table
        className={exact ? css.table : `${css.table} ${css.short}`}
        label="Contributions to the score"
        columns={columns(ticks)}
        foot={
          <Row>
            <RowHead className={css.part}>Score</RowHead>
            <Cell className={css.how} colSpan={3}>
              the sum of all above
            </Cell>
            <Cell className={css.points}>{sumOf(rows).toFixed(1)}</Cell>
            <Cell className={css.chart}>
              <span className={css.track} aria-hidden="true">
                <span className={css.total} style={{ inlineSize: `${end}%` }} />
              </span>
            </Cell>
          </Row>
        }
      >
        {rows.map((row, n) => (
          <Part key={row.key} row={row} bar={bars[n]} exact={exact} />
        ))}
      </Table>
      <p className={exact ? css.legend : `${css.legend} ${css.rounded}`}>
        Each bar starts where the previous one ended; the thin line shows the most that its metric could have added.{' '}
        {exact ? 'The points add up to the score to the last digit.' : 'Points are rounded.'}
      </p>
    </>
  )
}

const columns = (ticks: ReturnType<typeof waterfall>['ticks']) => [
  { label: 'Part' },
  { label: 'Reading', className: css.number },
  { label: 'Worth', means: 'The reading in points, 0 to 10.', className: css.number },
  { label: 'Weight', means: 'How much this metric counts relative to the others.', className: css.number },
  {
    label: 'Points',
    means: 'Worth times weight, divided by the sum of weights. The column adds up to the score.',
    className: css.number,
  },
  {
    label: 'Running total',
    className: css.chart,
    head: (
      <>
        <span className="unseen">Running total</span>
        <span className={css.ticks} aria-hidden="true">
          {ticks.map(({ value, at }) => (
            <span key={value} style={{ insetInlineStart: `${at}%` }}>
              {value}
            </span>
          ))}
        </span>
      </>
    ),
  },
]

interface PartProps {
  readonly row: ScoreRow
  readonly bar: Bar | undefined
  readonly exact: boolean
}

function Part({ row, bar, exact }: PartProps) {
  const adds = pointsOf(row.points, 1) !== pointsOf(0, 1)
  return (
    <Row data-none={!adds || undefined}>
      <RowHead className={css.part}>
        <Tip text={row.means}>{row.label}</Tip>
      </RowHead>
      <Cell className={css.number} data-label="reading">
        {row.weight === null ? null : row.reading === null ? NONE : written(row.unit, row.reading)}
      </Cell>
      <Cell className={css.number} data-label="worth">
        {row.rated === null ? null : compact(row.rated)}
      </Cell>
      <Cell className={css.number} data-label="weight">
        {row.weight === null ? null : `×${row.weight}`}
      </Cell>
      <Cell className={css.points} title={row.most === null ? undefined : `of ${row.most.toFixed(2)} at best`}>
        {pointsOf(row.points, exact ? 6 : 1)}
      </Cell>
      <Cell className={css.chart}>{bar !== undefined && <Step bar={bar} minus={row.points < 0} />}</Cell>
    </Row>
  )
}

const Step = ({ bar, minus }: { bar: Bar; minus: boolean }) => (
  <span className={css.track}>
    <span className="unseen">{bar.total.toFixed(2)}</span>
    <span className={css.lost} style={{ insetInlineStart: `${bar.lostLeft}%`, inlineSize: `${bar.lostWidth}%` }} />
    <span
      className={css.step}
      data-minus={minus || undefined}
      style={{ insetInlineStart: `${bar.left}%`, inlineSize: `max(2px, ${bar.width}%)` }}
    />
  </span>
)
