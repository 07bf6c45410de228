import type { AppPast } from '@ti/core/contract/app.ts'
import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import { Download } from '../../ui/download.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count, counted, NONE, pct, sol } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { Tip } from '../../ui/tip.tsx'
import css from './details.module.css'
import type { TokenData } from './use-token.ts'
import { CLASS_WORDS, type Person, tagsOf, tagWords } from './who-words.ts'
import { expectedSale, inPercent, type SlotReading, slotAt } from './words.ts'

/** Largest holders, classes of wallets, and the influencers that hold. */
export function Holders({ data: { who, snapshot, slot, at, past } }: { data: TokenData }) {
  if (at !== null && past.data !== null) return <HoldersThen past={past.data} />
  if (who.data === null) return null
  const { holders, mint, classes } = who.data
  return (
    <div className="halves">
      <Largest holders={holders} mint={mint} />
      <div>
        <Classes classes={classes} />
        {snapshot.data !== null && <Kols kols={snapshot.data.kols} slot={slot} />}
      </div>
    </div>
  )
}

export const Tags = ({ of }: { of: Person }) => (
  <span className="row">
    {tagsOf(of).map((tag) => (
      <Flag key={tag} title={tagWords(tag).means}>
        {tagWords(tag).label}
      </Flag>
    ))}
  </span>
)

/** rows shown at first */
const FIRST = 12

const AMOUNTS = [
  { label: 'Holds', number: true },
  { label: 'Paid SOL', means: 'SOL paid for what it bought, fees included.', number: true, wide: true },
  { label: 'Got SOL', means: 'SOL received for what it sold.', number: true, wide: true },
]

/** Flattens a holder for the CSV file. */
const holderRow = ({ tags, group, actor, funder, ...row }: Who['holders']['top'][number]) => ({
  ...row,
  tags: tags.join(' '),
  group: group?.name ?? null,
  actor: actor?.name ?? null,
  funder: funder?.wallet ?? null,
})

function Largest({ holders, mint }: Pick<Who, 'holders' | 'mint'>) {
  const [all, setAll] = useState(false)
  const shown = all ? holders.top : holders.top.slice(0, FIRST)
  if (holders.top.length === 0) return <p className="soft">Nobody holds any of it yet.</p>
  return (
    <div>
      <p className={css.line}>
        {counted(holders.count, 'wallet')} with {inPercent(holders.owned_pct)} of supply, the ten largest with{' '}
        {inPercent(holders.top_10_pct)}. <Download name={`holders-${mint}`} rows={() => holders.top.map(holderRow)} />
      </p>
      <Table label="Largest holders" columns={[{ label: 'Holder' }, { label: 'Known as' }, ...AMOUNTS]}>
        {shown.map((holder) => (
          <Row key={holder.wallet}>
            <RowHead>
              {holder.name !== null && <bdi>{holder.name} </bdi>}
              <Address value={holder.wallet} kind="wallet" />
            </RowHead>
            <Cell>
              <span className="row">
                {holder.group !== null && <Flag title="Member of this group.">{holder.group.name}</Flag>}
                <Tags of={holder} />
              </span>
            </Cell>
            <Cell number>{inPercent(holder.holds_pct, 2)}</Cell>
            <Cell number wide>
              {sol(holder.paid_sol)}
            </Cell>
            <Cell number wide>
              {sol(holder.got_sol)}
            </Cell>
          </Row>
        ))}
      </Table>
      {shown.length < holders.top.length && (
        <Button onClick={() => setAll(true)}>Show all {count(holders.top.length)}</Button>
      )}
    </div>
  )
}

function HoldersThen({ past: { holders } }: { past: AppPast }) {
  if (holders === null) return <p className="soft">Its older trades are too many to read.</p>
  return (
    <div>
      <p className={css.line}>
        {counted(holders.count, 'wallet')} held it by trades alone.
        {holders.moved > 0 &&
          ` ${counted(holders.moved, 'wallet')} also moved coins outside trades; when is not kept, so they are left out.`}
      </p>
      <Table label="Largest holders then" columns={[{ label: 'Holder' }, ...AMOUNTS]}>
        {holders.top.map(({ wallet, name, holds_pct, paid_sol, got_sol }) => (
          <Row key={wallet}>
            <RowHead>
              {name !== null && <bdi>{name} </bdi>}
              <Address value={wallet} kind="wallet" />
            </RowHead>
            <Cell number>{inPercent(holds_pct, 2)}</Cell>
            <Cell number wide>
              {paid_sol === null ? NONE : sol(paid_sol)}
            </Cell>
            <Cell number wide>
              {got_sol === null ? NONE : sol(got_sol)}
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  )
}

/** Supply held, at peak and sold, by class of wallet. */
const Classes = ({ classes }: Pick<Who, 'classes'>) => (
  <Table
    label="Classes of wallets"
    columns={[
      { label: 'Class' },
      { label: 'Now', number: true },
      { label: 'Peak', means: 'The most they held together.', number: true },
      { label: 'Sold', number: true },
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
            <Cell number colSpan={3}>
              unknown
            </Cell>
          ) : (
            [sums.held_pct, sums.peak_pct, sums.sold_pct].map((value, i) => (
              <Cell key={i} number>
                {inPercent(value)}
              </Cell>
            ))
          )}
        </Row>
      )
    })}
  </Table>
)

/** KOLs listed */
const KOLS = 20
const TICK_MS = 1000

/** Influencers that hold it, and when each is expected to sell. Renders every second. */
function Kols({ kols, slot }: { kols: TokenSnapshot['kols']; slot: SlotReading | null }) {
  const [now, setNow] = useState(() => Date.now())
  const isShown = kols.list.length > 0
  useEffect(() => {
    if (!isShown) return
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [isShown])
  if (!isShown) return <p className={css.line}>No tracked KOL holds it.</p>
  return (
    <Table
      label="KOLs holding"
      columns={[
        { label: 'KOL' },
        { label: 'Holds', number: true },
        { label: 'Impact', means: 'The average price move after its past sells.', number: true },
        { label: 'Sells', means: 'Time of purchase plus how long it usually holds.', number: true },
      ]}
    >
      {kols.list.slice(0, KOLS).map(({ wallet, user_name, pct_of_supply, sell_impact, expected_sell_slot }) => (
        <Row key={wallet}>
          <RowHead>
            {user_name !== null && <bdi>{user_name} </bdi>}
            <Address value={wallet} kind="wallet" />
          </RowHead>
          <Cell number>{inPercent(pct_of_supply, 2)}</Cell>
          <Cell number>{sell_impact === null ? NONE : pct(sell_impact, 1)}</Cell>
          <Cell number>{slot === null ? NONE : expectedSale(expected_sell_slot, slotAt(slot, now)).text}</Cell>
        </Row>
      ))}
    </Table>
  )
}
