import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import { useEffect, useState } from 'react'
import { pct } from '../../ui/format.ts'
import { Address } from '../../ui/links.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { Count, Pct } from '../../ui/values.tsx'
import css from './kols.module.css'
import { expectedSale, type SlotReading, slotAt } from './words.ts'

/** rows shown */
const SHOWN_MAX = 50
const TICK_MS = 1000

/** Tracked influencers that hold the token, and their expected sales. */
export function Kols({ kols, slot }: { kols: TokenSnapshot['kols']; slot: SlotReading | null }) {
  return (
    <Panel
      title="KOLs holding"
      how="4-score-group"
      note={
        <>
          <Count value={kols.count} /> tracked {kols.count === 1 ? 'influencer' : 'influencers'}
        </>
      }
    >
      {kols.list.length === 0 ? (
        <Empty>No tracked influencer holds this token.</Empty>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              <th>Who</th>
              <th className={css.number}>Supply</th>
              <th className={css.number}>
                <Tip text="The average price move after this wallet’s past sells.">Impact</Tip>
              </th>
              <th className={css.number}>
                <Tip text="Expected time of sale: time of purchase plus how long it usually holds.">Sells</Tip>
              </th>
            </tr>
          </thead>
          <Rows list={kols.list.slice(0, SHOWN_MAX)} slot={slot} />
        </table>
      )}
      {kols.list.length > SHOWN_MAX && <p className={css.caption}>and {kols.list.length - SHOWN_MAX} more</p>}
    </Panel>
  )
}

/** Isolated, because it renders every second. */
function Rows({ list, slot }: { list: TokenSnapshot['kols']['list']; slot: SlotReading | null }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now())
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <tbody>
      {list.map(({ wallet, user_name, pct_of_supply, sell_impact, expected_sell_slot }) => {
        const expected = slot === null ? null : expectedSale(expected_sell_slot, slotAt(slot, now))
        return (
          <tr key={wallet}>
            <th scope="row">
              {user_name !== null && (
                <bdi className={css.name} title={user_name}>
                  {user_name}
                </bdi>
              )}
              <Address value={wallet} kind="wallet" />
            </th>
            <td className={css.number}>
              <Pct value={pct_of_supply} digits={2} />
            </td>
            <td className={css.number}>{sell_impact === null ? '–' : pct(sell_impact, 1)}</td>
            <td className={css.expected} data-state={expected?.state}>
              {expected?.text ?? '–'}
            </td>
          </tr>
        )
      })}
    </tbody>
  )
}
