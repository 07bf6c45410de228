import type { Logger } from '../base/log.ts'
import { createPoller } from '../base/poller.ts'
import type { Database } from './sql/database.ts'
import { createTrialRows, type TrialUse } from './sql/trial-rows.ts'

export const TRIALS = {
  /** milliseconds of streams that an account on the free plan has within any `windowMs` (decisions.md) */
  ms: 1_200_000,
  windowMs: 3_600_000,
  /** milliseconds of a span: use is added up by span, and a span counts until all of it is out of the window */
  spanMs: 300_000,
  /** milliseconds between two writings of what was used: as much is lost at most when the process is killed */
  writeMs: 5_000,
  /** accounts, addresses and networks whose trial is counted at once, with an open socket or unwritten time, about 750 bytes each, and rows of one
   * statement: what each writes waits for the commits of others */
  accounts: 10_000,
  rows: 500,
  /** milliseconds after its span's start that use is remembered, on disk or waiting for a database that fails */
  keptMs: 86_400_000,
  /** milliseconds by which a clock may be set back and still find a span of before in memory */
  backMs: 10_000,
  /** seconds after which an account that found no room comes again: a writing frees it */
  retryAfterS: 5,
}

/**
 * Streams on the free plan: TRIALS.ms within any hour, counted while at least one socket of the account (or
 * of an address, by the same books: `free-tier.ts`) is open on this node, added up over nodes, reconnects and restarts.
 */
export interface Trials {
  /** Admits a socket of a free account; refuses if `mostMs` of the last hour are used up. Never rejects. */
  open(account: string, mostMs?: number): Promise<TrialDecision>
  /** writes unwritten time, then stops counting and admitting */
  close(): Promise<void>
}

export type TrialDecision =
  | { readonly ok: true; readonly seat: TrialSeat }
  /** seconds until some of it is free again, at least 1; TRIALS.retryAfterS where too many accounts are counted or we stop */
  | { readonly ok: false; readonly retryAfterS: number }

