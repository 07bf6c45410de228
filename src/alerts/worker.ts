import { oneAfterAnother } from '../access/one-after-another.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import { LIMITS } from '../config/limits.ts'
import type { Values } from '../contract/filter.ts'
import type { TokenEventRow, TradeRow } from '../model/rows.ts'
import type { Globals } from '../model/state.ts'
import {
  alertId,
  draftOf,
  type Happening,
  ofState,
  ofTokenEvent,
  ofTrade,
  type Places,
  type Records,
} from './events.ts'
import type { AlertLedger, Cursor } from './ledger.ts'
import { foldStorms, type Reported } from './storm.ts'
import { type Ids, indexWatches, type WatchIndex } from './watch-index.ts'

/** Committed state, as of the newest block. */
export interface AlertSource extends Ids, Records {
  readonly globals: Pick<Globals, 'slot' | 'time' | 'nextTrade' | 'nextToken' | 'nextWallet' | 'tokenEvents'>
  trades(fromNo: number): Iterable<TradeRow>
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  /** what conditions are asked about; null where the token is too large to be read here */
  values(token: number): Values | null
}

interface WorkerOptions {
  readonly ledger: AlertLedger
  readonly source: AlertSource
  readonly places: Places
  /** milliseconds that only go forward */
  readonly now: () => number
  /** after alerts of these accounts were committed */
  readonly onAlerts: (accounts: ReadonlySet<string>) => void
  readonly bounds?: Pick<typeof LIMITS.alerts, 'rows' | 'perMinute' | 'leaseMs' | 'lookMs' | 'newSlots'>
}

/** Makes the alerts of all accounts, where it holds the lease. */
export interface AlertWorker {
  /** Works until nothing is left to do. Rejects where the database fails; the next call starts from what is stored there. */
  run(): Promise<void>
  /** false: a call of `run` would find nothing to do */
  due(): boolean
}

const NOTHING: Reported = { minute: 0, sent: 0, folded: 0 }

/** What the worker knows while it holds the lease. */
interface Holding {
  cursor: Cursor
  readonly index: WatchIndex
  readonly version: number
  readonly rows: ReadonlyMap<string, WatchRow>
  readonly reported: Map<string, Reported>
  /** ids of conditions that were met, so that the database is not asked again */
  readonly met: Set<string>
  /** tokens and wallets there were when targets were last looked for */
  seen: number
}

interface Batch {
  readonly trades: readonly TradeRow[]
  readonly events: readonly TokenEventRow[]
  readonly next: Cursor
  /** slots of it */
  readonly slot: number
  readonly time: number
}

/** ids in memory: a few MB */
const MET_MAX = 50_000

