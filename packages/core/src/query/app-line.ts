import { setImmediate as nextTurn } from 'node:timers/promises'
import { keyToBase58 } from '../base/base58.ts'
import { pct, shortAddress, sol as solText } from '../base/format.ts'
import type { AppLine } from '../contract/app.ts'
import { SLOT_SECONDS } from '../engine/constants.ts'
import { isMigrated } from '../engine/tokens.ts'
import { hasPrice } from '../engine/units.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Globals, Token } from '../model/state.ts'
import type { QueryBounds } from './bounds.ts'
import { bundleName } from './bundle-name.ts'
import { share, sol } from './round.ts'
import type { HistoryReader, NewestView } from './view.ts'

/** Returned if too many lines are queued. */
export const BUSY = Symbol('busy')

interface LinesOptions {
  readonly store: Pick<HistoryReader, 'tradesBack'>
  readonly globals: Readonly<Pick<Globals, 'slot' | 'time'>>
  readonly now: () => number
  readonly bounds: QueryBounds
}

/** Market cap over time, per token. */
interface Lines {
  of(view: NewestView): Promise<string | typeof BUSY>
}

type Mark = AppLine['marks'][number]
type Point = AppLine['points'][number]

interface Kept {
  readonly lastNo: number
  readonly migratedSlot: number
  readonly atMs: number
  readonly text: string
}

/** The least percent of supply that a bundle sells within one span to be marked. */
const EXIT_PCT = 0.5

/**
 * Walks back over one token's rows at a time, in pieces, so that the event loop is never blocked. A line is cached
 * until the token trades again, and for a moment longer.
 */
export function createLines({ store, globals, now, bounds }: LinesOptions): Lines {
  const kept = new Map<string, Kept>()
  const reading = new Map<string, Promise<string>>()
  let last: Promise<unknown> = Promise.resolve()

  async function walk(lastNo: number): Promise<TradeRow[]> {
    const rows: TradeRow[] = []
    let no = lastNo
    while (no >= 0 && rows.length < bounds.lineTrades) {
      const piece = store.tradesBack(no, Math.min(bounds.lineTradesPerTurn, bounds.lineTrades - rows.length))
      for (const row of piece) rows.push(row)
      no = piece.at(-1)?.prev ?? -1
      await nextTurn()
    }
    return rows.reverse()
  }

  async function read(view: NewestView, name: string): Promise<string> {
    const { token } = view.live
    const { lastTradeNo: lastNo, migratedSlot } = token
    const rows = await walk(lastNo)
    const text = JSON.stringify(lineOf(view, rows, globals, bounds))
    kept.delete(name)
    const oldest = kept.keys().next()
    if (kept.size >= bounds.linesKept && !oldest.done) kept.delete(oldest.value)
    kept.set(name, { lastNo, migratedSlot, atMs: now(), text })
    return text
  }

  return {
    async of(view) {
      const { token } = view.live
      const hit = kept.get(token.mint)
      if (hit !== undefined) {
        const isNewest = hit.lastNo === token.lastTradeNo && hit.migratedSlot === token.migratedSlot
        if (isNewest || now() - hit.atMs < bounds.lineKeptMs) return hit.text
      }
      const running = reading.get(token.mint)
      if (running !== undefined) return running
      if (reading.size >= bounds.linesWaiting) return BUSY
      const mine = last.then(() => read(view, token.mint)).finally(() => reading.delete(token.mint))
      reading.set(token.mint, mine)
      last = mine.catch(() => {})
      return mine
    },
  }
}

/** A trade with its time in Unix seconds, estimated from the slot if unknown. */
interface Timed {
  readonly row: TradeRow
  readonly time: number
}

/** The trades of one span, oldest first. */
type Span = readonly Timed[]

