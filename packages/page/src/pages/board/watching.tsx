import type { BoardCard } from '@ti/core/contract/app.ts'
import { useId } from 'react'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import { Empty } from '../../ui/states.tsx'
import { Star } from '../../watch/star.tsx'
import { pathOf, type Watch } from '../../watch/watch.ts'
import css from './board.module.css'
import type { Caps } from './caps.ts'
import { Cards } from './column.tsx'
import { EVERY_MS } from './lists.ts'

/** watched tokens shown as cards, the newest watches: the service's own limit */
const CARDS_MAX = 50

/** Watched tokens as cards, and watched wallets, deployers and crews. */
export default function Watching({ watches, caps }: { watches: readonly Watch[]; caps: Caps }) {
  const id = useId()
  const newest = [...watches].reverse()
  const mints = newest.filter(({ kind }) => kind === 'token').map(({ target }) => target)
  const asked = [...new Set(mints)].slice(0, CARDS_MAX).join(',')
  const { data } = useResource<BoardCard[]>(asked === '' ? null : `/app/cards?mints=${asked}`, { everyMs: EVERY_MS })
  const rows = (data ?? []).map((card) => ({ card, at: 0, gone: false }))
  const others = newest.filter(
    ({ kind, target }) => kind !== 'condition' && !rows.some(({ card }) => kind === 'token' && card.mint === target),
  )
  return (
    <section className={css.column} aria-labelledby={id} data-column="watching" data-wide>
      <header className={css.head}>
        <h2 id={id}>Watching</h2>
        <span className={css.count}>{newest.length} watched</span>
        <Link to="/account#watches" className={css.hidden}>
          Manage
        </Link>
      </header>
      <div className={css.scroller}>
        <Cards rows={rows} caps={caps} isWide />
        <ul aria-label="Wallets, deployers and crews">
          {others.map((watch) => (
            <li key={watch.id || watch.target} className={css.line}>
              {watch.kind === 'token' && <TokenMark mint={watch.target} size={22} />}
              <Link to={pathOf(watch) ?? '/'} title={watch.target}>
                <bdi>{watch.name}</bdi>
              </Link>
              <span className={css.count}>{watch.kind}</span>
              {watch.kind !== 'condition' && <Star small kind={watch.kind} target={watch.target} name={watch.name} />}
            </li>
          ))}
        </ul>
        {newest.length === 0 && (
          <Empty>Nothing yet. The star on a card, a token, a deployer or a crew puts it here and reports on it.</Empty>
        )}
      </div>
    </section>
  )
}
