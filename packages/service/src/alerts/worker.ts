import type { WatchRow } from '../access/sql/schema.ts'
import { arrivalsOf } from './arrivals.ts'
import { type AlertSource, endsOf, happeningsOf, newestOf, readBatch } from './batch.ts'
import { conditionsMet } from './conditions.ts'
import { alertId, draftOf, type Happening, type Places } from './events.ts'
import { foldStorms, type Reported } from './storm.ts'
import { indexWatches, type WatchIndex } from './watch-index.ts'
import { ALERT_WORK, type Cursor, type WorkerStore } from './worker-store.ts'

interface WorkerOptions {
  readonly ledger: WorkerStore
  readonly source: AlertSource
  readonly places: Places
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  /** Called after alerts of these accounts were committed. */
  readonly onAlerts: (accounts: ReadonlySet<string>) => void
  readonly bounds?: Readonly<typeof ALERT_WORK>
}

/** Makes the alerts of all accounts, as long as this node holds the lease. */
interface AlertWorker {
  /**
   * Works until nothing is left to do. Rejects where the database fails; a later call goes on from what is stored there. One
   * at a time.
   */
  run(): Promise<void>
  /** Returns false if `run` would find no work. */
  due(): boolean
  /** Tells whether this node held the lease at its last look. */
  readonly holds: boolean
  /** the current run ends early */
  stop(): void
  /** gives the lease back; after the last run */
  close(): Promise<void>
}

const NOTHING: Reported = { minute: 0, sent: 0, folded: 0 }

/** The worker's memory while it holds the lease. */
interface Holding {
  readonly term: number
  readonly version: number
  cursor: Cursor
  readonly index: WatchIndex
  readonly rows: ReadonlyMap<string, WatchRow>
  readonly reported: Map<string, Reported>
  /** Every reported event that is found again and again, with the trade up to which its watches had begun. */
  readonly once: Map<string, number>
  /** The first token that no earlier holder of the lease can have reported. */
  readonly ownTokens: number
}

const onceKey = ({ watch, event, key, once }: Happening): string => once ?? `${watch.id} ${event} ${key}`

export function createAlertWorker(options: WorkerOptions): AlertWorker {
  const { ledger, source, places, now, onAlerts, bounds = ALERT_WORK } = options
  const { globals } = source
  const { newSlots, sliceMs } = bounds
  let holding: Holding | null = null
  let lookedMs = Number.NEGATIVE_INFINITY
  let leasedMs = Number.NEGATIVE_INFINITY
  let stopped = false
  const isBehind = ({ cursor }: Holding): boolean =>
    cursor.trade < globals.nextTrade || cursor.event <= globals.tokenEvents
  const isAhead = ({ trade, event }: Cursor): boolean => trade > globals.nextTrade || event > globals.tokenEvents + 1
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
    const loaded = await ledger.load(same?.cursor ?? null, newestOf(source))
    if (loaded === null) return
    const { cursor, version, rows } = loaded
    const index = indexWatches(rows, source)
    holding = {
      term,
      version,
      cursor,
      index,
      once: same?.once ?? new Map(),
      // an earlier holder may have seen more of the log than this node
      ownTokens: same?.ownTokens ?? (isAhead(cursor) ? Number.POSITIVE_INFINITY : globals.nextToken),
      rows: new Map(rows.map((row) => [row.id, row])),
      reported: new Map(rows.map(({ id, minute, sent, folded }) => [id, { minute, sent, folded }])),
    }
  }

  /** Returns the happenings that were not reported before; those of `met` were not since the lease was taken. */
  async function fresh(
    ends: readonly Happening[],
    met: readonly Happening[],
    { once, cursor, ownTokens }: Holding,
  ): Promise<readonly Happening[]> {
    const open = [...ends.filter((one) => !once.has(onceKey(one))), ...met]
    if (open.length === 0) return open
    const earlier = open.filter(({ token }) => token!.id < ownTokens)
    const ids = new Map(earlier.map((one) => [one, alertId(one.watch.id, one.event, one.key)]))
    const known = await ledger.known([...ids.values()])
    if (once.size + open.length > bounds.metInMemory) once.clear()
    for (const one of open) once.set(onceKey(one), cursor.trade)
    return open.filter((one) => !known.has(ids.get(one) ?? ''))
  }

  /** Writes the alerts of the next batch. Returns false if the lease was lost. */
  async function advance(held: Holding): Promise<boolean> {
    const { index, reported, rows, once } = held
    index.resolve()
    const batch = readBatch(source, held.cursor, bounds.rows)
    const often = happeningsOf(batch, index, source)
    const ends = [...endsOf(batch, index, source), ...arrivalsOf(batch, index, source)]
    const told = (event: string): number => once.get(event) ?? -1
    const met = await conditionsMet(batch, { source, conditions: index.conditions, told, now, newSlots, sliceMs })
    const happenings = [...often, ...(await fresh(ends, met, held))].sort((a, b) => a.slot - b.slot)
    const open: WatchRow[] = []
    for (const [id, { folded }] of reported) if (folded > 0) open.push(rows.get(id)!)
    const before = (id: string): Reported => reported.get(id) ?? NOTHING
    const newest = { slot: batch.next.slot, time: batch.time }
    const { passed, changed } = foldStorms(happenings, before, open, newest, bounds.perMinute)
    const drafts = passed.map((one) => draftOf(one, places))
    // Without alerts the cursor is stored only now and then: after a restart the worker reads that part of the log again.
    if (changed.size > 0 || isOver()) {
      const beganMs = now()
      if (!(await ledger.write(drafts, changed, batch.next))) return false
      leasedMs = beganMs
    }
    for (const [id, one] of changed) reported.set(id, one)
    held.cursor = batch.next
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
    if (!isBehind(holding)) return false
    if (!(await advance(holding))) holding = null
    return holding !== null && isBehind(holding)
  }

  return {
    async run() {
      try {
        while (await turn()) await new Promise(setImmediate)
      } catch (error) {
        holding = null
        throw error
      }
    },
    due: () => now() - lookedMs >= bounds.lookMs || (holding !== null && holding.rows.size > 0 && isBehind(holding)),
    get holds() {
      return holding !== null
    },
    stop() {
      stopped = true
    },
    async close() {
      if (holding !== null) await ledger.leave()
      holding = null
    },
  }
}
