import type { TokenSnapshot } from '../../../../src/contract/resources.ts'
import { looksCopied } from '../../ui/copied.ts'
import { Copy } from '../../ui/copy.tsx'
import { Flag } from '../../ui/flag.tsx'
import { pct, shortAddress } from '../../ui/format.ts'
import { Address, ExternalLink } from '../../ui/links.tsx'
import { TokenMark } from '../../ui/mark.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Rating } from '../../ui/rating.tsx'
import { Tip } from '../../ui/tip.tsx'
import { Ago, Usd } from '../../ui/values.tsx'
import { Star } from '../../watch/star.tsx'
import css from './identity.module.css'
import { launchpadName } from './launchpads.ts'

/** of a description, before the rest folds away */
const SHORT = 220

/** Who this is, and the three numbers one looks for first. */
export function Identity({ snapshot, mcap }: { snapshot: TokenSnapshot; mcap: number }) {
  const { meta, status, market, score, ratings } = snapshot
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
        <div>
          <dt>
            <Tip text="Price of the last trade times total supply, in USD.">Market cap</Tip>
          </dt>
          <dd className={css.large}>
            <Usd value={mcap} />
          </dd>
          <dd className={css.under}>{belowPeak(mcap, market.ath_mcap)}</dd>
        </div>
        <div>
          <dt>
            <Tip text="The highest market cap after a trade.">Peak</Tip>
          </dt>
          <dd className={css.large}>
            <Usd value={market.ath_at === null ? null : Math.max(mcap, market.ath_mcap)} />
          </dd>
          <dd className={css.under}>
            {market.ath_at === null ? (
              'no trade yet'
            ) : (
              <>
                <Ago at={market.ath_at} /> ago
              </>
            )}
          </dd>
        </div>
        <div className={css.score} data-rating={ratings.score}>
          <dt>
            <Tip text="Quality of the people behind the token, 0 to 10. Its parts are shown below.">Score</Tip>
          </dt>
          <dd className={css.large}>
            <Rating value={ratings.score}>{score.value.toFixed(1)}</Rating>
          </dd>
          <dd className={css.under}>{ratings.score === 'neutral' ? 'not enough is known yet' : 'of 10'}</dd>
        </div>
      </dl>
    </header>
  )
}

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

/** What its makers say about it: text, and links with their hosts. */
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
    <Panel title="What its makers say" note="unverified">
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
        <bdi>{text.slice(0, SHORT)}…</bdi> <span className={css.more}>all of it</span>
      </summary>
      <p>
        <bdi>{text}</bdi>
      </p>
    </details>
  )
