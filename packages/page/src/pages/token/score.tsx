import type { AppExplain } from '@ti/core/contract/app.ts'
import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import { type ReactNode, useState } from 'react'
import { Link } from '../../shell/router.tsx'
import { Button } from '../../ui/controls.tsx'
import { compact, count, counted, NONE, pct, usd } from '../../ui/format.ts'
import type { MethodPart } from '../../ui/how.ts'
import { How } from '../../ui/how.tsx'
import { Address, ExternalLink } from '../../ui/links.tsx'
import { Rating, ScoreBadge } from '../../ui/rating.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { Tip } from '../../ui/tip.tsx'
import css from './details.module.css'
import { RATED, type RatedMetric } from './metrics.ts'
import { listed, originsOf, reuseOf } from './reuse.ts'
import { pointsOf, scoreRows, sumOf } from './score-rows.ts'
import { cohortRows, groupNamesOf, shareRows } from './share-rows.ts'
import { countSides, signalRows } from './signal-rows.ts'
import { inPercent, written } from './words.ts'

/** The score's exact sum, and the numbers behind it. */
export const Score = ({ explain, snapshot }: { explain: AppExplain; snapshot: TokenSnapshot }) => (
  <div className="halves">
    <div>
      <Contributions explain={explain} />
      <Part title="Who is behind each share" how="4-score-group">
        <Shares explain={explain} />
      </Part>
      <Part title="Cohorts" how="5-cohorts">
        <Cohorts cohorts={snapshot.cohorts} />
      </Part>
      <About snapshot={snapshot} explain={explain} />
    </div>
    <div>
      <Part title="Ratings" how="4-score-group">
        <Ratings snapshot={snapshot} />
      </Part>
      <Part title="Signals" how="7-signals">
        <Signals signals={explain.signals ?? []} />
      </Part>
    </div>
  </div>
)

const Part = ({ title, how, children }: { title: string; how?: MethodPart; children: ReactNode }) => (
  <section aria-label={title} className={css.part}>
    <h3 className="row">
      {title} {how !== undefined && <How part={how} of={title} />}
    </h3>
    {children}
  </section>
)

function Contributions({ explain: { score } }: { explain: AppExplain }) {
  const [exact, setExact] = useState(false)
  const rows = scoreRows(score.contributions)
  if (rows.length === 0) return <p className="soft">The token has no holders yet, so there is nothing to score.</p>
  return (
    <Part title="What the score is made of" how="4-score-group">
      <p className={css.line}>
        {pct(100 * score.coverage, 0)} of holders’ coins belong to wallets with a track record.{' '}
        <Button aria-pressed={exact} onClick={() => setExact(!exact)}>
          Exact sum
        </Button>
      </p>
      <Table
        label="Contributions to the score"
        columns={[
          { label: 'Part' },
          { label: 'Reading', number: true },
          { label: 'Worth', means: 'The reading in points, 0 to 10.', number: true },
          { label: 'Weight', means: 'How much this metric counts relative to the others.', number: true },
          { label: 'Points', means: 'Worth times weight, divided by the sum of weights.', number: true },
        ]}
        foot={
          <Row>
            <RowHead>Score</RowHead>
            <Cell colSpan={3}>the sum of all above</Cell>
            <Cell number>{sumOf(rows).toFixed(1)}</Cell>
          </Row>
        }
      >
        {rows.map(({ key, label, means, unit, reading, rated, weight, points }) => (
          <Row key={key}>
            <RowHead>
              <Tip text={means}>{label}</Tip>
            </RowHead>
            <Cell number>{weight === null ? '' : reading === null ? NONE : written(unit, reading)}</Cell>
            <Cell number>{rated === null ? '' : compact(rated)}</Cell>
            <Cell number>{weight === null ? '' : `×${weight}`}</Cell>
            <Cell number>{pointsOf(points, exact ? 6 : 1)}</Cell>
          </Row>
        ))}
      </Table>
      <p className="soft">{exact ? 'The points add up to the score to the last digit.' : 'Points are rounded.'}</p>
    </Part>
  )
}

const Ratings = ({ snapshot }: { snapshot: TokenSnapshot }) => (
  <Table label="Ratings" columns={[{ label: 'Metric' }, { label: 'Reading', number: true }, { label: 'Colours' }]}>
    {RATED.map((metric) => (
      <Row key={metric.rating}>
        <RowHead>
          <Tip text={metric.means}>{metric.label}</Tip>
        </RowHead>
        <Cell number>
          <Rating value={snapshot.ratings[metric.rating]}>{readingOf(metric, snapshot)}</Rating>
        </Cell>
        <Cell className="soft">{metric.rule}</Cell>
      </Row>
    ))}
  </Table>
)

