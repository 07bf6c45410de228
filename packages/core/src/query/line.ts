import { keyToBase58 } from '../base/base58.ts'
import type { AppLine } from '../contract/app.ts'
import { rootOf } from '../engine/bundles/groups.ts'
import { CLASS, isIn } from '../engine/class-memory.ts'
import { SLOT_SECONDS } from '../engine/constants.ts'
import { liquidityOf, withdrawnFrom } from '../engine/liquidity.ts'
import { isMigrated } from '../engine/tokens.ts'
import { hasValue, valueIn } from '../engine/units.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Globals, Token } from '../model/state.ts'
import { groupName } from './bundle-name.ts'
import { share, sol } from './round.ts'
import type { TradedView } from './view.ts'

/** A token's market cap over its stored trades, and the exits of the people that are watched. */

type Mark = AppLine['marks'][number]
type Point = AppLine['points'][number]
type Clock = Readonly<Pick<Globals, 'slot' | 'time' | 'solUsd'>>

/** A trade with its time in Unix seconds, estimated from the slot if unknown. */
interface Timed {
  readonly row: TradeRow
  readonly time: number
}

/** Slots: sales of the same people with no longer pause between them are one exit. */
const PAUSE_SLOTS = 75
/** The least percent of supply that an exit sells to be marked. */
const EXIT_PCT = 0.1

interface LineBounds {
  readonly linePoints: number
  readonly lineMarks: number
}

/** `rows`: the newest rows, oldest first. */
export function lineOf(view: TradedView, rows: readonly TradeRow[], clock: Clock, bounds: LineBounds): AppLine {
  const { token } = view.live
  const timed = timesOf(rows, clock)
  const points = spansOf(timed, bounds.linePoints).map(pointOf)
  const marks = exitsOf(view, timed)
    .sort((a, b) => b.pct - a.pct)
    .slice(0, bounds.lineMarks)
  marks.push(...eventsOf(token, rows, points, clock))
  marks.sort((a, b) => a.time - b.time || a.slot - b.slot)
  return { points, marks, truncated: (rows[0]?.prev ?? -1) >= 0 }
}

const seconds = (value: number): number => Math.round(value * 1000) / 1000

const timeOf = (at: { readonly time: number; readonly slot: number }, clock: Clock): number =>
  at.time > 0 ? at.time : Math.max(0, clock.time - (clock.slot - at.slot) * SLOT_SECONDS)

/** Times never decrease, whatever the source says. */
function timesOf(rows: readonly TradeRow[], clock: Clock): Timed[] {
  let latest = 0
  return rows.map((row) => {
    latest = Math.max(latest, timeOf(row, clock))
    return { row, time: latest }
  })
}

/** Splits trades into equal spans of time, skipping empty ones. */
function spansOf(timed: readonly Timed[], most: number): Timed[][] {
  const first = timed[0]?.time ?? 0
  const length = ((timed.at(-1)?.time ?? 0) - first) / most
  const spans: Timed[][] = []
  let current = -1
  for (const one of timed) {
    // the newest trade ends the last span instead of starting another
    const place = length > 0 ? Math.min(most - 1, Math.floor((one.time - first) / length)) : 0
    if (place === current) spans.at(-1)!.push(one)
    else spans.push([one])
    current = place
  }
  return spans
}

function pointOf(span: readonly Timed[]): Point {
  const { row, time } = span.at(-1)!
  let buys = 0
  let sells = 0
  for (const { row } of span) {
    if (row.isBuy) buys += row.lamports
    else sells += row.lamports
  }
  const { slot, mcap } = row
  return { time: seconds(time), slot, mcap, buys_sol: sol(buys), sells_sol: sol(sells), trades: span.length }
}

/** The seller, as far as that is known now. */
interface Seller extends Pick<Mark, 'kind' | 'name' | 'group'> {
  readonly key: string
}

