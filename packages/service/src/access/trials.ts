import type { Logger } from '../base/log.ts'
import { createPoller } from '../base/poller.ts'
import type { Database } from './sql/database.ts'
import { createTrialRows, type TrialRows, type TrialUse } from './sql/trial-rows.ts'

export const TRIALS = {
  /** milliseconds of streams an account on the free plan has in every clock hour (decisions.md) */
  ms: 1_200_000,
  /** milliseconds between two writings of what was used: as much is lost at most when the process is killed */
  writeMs: 5_000,
  /** accounts, addresses and networks whose trial is counted at once, with an open socket or unwritten time, about 750 bytes each, and rows of one
   * statement: what each writes waits for the commits of others */
  accounts: 10_000,
  rows: 500,
  /** milliseconds after its hour's start that a trial is remembered, on disk or waiting for a database that fails */
  keptMs: 86_400_000,
  /** milliseconds by which a clock may be set back and still find an hour of before in memory */
  backMs: 10_000,
  /** seconds after which an account that found no room comes again: a writing frees it */
  retryAfterS: 5,
}

/**
 * Streams on the free plan: TRIALS.ms in every clock hour (UTC), counted while at least one socket of the account (or
 * of an address, by the same books: `free-tier.ts`) is open on this node, added up over nodes, reconnects and restarts.
 */
export interface Trials {
  /** Admits a socket of a free account; refuses if this hour's trial of `mostMs` is used up. Never rejects. */
  open(account: string, mostMs?: number): Promise<TrialDecision>
  /** writes unwritten time, then stops counting and admitting */
  close(): Promise<void>
}

export type TrialDecision =
  | { readonly ok: true; readonly seat: TrialSeat }
  /** seconds until the hour ends, at least 1; TRIALS.retryAfterS where too many accounts are counted or we stop */
  | { readonly ok: false; readonly retryAfterS: number }

export interface TrialSeat {
  /** False when this hour's trial is used up and the socket must close. Synchronous and cheap. */
  hasTime(): boolean
  /** called when the socket closes; repeating it changes nothing */
  release(): void
}

/** Trials in the database. */
export interface SqlTrials extends Trials {
  /** counts up to now and writes it; runs by itself every TRIALS.writeMs. Never rejects */
  write(): Promise<void>
}

export type TrialBounds = Readonly<typeof TRIALS>

interface TrialsOptions {
  /** Unix ms */
  readonly now: () => number
  readonly logger: Logger
  readonly bounds?: TrialBounds
}

const HOUR_MS = 3_600_000
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** One clock hour of an account. The time used is always the sum of both numbers, even during a write. */
interface Hour {
  readonly account: string
  readonly hourMs: number
  /** time in the database at the last read, from all nodes; null: not read yet */
  writtenMs: number | null
  /** time counted here and not confirmed in the database */
  owedMs: number
}

interface Meter {
  readonly account: string
  sockets: number
  /** pending calls of `open` */
  opening: number
  /** time up to which open sockets are counted */
  countedMs: number
  /** by start: the present hour, and earlier ones with unwritten time */
  readonly hours: Map<number, Hour>
}