export interface TrialSeat {
  /** False when the trial is used up and the socket must close. Synchronous and cheap. */
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

/** One span of an account. The time used is always the sum of both numbers, even during a write. */
interface Span {
  readonly account: string
  readonly startMs: number
  /** time in the database at the last read or write, from all nodes */
  writtenMs: number
  /** time counted here and not confirmed in the database */
  owedMs: number
}

const usedIn = ({ writtenMs, owedMs }: Span): number => writtenMs + owedMs

interface Meter {
  readonly account: string
  sockets: number
  /** pending calls of `open` */
  opening: number
  /** time up to which open sockets are counted */
  countedMs: number
  /** true once the use of other nodes and of earlier sockets was read; it is read again with each writing */
  isRead: boolean
  /** by start: those of the window, and earlier ones with unwritten time */
  readonly spans: Map<number, Span>
}

export function createTrials(database: Pick<Database, 'sql'>, options: TrialsOptions): SqlTrials {
  const { logger, bounds = TRIALS } = options
  /** the table takes whole milliseconds */
  const now = (): number => Math.floor(options.now())
  const rows = createTrialRows(database)
  const meters = new Map<string, Meter>()
  /** meters for the next write */
  const due = new Set<Meter>()
  let sweptMs = Number.NaN
  let failing = false
  let closed = false

  const spanOf = (ms: number): number => Math.floor(ms / bounds.spanMs) * bounds.spanMs
  /** The moment at which a span no longer counts. */
  const endsMs = (startMs: number): number => startMs + bounds.spanMs + bounds.windowMs

  function spanAt({ account, spans }: Meter, startMs: number): Span {
    const known = spans.get(startMs)
    if (known !== undefined) return known
    const span: Span = { account, startMs, writtenMs: 0, owedMs: 0 }
    spans.set(startMs, span)
    return span
  }

  /** Ignores a clock that was set back, and continues from there. */
  function countUpTo(meter: Meter, nowMs: number): void {
    if (closed) return
    if (meter.sockets > 0) {
      let from = Math.max(meter.countedMs, nowMs - bounds.keptMs)
      while (from < nowMs) {
        const span = spanAt(meter, spanOf(from))
        const to = Math.min(nowMs, span.startMs + bounds.spanMs)
        span.owedMs += to - from
        from = to
      }
    }
    meter.countedMs = nowMs
  }

  /** Milliseconds until less than `mostMs` is used; 0: now. */
  function waitMs({ spans }: Meter, mostMs: number, nowMs: number): number {
    const counted = [...spans.values()].filter(({ startMs }) => startMs <= nowMs && nowMs < endsMs(startMs))
    let used = counted.reduce((sum, span) => sum + usedIn(span), 0)
    if (used < mostMs) return 0
    for (const span of counted.sort((a, b) => a.startMs - b.startMs)) {
      used -= usedIn(span)
      if (used < mostMs) return endsMs(span.startMs) - nowMs
    }
    return bounds.windowMs
  }

  /** Removes spans that count no more and are written, or too old; and the meter when nothing else uses it. */
  function tidy(meter: Meter, nowMs: number): void {
    for (const [startMs, { owedMs }] of meter.spans) {
      // a clock set back slightly still finds its earlier span
      const isOver = nowMs >= endsMs(startMs) + bounds.backMs
      if ((isOver && owedMs === 0) || nowMs - startMs > bounds.keptMs) meter.spans.delete(startMs)
    }
    if (!isOpen(meter) && [...meter.spans.values()].every((span) => span.owedMs === 0)) meters.delete(meter.account)
  }

  /** Writes the unwritten time and takes over the sums, while counting continues. */
  async function add(spans: readonly Span[]): Promise<void> {
    const sent: TrialUse[] = spans.map(({ account, startMs, owedMs }) => ({ account, startMs, usedMs: owedMs }))
    const sums = new Map((await rows.add(sent)).map((sum) => [nameOf(sum), sum.usedMs]))
    spans.forEach((span, i) => {
      span.owedMs -= sent[i]!.usedMs
      span.writtenMs = sums.get(nameOf(span)) ?? 0
    })
  }

  async function read(open: readonly Meter[], nowMs: number): Promise<void> {
    const byAccount = new Map(open.map((meter) => [meter.account, meter]))
    const found = await rows.read([...byAccount.keys()], nowMs - bounds.windowMs - bounds.spanMs)
    for (const { account, startMs, usedMs } of found) spanAt(byAccount.get(account)!, startMs).writtenMs = usedMs
    for (const meter of open) meter.isRead = true
  }

  /** Does all database work, one run at a time. */
  async function lookAfterDue(): Promise<void> {
    const looked = [...due]
    due.clear()
    const nowMs = now()
    const owing = looked.flatMap(({ spans }) => [...spans.values()].filter(({ owedMs }) => owedMs > 0))
    const open = looked.filter(isOpen)
    try {
      for (const page of pages(owing, bounds.rows)) await add(page)
      for (const page of pages(open, bounds.rows)) await read(page, nowMs)
      if (looked.length > 0 && sweptMs !== spanOf(nowMs)) {
        await rows.forget(nowMs - bounds.keptMs)
        sweptMs = spanOf(nowMs)
      }
      if (failing && owing.length + open.length > 0) {
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
    const isKnown = meter.sockets > 0 && meter.isRead
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
        return waitMs(meter, mostMs, nowMs) === 0
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
      const wait = waitMs(meter, mostMs, nowMs)
      if (wait === 0) return { ok: true, seat: takeSeat(meter, mostMs) }
      tidy(meter, nowMs)
      return refused(Math.ceil(wait / 1000))
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

const createMeter = (account: string): Meter => ({
  account,
  sockets: 0,
  opening: 0,
  countedMs: 0,
  isRead: false,
  spans: new Map(),
})

const nameOf = ({ account, startMs }: Pick<TrialUse, 'account' | 'startMs'>): string => `${startMs} ${account}`

function* pages<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
