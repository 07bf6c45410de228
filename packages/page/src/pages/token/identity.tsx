import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import type { ReactNode } from 'react'
import { looksCopied } from '../../ui/copied.ts'
import { Copy } from '../../ui/copy.tsx'
import { Flag } from '../../ui/flag.tsx'
import { pct, shortAddress } from '../../ui/format.ts'
import { Address, ExternalLink } from '../../ui/links.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { type RatingValue, ScoreBadge } from '../../ui/rating.tsx'
import { Tip } from '../../ui/tip.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import type { FirstWords } from './first-words.ts'
import css from './identity.module.css'
import { launchpadName } from './launchpads.ts'

/** characters of a description before the rest folds */
const SHORT = 220

interface IdentityProps {
  readonly snapshot: TokenSnapshot
  readonly mcap: number
  /** of the verdict; null until it is known */
  readonly colour: RatingValue | null
}

/** Name and origin of the token, and its three headline numbers. */
export function Identity({ snapshot, mcap, colour }: IdentityProps) {
  const { meta, status, market, score } = snapshot
  const nameless = !meta.symbol && !meta.name
  return (
    <header className={css.identity}>
      <div className={css.who}>
        <TokenMark mint={meta.mint} size={52} />
        <div className={css.names}>
          <div className={css.top}>
            <h1 className={css.title}>
              <bdi className={css.symbol} title={meta.symbol ?? undefined}>
                {meta.symbol || (nameless ? 'Unnamed token' : meta.name)}
              </bdi>{' '}
              {meta.symbol && meta.name && (
                <bdi className={css.name} title={meta.name}>
                  {meta.name}
                </bdi>
              )}
            </h1>
            <Star kind="token" target={meta.mint} name={meta.symbol || meta.name || shortAddress(meta.mint)} />
          </div>
          <ul className={css.facts}>
            {meta.launchpad !== null && (
              <li>
                <bdi>{launchpadName(meta.launchpad)}</bdi>
              </li>
            )}
            <li>
              launched {meta.deployed_at === null ? 'before the log started' : <Ago at={meta.deployed_at} />}
              {meta.deployed_at !== null && ' ago'}
            </li>
            <li>
              <Copy text={location.href} label="Copy link to this page" /> share
            </li>
            <li>
              mint <Address value={meta.mint} kind="mint" />
            </li>
            {meta.deployer !== null && (
              <li className={css.deployer}>
                deployer <Address value={meta.deployer} kind="deployer" />
              </li>
            )}
          </ul>
          <Flags status={status} />
        </div>
      </div>
      <dl className={css.numbers}>
        <Figure {...MCAP} large={<Usd value={mcap} />} under={belowPeak(mcap, market.ath_mcap)} />
        <Figure
          {...PEAK}
          large={<Usd value={market.ath_at === null ? null : Math.max(mcap, market.ath_mcap)} />}
          under={
            market.ath_at === null ? (
              'no trade yet'
            ) : (
              <>
                <Ago at={market.ath_at} /> ago
              </>
            )
          }
        />
        <Figure {...SCORE} large={<ScoreBadge score={score.value} colour={colour} />} under="of 10" />
      </dl>
    </header>
  )
}

/** The same before the first answer: the name if the service sent it, and placeholders. */
export const IdentityPlaces = ({ mint, words }: { mint: string; words: FirstWords | null }) => (
  <header className={css.identity}>
    <div className={css.who}>
      <TokenMark mint={mint} size={52} />
      <div className={css.names}>
        <div className={css.top}>
          <h1 className={css.title}>
            <bdi className={css.symbol}>{words === null ? shortAddress(mint) : words.symbol}</bdi>{' '}
            {words !== null && <bdi className={css.name}>{words.name}</bdi>}
          </h1>
          <Star kind="token" target={mint} name={words?.symbol ?? shortAddress(mint)} />
        </div>
        <ul className={css.facts} aria-hidden="true">
          {PLACES.map((place, i) => (
            <li key={i} className={`${css.place} ${place}`} />
          ))}
        </ul>
        <ul className={css.flags} aria-hidden="true">
          <li>
            <Flag>{BLANK}</Flag>
          </li>
        </ul>
      </div>
    </div>
    <dl className={css.numbers}>
      {[MCAP, PEAK, SCORE].map((figure) => (
        <Figure key={figure.label} {...figure} large={BLANK} under={BLANK} />
      ))}
    </dl>
  </header>
)

const BLANK = '\u00a0'
/** placeholders of launchpad, age, share link, mint and deployer, with similar widths */
const PLACES = [css.short, css.long, css.short, css.long, `${css.long} ${css.deployer}`]

interface FigureProps {
  readonly label: string
  readonly means: string
  readonly large: ReactNode
  readonly under: ReactNode
}

const MCAP = { label: 'Market cap', means: 'Price of the last trade times total supply, in USD.' }
const PEAK = { label: 'Peak', means: 'The highest market cap after a trade.' }
const SCORE = {
  label: 'Score',
  means:
    'Quality of the people behind the token, 0 to 10, in the colour of the verdict, which also bounds it. Its parts are shown below.',
}

const Figure = ({ label, means, large, under }: FigureProps) => (
  <div>
    <dt>
      <Tip text={means}>{label}</Tip>
    </dt>
    <dd className={css.large}>{large}</dd>
    <dd className={css.under}>{under}</dd>
  </div>
)

function belowPeak(mcap: number, peak: number): string {
  if (peak <= 0) return 'no trade yet'
  const below = 100 * (1 - mcap / peak)
  return below < 0.05 ? 'at its peak' : `${pct(below, below < 10 ? 1 : 0)} below its peak`
}

const Flags = ({ status }: { status: TokenSnapshot['status'] }) => (
  <ul className={css.flags}>
    <li>
      {status.has_migrated ? (
        <Flag rating="green">
          graduated {status.migrated_at !== null && <Ago at={status.migrated_at} />}
          {status.migrated_at !== null && ' ago'}
        </Flag>
      ) : (
        <Flag>on its curve</Flag>
      )}
    </li>
    {status.dex_paid && (
      <li>
        <Flag>DEX listing paid</Flag>
      </li>
    )}
    <li>{reuseFlag(status)}</li>
  </ul>
)

function reuseFlag({ is_og, duplication }: TokenSnapshot['status']) {
  if (is_og) return <Flag>original</Flag>
  return looksCopied(duplication) ? <Flag rating="red">copies an earlier token</Flag> : <Flag>name used before</Flag>
}

/** The creators' own description and links, with hosts. */
export function About({ meta }: { meta: TokenSnapshot['meta'] }) {
  const links = (
    [
      ['Website', meta.website],
      ['Social', meta.twitter],
      ['Messages', meta.telegram],
      ['Image', meta.image_uri],
    ] as const
  ).filter(([, href]) => href !== null && href !== '')
  const description = meta.description?.trim() ?? ''
  if (links.length === 0 && description === '') return null
  return (
    <Panel title="What its creators say" note="unverified">
      <div className={css.about}>
        {description !== '' && <Description text={description} />}
        {links.length > 0 && (
          <ul className={css.links}>
            {links.map(([label, href]) => (
              <li key={label}>
                <ExternalLink href={href ?? ''}>{label}</ExternalLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}

const Description = ({ text }: { text: string }) =>
  text.length <= SHORT ? (
    <p className={css.description}>
      <bdi>{text}</bdi>
    </p>
  ) : (
    <details className={css.description}>
      <summary>
        <bdi>{text.slice(0, SHORT)}…</bdi> <span className={css.more}>show all</span>
      </summary>
      <p>
        <bdi>{text}</bdi>
      </p>
    </details>
  )
