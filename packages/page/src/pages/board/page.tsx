import type { AppCards } from '@ti/core/contract/app.ts'
import type { TokenEvent } from '@ti/core/contract/streams.ts'
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useResource } from '../../api/resource.ts'
import { useFrames, useTokenEvents } from '../../live/streams.ts'
import { Boundary } from '../../shell/boundary.tsx'
import { preload } from '../../shell/pages.ts'
import { useRoute } from '../../shell/router.tsx'
import { useMedia } from '../../ui/media.ts'
import { useWatches } from '../../watch/watches.ts'
import css from './board.module.css'
import { Column } from './column.tsx'
import { EmptyLists } from './empty-lists.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, filtersOf, queryOf, type ValueName } from './filters.ts'
import { EXTRAS, LISTS, type ListId, NARROW, type TabId, tabOf } from './lists.ts'
import { createPulse, type Launch, withLaunch } from './pulse.ts'
import { step } from './rows.ts'
import { clicked, type Sorting, sortingOf, sortingText } from './sorting.ts'
import { Tabs } from './tabs.tsx'

/** milliseconds after which the code of the token page is loaded ahead */
const PRELOAD_MS = 2_000
/** events are shown at most once in this time */
const EVENTS_MS = 1_000
const NUDGE_MS = 3_000
const NO_EXTRAS: AppCards = {}
/** loaded only for an account with watches */
const Watching = lazy(() => import('./watching.tsx'))

export default function Page(_: { id: string }) {
  const { query, go } = useRoute()
  const narrow = useMedia(NARROW)
  const [pulse] = useState(createPulse)
  const { launches, graduations } = useEvents()
  const extras = useResource<AppCards>(EXTRAS.path, { everyMs: EXTRAS.everyMs }).data ?? NO_EXTRAS
  const { empty, onEmpty } = useEmpty()
  const { watches } = useWatches()
  useFrames(pulse.frame)
  useEffect(() => {
    document.title = 'Board · Token Intelligence'
    const timer = setTimeout(() => preload('token'), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])

  const filters = useMemo(() => filtersOf(query), [query])
  const sorting = useMemo(() => sortingOf(query), [query])
  const filterKey = useMemo(
    () => `${queryOf(filters, new URLSearchParams())} ${sortingText(sorting)}`,
    [filters, sorting],
  )
  const tab = tabOf(query, watches !== null)
  const show = (with_: Filters, order: Sorting, at: TabId): void => {
    const next = new URLSearchParams(queryOf(with_, query))
    if (at === 'new') next.delete('tab')
    else next.set('tab', at)
    if (order === null) next.delete('sort')
    else next.set('sort', sortingText(order))
    const text = next.toString()
    go(text === '' ? '/' : `/?${text}`, { replace: true })
  }
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  const onSort = useCallback((by: ValueName) => {
    const now = new URLSearchParams(location.search)
    latest.current(filtersOf(now), clicked(sortingOf(now), by), tabOf(now, true))
  }, [])
  return (
    <div className={css.board}>
      <h1 className="unseen">Board</h1>
      <div className={css.bar}>
        <FilterBar filters={filters} sorting={sorting} onChange={(next, order) => show(next, order, tab)} />
        <p className={css.keys}>
          <kbd>/</kbd> search <kbd>←↑↓→</kbd> cards <kbd>Enter</kbd> open
        </p>
      </div>
      {(narrow || import.meta.env.SSR) && (
        <Tabs chosen={tab} empty={empty} watching={watches !== null} onChoose={(id) => show(filters, sorting, id)} />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows only add to what the links in it do by themselves */}
      <div className={css.columns} onKeyDown={moveByArrow}>
        {watches !== null && (narrow || watches.length > 0) && (
          <Boundary>
            <Suspense fallback={null}>
              <Watching
                watches={watches}
                pulse={pulse}
                extras={extras}
                sorting={sorting}
                onSort={onSort}
                hidden={narrow && tab !== 'watching'}
              />
            </Suspense>
          </Boundary>
        )}
        {LISTS.map((column) => (
          <Column
            key={column.id}
            column={column}
            filters={filters}
            sorting={sorting}
            filterKey={filterKey}
            onSort={onSort}
            onEmpty={onEmpty}
            pulse={pulse}
            extras={extras}
            hidden={narrow && column.id !== tab}
            isOther={import.meta.env.SSR && column.id !== tab}
            nudge={column.id === 'graduated' ? graduations : 0}
            launches={column.id === 'new' ? launches : null}
          />
        ))}
      </div>
      {!narrow && <EmptyLists empty={empty} />}
    </div>
  )
}

/** Tracks empty lists, which give their space to the others. */
function useEmpty() {
  const [empty, setEmpty] = useState<ReadonlySet<ListId>>(new Set())
  const onEmpty = useCallback((id: ListId, isEmpty: boolean) => {
    setEmpty((before) => {
      if (before.has(id) === isEmpty) return before
      const next = new Set(before)
      if (isEmpty) next.add(id)
      else next.delete(id)
      return next
    })
  }, [])
  return { empty, onEmpty }
}

/** Collects token events for a second. */
function useEvents(): { launches: readonly Launch[]; graduations: number } {
  const [launches, setLaunches] = useState<readonly Launch[]>([])
  const [graduations, setGraduations] = useState(0)
  const heard = useRef<TokenEvent[]>([])
  const nudged = useRef(0)
  useTokenEvents((event) => {
    if (event.type === 'token_created' || event.type === 'token_graduated') heard.current.push(event)
    if (heard.current.length > 50) heard.current.shift()
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if (heard.current.length === 0 || document.hidden) return
      const events = heard.current
      heard.current = []
      const now = Date.now()
      setLaunches((before) => events.reduce((all, event) => withLaunch(all, event, now), before))
      if (now - nudged.current < NUDGE_MS || !events.some(({ type }) => type === 'token_graduated')) return
      nudged.current = now
      setGraduations((count) => count + 1)
    }, EVENTS_MS)
    return () => clearInterval(timer)
  }, [])
  return { launches, graduations }
}

/** Arrow keys move between cards, Home and End to the ends of a column. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const card = (event.target as HTMLElement).closest('li')?.querySelector<HTMLElement>('[data-card]') ?? null
  if (card === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const columns = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]:not([hidden])')]
  const cards = columns.map((column) => [...column.querySelectorAll<HTMLElement>('[data-card]')])
  const column = cards.findIndex((inside) => inside.includes(card))
  const at = { column, row: cards[column]?.indexOf(card) ?? 0 }
  const sizes = cards.map((inside) => inside.length)
  const to = step(sizes, at, event.key)
  if (to === null) return
  event.preventDefault()
  const there = cards[to.column]?.[to.row]
  there?.focus()
  there?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
