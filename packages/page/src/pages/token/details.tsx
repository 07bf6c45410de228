import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { useAfterPaint } from '../../ui/after-paint.ts'
import { sol } from '../../ui/format.ts'
import { How } from '../../ui/how.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import css from './details.module.css'
import { Evidence } from './evidence.tsx'
import { Holders } from './holders.tsx'
import { WalletMap } from './map.tsx'
import { Score } from './score.tsx'
import { Trades } from './trades.tsx'
import type { TokenData } from './use-token.ts'
import { FATE_WORDS, FATES, type FirstBuyers, firstBuyersInWords } from './who-words.ts'
import { inPercent } from './words.ts'

export const TABS = {
  holders: 'Holders',
  map: 'Map',
  trades: 'Trades',
  buyers: 'First buyers',
  evidence: 'Evidence',
  score: 'Score',
} as const
export type Tab = keyof typeof TABS

export const tabOf = (text: string | null): Tab =>
  text !== null && Object.hasOwn(TABS, text) ? (text as Tab) : 'holders'

interface DetailsProps {
  readonly data: TokenData
  readonly tab: Tab
  readonly choose: (tab: Tab) => void
}

/** One panel with everything else, a tab at a time. */
export function Details({ data, tab, choose }: DetailsProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const ready = useAfterPaint()
  const move = (event: KeyboardEvent): void => {
    const names = Object.keys(TABS) as Tab[]
    const at = names.indexOf(tab)
    const last = names.length - 1
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + names.length) % names.length
    choose(names[next]!)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  /** Also brings it into sight, once its content is there. */
  const open = (name: Tab): void => {
    choose(name)
    requestAnimationFrame(() => box.current?.scrollIntoView())
  }
  return (
    <div ref={box} id="details">
      <div ref={list} role="tablist" aria-label="Details" className={css.tabs}>
        {(Object.keys(TABS) as Tab[]).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === tab}
            aria-controls={`${id}-panel`}
            tabIndex={name === tab ? 0 : -1}
            onClick={() => open(name)}
            onKeyDown={move}
          >
            {TABS[name]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} className={css.panel}>
        <div id={tab}>{ready ? <Content data={data} tab={tab} /> : <Skeleton lines={8} />}</div>
      </div>
    </div>
  )
}

function Content({ data, tab }: { data: TokenData; tab: Tab }): ReactNode {
  const { at, past } = data
  const isThen = tab === 'holders' && past.data !== null
  return (
    <>
      {at !== null && !isThen && <p className={css.line}>As of now: this is not kept of the past.</p>}
      <Shown data={data} tab={tab} />
    </>
  )
}

function Shown({ data, tab }: { data: TokenData; tab: Tab }): ReactNode {
  const { who, explain, snapshot, trades, list, link, anchors } = data
  if (tab === 'trades') return <Trades list={list} resource={trades} link={link} />
  const needed = tab === 'score' ? explain : who
  if (needed.data === null && needed.error !== null) return <Failure error={needed.error} retry={needed.refresh} />
  if (tab === 'score' && explain.data !== null && snapshot.data !== null)
    return <Score explain={explain.data} snapshot={snapshot.data} />
  if (tab === 'score' || who.data === null) return <Skeleton lines={8} />
  if (tab === 'holders') return <Holders data={data} />
  if (tab === 'map') return <WalletMap who={who.data} />
  if (tab === 'buyers') return <Buyers of={who.data.first_buyers} />
  return <Evidence who={who.data} anchors={anchors} />
}

/** The fate of the first buyers. */
function Buyers({ of }: { of: FirstBuyers | null }) {
  const words = firstBuyersInWords(of)
  if (of === null) return <p className="soft">The launch was not seen, so its first buyers are not known.</p>
  if (words === null) return <p className="soft">Nobody has bought it yet.</p>
  return (
    <>
      <p className={css.line}>
        {words} They bought {inPercent(of.bought_pct)} of supply, hold {inPercent(of.held_pct)}, sold{' '}
        {inPercent(of.sold_pct)} and moved {inPercent(of.moved_pct)}. Those who sold paid {sol(of.paid_sol)} SOL and got{' '}
        {sol(of.got_sol)} SOL. <How part="1-token-basics" of="First buyers" />
      </p>
      <Table label="First buyers" columns={[{ label: 'What they did' }, { label: 'Wallets', number: true }]}>
        {FATES.map((fate) => (
          <Row key={fate}>
            <RowHead>{FATE_WORDS[fate]}</RowHead>
            <Cell number>{of[fate]}</Cell>
          </Row>
        ))}
      </Table>
    </>
  )
}
