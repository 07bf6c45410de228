import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import { useEffect, useState } from 'react'
import { Link } from '../../shell/router.tsx'
import { useAfterPaint } from '../../ui/after-paint.ts'
import { Contents } from '../../ui/contents.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { firstWords } from './first-words.ts'
import { About, Identity, IdentityPlaces } from './identity.tsx'
import { Kols } from './kols.tsx'
import { Line } from './line.tsx'
import css from './page.module.css'
import { RatingsPanel } from './ratings.tsx'
import { Reused } from './reused.tsx'
import { Score } from './score.tsx'
import { Cohorts, Shares } from './shares.tsx'
import { Signals } from './signals.tsx'
import { Trades } from './trades.tsx'
import { useToken } from './use-token.ts'
import { Verdict } from './verdict.tsx'
import { WhoPanel } from './who.tsx'
import { titleOf } from './words.ts'

export default function Page({ id: mint }: { id: string }) {
  const data = useToken(mint)
  const [words] = useState(() => firstWords(mint))
  const { snapshot, who, mcap } = data
  const { data: shown, error } = snapshot
  useEffect(() => {
    // the served page already has a title
    if (shown !== null || words === null)
      document.title = titleOf(mint, shown?.meta ?? null, shown?.score.value ?? null)
  }, [shown, words, mint])

  if (shown === null && error?.status === 404) return <Unknown mint={mint} />
  return (
    <div className={css.page}>
      {shown === null ? (
        <IdentityPlaces mint={mint} words={words} />
      ) : (
        <Identity
          snapshot={shown}
          mcap={mcap ?? shown.market.mcap}
          colour={who.data?.verdict.colour ?? words?.colour ?? null}
        />
      )}
      {shown !== null && error !== null && <Stale since={snapshot.meta?.cached_at} message={error.message} />}
      {shown === null && error !== null && <Failure error={error} retry={snapshot.refresh} />}
      <Contents parts={PARTS} />
      <div className={css.grid}>
        <div className={css.whole} id="verdict">
          <Verdict who={who} words={words} />
        </div>
        <div className={css.whole} id="who">
          <WhoPanel who={who} />
        </div>
        {shown === null ? <Places /> : <Below data={data} shown={shown} />}
      </div>
    </div>
  )
}

/**
 * Content below the first screen, rendered after the first paint. Its sections exist from the start, because links lead to
 * them.
 */
function Below({ data, shown }: { data: ReturnType<typeof useToken>; shown: TokenSnapshot }) {
  const { explain, line, list, slot, trades, link } = data
  if (!useAfterPaint()) return BELOW.map(([place, id]) => <div key={id} className={place} id={id} />)
  return (
    <>
      <div className={css.score} id="score">
        <Score explain={explain} />
      </div>
      <div className={css.line} id="line">
        <Line line={line} trades={list} market={shown.market} />
      </div>
      <div className={css.whole} id="trades">
        <Trades list={list} resource={trades} link={link} />
      </div>
      <div className={css.signals} id="signals">
        <Signals explain={explain} />
      </div>
      <div className={css.ratings} id="ratings">
        <RatingsPanel snapshot={shown} />
      </div>
      <div className={css.shares} id="shares">
        <Shares explain={explain} />
      </div>
      <div className={css.cohorts} id="cohorts">
        <Cohorts cohorts={shown.cohorts} />
      </div>
      <div className={css.people} id="kols">
        <Kols kols={shown.kols} slot={slot} />
      </div>
      <div className={css.about}>
        <Reused duplication={shown.status.duplication} explain={explain.data} />
        <About meta={shown.meta} />
      </div>
    </>
  )
}

const BELOW = [
  [css.score, 'score'],
  [css.line, 'line'],
  [css.whole, 'trades'],
  [css.signals, 'signals'],
  [css.ratings, 'ratings'],
  [css.shares, 'shares'],
  [css.cohorts, 'cohorts'],
  [css.people, 'kols'],
] as const

const PARTS = [
  ['verdict', 'Verdict'],
  ['who', 'Who is behind it'],
  ['groups', 'Groups'],
  ['holders', 'Holders'],
  ['score', 'Score'],
  ['line', 'Market cap'],
  ['trades', 'Trades'],
  ['signals', 'Signals'],
  ['ratings', 'Ratings'],
  ['shares', 'Shares'],
  ['cohorts', 'Cohorts'],
  ['kols', 'KOLs'],
] as const

const Stale = ({ since, message }: { since: string | undefined; message: string }) => (
  <p className={css.stale} role="status">
    These numbers are from {since === undefined ? 'before' : new Date(since).toLocaleTimeString()}; new ones have been
    requested. {message}
  </p>
)

/** Placeholders before the first answer. */
const Places = () =>
  PLACES.map(([place, title]) => (
    <div key={title} className={place}>
      <Panel title={title}>
        <Skeleton lines={12} />
      </Panel>
    </div>
  ))

const PLACES = [
  [css.score, 'What the score is made of'],
  [css.line, 'Market cap'],
] as const

const Unknown = ({ mint }: { mint: string }) => (
  <div className={css.unknown}>
    <h1>This mint is not tracked</h1>
    <p className={css.address}>{mint}</p>
    <p>
      The service has seen neither a launch nor a trade of it on the launchpads it follows. If the token is only seconds
      old, it will appear here by itself.
    </p>
    <p>
      Is it a wallet? See <Link to={`/trader/${mint}`}>its trades</Link> or{' '}
      <Link to={`/deployer/${mint}`}>its launches</Link>. Or go <Link to="/">to the board</Link>.
    </p>
  </div>
)
