import type { AppCard } from '@ti/core/contract/app.ts'
import type { TokenCard } from '@ti/core/contract/resources.ts'
import { memo, type ReactNode, useRef } from 'react'
import { Link } from '../../shell/router.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, NONE, pct } from '../../ui/format.ts'
import { TokenMark } from '../../ui/mark.tsx'
import { ScoreBadge } from '../../ui/rating.tsx'
import { Ago } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import { useBeat } from './beat.ts'
import css from './card.module.css'
import { deployerChip } from './card-words.ts'
import { isCopy } from './filters.ts'
import type { Pulse } from './pulse.ts'
import type { Row } from './rows.ts'

interface CardProps {
  readonly row: Row
  readonly pulse: Pulse
  /** the card of its column that has the tab stop */
  readonly reached: boolean
}

/** A token as a link to its page. Stream updates bypass React. */
export const Card = memo(function Card({ row: { id, card, more, at, gone }, pulse, reached }: CardProps) {
  const cap = useRef<HTMLSpanElement>(null)
  const trades = useRef<HTMLSpanElement>(null)
  useBeat(pulse, card.mint, card.mcap, at, { cap, trades })
  return (
    <li className={css.item}>
      <Link
        to={`/token/${card.mint}`}
        className={css.card}
        data-card={id}
        data-verdict={more?.colour}
        data-gone={gone || undefined}
        tabIndex={reached ? 0 : -1}
      >
        <TokenMark mint={card.mint} size={32} />
        <span className={css.symbol}>
          <bdi>{card.symbol || '(no symbol)'}</bdi>
        </span>
        <span className={css.flags}>
          <Flags card={card} more={more} gone={gone} />
        </span>
        <span className={css.score}>
          <ScoreBadge score={card.score} colour={more?.colour ?? null} />
        </span>
        <bdi className={css.name}>{card.name}</bdi>
        <span className={css.worth}>
          <span className="unseen">market cap </span>
          <span className={css.cap} ref={cap} />
        </span>
        <span className={css.age}>
          <span className="unseen">launched </span>
          <Ago at={card.deployed_at} />
          <span className="unseen"> ago,</span>
        </span>
        {card.agent_buyer !== null && <Buyer card={card} />}
        <span className={css.past}>
          <Deployer more={more} />
          <span className={css.trades} ref={trades} title="trades in the last minute: buys ↑, sells ↓" />
        </span>
        <Cells card={card} more={more} />
        {more?.curve_pct != null && more.curve_pct >= 50 && <Curve pct={more.curve_pct} />}
      </Link>
      <span className={css.star}>
        <Star small kind="token" target={card.mint} name={card.symbol || card.name} tabIndex={reached ? 0 : -1} />
      </span>
    </li>
  )
})

function Deployer({ more }: { more: AppCard | null }) {
  const chip = deployerChip(more)
  return (
    <span className={css.deployer} title={chip.title}>
      {chip.text}
    </span>
  )
}

/** Eight numbers in two rows, below the column's headings. */
function Cells({ card, more }: { card: TokenCard; more: AppCard | null }) {
  return (
    <span className={css.cells}>
      <Cell what="bundled">
        <Share value={more?.bundle_pct} />
      </Cell>
      <Cell what="dirty">
        <Share value={card.dirty_pct} />
      </Cell>
      <Cell what="deployer">
        <Dev more={more} />
      </Cell>
      <Cell what="ten largest">
        <Share value={more?.top_10_pct} />
      </Cell>
      <Cell what="groups that sold">
        <Share value={more?.group_sold_pct} />
      </Cell>
      <Cell what="snipers">
        <Share value={more?.snipers_pct} />
      </Cell>
      <Cell what="fresh wallets">
        <Share value={more?.fresh_pct} />
      </Cell>
      <Cell what="drained of 100 like it">
        <Share value={more?.drain == null ? null : 100 * more.drain.p} />
      </Cell>
    </span>
  )
}

const Cell = ({ what, children }: { what: string; children: ReactNode }) => (
  <span>
    <span className="unseen">{what} </span>
    {children}
  </span>
)

const Share = ({ value }: { value: number | null | undefined }) => (
  <span className={value == null || value === 0 ? css.none : undefined}>{value == null ? NONE : pct(value, 0)}</span>
)

/** Shows the deployer's share, or that it has sold all. */
const Dev = ({ more }: { more: AppCard | null }) =>
  more !== null && more.dev_pct === 0 && (more.dev_sold_pct ?? 0) > 0 ? (
    <span title={`the deployer sold ${pct(more.dev_sold_pct ?? 0)} of the supply and holds none`}>sold</span>
  ) : (
    <Share value={more?.dev_pct} />
  )

const Curve = ({ pct: filled }: { pct: number }) => (
  <span className={css.curve} title="how full the launchpad’s curve is">
    <span className={css.track} aria-hidden="true">
      <span className={css.fill} style={{ inlineSize: `${filled}%` }} />
    </span>
    <span>curve {pct(filled, 0)}</span>
  </span>
)

const Buyer = ({ card }: { card: TokenCard }) => (
  <span className={css.buyer}>
    bought by <bdi>{card.agent_buyer}</bdi>, <Ago at={card.agent_bought_at} /> ago
  </span>
)

interface FlagsProps {
  readonly card: TokenCard
  readonly more: AppCard | null
  readonly gone: boolean
}

const Flags = ({ card, more, gone }: FlagsProps) => (
  <>
    {gone && <Flag title="no longer in this list">left</Flag>}
    {more?.rugged === true && <Flag title="its inner circle took the money out of its market">rug</Flag>}
    {isCopy(card) && <Flag title={`reused from an earlier token: ${reused(card)}`}>copy</Flag>}
    {more !== null && more.actors_bad > 0 && (
      <Flag title="wallets in this token acted together on others, and at least one of those was drained or rugged">
        actor
      </Flag>
    )}
    {card.kols_in_count > 0 && (
      <Flag title={`tracked KOL wallets that hold it: ${count(card.kols_in_count)}`}>
        {count(card.kols_in_count)} KOL
      </Flag>
    )}
    <Conditions card={card} />
    {!isCopy(card) && card.duplication.symbol_name === true && (
      <Flag title="an earlier token has the same symbol and name; image and links are its own">namesake</Flag>
    )}
    {card.dex_paid && <Flag title="a DEX listing order was confirmed">dex</Flag>}
  </>
)

const PRESSURE = { green: 'pump', red: 'dump' } as const

/** Shows pump or dump when the conditions decide. */
function Conditions({ card: { ratings, pump_conditions_met: pump, dump_conditions_met: dump } }: { card: TokenCard }) {
  const { pump_dump: rating } = ratings
  if (rating !== 'green' && rating !== 'red') return null
  return <Flag title={`of 24 paired conditions ${pump} say pump and ${dump} dump`}>{PRESSURE[rating]}</Flag>
}

const reused = ({ duplication }: TokenCard): string =>
  Object.entries(duplication)
    .filter(([, flag]) => flag === true)
    .map(([what]) => what.replace('_', ' and '))
    .join(', ')