/** Sales of one seller without a longer pause. */
interface Exit extends Seller {
  readonly first: Timed
  last: Timed
  readonly wallets: Set<number>
  tokens: number
  lamports: number
  /** Market cap before the first of them; 0 if it was the first trade. */
  readonly from: number
}

function exitsOf(view: TradedView, timed: readonly Timed[]): Mark[] {
  const { token } = view.live
  const sellers = new Map<number, Seller | null>()
  const open = new Map<string, Exit>()
  const exits: Exit[] = []
  let before = 0
  for (const one of timed) {
    const { row } = one
    const from = before
    before = row.mcap
    if (row.isBuy) continue
    const seller = sellers.get(row.wallet) ?? sellerOf(view, row.wallet)
    sellers.set(row.wallet, seller)
    if (seller === null) continue
    let exit = open.get(seller.key)
    if (exit === undefined || row.slot - exit.last.row.slot > PAUSE_SLOTS) {
      exit = { ...seller, first: one, last: one, wallets: new Set(), tokens: 0, lamports: 0, from }
      open.set(seller.key, exit)
      exits.push(exit)
    }
    exit.last = one
    exit.wallets.add(row.wallet)
    exit.tokens += row.tokens
    exit.lamports += row.lamports
  }
  return exits.map((exit) => markOf(token, exit)).filter(({ pct }) => pct >= EXIT_PCT)
}

function sellerOf({ live: { token, bundles }, wallet, positionOf }: TradedView, id: number): Seller | null {
  if (id === token.deployer) return { key: 'launcher', kind: 'launcher_sell', name: null, group: null }
  const position = positionOf(id)
  const group = position === undefined ? null : rootOf(bundles, position.group)
  if (group !== null && group.confirmedSlot >= 0) {
    const named = groupName(token, group, wallet)
    return { key: named.id, kind: 'group_sell', name: named.name, group: named.id }
  }
  const { name, address, kol } = wallet(id)
  if (kol) return { key: `${id}`, kind: 'kol_sell', name: name ?? keyToBase58(address).slice(0, 8), group: null }
  const isInsider = position !== undefined && isIn(position, CLASS.insiders)
  return isInsider ? { key: 'insiders', kind: 'insider_sell', name: null, group: null } : null
}

const markOf = (token: Token, { kind, name, group, first, last, wallets, tokens, lamports, from }: Exit): Mark => ({
  ...{ kind, name, group },
  time: seconds(first.time),
  until: seconds(last.time),
  slot: first.row.slot,
  until_slot: last.row.slot,
  mcap_before: from,
  mcap: last.row.mcap,
  wallets: wallets.size,
  pct: share(tokens, token.supply),
  sol: hasValue(token) ? sol(lamports) : null,
})

/** The graduation and the latest withdrawal of liquidity, unless they are older than the first trade. */
function eventsOf(token: Token, rows: readonly TradeRow[], points: readonly Point[], clock: Clock): Mark[] {
  const [first] = rows
  if (first === undefined) return []
  const liquidity = liquidityOf(token)
  const withdrawn = liquidity && withdrawnFrom(liquidity)
  const took = withdrawn !== null && hasValue(token) ? sol(valueIn(token, withdrawn.took, clock.solUsd)) : null
  const markAt = (kind: Mark['kind'], slot: number, at: number, got: number | null): Mark[] => {
    if (slot < first.slot) return []
    const { mcap } = rows.findLast((row) => row.slot <= slot) ?? first
    const time = seconds(Math.max(points[0]!.time, timeOf({ time: at, slot }, clock)))
    const place = { time, until: time, slot, until_slot: slot, mcap_before: mcap, mcap }
    return [{ kind, name: null, group: null, ...place, wallets: 0, pct: 0, sol: got }]
  }
  return [
    ...markAt('graduated', isMigrated(token) ? token.migratedSlot : -1, token.migratedTime, null),
    ...markAt('liquidity', withdrawn?.most.slot ?? -1, 0, took),
  ]
}
