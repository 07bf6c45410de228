import type { AppExplain } from '@ti/core/contract/app.ts'
import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import type { ReactNode } from 'react'
import { looksCopied } from '../../ui/copied.ts'
import { Copy } from '../../ui/copy.tsx'
import { Flag } from '../../ui/flag.tsx'
import { NONE, pct, shortAddress, sol, usd } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import type { RatingValue } from '../../ui/rating.tsx'
import { Ago, Count, Usd } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import type { FirstWords } from './first.ts'
import { launchpadName } from './launchpads.ts'
import css from './token.module.css'
import type { TokenData } from './use-token.ts'

interface HeadProps {
  readonly mint: string
  readonly data: TokenData
  readonly words: FirstWords | null
  /** of the verdict at the time that is shown; null until it is known */
  readonly colour: RatingValue | null
}

/** One line: what it is, its numbers, watch and share. */
export function Head({ mint, data, words, colour }: HeadProps) {
  const snapshot = data.snapshot.data
  const meta = snapshot?.meta ?? null
  const symbol = meta === null ? words?.symbol : meta.symbol || meta.name
  const name = meta === null ? words?.name : meta.symbol && meta.name
  return (
    <header className={css.head} data-rating={colour ?? undefined}>
      <TokenMark mint={mint} size={36} />
      <div className={css.names}>
        <h1>
          <bdi title={symbol || undefined}>{symbol || (meta === null ? shortAddress(mint) : 'Unnamed token')}</bdi>{' '}
          {name ? (
            <bdi className={css.name} title={name}>
              {name}
            </bdi>
          ) : null}
        </h1>
        <ul className={css.facts}>{snapshot === null ? <li>{BLANK}</li> : <Facts snapshot={snapshot} />}</ul>
      </div>
      <Figures data={data} />
      <div className="row">
        <Star kind="token" target={mint} name={symbol || shortAddress(mint)} />
        <span className="row">
          Share <Copy text={typeof location === 'undefined' ? '' : location.href} label="Copy link to this page" />
        </span>
      </div>
    </header>
  )
}

const BLANK = '\u00a0'

const Facts = ({ snapshot: { meta, status } }: { snapshot: TokenSnapshot }) => (
  <>
    {meta.launchpad !== null && (
      <li>
        <bdi>{launchpadName(meta.launchpad)}</bdi>
      </li>
    )}
    <li>
      {meta.deployed_at === null ? (
        'launched before the log began'
      ) : (
        <>
          <Ago at={meta.deployed_at} /> old
        </>
      )}
    </li>
    <li>
      {status.has_migrated ? (
        <>graduated {status.migrated_at !== null && <Ago at={status.migrated_at} />} ago</>
      ) : (
        'on its curve'
      )}
    </li>
    {looksCopied(status.duplication) ? (
      <li>
        <Flag>copies an earlier token</Flag>
      </li>
    ) : (
      !status.is_og && <li>name used before</li>
    )}
    {status.dex_paid && <li>DEX listing paid</li>}
    <li>
      mint <Address value={meta.mint} kind="mint" />
    </li>
  </>
)

function Figures({ data: { snapshot, explain, who, mcap, at, past } }: { data: TokenData }) {
  const then = at === null ? null : past.data
  const market = snapshot.data?.market ?? null
  const now = mcap ?? market?.mcap ?? null
  const peak = market === null || market.ath_at === null ? null : Math.max(market.ath_mcap, now ?? 0)
  const [cap, high] = at === null ? [now, peak] : [then?.mcap ?? null, then?.peak_mcap ?? null]
  const holders = at === null ? (who.data?.holders.count ?? null) : (then?.holders?.count ?? null)
  return (
    <dl className={css.figures}>
      <Figure label="Market cap">
        <Usd value={cap} />
      </Figure>
      <Figure label={high === null ? 'From peak' : `From peak ${usd(high)}`}>{belowPeak(cap, high)}</Figure>
      <Figure label={at !== null && (then?.holders?.moved ?? 0) > 0 ? 'Holders, at least' : 'Holders'}>
        <Count value={holders} />
      </Figure>
      <Figure label="Liquidity">
        {at === null ? liquidity(explain.data) : <span className={css.small}>not kept</span>}
      </Figure>
    </dl>
  )
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

function liquidity(explain: AppExplain | null): ReactNode {
  if (explain === null) return NONE
  return explain.liquidity_sol === null ? (
    <span className={css.small}>not known</span>
  ) : (
    `${sol(explain.liquidity_sol)} SOL`
  )
}

function belowPeak(mcap: number | null, peak: number | null): string {
  if (mcap === null || peak === null || peak <= 0) return NONE
  const below = 100 * (1 - mcap / peak)
  return below < 0.5 ? 'at its peak' : `−${pct(below, 0)}`
}
