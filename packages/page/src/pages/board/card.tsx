import type { BoardCard, FactCode } from '@ti/core/contract/app.ts'
import { type CSSProperties, memo, useRef } from 'react'
import { Link } from '../../shell/router.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, counted, pct } from '../../ui/format.ts'
import { safeLink } from '../../ui/links.ts'
import { TokenMark } from '../../ui/mark.tsx'
import { Rating } from '../../ui/rating.tsx'
import { Ago } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import { type Caps, useCap } from './caps.ts'
import css from './card.module.css'
import type { Row } from './rows.ts'

interface CardProps {
  readonly row: Row
  readonly caps: Caps
  /** the card of its list that has the tab stop */
  readonly reached: boolean
  /** place in the list: the style moves the card there, so that no other card shifts */
  readonly place: number
}

/** cards of a row where a list takes the whole width */
export const WIDE = 3

/** A token as a link to its page, with its verdict's colour and reason. Market caps bypass React. */
export const Card = memo(function Card({ row: { card, at, gone }, caps, reached, place }: CardProps) {
  const cap = useRef<HTMLSpanElement>(null)
  useCap(caps, card.mint, Number(card.values.mcap), at, cap)
  const tabIndex = reached ? 0 : -1
  const moved = { '--place': place, '--x': place % WIDE, '--y': Math.floor(place / WIDE) } as CSSProperties
  return (
    <li className={css.item} style={moved}>
      <Link
        to={`/token/${card.mint}`}
        className={css.card}
        data-card={card.mint}
        data-verdict={card.colour}
        data-gone={gone || undefined}
        tabIndex={tabIndex}
      >
        <span className={css.mark}>
          <TokenMark mint={card.mint} size={34} />
        </span>
        <span className={css.first}>
          <span className={css.names}>
            <bdi className={css.symbol}>{card.symbol || '(no symbol)'}</bdi>
            <bdi className={css.name}>{card.name}</bdi>
          </span>
          {gone && <Flag title="no longer in this list">left</Flag>}
          <span className={css.soft}>{counted(Number(card.values.holders), 'holder')}</span>
          <span className={css.soft}>
            <Ago at={card.deployed_at} /> old
          </span>
          <span className={css.soft}>
            cap <span className={css.cap} ref={cap} />
          </span>
        </span>
        <span className={css.why} title={card.why}>
          <Rating value={card.colour} /> {card.why}
        </span>
        <span className={css.facts}>
          <Facts card={card} />
        </span>
      </Link>
      <span className={css.star}>
        <Star small kind="token" target={card.mint} name={card.symbol || card.name} tabIndex={tabIndex} />
      </span>
      <Socials card={card} />
    </li>
  )
})

/** Each fact's word and meaning; percents are of supply. */
const FACTS: Readonly<Record<FactCode, readonly [word: string, means: string]>> = {
  crew: ['crew', 'held by crews known from other tokens'],
  group_sold: ['group sold', 'sold by coordinated wallets'],
  dev_sold: ['dev sold', 'sold by the deployer'],
  group: ['group', 'held by coordinated wallets'],
  dev: ['dev', 'held by the deployer'],
  insiders: ['insiders', 'held by the deployer and wallets that got tokens or SOL from it'],
  snipers: ['snipers', 'held by wallets that bought within 3 seconds of the launch'],
  fresh: ['fresh', 'held by wallets that were new when they bought'],
  top_10: ['top 10', 'held by the ten largest holders'],
  kols: ['KOLs', 'tracked KOL wallets that hold it'],
}

/** The unusual facts of the token, how full its curve is, and the trades of the last minute. */
function Facts({ card: { facts, values, buys_1m, sells_1m, agent_buyer, agent_bought_at } }: { card: BoardCard }) {
  const { curve_pct: curve } = values
  return (
    <>
      {agent_buyer !== null && (
        <span>
          bought by <bdi>{agent_buyer}</bdi>, <Ago at={agent_bought_at} /> ago
        </span>
      )}
      {facts.map(({ code, value }) => (
        <span key={code} title={FACTS[code][1]}>
          {FACTS[code][0]} <b>{code === 'kols' ? count(value) : pct(value)}</b>
        </span>
      ))}
      {typeof curve === 'number' && curve >= 50 && (
        <span title="how full the launchpad’s curve is">
          curve <b>{pct(curve, 0)}</b>
        </span>
      )}
      {buys_1m + sells_1m > 0 && (
        <span title={`in the last minute: ${counted(buys_1m, 'buy')}, ${counted(sells_1m, 'sale')}`}>
          trades {buys_1m}↑ {sells_1m}↓ a min
        </span>
      )}
    </>
  )
}

const SOCIALS = [
  ['twitter', 'X'],
  ['telegram', 'TG'],
  ['website', 'web'],
] as const

/** The deployer's links. They lie beside the card's link, because a link may not be inside another. */
function Socials({ card }: { card: BoardCard }) {
  const links = SOCIALS.flatMap(([field, word]) => {
    const link = card[field] === null ? null : safeLink(card[field])
    return link === null ? [] : [{ word, ...link }]
  })
  if (links.length === 0) return null
  return (
    <span className={css.socials}>
      {links.map(({ word, href, host }) => (
        <a
          key={word}
          href={href}
          title={host}
          aria-label={`${card.symbol || card.name}: ${word}, ${host}, opens in a new tab`}
          rel="noopener noreferrer nofollow"
          target="_blank"
          tabIndex={-1}
        >
          {word}
        </a>
      ))}
    </span>
  )
}
