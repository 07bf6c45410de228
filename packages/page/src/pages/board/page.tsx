import type { AppBoard } from '@ti/core/contract/app.ts'
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useResource } from '../../api/resource.ts'
import { useFrames } from '../../live/streams.ts'
import { Boundary } from '../../shell/boundary.tsx'
import { preload } from '../../shell/pages.ts'
import { useRoute } from '../../shell/router.tsx'
import { Button } from '../../ui/controls.tsx'
import { Failure } from '../../ui/states.tsx'
import { useWatches } from '../../watch/watches.ts'
import css from './board.module.css'
import { createCaps } from './caps.ts'
import { Column } from './column.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, filtersOf, passes, queryOf } from './filters.ts'
import { closeIntro } from './intro.ts'
import { EVERY_MS, LISTS, pathOf, type Tab, tabOf, viewOf } from './lists.ts'
import { step } from './rows.ts'

/** milliseconds after which the code of the token page is loaded ahead */
const PRELOAD_MS = 2_000
const NO_WATCHES: never[] = []
/** loaded only when it is looked at */
const Watching = lazy(() => import('./watching.tsx'))

export default function Page(_: { id: string }) {
  const { query, go } = useRoute()
  const [caps] = useState(createCaps)
  const { watches } = useWatches()
  const tab = tabOf(query)
  const view = viewOf(tab)
  const { data, error, refresh } = useResource<AppBoard>(view && pathOf(view), { everyMs: EVERY_MS })
  useFrames(caps.frame)
  useEffect(() => {
    document.title = 'Board · Token Intelligence'
    const timer = setTimeout(() => preload('token'), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])

  const filters = useMemo(() => filtersOf(query), [query])
  const filterKey = queryOf(filters, new URLSearchParams())
  const show = (some: Filters, at: Tab): void => {
    const next = new URLSearchParams(queryOf(some, query))
    if (at === 'new') next.delete('tab')
    else next.set('tab', at)
    const text = next.toString()
    go(text === '' ? '/' : `/?${text}`, { replace: true })
  }
  const cards = data?.columns.flatMap((column) => column.cards)
  const countOf = (some: Filters) => cards?.filter((card) => passes(card, some)).length ?? null
  return (
    <div className={css.board}>
      <h1 className="unseen">Board</h1>
      <Intro />
      <div className={css.bar}>
        <FilterBar filters={filters} countOf={countOf} onChange={(next) => show(next, tab)} />
        <Tabs chosen={tab} watched={watches?.length ?? null} onChoose={(at) => show(filters, at)} />
      </div>
      {error !== null && (
        <div className={css.stale} data-first={data === null}>
          {data === null ? <Failure error={error} retry={refresh} /> : `Not up to date: ${error.message}`}
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows only add to what the links in it do by themselves */}
      <div className={css.columns} onKeyDown={moveByArrow}>
        {LISTS.filter((list) => list.view === view).map(({ id }) => (
          <Column
            key={id}
            id={id}
            answer={data?.columns.find((column) => column.id === id) ?? null}
            launches={data?.launches_5m ?? null}
            filters={filters}
            filterKey={filterKey}
            caps={caps}
            isOther={id !== tab}
          />
        ))}
        {tab === 'watching' && (
          <Boundary>
            <Suspense fallback={null}>
              <Watching watches={watches ?? NO_WATCHES} caps={caps} />
            </Suspense>
          </Boundary>
        )}
      </div>
    </div>
  )
}

/** Three lines for newcomers. The early script hides them where they were closed. */
const Intro = () => (
  <section className={css.intro} aria-label="What this is">
    <Button look="quiet" onClick={closeIntro}>
      Close
    </Button>
    <p>
      <b>Who is behind each new token.</b> Every launchpad trade on Solana is read: who bought, who sold, what they did
      before.
    </p>
    <p>
      <b className={css.red}>Red</b>: the money is gone, or those who take it are in.{' '}
      <b className={css.yellow}>Yellow</b>: a warning. <b className={css.green}>Green</b>: its holders are known and
      have something to lose.
    </p>
    <p>
      <b>Grey is unknown, not safe</b>: nobody can tell yet. A missing number passes no filter.
    </p>
  </section>
)

interface TabsProps {
  readonly chosen: Tab
  /** watches of the account; null: signed out */
  readonly watched: number | null
  readonly onChoose: (tab: Tab) => void
}

/** The switch between the columns of launches and other lists; a narrow screen shows one column. */
function Tabs({ chosen, watched, onChoose }: TabsProps) {
  const button = (id: Tab, text: string, pressed: boolean, where?: string) => (
    <button key={text} type="button" aria-pressed={pressed} data-where={where} onClick={() => onChoose(id)}>
      {text}
    </button>
  )
  return (
    <fieldset className={css.tabs} aria-label="Lists">
      {button('new', 'Launches', viewOf(chosen) === 'launches', 'wide')}
      {LISTS.map(({ id, title, view }) => button(id, title, id === chosen, view === 'launches' ? 'narrow' : undefined))}
      {watched !== null && button('watching', `Watching ${watched}`, chosen === 'watching')}
    </fieldset>
  )
}

/** Arrow keys move between cards, Home and End to the ends of a column. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const card = (event.target as HTMLElement).closest('li')?.querySelector<HTMLElement>('[data-card]') ?? null
  if (card === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const columns = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-column]')]
  const cards = columns
    .filter((column) => column.checkVisibility())
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-card]')])
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
