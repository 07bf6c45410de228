import { memo, useRef } from 'react'
import type { TokenCard } from '../../../../src/contract/resources.ts'
import { Link } from '../../shell/router.tsx'
import { Flag } from '../../ui/flag.tsx'
import { pct } from '../../ui/format.ts'
import { TokenMark } from '../../ui/mark.tsx'
import { Rating, ScoreBadge } from '../../ui/rating.tsx'
import { Ago } from '../../ui/values.tsx'
import { useBeat } from './beat.ts'
import css from './card.module.css'
import { isCopy } from './filters.ts'
import type { Pulse } from './pulse.ts'
import type { Row } from './rows.ts'

/** The verdict's band, where the percentage is not told yet. */
const BUNDLE_BAND = { green: '<50%', yellow: '<65%', red: '≥65%', neutral: '–' } as const

const bundled = (rating: keyof typeof BUNDLE_BAND, share: number | null): string =>
  rating === 'neutral' || share === null ? BUNDLE_BAND[rating] : pct(share, 0)

interface CardProps {
  readonly row: Row
  readonly pulse: Pulse
  /** the one of its column that the tab key reaches */
  readonly reached: boolean
}

/** One token, as a link to its page. What the streams change is written beside React. */
export const Card = memo(function Card({ row: { id, card, bundlePct, at, gone }, pulse, reached }: CardProps) {
  const cap = useRef<HTMLSpanElement>(null)
  const trades = useRef<HTMLSpanElement>(null)
  useBeat(pulse, card.mint, card.mcap, at, { cap, trades })
  const { ratings } = card
  return (
    <li className={css.item}>
      <Link
        to={`/token/${card.mint}`}
        className={css.card}
        data-card={id}
        data-gone={gone || undefined}
        tabIndex={reached ? 0 : -1}
      >
        <TokenMark mint={card.mint} size={32} />
        <span className={css.symbol}>
          <bdi>{card.symbol || '(no symbol)'}</bdi>
        </span>
        <span className={css.flags}>
          <Flags card={card} gone={gone} />
        </span>
        <span className={css.score}>
          <ScoreBadge score={card.score} rating={ratings.score} />
        </span>
        <bdi className={css.name}>{card.name}</bdi>
        <span className={css.trades} ref={trades} title="trades in the last minute: buys ↑, sells ↓" />
        <span className={css.age}>
          <span className="unseen">launched </span>
          <Ago at={card.deployed_at} />
          <span className="unseen"> ago,</span>
        </span>
        {card.agent_buyer !== null && <Buyer card={card} />}
        <span className={css.cells}>
          <span>
            <span className="unseen">market cap </span>
            <span className={css.cap} ref={cap} />
          </span>
          <span title="supply held by coordinated groups">
            <span className="unseen">bundles </span>
            <Rating value={ratings.bundle}>{bundled(ratings.bundle, bundlePct)}</Rating>
          </span>
          <span title="supply held by suspicious wallets">
            <span className="unseen">dirty </span>
            <Rating value={ratings.dirty}>{pct(card.dirty_pct, 0)}</Rating>
          </span>
          <span title="tracked KOL wallets holding">
            <span className="unseen">KOLs </span>
            <span className={card.kols_in_count > 0 ? css.some : css.none}>{card.kols_in_count}</span>
          </span>
          <span title="pump and dump conditions that hold, of 24 each">
            <span className="unseen">pump and dump conditions </span>
            <Rating value={ratings.pump_dump}>
              {card.pump_conditions_met ?? '–'}/{card.dump_conditions_met ?? '–'}
            </Rating>
          </span>
        </span>
      </Link>
    </li>
  )
})

const Buyer = ({ card }: { card: TokenCard }) => (
  <span className={css.buyer}>
    bought by <bdi>{card.agent_buyer}</bdi>, <Ago at={card.agent_bought_at} /> ago
  </span>
)

const Flags = ({ card, gone }: { card: TokenCard; gone: boolean }) => (
  <>
    {gone && <Flag title="no longer in this list">left</Flag>}
    {isCopy(card) && (
      <Flag rating="yellow" title={`reused from an earlier token: ${reused(card)}`}>
        copy
      </Flag>
    )}
    {card.dex_paid && <Flag title="a DEX listing order was confirmed">dex</Flag>}
  </>
)

const reused = ({ duplication }: TokenCard): string =>
  Object.entries(duplication)
    .filter(([, flag]) => flag === true)
    .map(([what]) => what.replace('_', ' and '))
    .join(', ')
