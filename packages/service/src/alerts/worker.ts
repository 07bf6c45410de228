import type { WatchRow } from '../access/sql/schema.ts'
import { arrivalsOf } from './arrivals.ts'
import { type AlertSource, type Batch, endsOf, happeningsOf, newestOf, readBatch } from './batch.ts'
import { CONDITION_WORK, type Conditions, createConditions } from './conditions.ts'
import { alertId, draftOf, type Happening, type Places } from './events.ts'
import { foldStorms, type Reported } from './storm.ts'
import { createWatchIndex, type WatchIndex, watchedOf } from './watch-index.ts'
import { ALERT_WORK, type Cursor, type WorkerStore } from './worker-store.ts'

interface WorkerOptions {
  readonly ledger: WorkerStore
  readonly source: AlertSource
  readonly places: Places
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  /** Called after alerts of these accounts were committed. */
  readonly onAlerts: (accounts: ReadonlySet<string>) => void
  readonly bounds?: Readonly<typeof ALERT_WORK & typeof CONDITION_WORK>
}

const NOTHING: Reported = { minute: 0, sent: 0, folded: 0 }

/** The worker's memory while it holds the lease. */
interface Holding {
  readonly term: number
  version: number
  cursor: Cursor
  /** The next trade after which conditions are evaluated: before the cursor where tokens waited for it. */
  traded: number
  readonly index: WatchIndex
  readonly conditions: Conditions
  readonly rows: Map<string, WatchRow>
  readonly reported: Map<string, Reported>
  /** The watches with a summary to come. */
  readonly folded: Set<string>
  /** Events of a token's state that were reported, because they are found again and again. */
  readonly once: Set<string>
}

