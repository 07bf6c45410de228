import type { AppCards } from '@ti/core/contract/app.ts'
import type { TokenCard } from '@ti/core/contract/resources.ts'
import { memo, startTransition, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useResource } from '../../api/resource.ts'
import { Button } from '../../ui/controls.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Card } from './card.tsx'
import css from './column.module.css'
import { type Filters, passes, type ValueName } from './filters.ts'
import { Heads } from './heads.tsx'
import { useHold } from './hold.ts'
import { Launches } from './launches.tsx'
import type { List, ListId } from './lists.ts'
import type { Launch, Pulse } from './pulse.ts'
import { NOTHING_SHOWN, type Row, rowsOf, settle } from './rows.ts'
import { type Sorting, sorted } from './sorting.ts'

/** Lists that were empty when the service rendered the page. */
const EMPTY_AT_FIRST: ReadonlySet<string | undefined> = new Set(
  import.meta.env.SSR
    ? []
    : [...document.querySelectorAll<HTMLElement>('[data-column][data-empty]')].map(({ dataset }) => dataset.column),
)

interface ColumnProps {
  readonly column: List
  readonly filters: Filters
  readonly sorting: Sorting
  /** filters and order as text; a change is shown even while held */
  readonly filterKey: string
  readonly onSort: (by: ValueName) => void
  readonly pulse: Pulse
  /** additional card data of all lists */
  readonly extras: AppCards
  /** hidden lists make no requests and keep their rows */
  readonly hidden: boolean
  /** hidden by CSS on a narrow screen, in markup rendered before the width is known */
  readonly isOther: boolean
  /** a counter; each increment requests the list again */
  readonly nudge: number
  /** null: this column shows no launches */
  readonly launches: readonly Launch[] | null
  readonly onEmpty: (id: ListId, empty: boolean) => void
}

/** A list that updates, except while the pointer or the focus is in it. */
export const Column = memo(function Column(props: ColumnProps) {
  const { column, filters, sorting, filterKey, onSort, onEmpty, pulse, extras, hidden, isOther, nudge } = props
  const id = useId()
  const box = useRef<HTMLElement>(null)
  const answered = useRef<{ readonly data: readonly TokenCard[]; readonly at: number } | null>(null)
  const latest = useRef<readonly Row[] | null>(null)
  const list = useResource<TokenCard[]>(hidden ? null : column.path, { everyMs: column.everyMs })
  const { data, error, refresh } = list
  const dropped = list.meta?.dropped ?? 0
  const [shown, setShown] = useState(NOTHING_SHOWN)
  const [launches, setLaunches] = useState(props.launches)
  const [reached, setReached] = useState<string | null>(null)

  const apply = useCallback(
    (held: boolean) => {
      if (latest.current === null) return
      const now = Date.now()
      const passing = latest.current.filter((row) => passes(row, filters, now))
      const wanted = sorted(passing, sorting, now)
      startTransition(() => setShown((before) => settle(before, wanted, held, filterKey)))
    },
    [filters, sorting, filterKey],
  )
  const release = useEffectEvent(() => {
    apply(false)
    setLaunches(props.launches)
  })
  const held = useHold(box, () => release())

  useEffect(() => {
    if (data !== null) {
      if (answered.current?.data !== data) answered.current = { data, at: Date.now() }
      latest.current = rowsOf(data, extras, answered.current.at)
    }
    apply(held.current)
  }, [data, extras, apply, held])
  useEffect(() => {
    if (nudge > 0) refresh()
  }, [nudge, refresh])
  useEffect(() => {
    if (!held.current) setLaunches(props.launches)
  }, [props.launches, held])

  // an answer is rendered a moment after it arrives; until then the list says nothing
  const isShown = shown !== NOTHING_SHOWN
  const total = latest.current?.length ?? 0
  const empty = isShown ? total === 0 && launches === null : EMPTY_AT_FIRST.has(column.id)
  useEffect(() => onEmpty(column.id, empty), [onEmpty, column.id, empty])

  const { rows, waiting } = shown
  const first = rows.some((row) => row.id === reached) ? reached : rows[0]?.id
  return (
    <section
      ref={box}
      className={css.column}
      aria-labelledby={id}
      hidden={hidden}
      data-column={column.id}
      data-empty={empty || undefined}
      data-other={isOther || undefined}
    >
      <header className={css.head}>
        <h2 id={id} title={column.about}>
          {column.title}
        </h2>
        {isShown && (
          <span className={css.count}>
            {rows.length < total ? `${rows.length} of ${total}` : total}
            <span className="unseen"> tokens</span>
          </span>
        )}
        {isShown && dropped > 0 && (
          <span
            className={css.count}
            title="Left out: rugged, drained or dead, or their inner circle sold within the hour."
          >
            {dropped} dropped
          </span>
        )}
        {error !== null && data !== null && (
          <span className={css.stale} title={error.message}>
            not up to date
          </span>
        )}
        {waiting > 0 && (
          <Button look="quiet" className={css.waiting} onClick={() => apply(false)}>
            {waiting} new
          </Button>
        )}
      </header>
      <Heads of={column.title} sorting={sorting} onSort={onSort} hidden={isShown && rows.length === 0} />
      <div className={css.scroller}>
        {launches !== null && <Launches launches={launches} pulse={pulse} />}
        <ul
          onFocus={(event) => {
            const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
            if (card !== null) setReached(card.dataset.card ?? null)
          }}
        >
          {rows.map((row) => (
            <Card key={row.id} row={row} pulse={pulse} reached={row.id === first} />
          ))}
        </ul>
        {!isShown && list.state !== 'failed' && (
          <div className={css.inner}>
            <Skeleton lines={9} />
          </div>
        )}
        {list.state === 'failed' && error !== null && (
          <div className={css.inner}>
            <Failure error={error} retry={refresh} />
          </div>
        )}
        {isShown && rows.length === 0 && (
          <Empty>{total === 0 ? column.empty : `None of the ${total} matches your filters.`}</Empty>
        )}
      </div>
    </section>
  )
})
