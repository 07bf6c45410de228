import { Link } from '../../shell/router.tsx'
import { Flag } from '../../ui/flag.tsx'
import { shortAddress } from '../../ui/format.ts'
import { TokenMark } from '../../ui/mark.tsx'
import { ScoreBadge } from '../../ui/rating.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import css from './recent.module.css'
import { type Card, useCards } from './use-cards.ts'

/** Tokens that the wallet traded last, with their present state. */
export function RecentTokens({ mints }: { mints: readonly string[] }) {
  const cards = useCards(mints)
  return (
    <ol className={css.list}>
      {mints.map((mint) => (
        <li key={mint}>
          <Link to={`/token/${mint}`} className={css.token}>
            <TokenMark mint={mint} size={28} />
            <Names mint={mint} card={cards.get(mint)} />
          </Link>
          <Facts card={cards.get(mint)} />
        </li>
      ))}
    </ol>
  )
}

function Names({ mint, card }: { mint: string; card: Card | null | undefined }) {
  if (card == null || (card.symbol === '' && card.name === '')) return <span>{shortAddress(mint)}</span>
  return (
    <span className={css.names}>
      <bdi className={css.symbol}>{card.symbol || card.name}</bdi>
      {card.symbol !== '' && <bdi className={css.name}>{card.name}</bdi>}
    </span>
  )
}

const Facts = ({ card }: { card: Card | null | undefined }) =>
  card == null ? null : (
    <span className={css.facts}>
      {card.has_migrated && (
        <span className={css.graduated}>
          <Flag rating="green">graduated</Flag>
        </span>
      )}
      <ScoreBadge score={card.score} colour={card.colour} />
      <span className={css.mcap}>
        <Usd value={card.mcap} />
      </span>
      <span className={css.age}>{card.deployed_at !== null && <Ago at={card.deployed_at} />}</span>
    </span>
  )
