import type { Values } from '@ti/core/contract/filter.ts'
import type { Actor } from '@ti/core/model/actors.ts'
import type { TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Globals } from '@ti/core/model/state.ts'
import type { Alert } from './alert.ts'
import { type Happening, ofState, ofTokenEvent, ofTrade } from './events.ts'
import type { Ids, WatchIndex } from './watch-index.ts'
import type { Cursor } from './worker-store.ts'

/** Committed state as of the newest block. */
export interface AlertSource extends Ids {
  readonly globals: Pick<
    Globals,
    'slot' | 'time' | 'nextTrade' | 'nextToken' | 'nextWallet' | 'nextActor' | 'tokenEvents'
  >
  trades(fromNo: number): Iterable<TradeRow>
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  /** The values that conditions are evaluated on, or null if the token is too large to be read here. */
  values(token: number): Values | null
  /** The score of a token, or null if it is too large to be read here. */
  score(token: number): number | null
  /** Returns the actor that this one is part of today, because actors get merged. */
  rootOf(actor: number): Actor
  /** The numbers of an actor's arrival. `by` says how the actor was named in the token. */
  arrival(actor: Actor, by: number): Alert['why']
}

/** A batch holds whole slots of the log. */
export interface Batch {
  readonly trades: readonly TradeRow[]
  readonly events: readonly TokenEventRow[]
  /** The last row of each token that traded. */
  readonly lasts: readonly TradeRow[]
  /** The cursor behind this batch. */
  readonly next: Cursor
  /** The time of the batch's last row, in Unix seconds. */
  readonly time: number
}

export const newestOf = ({ globals }: Pick<AlertSource, 'globals'>): Cursor => ({
  trade: globals.nextTrade,
  event: globals.tokenEvents + 1,
  slot: globals.slot,
  condition: globals.nextTrade,
})

/**
 * Reads about `rows` trades and as many events after the cursor. It reads whole slots, so that the trades and events of a token
 * in one slot are handled together.
 */
export function readBatch(source: AlertSource, cursor: Cursor, rows: number): Batch {
  const [trades, tradesSlot] = wholeSlots(source.trades(cursor.trade), rows)
  const [events, eventsSlot] = wholeSlots(source.tokenEvents(cursor.event), rows)
  const slot = Math.min(tradesSlot, eventsSlot, source.globals.slot)
  const within = <T extends { readonly slot: number }>(read: readonly T[]): T[] =>
    read.filter((row) => row.slot <= slot)
  const [own, happened] = [within(trades), within(events)]
  return {
    trades: own,
    events: happened,
    lasts: [...new Map(own.map((row) => [row.token, row])).values()],
    next: { ...cursor, trade: cursor.trade + own.length, event: cursor.event + happened.length, slot },
    time: Math.max(own.at(-1)?.time ?? 0, happened.at(-1)?.time ?? 0),
  }
}

/** Returns at least `most` rows if there are as many, up to the end of a slot. The slot is infinite if the rows end earlier. */
function wholeSlots<T extends { readonly slot: number }>(rows: Iterable<T>, most: number): [T[], number] {
  const read: T[] = []
  for (const row of rows) {
    const last = read.at(-1)
    if (read.length >= most && last !== undefined && row.slot !== last.slot) return [read, last.slot]
    read.push(row)
  }
  return [read, Number.POSITIVE_INFINITY]
}

/** Maps trades and events to what watches report. Each is mapped once, wherever batches end. */
export const happeningsOf = ({ trades, events }: Batch, index: WatchIndex, source: AlertSource): Happening[] => [
  ...events.flatMap((row) => ofTokenEvent(row, index, source)),
  ...trades.flatMap((row) => ofTrade(row, index, source)),
]

/** Finds graduations and other endings of the tokens that traded. It finds them again with the token's next trade. */
export function endsOf({ lasts, next }: Batch, index: WatchIndex, source: AlertSource): Happening[] {
  const { tokens, deployers } = index
  if (tokens.size === 0 && deployers.size === 0) return []
  return lasts.flatMap((last) =>
    deployers.size > 0 || tokens.has(last.token) ? ofState(source.token(last.token), next.slot, last, index) : [],
  )
}
