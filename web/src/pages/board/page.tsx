import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { AppShares } from '../../../../src/contract/app.ts'
import type { TokenEvent } from '../../../../src/contract/streams.ts'
import { useResource } from '../../api/resource.ts'
import { useFrames, useTokenEvents } from '../../live/streams.ts'
import { preload } from '../../shell/pages.ts'
import { useRoute } from '../../shell/router.tsx'
import { useMedia } from '../../ui/media.ts'
import css from './board.module.css'
import { Column } from './column.tsx'
import { COLUMNS, type ColumnId, SHARES } from './columns.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, filtersOf, queryOf } from './filters.ts'
import { createPulse, type Launch, withLaunch } from './pulse.ts'
import { step } from './rows.ts'
import { Tabs } from './tabs.tsx'

const PRELOAD_MS = 2_000
/** launches and graduations are shown so often at most */
const EVENTS_MS = 1_000
const NUDGE_MS = 3_000
const NO_SHARES: AppShares = {}

/** Five live lists of tokens. */
export default function Page(_: { id: string }) {
  const { query, go } = useRoute()
  const narrow = useMedia('(width < 760px)')
  const [pulse] = useState(createPulse)
  const { launches, graduations } = useEvents()
  const shares = useResource<AppShares>(SHARES.path, { everyMs: SHARES.everyMs }).data ?? NO_SHARES
  useFrames(pulse.frame)
  useEffect(() => {
    document.title = 'Board · Token Intelligence'
    const timer = setTimeout(() => preload('token'), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])

  const filters = useMemo(() => filtersOf(query), [query])
  const filterKey = useMemo(() => queryOf(filters, new URLSearchParams()), [filters])
  const tab = COLUMNS.find(({ id }) => id === query.get('tab'))?.id ?? 'new'
  const show = (with_: Filters, at: ColumnId): void => {
    const next = new URLSearchParams(queryOf(with_, query))
    if (at === 'new') next.delete('tab')
    else next.set('tab', at)
    const text = next.toString()
    go(text === '' ? '/' : `/?${text}`, { replace: true })
  }
  return (
    <div className={css.board}>
      <h1 className="unseen">Board</h1>
      <div className={css.bar}>
        <FilterBar filters={filters} onChange={(next) => show(next, tab)} />
        <p className={css.keys}>
          <kbd>/</kbd> search <kbd>←↑↓→</kbd> cards <kbd>Enter</kbd> open
        </p>
      </div>
      {narrow && <Tabs chosen={tab} onChoose={(id) => show(filters, id)} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows only add to what the links in it do by themselves */}
      <div className={css.columns} onKeyDown={moveByArrow}>
        {COLUMNS.map((column) => (
          <Column
            key={column.id}
            column={column}
            filters={filters}
            filterKey={filterKey}
            pulse={pulse}
            shares={shares}
            hidden={narrow && column.id !== tab}
            nudge={column.id === 'graduated' ? graduations : 0}
            launches={column.id === 'new' ? launches : null}
          />
        ))}
      </div>
    </div>
  )
}

/** The events of tokens, a second's together. */
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

/** Arrows lead from card to card, Home and End to the ends of a column. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
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