/** Makes the alerts of all accounts, as long as this node holds the lease. */
export function createAlertWorker(options: WorkerOptions) {
  const { ledger, source, places, now, onAlerts, bounds = { ...ALERT_WORK, ...CONDITION_WORK } } = options
  const { globals } = source
  let holding: Holding | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  let leasedMs = Number.NEGATIVE_INFINITY
  let stopped = false
  const isBehind = ({ cursor }: Holding): boolean =>
    cursor.trade < globals.nextTrade || cursor.event <= globals.tokenEvents
  const hasWork = (held: Holding): boolean => held.rows.size > 0 && (isBehind(held) || held.conditions.waiting > 0)
  const isOver = (): boolean => now() - leasedMs >= bounds.leaseMs / 4

  /** Without any watch the worker reads one number a second from the database. */
  async function look(): Promise<void> {
    lookedMs = now()
    const version = await ledger.version()
    if (version === null) return
    if (holding !== null && version === holding.version && (holding.rows.size === 0 || !isOver())) return
    const taken = await ledger.take()
    if (taken === null) holding = null
    else if (taken.term !== holding?.term || taken.version !== holding.version) await load(taken.term)
    leasedMs = lookedMs
  }

  async function load(term: number): Promise<void> {
    const same = holding?.term === term ? holding : null
    holding = null
    const loaded = await ledger.load(same, newestOf(source))
    if (loaded === null) return
    const { cursor, version, rows, removed } = loaded
    const held = same ?? { ...emptyHands(), term, version, cursor, traded: cursor.condition }
    held.version = version
    for (const id of removed) forget(held, id)
    await inSlices(adopt(held, rows))
    holding = held
  }

  function* adopt(held: Holding, rows: readonly WatchRow[]): Generator<void> {
    for (const row of rows) {
      take(held, row)
      yield
    }
    yield* held.conditions.prepare()
  }

  /** Lets others of this thread work in between. */
  async function inSlices(steps: Iterable<void>): Promise<void> {
    let beganMs = now()
    for (const _ of steps) {
      if (now() - beganMs < bounds.sliceMs) continue
      await new Promise(setImmediate)
      beganMs = now()
    }
  }

  const emptyHands = () => ({
    index: createWatchIndex(source),
    conditions: createConditions({ source, now, bounds }),
    ...{ rows: new Map(), reported: new Map(), folded: new Set<string>(), once: new Set<string>() },
  })

  function forget({ index, conditions, rows, reported, folded }: Holding, watch: string): void {
    index.remove(watch)
    conditions.remove(watch)
    for (const known of [rows, reported, folded]) known.delete(watch)
  }

  function take(held: Holding, row: WatchRow): void {
    const before = held.rows.get(row.id)
    const watched = watchedOf(row)
    // a condition with another name remembers what it was met by
    const isSame = before?.paused === false && before.from_trade === row.from_trade && before.target === row.target
    const keeps = row.kind === 'condition' && isSame && watched !== null
    if (keeps) held.conditions.rename(watched)
    else {
      forget(held, row.id)
      if (watched !== null) (row.kind === 'condition' ? held.conditions : held.index).add(watched)
    }
    const { id, minute, sent, folded } = row
    held.rows.set(id, row)
    held.reported.set(id, { minute, sent, folded })
    if (folded > 0) held.folded.add(id)
  }

  /** Returns the happenings that were not reported before. */
  async function fresh(ends: readonly Happening[], met: readonly Happening[], { once }: Holding) {
    const onceKey = ({ watch, event, key }: Happening): string => `${watch.id} ${event} ${key}`
    const isNew = ends.filter((one) => !once.has(onceKey(one)))
    const open = [...isNew, ...met].map((one) => ({ one, id: alertId(one.watch.id, one.event, one.key) }))
    if (open.length === 0) return []
    const known = await ledger.known(open.map(({ id }) => id))
    if (once.size + isNew.length > bounds.onceInMemory) once.clear()
    for (const one of isNew) once.add(onceKey(one))
    return open.flatMap(({ one, id }) => (known.has(id) ? [] : [one]))
  }

  /** Queues the tokens that traded for their conditions, also those that waited when the worker before this one ended. */
  function queue(held: Holding, { trades, next }: Batch): void {
    const { conditions, cursor } = held
    if (held.traded < cursor.trade) {
      for (const row of source.trades(held.traded)) {
        if (row.no >= cursor.trade) break
        conditions.traded(row)
      }
    }
    for (const row of trades) conditions.traded(row)
    held.traded = next.trade
    conditions.earn(Math.max(1, next.slot - cursor.slot))
  }

  /** Writes the alerts of the next batch. Returns false if the lease was lost. */
  async function advance(held: Holding): Promise<boolean> {
    const { index, conditions, reported, rows, folded } = held
    index.resolve()
    const batch = readBatch(source, held.cursor, bounds.rows)
    queue(held, batch)
    const ends = [...endsOf(batch, index, source), ...arrivalsOf(batch, index, source)]
    const news = await fresh(ends, conditions.work(), held)
    const happenings = [...happeningsOf(batch, index, source), ...news].sort((a, b) => a.slot - b.slot)
    const before = (id: string): Reported => reported.get(id) ?? NOTHING
    const newest = { slot: batch.next.slot, time: batch.time }
    const open = [...folded].map((id) => rows.get(id)!)
    const { passed, changed } = foldStorms(happenings, before, open, newest, bounds.perMinute)
    const drafts = passed.map((one) => draftOf(one, places))
    const next = { ...batch.next, condition: conditions.from ?? batch.next.trade }
    // Without alerts the cursor is stored only now and then: after a restart the worker reads that part of the log again.
    if (changed.size > 0 || isOver()) {
      const beganMs = now()
      if (!(await ledger.write(drafts, changed, next))) return false
      leasedMs = beganMs
    }
    for (const [id, one] of changed) {
      reported.set(id, one)
      if (one.folded > 0) folded.add(id)
      else folded.delete(id)
    }
    held.cursor = next
    if (drafts.length > 0) onAlerts(new Set(drafts.map(({ account }) => account)))
    return true
  }

  /** Returns true if there may be more to do. */
  async function turn(): Promise<boolean> {
    if (now() - lookedMs >= bounds.lookMs) await look()
    if (holding === null || stopped) return false
    if (holding.rows.size === 0) {
      holding.cursor = newestOf(source)
      return false
    }
    if (!hasWork(holding)) return false
    if (!(await advance(holding))) holding = null
    return holding !== null && isBehind(holding)
  }

  return {
    /**
     * Works until nothing is left to do. Rejects where the database fails; a later call goes on from what is stored there. One
     * at a time.
     */
    async run(): Promise<void> {
      try {
        while (await turn()) await new Promise(setImmediate)
      } catch (error) {
        holding = null
        throw error
      }
    },
    /** Returns false if `run` would find no work. */
    due: (): boolean => now() - lookedMs >= bounds.lookMs || (holding !== null && hasWork(holding)),
    /** Tells whether this node held the lease at its last look. */
    get holds(): boolean {
      return holding !== null
    },
    /** The number of tokens that wait for their conditions. */
    get waiting(): number {
      return holding?.conditions.waiting ?? 0
    },
    /** the current run ends early */
    stop(): void {
      stopped = true
    },
    /** gives the lease back; after the last run */
    async close(): Promise<void> {
      if (holding !== null) await ledger.leave()
      holding = null
    },
  }
}
