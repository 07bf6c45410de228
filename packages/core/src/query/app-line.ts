import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TradeRow } from '../model/rows.ts'
import type { Globals } from '../model/state.ts'
import type { QueryBounds } from './bounds.ts'
import { lineOf } from './line.ts'
import { pastOf } from './past.ts'
import type { HistoryReader, TradedView } from './view.ts'

/** Returned if too many lines are queued. */
export const BUSY = Symbol('busy')

interface LinesOptions {
  readonly store: Pick<HistoryReader, 'tradesBack'>
  readonly globals: Readonly<Pick<Globals, 'slot' | 'time' | 'solUsd'>>
  readonly now: () => number
  readonly bounds: QueryBounds
}

/** Answers from a token's stored trades. */
interface Lines {
  /** Market cap over time, with exits. */
  of(view: TradedView): Promise<string | typeof BUSY>
  /** The token as of a slot. */
  at(view: TradedView, slot: number): Promise<string | typeof BUSY>
}

interface Kept {
  readonly lastNo: number
  readonly migratedSlot: number
  readonly atMs: number
  readonly text: string
}

/**
 * Walks back over one token's rows at a time, in pieces, so that the event loop is never blocked. An answer is cached
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

  async function read(view: TradedView, name: string, render: (rows: TradeRow[]) => unknown): Promise<string> {
    const { lastTradeNo: lastNo, migratedSlot } = view.live.token
    const text = JSON.stringify(render(await walk(lastNo)))
    kept.delete(name)
    const oldest = kept.keys().next()
    if (kept.size >= bounds.linesKept && !oldest.done) kept.delete(oldest.value)
    kept.set(name, { lastNo, migratedSlot, atMs: now(), text })
    return text
  }

  async function answer(view: TradedView, name: string, render: (rows: TradeRow[]) => unknown) {
    const { token } = view.live
    const hit = kept.get(name)
    if (hit !== undefined) {
      const isNewest = hit.lastNo === token.lastTradeNo && hit.migratedSlot === token.migratedSlot
      if (isNewest || now() - hit.atMs < bounds.lineKeptMs) return hit.text
    }
    const running = reading.get(name)
    if (running !== undefined) return running
    if (reading.size >= bounds.linesWaiting) return BUSY
    const mine = last.then(() => read(view, name, render)).finally(() => reading.delete(name))
    reading.set(name, mine)
    last = mine.catch(() => {})
    return mine
  }

  return {
    of: (view) => answer(view, view.live.token.mint, (rows) => lineOf(view, rows, globals, bounds)),
    at: (view, slot) => answer(view, `${view.live.token.mint} ${slot}`, (rows) => pastOf(view, rows, slot)),
  }
}
