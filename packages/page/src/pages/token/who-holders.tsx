import type { Who } from '@ti/core/contract/who.ts'
import { useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import { Download } from '../../ui/download.tsx'
import { Flag } from '../../ui/flag.tsx'
import { Fold } from '../../ui/fold.tsx'
import { count, sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Address } from '../../ui/links.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { Tip } from '../../ui/tip.tsx'
import css from './who.module.css'
import { CLASS_WORDS, type Person, tagsOf, tagWords } from './who-words.ts'
import { inPercent } from './words.ts'

/** Supply held, at peak and sold, by class of wallet. */
export const Classes = ({ classes }: Pick<Who, 'classes'>) => (
  <Table
    className={css.table}
    label="Classes of wallets"
    columns={[
      { label: 'Class' },
      { label: 'Now', className: css.number },
      { label: 'Peak', means: 'The most they held together.', className: css.number },
      { label: 'Sold', className: css.number },
    ]}
  >
    {CLASS_WORDS.map(([name, label, means]) => {
      const sums = classes[name]
      return (
        <Row key={name}>
          <RowHead>
            <Tip text={means}>{label}</Tip>
          </RowHead>
          {sums === null ? (
            <Cell className={css.number} colSpan={3}>
              unknown
            </Cell>
          ) : (
            [sums.held_pct, sums.peak_pct, sums.sold_pct].map((value, i) => (
              <Cell key={i} className={css.number} data-zero={value === 0 || undefined}>
                {inPercent(value)}
              </Cell>
            ))
          )}
        </Row>
      )
    })}
  </Table>
)

export const Tags = ({ of }: { of: Person }) => (
  <>
    {tagsOf(of).map((tag) => (
      <Flag key={tag} title={tagWords(tag).means} rating={tagWords(tag).rating ?? 'neutral'}>
        {tagWords(tag).label}
      </Flag>
    ))}
  </>
)

/** rows shown at first */
const FIRST = 6

const COLUMNS = [
  { label: 'Holder' },
  { label: 'Tags', className: css.what },
  { label: 'Holds', className: css.number },
  { label: 'Paid SOL', means: 'SOL paid for what it bought, fees included.', className: css.number },
  { label: 'Got SOL', means: 'SOL received for what it sold.', className: css.number },
]

/** Flattens a holder for the CSV file. */
const holderRow = ({ tags, group, actor, funder, ...row }: Who['holders']['top'][number]) => ({
  ...row,
  tags: tags.join(' '),
  group: group?.name ?? null,
  actor: actor?.name ?? null,
  funder: funder?.wallet ?? null,
})

export function Largest({ holders, mint }: Pick<Who, 'holders' | 'mint'>) {
  const [all, setAll] = useState(false)
  const shown = all ? holders.top : holders.top.slice(0, FIRST)
  if (holders.top.length === 0) return null
  return (
    <div className={css.largest} id="holders">
      <h3 className={css.title}>
        Largest holders <How part="1-token-basics" of="Largest holders" />{' '}
        <span className={css.none}>
          {count(holders.count)} hold {inPercent(holders.owned_pct)}, the ten largest {inPercent(holders.top_10_pct)}
        </span>{' '}
        <Download name={`holders-${mint}`} rows={() => holders.top.map(holderRow)} />
      </h3>
      <Fold label={`The largest ${count(shown.length)}`}>
        <Table className={css.table} label="Largest holders" columns={COLUMNS}>
          {shown.map((holder) => (
            <Row key={holder.wallet}>
              <RowHead>
                {holder.name !== null && <bdi className={css.name}>{holder.name}</bdi>}
                <Address value={holder.wallet} kind="wallet" />
              </RowHead>
              <Cell className={css.what}>
                <span className={css.tags}>
                  {holder.group !== null && <Flag rating="red">{holder.group.name}</Flag>}
                  <Tags of={holder} />
                </span>
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
      </Fold>
    </div>
  )
}
