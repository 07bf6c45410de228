import type { Values } from '@ti/core/contract/filter.ts'
import type { Actor } from '@ti/core/model/actors.ts'
import type { TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Globals } from '@ti/core/model/state.ts'
import type { Alert } from './alert.ts'
import { type Happening, ofState, ofTokenEvent, ofTrade, type Records } from './events.ts'
import type { Ids, WatchIndex } from './watch-index.ts'
import type { Cursor } from './worker-store.ts'

/** Committed state, as of the newest block. */
export interface AlertSource extends Ids, Records {
  readonly globals: Pick<
    Globals,
    'slot' | 'time' | 'nextTrade' | 'nextToken' | 'nextWallet' | 'nextActor' | 'tokenEvents'
  >
  trades(fromNo: number): Iterable<TradeRow>
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  /** what conditions are asked about; null where the token is too large to be read here */
  values(token: number): Values | null
  /** the colour of its score, the score and the numbers behind it; null where the token is too large to be read here */
  colour(token: number): { readonly colour: string; readonly score: number; readonly why: Alert['why'] } | null
  /** what an actor is today: merged ones live on in the one they joined */
  rootOf(actor: number): Actor
  /** the numbers of its arrival; `by`: how it was named in the token */
  arrival(actor: Actor, by: number): Alert['why']
}

/** Whole slots of the log. */
export interface Batch {
  readonly trades: readonly TradeRow[]
  readonly events: readonly TokenEventRow[]
  /** the last row of each token that traded */
  readonly lasts: readonly TradeRow[]
  /** behind it */
  readonly next: Cursor
  /** Unix seconds of its last row */
  readonly time: number
}

export const newestOf = ({ globals }: Pick<AlertSource, 'globals'>): Cursor => ({
  trade: globals.nextTrade,
  event: globals.tokenEvents + 1,
  slot: globals.slot,
})

/** What follows the cursor: about `rows` trades and as many events, so that what became of a token in a slot is seen at once. */
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
    next: { trade: cursor.trade + own.length, event: cursor.event + happened.length, slot },
    time: Math.max(own.at(-1)?.time ?? 0, happened.at(-1)?.time ?? 0),
  }
}

/** At least `most` rows where there are as many, up to the end of a slot; the slot is infinite where the rows end before. */
function wholeSlots<T extends { readonly slot: number }>(rows: Iterable<T>, most: number): [T[], number] {
  const read: T[] = []
  for (const row of rows) {
    const last = read.at(-1)
    if (read.length >= most && last !== undefined && row.slot !== last.slot) return [read, last.slot]
    read.push(row)
  }
  return [read, Number.POSITIVE_INFINITY]
}

/** What trades and events mean to watches: each once, wherever batches end. */
export const happeningsOf = ({ trades, events }: Batch, index: WatchIndex, source: AlertSource): Happening[] => [
  ...events.flatMap((row) => ofTokenEvent(row, index, source)),
  ...trades.flatMap((row) => ofTrade(row, index, source)),
]

/** What became of the tokens that traded; the same again with their next trade. */
export function endsOf({ lasts, next }: Batch, index: WatchIndex, source: AlertSource): Happening[] {
  const { tokens, deployers } = index
  if (tokens.size === 0 && deployers.size === 0) return []
  return lasts.flatMap((last) =>
    deployers.size > 0 || tokens.has(last.token) ? ofState(source.token(last.token), next.slot, last, index) : [],
  )
}
