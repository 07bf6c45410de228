import type { AppCards } from '@ti/core/contract/app.ts'
import { useId, useState } from 'react'
import { Link } from '../../shell/router.tsx'
import { shortAddress } from '../../ui/format.ts'
import { TokenMark } from '../../ui/mark.tsx'
import { Star } from '../../watch/star.tsx'
import { pathOf, type Watch } from '../../watch/watch.ts'
import { Card } from './card.tsx'
import columnCss from './column.module.css'
import type { ValueName } from './filters.ts'
import { Heads } from './heads.tsx'
import type { Pulse } from './pulse.ts'
import type { Row } from './rows.ts'
import { type Sorting, sorted } from './sorting.ts'
import { useWatchedRows } from './watched-cards.ts'
import css from './watching.module.css'

interface WatchingProps {
  readonly watches: readonly Watch[]
  readonly pulse: Pulse
  readonly extras: AppCards
  readonly sorting: Sorting
  readonly onSort: (by: ValueName) => void
  /** hidden lists make no requests and keep their rows */
  readonly hidden: boolean
}

/** Watched tokens as cards, and watched wallets, deployers and actors. */
export default function Watching({ watches, pulse, extras, sorting, onSort, hidden }: WatchingProps) {
  const id = useId()
  const [reached, setReached] = useState<string | null>(null)
  const newest = [...watches].reverse()
  const tokens = newest.filter(({ kind }) => kind === 'token')
  const people = newest.filter(({ kind }) => kind !== 'token' && kind !== 'condition')
  const conditions = newest.length - tokens.length - people.length
  const mints = [...new Set(tokens.map(({ target }) => target))]
  const found = useWatchedRows(mints, extras, hidden)
  const rows = sorted(
    found.flatMap(({ row }): Row[] => (row ? [row] : [])),
    sorting,
    Date.now(),
  )
  const nameOf = (mint: string): string => tokens.find(({ target }) => target === mint)?.name ?? shortAddress(mint)
  const first = rows.some((row) => row.id === reached) ? reached : rows[0]?.id
  return (
    <section className={columnCss.column} aria-labelledby={id} hidden={hidden} data-column="watching">
      <header className={columnCss.head}>
        <h2 id={id}>Watching</h2>
        <span className={columnCss.count}>{newest.length}</span>
        <Link to="/account#watches" className={css.all}>
          Manage
        </Link>
      </header>
      <Heads of="Watching" sorting={sorting} onSort={onSort} hidden={rows.length === 0} />
      <div className={columnCss.scroller}>
        <ul
          onFocus={(event) => {
            const card = (event.target as HTMLElement).closest('li')?.querySelector<HTMLElement>('[data-card]')
            if (card != null) setReached(card.dataset.card ?? null)
          }}
        >
          {rows.map((row) => (
            <Card key={row.id} row={row} pulse={pulse} reached={row.id === first} />
          ))}
          {found.map(
            ({ mint, row }) =>
              !row && (
                <li key={mint} className={css.line}>
                  <TokenMark mint={mint} size={22} />
                  <Link to={`/token/${mint}`} className={css.name}>
                    <bdi>{nameOf(mint)}</bdi>
                  </Link>
                  {row === null && <span className={css.kind}>not traded yet</span>}
                  <Star small kind="token" target={mint} name={nameOf(mint)} />
                </li>
              ),
          )}
        </ul>
        {people.length > 0 && (
          <ul aria-label="Wallets, deployers and actors">
            {people.map((watch) => (
              <Person key={watch.id || watch.target} watch={watch} />
            ))}
          </ul>
        )}
        {conditions > 0 && (
          <p className={css.note}>
            {conditions} {conditions === 1 ? 'condition' : 'conditions'} over new tokens
          </p>
        )}
        {newest.length === 0 && (
          <p className={css.note}>
            Nothing yet. The star on a card, a token or a wallet puts it here and reports on it.
          </p>
        )}
      </div>
    </section>
  )
}

const Person = ({ watch: { kind, target, name } }: { watch: Watch }) => (
  <li className={css.line}>
    <Link to={pathOf({ kind, target }) ?? '/'} className={css.name} title={target}>
      <bdi>{name}</bdi>
    </Link>
    <span className={css.kind}>{kind}</span>
    {kind !== 'condition' && <Star small kind={kind} target={target} name={name} />}
  </li>
)
