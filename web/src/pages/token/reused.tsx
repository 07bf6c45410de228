import type { AppSearch } from '../../../../src/contract/app.ts'
import type { TokenSnapshot } from '../../../../src/contract/resources.ts'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../shell/router.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import { ScoreBadge } from '../../ui/rating.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import { earlierToken, listed, reuseOf, searchFor } from './reuse.ts'
import css from './reused.module.css'

/** A warning where the token took over what an earlier one had, with the earlier one where it can be found. */
export function Reused({ meta, status }: { meta: TokenSnapshot['meta']; status: TokenSnapshot['status'] }) {
  const { duplication } = status
  const { reused, unchecked } = reuseOf(duplication)
  const words = status.is_og ? null : searchFor(meta, duplication)
  const path = words === null ? null : `/app/search?q=${encodeURIComponent(words)}`
  const { data } = useResource<AppSearch>(path)
  if (reused.length === 0) return null
  const earlier = earlierToken(meta, duplication, data?.tokens ?? [])
  return (
    <section className={css.warning} aria-label="Reused information">
      <p>
        <strong>Not original.</strong> An earlier token already had this {listed(reused)}.
        {unchecked.length > 0 && <span className={css.soft}> Not checked yet: {listed(unchecked)}.</span>}
      </p>
      {earlier !== null && (
        <p className={css.earlier}>
          <span className={css.soft}>Oldest that is still live:</span>
          <Link to={`/token/${earlier.mint}`} className={css.token}>
            <TokenMark mint={earlier.mint} size={20} />
            <bdi className={css.name}>{earlier.symbol || earlier.name}</bdi>
          </Link>
          <ScoreBadge score={earlier.score} rating={earlier.rating} />
          <Usd value={earlier.mcap} />
          <span className={css.soft}>
            launched <Ago at={earlier.deployed_at} /> ago
          </span>
        </p>
      )}
    </section>
  )
}
