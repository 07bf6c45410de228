import { lazy, Suspense, useState } from 'react'
import type { Who as Answer } from '../../../../src/contract/who.ts'
import type { Resource } from '../../api/resource.ts'
import { LOOKS, type Look, STYLE } from '../../charts/bubble-paint.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { inPercent } from './readings.ts'
import css from './who.module.css'
import { WhoGroups } from './who-groups.tsx'
import { labelOf, MOMENTS, mapOf, NOW } from './who-map.ts'
import { CLASS_WORDS, LOOK_WORDS, tagsOf, tagWords } from './who-words.ts'

/** loaded with the first token, beside its page */
const BubbleMap = lazy(() => import('../../charts/bubble-map.tsx'))

/** Who has the token: a map of its wallets, classes of them, groups with what ties them, and the largest holders. */
export function WhoPanel({ who }: { who: Resource<Answer> }) {
  const { data, error } = who
  return (
    <Panel title="Who is behind it" note="percent of total supply">
      {data !== null ? (
        <Told who={data} />
      ) : error !== null ? (
        <Failure error={error} retry={who.refresh} />
      ) : (
        <Skeleton lines={14} />
      )}
    </Panel>
  )
}

function Told({ who }: { who: Answer }) {
  return (
    <div className={css.told}>
      <WalletMap who={who} />
      <Classes classes={who.classes} />
      <WhoGroups groups={who.groups} />
      <Largest holders={who.holders} />
    </div>
  )
}

function WalletMap({ who }: { who: Answer }) {
  const [moment, setMoment] = useState<number>(NOW)
  const [pointed, setPointed] = useState<string | null>(null)
  const { people, bubbles, clusters, links } = mapOf(who)
  const person = pointed === null ? undefined : people.get(pointed)
  if (bubbles.length === 0) return <Empty>Nobody has any of it yet.</Empty>
  return (
    <figure className={css.map}>
      <fieldset className={css.moments}>
        <legend className="unseen">When</legend>
        {MOMENTS.map(([label, means], i) => (
          <label key={label} title={means}>
            <input type="radio" name="moment" checked={moment === i} onChange={() => setMoment(i)} /> {label}
          </label>
        ))}
      </fieldset>
      <Suspense fallback={<Skeleton lines={10} />}>
        <BubbleMap label="Wallet" {...{ bubbles, clusters, links, moment, pointed }} onPoint={setPointed} />
      </Suspense>
      <Legend looks={new Set(bubbles.map(({ look }) => look))} />
      <figcaption className={css.caption} aria-live="polite">
        {person === undefined
          ? `${count(bubbles.length)} wallets; a bubble is as large as its share, those in a ring act together. The list below has the same.`
          : labelOf(person)}
      </figcaption>
    </figure>
  )
}

/** What is on the map: colour and shape of each kind of wallet. */
const Legend = ({ looks }: { looks: ReadonlySet<Look> }) => (
  <ul className={css.legend} aria-label="What the bubbles are">
    {LOOKS.filter((look) => looks.has(look)).map((look) => {
      const { ink, shape, outline } = STYLE[look]
      const [label, means] = LOOK_WORDS[look]
      return (
        <li key={look} title={means}>
          <span className={css.swatch} data-ink={ink} data-shape={shape} data-outline={outline} /> {label}
        </li>
      )
    })}
  </ul>
)

const Classes = ({ classes }: Pick<Answer, 'classes'>) => (
  <Table
    className={css.table}
    label="Classes of wallets"
    columns={[
      { label: 'Who' },
      { label: 'Now', className: css.number },
      { label: 'Peak', means: 'The most they had together.', className: css.number },
      { label: 'Sold', className: css.number },
    ]}
  >
    {CLASS_WORDS.map(([name, label, means]) => {
      const sums = classes[name]
      return (
        <Row key={name}>
          <RowHead title={means}>{label}</RowHead>
          {sums === null ? (
            <Cell className={css.number} colSpan={3}>
              unknown
            </Cell>
          ) : (
            [sums.held_pct, sums.peak_pct, sums.sold_pct].map((value, i) => (
              <Cell key={i} className={css.number}>
                {inPercent(value)}
              </Cell>
            ))
          )}
        </Row>
      )
    })}
  </Table>
)

/** shown before somebody asks for all */
const FIRST = 12

function Largest({ holders }: Pick<Answer, 'holders'>) {
  const [all, setAll] = useState(false)
  const shown = all ? holders.top : holders.top.slice(0, FIRST)
  if (holders.top.length === 0) return null
  return (
    <div className={css.largest}>
      <Table
        className={css.table}
        label="Largest holders"
        columns={[
          { label: 'Holder' },
          { label: 'What it is' },
          { label: 'Holds', className: css.number },
          { label: 'Paid', className: css.number },
          { label: 'Got', className: css.number },
        ]}
      >
        {shown.map((holder) => (
          <Row key={holder.wallet}>
            <RowHead>{holder.name ?? <Address value={holder.wallet} kind="wallet" />}</RowHead>
            <Cell className={css.tags}>
              {holder.group !== null && <Flag>{holder.group.name}</Flag>}
              {tagsOf(holder).map((tag) => (
                <Flag key={tag} title={tagWords(tag).means} rating={tagWords(tag).rating ?? 'neutral'}>
                  {tagWords(tag).label}
                </Flag>
              ))}
            </Cell>
            <Cell className={css.number}>{inPercent(holder.holds_pct, 2)}</Cell>
            <Cell className={css.number}>{sol(holder.paid_sol)}</Cell>
            <Cell className={css.number}>{sol(holder.got_sol)}</Cell>
          </Row>
        ))}
      </Table>
      {!all && holders.top.length > FIRST && (
        <Button className={css.more} onClick={() => setAll(true)}>
          Show all {count(holders.top.length)}
        </Button>
      )}
    </div>
  )
}