/** `rows`: the newest rows, oldest first. */
function lineOf(
  view: NewestView,
  rows: readonly TradeRow[],
  clock: Readonly<Pick<Globals, 'slot' | 'time'>>,
  bounds: QueryBounds,
): AppLine {
  const { token } = view.live
  const spans = spansOf(rows, clock, bounds.linePoints)
  const points = spans.map(pointOf)
  const sales = spans.flatMap((span) => [...bundleExits(view, span), ...kolSales(view, span)])
  const marks = sales
    .sort((a, b) => b.size - a.size)
    .slice(0, bounds.lineMarks)
    .map(({ mark }) => mark)
  const graduated = graduation(token, rows, points, clock)
  if (graduated !== null) marks.push(graduated)
  marks.sort((a, b) => a.time - b.time || a.slot - b.slot)
  return { points, marks, truncated: (rows[0]?.prev ?? -1) >= 0 }
}

const seconds = (value: number): number => Math.round(value * 1000) / 1000

const timeOf = (at: { readonly time: number; readonly slot: number }, clock: Pick<Globals, 'slot' | 'time'>): number =>
  at.time > 0 ? at.time : Math.max(0, clock.time - (clock.slot - at.slot) * SLOT_SECONDS)

/** Splits rows into equal spans of time, skipping empty ones. Times never decrease, whatever the source says. */
function spansOf(rows: readonly TradeRow[], clock: Pick<Globals, 'slot' | 'time'>, most: number): Span[] {
  let latest = 0
  const timed = rows.map((row): Timed => {
    latest = Math.max(latest, timeOf(row, clock))
    return { row, time: latest }
  })
  const first = timed[0]?.time ?? 0
  const length = (latest - first) / most
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

function pointOf(span: Span): Point {
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

interface Sale {
  readonly mark: Mark
  /** percent of supply; only the largest are shown */
  readonly size: number
}

/** Sales of a span by the key of their group (-1 for none), with the largest sale of each. */
function salesBy(span: Span, key: (row: TradeRow) => number) {
  const sales = new Map<number, { tokens: number; lamports: number; largest: Timed }>()
  for (const one of span) {
    const by = one.row.isBuy ? -1 : key(one.row)
    if (by < 0) continue
    const sale = sales.get(by) ?? { tokens: 0, lamports: 0, largest: one }
    sale.tokens += one.row.tokens
    sale.lamports += one.row.lamports
    if (one.row.tokens > sale.largest.row.tokens) sale.largest = one
    sales.set(by, sale)
  }
  return sales
}

const markOf = (kind: Mark['kind'], { row: { slot, mcap }, time }: Timed, label: string): Mark => ({
  kind,
  time: seconds(time),
  slot,
  mcap,
  label,
})

function bundleExits({ live, wallet }: NewestView, span: Span): Sale[] {
  const { token, bundles } = live
  return [...salesBy(span, (row) => row.group)].flatMap(([no, { tokens, largest }]) => {
    const size = share(tokens, token.supply)
    const group = bundles.groups[no]
    if (size < EXIT_PCT || group === undefined) return []
    const { name } = bundleName(token.mint, group.firstSlot, wallet(group.founder).address)
    return [{ mark: markOf('bundle_exit', largest, `${name} sold ${pct(size)} of supply`), size }]
  })
}

function kolSales({ live, wallet }: NewestView, span: Span): Sale[] {
  const sales = salesBy(span, (row) => (wallet(row.wallet).kol ? row.wallet : -1))
  return [...sales].map(([id, { tokens, lamports, largest }]) => {
    const { name, address } = wallet(id)
    const size = share(tokens, live.token.supply)
    // without a known price there is no amount in SOL
    const sold = hasPrice(live.token) ? `${solText(sol(lamports))} SOL` : `${pct(size)} of supply`
    const label = `${name ?? shortAddress(keyToBase58(address))} sold ${sold}`
    return { mark: markOf('kol_sell', largest, label), size }
  })
}

/** Null if the token has not graduated, or did so before the first point. */
function graduation(
  token: Token,
  rows: readonly TradeRow[],
  points: readonly Point[],
  clock: Pick<Globals, 'slot' | 'time'>,
): Mark | null {
  const first = rows[0]
  if (!isMigrated(token) || first === undefined || token.migratedSlot < first.slot) return null
  const slot = token.migratedSlot
  const before = rows.findLast((row) => row.slot <= slot) ?? first
  const time = seconds(Math.max(points[0]!.time, timeOf({ time: token.migratedTime, slot }, clock)))
  return { kind: 'graduated', time, slot, mcap: before.mcap, label: 'graduated' }
}
