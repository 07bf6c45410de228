import type { AppBoard, BoardCard } from '@ti/core/contract/app.ts'
import {
  type CSSProperties,
  memo,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useResource } from '../../api/resource.ts'
import { placeLeft } from '../../shell/router.tsx'
import { Button } from '../../ui/controls.tsx'
import { count } from '../../ui/format.ts'
import { Empty, Skeleton } from '../../ui/states.tsx'
import css from './board.module.css'
import type { Caps } from './caps.ts'
import cardCss from './card.module.css'
import { Card, WIDE } from './card.tsx'
import { type Filters, passes } from './filters.ts'
import { useHold } from './hold.ts'
import { EVERY_MS, LISTS, type ListId } from './lists.ts'
import { NOTHING_SHOWN, type Row, type Shown, settle } from './rows.ts'

type Answer = AppBoard['columns'][number]

interface ColumnProps {
  readonly id: ListId
  /** null before the first answer */
  readonly answer: Answer | null
  /** launches in five minutes */
  readonly launches: number | null
  readonly filters: Filters
  /** filters as text; a change is shown even while held */
  readonly filterKey: string
  readonly caps: Caps
  /** not the one that a narrow screen shows */
  readonly isOther: boolean
}

/** The cards of each list when the board was left, for the way back. */
const left = new Map<string, { readonly shown: Shown; readonly scrollTop: number }>()

/** A list that updates, except while it is pointed at, focused or scrolled. */
export const Column = memo(function Column(props: ColumnProps) {
  const { id, answer, launches, filters, filterKey, caps, isOther } = props
  const { title, about, empty, view } = LISTS.find((list) => list.id === id)!
  const [isOpen, setOpen] = useState(false)
  const hidden = useResource<BoardCard[]>(isOpen ? `/app/hidden?list=${id}` : null, { everyMs: 2 * EVERY_MS })
  const cards = isOpen ? hidden.data : (answer?.cards ?? null)
  const key = `${isOpen} ${filterKey}`
  const { box, shown, total, release } = useShown(id, cards, filters, key)
  const heading = useId()
  const { rows, waiting } = shown
  const isShown = shown !== NOTHING_SHOWN
  return (
    <section
      className={css.column}
      aria-labelledby={heading}
      data-column={id}
      data-other={isOther || undefined}
      data-wide={view === 'launches' ? undefined : true}
    >
      <header className={css.head}>
        <h2 id={heading} title={about}>
          {title}
        </h2>
        {isShown && (
          <span className={css.count}>
            {id === 'new' && launches !== null && `${count(Math.round(launches / 5))} a minute · `}
            {rows.length < total ? `${rows.length} of ${total}` : total} {isOpen ? 'hidden' : 'shown'}
          </span>
        )}
        {answer !== null && answer.hidden > 0 && (
          <Button look="quiet" className={css.hidden} aria-pressed={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? (
              'Back to the list'
            ) : (
              <span>
                {count(answer.hidden)} hidden<span>{whyHidden(answer)}</span>
              </span>
            )}
          </Button>
        )}
      </header>
      {waiting > 0 && (
        <Button look="strong" className={css.waiting} onClick={release}>
          {waiting} new ↑
        </Button>
      )}
      <div className={css.scroller} ref={box}>
        {isOpen && <p className={css.rule}>{RULE}</p>}
        <Cards rows={rows} caps={caps} isWide={view !== 'launches'} />
        {!isShown && (
          <div className={css.inner}>
            <Skeleton lines={9} />
          </div>
        )}
        {isShown && rows.length === 0 && (
          <Empty>{total === 0 ? empty : `None of the ${total} passes your filters.`}</Empty>
        )}
      </div>
    </section>
  )
})

/** The lists' filter in words (methodology, section 6). */
const RULE =
  'Left out: the dead and those dumped within the hour; fewer than five unrelated buyers; one holder with 30%; a deployer who sold at once, or who failed ten times.'

const whyHidden = ({ hidden, dropped }: Answer): string =>
  dropped === 0 ? '' : dropped === hidden ? ': dumped or dead' : `, ${count(dropped)} dumped or dead`

/** The rows of a list, held while it is read, and where it was left. */
function useShown(id: string, cards: readonly BoardCard[] | null, filters: Filters, key: string) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef<readonly Row[] | null>(null)
  const [before] = useState(() => (placeLeft() === null ? undefined : left.get(id)))
  const [shown, setShown] = useState(before?.shown ?? NOTHING_SHOWN)
  const apply = useCallback(
    (held: boolean) => {
      if (latest.current === null) return
      const passing = latest.current.filter(({ card }) => passes(card, filters))
      startTransition(() => setShown((now) => settle(now, passing, held, key)))
    },
    [filters, key],
  )
  const release = useEffectEvent(() => apply(false))
  const held = useHold(box, () => release())
  const latestShown = useRef(shown)
  useLayoutEffect(() => {
    latestShown.current = shown
  })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    element.scrollTop = before?.scrollTop ?? 0
    return () => void left.set(id, { shown: latestShown.current, scrollTop: element.scrollTop })
  }, [id, before])
  useEffect(() => {
    const at = performance.now()
    latest.current = cards === null ? null : cards.map((card) => ({ card, at, gone: false }))
    apply(held.current)
  }, [cards, apply, held])
  return { box, shown, total: latest.current?.length ?? shown.rows.length, release: () => apply(false) }
}

interface CardsProps {
  readonly rows: readonly Row[]
  readonly caps: Caps
  readonly isWide: boolean
}

/** Cards at their places; one of them has the tab stop. */
export function Cards({ rows, caps, isWide }: CardsProps) {
  const [reached, setReached] = useState<string | null>(null)
  const first = rows.some(({ card }) => card.mint === reached) ? reached : rows[0]?.card.mint
  // the policy of the page allows no style in its markup, which has no rows yet
  const size = { '--count': rows.length, '--rows': Math.ceil(rows.length / WIDE) } as CSSProperties
  return (
    <ul
      className={cardCss.list}
      data-wide={isWide || undefined}
      style={rows.length === 0 ? undefined : size}
      onFocus={(event) => {
        const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
        if (card !== null) setReached(card.dataset.card ?? null)
      }}
    >
      {rows.map((row, place) => (
        <Card key={row.card.mint} row={row} caps={caps} place={place} reached={row.card.mint === first} />
      ))}
    </ul>
  )
}