export function createTrials(database: Pick<Database, 'sql'>, options: TrialsOptions): SqlTrials {
  const { logger, bounds = TRIALS } = options
  /** the table takes whole milliseconds */
  const now = (): number => Math.floor(options.now())
  const rows = createTrialRows(database)
  const meters = new Map<string, Meter>()
  /** meters for the next write */
  const due = new Set<Meter>()
  let sweptHourMs = Number.NaN
  let failing = false
  let closed = false

  /** Ignores a clock that was set back, and continues from there. */
  function countUpTo(meter: Meter, nowMs: number): void {
    if (closed) return
    if (meter.sockets > 0) {
      let from = Math.max(meter.countedMs, nowMs - bounds.keptMs)
      while (from < nowMs) {
        const hour = hourAt(meter, from)
        const to = Math.min(nowMs, hour.hourMs + HOUR_MS)
        hour.owedMs += to - from
        from = to
      }
    }
    meter.countedMs = nowMs
  }

  const isUsedUp = (meter: Meter, mostMs: number, nowMs: number): boolean => {
    const { writtenMs, owedMs } = hourAt(meter, nowMs)
    return (writtenMs ?? 0) + owedMs >= mostMs
  }

  /** Removes hours that are over and written, or too old; and the meter when nothing else uses it. */
  function tidy(meter: Meter, nowMs: number): void {
    for (const [hourMs, { owedMs }] of meter.hours) {
      // a clock set back slightly still finds its earlier hour
      const isOver = nowMs - hourMs >= HOUR_MS + bounds.backMs
      if ((isOver && owedMs === 0) || nowMs - hourMs > bounds.keptMs) meter.hours.delete(hourMs)
    }
    if (!isOpen(meter) && [...meter.hours.values()].every((hour) => hour.owedMs === 0)) meters.delete(meter.account)
  }

  /** Does all database work, one run at a time. */
  async function lookAfterDue(): Promise<void> {
    const looked = [...due]
    due.clear()
    const nowMs = now()
    for (const meter of looked) if (isOpen(meter)) hourAt(meter, nowMs)
    const hours = looked.flatMap((meter) => [...meter.hours.values()])
    const owing = hours.filter((hour) => hour.owedMs > 0)
    const unknown = hours.filter((hour) => hour.owedMs === 0 && hour.writtenMs === null)
    try {
      for (const page of pages(owing, bounds.rows)) await exchange(page, rows.add, (hour) => hour.owedMs)
      for (const page of pages(unknown, bounds.rows)) await exchange(page, rows.read, () => 0)
      if (hours.length > 0 && sweptHourMs !== hourOf(nowMs)) {
        await rows.forget(nowMs - bounds.keptMs)
        sweptHourMs = hourOf(nowMs)
      }
      if (failing && owing.length + unknown.length > 0) {
        failing = false
        logger.info('the database answers again: stream trials are written')
      }
    } catch (error) {
      if (!failing) logger.warn({ err: error }, 'the database fails: this node counts stream trials alone')
      failing = true
    }
    const doneMs = now()
    for (const meter of looked) tidy(meter, doneMs)
  }
  const rounds = createPoller({ what: 'stream trials', run: lookAfterDue })

  function write(): Promise<void> {
    const nowMs = now()
    for (const meter of meters.values()) {
      countUpTo(meter, nowMs)
      due.add(meter)
    }
    return rounds.run()
  }
  const writes = createPoller({ what: 'stream trials', everyMs: bounds.writeMs, run: write })

  /** Reads what other nodes and earlier sockets used, unless it is known or the database fails. */
  async function learn(meter: Meter): Promise<void> {
    const isKnown = meter.sockets > 0 && hourAt(meter, now()).writtenMs !== null
    if (isKnown || failing) return
    due.add(meter)
    await rounds.run()
  }

  function takeSeat(meter: Meter, mostMs: number): TrialSeat {
    let isReleased = false
    meter.sockets++
    return {
      hasTime() {
        const nowMs = now()
        countUpTo(meter, nowMs)
        return !isUsedUp(meter, mostMs, nowMs)
      },
      release() {
        if (isReleased) return
        isReleased = true
        countUpTo(meter, now())
        meter.sockets--
        if (meter.sockets > 0 || closed) return
        due.add(meter)
        // the timer tries again
        if (!failing) void rounds.run()
      },
    }
  }

  const refused = (retryAfterS: number): TrialDecision => ({ ok: false, retryAfterS })

  return {
    async open(account, mostMs = bounds.ms) {
      const meter = meters.get(account) ?? createMeter(account)
      if (closed || (meters.size >= bounds.accounts && !meters.has(account))) {
        return refused(bounds.retryAfterS)
      }
      meters.set(account, meter)
      // keeps this meter the account's only one until its seat is taken
      meter.opening++
      await learn(meter)
      meter.opening--
      if (closed) return refused(bounds.retryAfterS)
      const nowMs = now()
      countUpTo(meter, nowMs)
      if (!isUsedUp(meter, mostMs, nowMs)) return { ok: true, seat: takeSeat(meter, mostMs) }
      tidy(meter, nowMs)
      return refused(Math.ceil((hourOf(nowMs) + HOUR_MS - nowMs) / 1000))
    },
    write,
    async close() {
      const written = closed ? rounds.run() : write()
      closed = true
      await writes.stop()
      await written
    },
  }
}

const isOpen = ({ sockets, opening }: Meter): boolean => sockets > 0 || opening > 0

const createMeter = (account: string): Meter => ({ account, sockets: 0, opening: 0, countedMs: 0, hours: new Map() })

function hourAt({ account, hours }: Meter, ms: number): Hour {
  const hourMs = hourOf(ms)
  const known = hours.get(hourMs)
  if (known !== undefined) return known
  const hour: Hour = { account, hourMs, writtenMs: null, owedMs: 0 }
  hours.set(hourMs, hour)
  return hour
}

/** Writes `amount` of the unwritten time and reads the sums, while counting continues. */
async function exchange(
  hours: readonly Hour[],
  statement: TrialRows['add'],
  amount: (hour: Hour) => number,
): Promise<void> {
  const sent: TrialUse[] = hours.map((hour) => ({ account: hour.account, hourMs: hour.hourMs, usedMs: amount(hour) }))
  const sums = new Map((await statement(sent)).map((sum) => [nameOf(sum), sum.usedMs]))
  hours.forEach((hour, i) => {
    hour.owedMs -= sent[i]!.usedMs
    hour.writtenMs = sums.get(nameOf(hour)) ?? 0
  })
}

const nameOf = ({ account, hourMs }: Pick<TrialUse, 'account' | 'hourMs'>): string => `${hourMs} ${account}`

function* pages<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