export function createAlertWorker(options: WorkerOptions): AlertWorker {
  const { ledger, source, places, now, onAlerts, bounds = LIMITS.alerts } = options
  let holding: Holding | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  let leasedMs = Number.NEGATIVE_INFINITY
  const newest = (): Cursor => ({ trade: source.globals.nextTrade, event: source.globals.tokenEvents + 1 })
  const isBehind = ({ cursor }: Holding): boolean =>
    cursor.trade < source.globals.nextTrade || cursor.event <= source.globals.tokenEvents

  /** Nothing is asked of the database beyond one number a second until somebody watches something. */
  async function look(): Promise<void> {
    lookedMs = now()
    const version = await ledger.version()
    if (holding !== null && version === holding.version && now() - leasedMs < bounds.leaseMs / 4) return
    if (holding === null && version === null) return
    if (holding !== null && holding.rows.size === 0 && version === holding.version) return
    const taken = await ledger.take()
    if (taken === null) holding = null
    else if (holding === null || taken.version !== holding.version) await load(taken)
    if (taken !== null) leasedMs = lookedMs
  }

  async function load(taken: { readonly cursor: Cursor; readonly version: number }): Promise<void> {
    const end = newest()
    const stored = holding?.cursor ?? taken.cursor
    const watched = await ledger.watches()
    const counting = watched.filter(({ from_trade }) => from_trade !== null)
    // nobody had a watch: nothing before now counts
    const cursor = stored.trade < 0 || counting.length === 0 ? end : stored
    await ledger.adopt(cursor)
    const rows = await ledger.watches()
    const reported = rows.map(({ id, minute, sent, folded }) => [id, { minute: Number(minute), sent, folded }] as const)
    holding = {
      ...{ cursor, version: taken.version, index: indexWatches(rows, source), met: holding?.met ?? new Set() },
      ...{ rows: new Map(rows.map((row) => [row.id, row])), reported: new Map(reported), seen: seen() },
    }
    if (cursor !== stored && !(await ledger.write([], new Map(), cursor))) holding = null
  }

  const seen = (): number => source.globals.nextToken + source.globals.nextWallet

  /** Whole slots, so that what became of a token within them is reported once. */
  function read({ cursor }: Holding): Batch {
    const [trades, tradesSlot] = wholeSlots(source.trades(cursor.trade), bounds.rows)
    const [events, eventsSlot] = wholeSlots(source.tokenEvents(cursor.event), bounds.rows)
    const slot = Math.min(tradesSlot, eventsSlot, source.globals.slot)
    const within = <T extends { readonly slot: number }>(rows: readonly T[]): T[] =>
      rows.filter((row) => row.slot <= slot)
    const [own, happened] = [within(trades), within(events)]
    const next = { trade: cursor.trade + own.length, event: cursor.event + happened.length }
    const time = Math.max(own.at(-1)?.time ?? 0, happened.at(-1)?.time ?? 0)
    return { trades: own, events: happened, next, slot, time }
  }

  function happeningsOf({ trades, events, slot }: Batch, { index }: Holding): Happening[] {
    const found = [
      ...events.flatMap((row) => ofTokenEvent(row, index, source)),
      ...trades.flatMap((row) => ofTrade(row, index, source)),
    ]
    if (index.tokens.size > 0 || index.deployers.size > 0) {
      const first = trades[0]?.slot ?? slot
      for (const row of new Map(trades.map((row) => [row.token, row])).values()) {
        found.push(...ofState(source.token(row.token), first, row, index).filter((one) => one.slot <= slot))
      }
    }
    return found.sort((a, b) => a.slot - b.slot)
  }

  async function conditionsMet({ trades, slot }: Batch, { index, met }: Holding): Promise<Happening[]> {
    if (index.conditions.length === 0) return []
    const candidates: [string, Happening][] = []
    for (const last of new Map(trades.map((row) => [row.token, row])).values()) {
      const token = source.token(last.token)
      if (!token.createdKnown || slot - token.createdSlot > bounds.newSlots) continue
      const values = source.values(last.token)
      if (values === null) continue
      for (const { row: watch, filter, fromTrade } of index.conditions) {
        if (last.no < fromTrade) continue
        const id = alertId(watch.id, 'condition_met', `token ${token.id}`)
        if (met.has(id) || !filter.test(values)) continue
        const why = Object.fromEntries(Object.entries(values).filter(([name]) => filter.text.includes(name)))
        candidates.push([
          id,
          {
            ...{ watch, event: 'condition_met', key: `token ${token.id}`, token, wallet: null, signature: null },
            ...{ slot: last.slot, time: last.time, why: why as Happening['why'] },
          },
        ])
      }
    }
    const known = await ledger.known(candidates.map(([id]) => id))
    if (met.size + candidates.length > MET_MAX) met.clear()
    for (const [id] of candidates) met.add(id)
    return candidates.flatMap(([id, one]) => (known.has(id) ? [] : [one]))
  }

  /** True when there may be more to do. */
  async function turn(): Promise<boolean> {
    if (now() - lookedMs >= bounds.lookMs) await look()
    if (holding === null) return false
    const held = holding
    if (held.rows.size === 0) {
      held.cursor = newest()
      return false
    }
    if (!isBehind(held)) return false
    if (seen() !== held.seen) {
      held.index.resolve(source)
      held.seen = seen()
    }
    const batch = read(held)
    const happenings = [...happeningsOf(batch, held), ...(await conditionsMet(batch, held))]
    const open = [...held.reported].flatMap(([id, { folded }]) => (folded > 0 ? [held.rows.get(id)!] : []))
    const before = (id: string): Reported => held.reported.get(id) ?? NOTHING
    const { passed, changed } = foldStorms(happenings, before, open, batch, bounds.perMinute)
    const drafts = passed.map((one) => draftOf(one, places))
    // without alerts the cursor is stored now and then: what lies behind it is only looked at again
    if (changed.size > 0 || now() - leasedMs >= bounds.leaseMs / 4) {
      if (!(await ledger.write(drafts, changed, batch.next))) {
        holding = null
        return false
      }
      leasedMs = now()
    }
    for (const [id, one] of changed) held.reported.set(id, one)
    held.cursor = batch.next
    if (drafts.length > 0) onAlerts(new Set(drafts.map(({ account }) => account)))
    return isBehind(held)
  }

  return {
    run: oneAfterAnother(async () => {
      try {
        while (await turn()) await new Promise(setImmediate)
      } catch (error) {
        holding = null
        lookedMs = Number.NEGATIVE_INFINITY
        throw error
      }
    }),
    due: () => now() - lookedMs >= bounds.lookMs || (holding !== null && holding.rows.size > 0 && isBehind(holding)),
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