function readingOf(metric: RatedMetric, snapshot: TokenSnapshot): string {
  const value = metric.read(snapshot)
  if (value === null) return 'no reading'
  if (metric.rating !== 'pump_dump') return written(metric.unit, value)
  const { pump_conditions_met: pump, dump_conditions_met: dump } = snapshot.signals
  return `${count(pump ?? 0)} : ${count(dump ?? 0)}`
}

const SIDES = { pump: 'pump', dump: 'dump', none: 'neither', unread: 'no reading' } as const

function Signals({ signals }: { signals: NonNullable<AppExplain['signals']> }) {
  const rows = signalRows(signals)
  const { pump, dump } = countSides(rows)
  if (rows.length === 0) return <p className="soft">The token has not traded yet, so no condition holds.</p>
  return (
    <>
      <p className={css.line}>
        {counted(pump, 'pump condition')} and {counted(dump, 'dump condition')} of 24 hold.
      </p>
      <Table
        label="Signals"
        columns={[
          { label: 'Condition' },
          { label: 'Now', number: true },
          { label: 'Pump' },
          { label: 'Dump' },
          { label: 'Holds' },
        ]}
      >
        {rows.map(({ name, label, shown, side, pumpEdge, dumpEdge }) => (
          <Row key={name}>
            <RowHead>{label}</RowHead>
            <Cell number>{shown}</Cell>
            <Cell>{pumpEdge}</Cell>
            <Cell>{dumpEdge}</Cell>
            <Cell>{SIDES[side]}</Cell>
          </Row>
        ))}
      </Table>
    </>
  )
}

/** wallets listed per share */
const LISTED = 10

/** The largest wallets of each share, and why they count. */
const Shares = ({ explain }: { explain: AppExplain }) =>
  shareRows(explain.shares, groupNamesOf(explain.bundles)).map(
    ({ name, label, means, pct: share, wallets, largest }) => (
      <details key={name}>
        <summary>
          {label}: {pct(share, 1)} of holders’ coins, {counted(wallets, 'wallet')}
        </summary>
        <p className="soft">{means}</p>
        <ol>
          {largest.slice(0, LISTED).map(({ wallet, pct: held, why }) => (
            <li key={wallet}>
              <Address value={wallet} kind="wallet" /> {pct(held, 2)} <bdi className="soft">{why.join(', ')}</bdi>
            </li>
          ))}
        </ol>
      </details>
    ),
  )

/** Distributions of the holders' coins by the history of their holders. */
const Cohorts = ({ cohorts }: { cohorts: TokenSnapshot['cohorts'] }) => (
  <dl className={css.cohorts}>
    {cohortRows(cohorts).map(({ name, label, means, buckets, unread }) => (
      <div key={name}>
        <dt>
          <Tip text={means}>{label}</Tip>
        </dt>
        <dd>
          {[...buckets, { label: 'no reading', pct: unread }]
            .filter(({ pct }) => pct > 0)
            .map(({ label, pct }) => `${label} ${inPercent(pct)}`)
            .join(' · ') || NONE}
        </dd>
      </div>
    ))}
  </dl>
)

/** Parts copied from earlier tokens, and what its creators say. */
function About({ snapshot: { meta, status }, explain }: { snapshot: TokenSnapshot; explain: AppExplain }) {
  const { reused, unchecked } = reuseOf(status.duplication, explain.earlier)
  const links = (
    [
      ['Website', meta.website],
      ['Social', meta.twitter],
      ['Messages', meta.telegram],
      ['Image', meta.image_uri],
    ] as const
  ).filter(([, href]) => href !== null && href !== '')
  const description = meta.description?.trim() ?? ''
  return (
    <>
      {reused.length > 0 && (
        <Part title="Reused information">
          <p>
            An earlier token already had this {listed(reused)}.
            {unchecked.length > 0 && <span className="soft"> Not checked yet: {listed(unchecked)}.</span>}
          </p>
          {originsOf(explain.earlier).map(({ token, fields }) => (
            <p key={token.mint} className="row">
              <span className="soft">First with this {listed(fields)}:</span>
              <Link to={`/token/${token.mint}`}>
                <bdi>{token.symbol || token.name}</bdi>
              </Link>
              <ScoreBadge score={token.score} colour={token.colour} /> {usd(token.mcap)}
            </p>
          ))}
        </Part>
      )}
      {(links.length > 0 || description !== '') && (
        <Part title="What its creators say">
          {description !== '' && (
            <p className={css.description}>
              <bdi>{description}</bdi>
            </p>
          )}
          <ul className="row">
            {links.map(([label, href]) => (
              <li key={label}>
                <ExternalLink href={href ?? ''}>{label}</ExternalLink>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}
