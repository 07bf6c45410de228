import type { AppExplain } from '@ti/core/contract/app.ts'
import type { Duplication } from '@ti/core/contract/resources.ts'
import { Link } from '../../shell/router.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import { ScoreBadge } from '../../ui/rating.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import { listed, type Origin, originsOf, reuseOf } from './reuse.ts'
import css from './reused.module.css'

interface ReusedProps {
  readonly duplication: Duplication
  /** null before it is loaded */
  readonly explain: AppExplain | null
}

/** Warns that the token copied earlier ones, and names those. */
export function Reused({ duplication, explain }: ReusedProps) {
  const { reused, unchecked } = reuseOf(duplication, explain?.earlier ?? null)
  if (reused.length === 0) return null
  return (
    <section className={css.warning} aria-label="Reused information">
      <p>
        <strong>Not original.</strong> An earlier token already had this {listed(reused)}.
        {unchecked.length > 0 && <span className={css.soft}> Not checked yet: {listed(unchecked)}.</span>}
      </p>
      {explain !== null &&
        originsOf(explain.earlier).map((origin) => <Earlier key={origin.token.mint} origin={origin} />)}
    </section>
  )
}

const Earlier = ({ origin: { token, fields } }: { origin: Origin }) => (
  <p className={css.earlier}>
    <span className={css.soft}>First with this {listed(fields)}:</span>
    <Link to={`/token/${token.mint}`} className={css.token}>
      <TokenMark mint={token.mint} size={20} />
      <bdi className={css.name}>{token.symbol || token.name}</bdi>
    </Link>
    <ScoreBadge score={token.score} colour={token.colour} />
    <Usd value={token.mcap} />
    {token.deployed_at !== null && (
      <span className={css.soft}>
        launched <Ago at={token.deployed_at} /> ago
      </span>
    )}
  </p>
)
