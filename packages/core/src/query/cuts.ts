import { setImmediate as nextTurn } from 'node:timers/promises'
import { createPace } from '../base/pace.ts'
import { within } from '../base/within.ts'
import type { Engine } from '../engine/engine.ts'
import type { Changes } from '../engine/state.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import { type Cut, type CutReader, type CutScan, createCutScan } from './cut-scan.ts'
import { createSpacing } from './spacing.ts'

/**
 * Keeps readings from blocking the event loop. A token with many positions is scanned in slices, on a consistent
 * snapshot, and the result is cached. Many small readings within one answer are spread over turns.
 */
export interface Cuts {
  /** True if a token with this many positions is read in slices. */
  isLarge(positions: number): boolean
  /** The cached reading of a large token. Throws Unread if there is none, for `settled` to wait. */
  of(id: number, withShares: boolean): Cut
  /** Like `of`, but undefined if there is none. */
  find(id: number, withShares: boolean): Cut | undefined
  /** True if lists have waited long enough for this token's reading, and do without it. */
  isMissed(id: number, positions: number): boolean
  /** Must be called before reading this many positions at once. Throws Unread if this turn's budget is used up. */
  spend(positions: number): void
  /** Runs `work` at once or after missing readings were made; then it may restart, in turns of its own. */
  settled<T>(work: () => T): T | Promise<T>
  /** Called within a commit, when everything is folded and nothing is written yet. */
  beforeWrite(changes: Pick<Changes, 'positions' | 'wallets'>): void
  /** Aborts running scans. */
  close(): void
}

interface CutsOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: CutReader
  readonly bounds?: QueryBounds
  /** false once memory is ahead of what is durable; left out: it never is */
  readonly isWhole?: () => boolean
  /** Monotonic milliseconds. */
  readonly now?: () => number
  /** Resolves after other work in the event loop has run. */
  readonly turn?: () => Promise<unknown>
}

/** Thrown when an answer needs a token's reading, or only another turn. */
class Unread extends Error {
  override readonly name = 'Unread'

  constructor(
    readonly token: number | null,
    readonly withShares = false,
  ) {
    super(token === null ? 'this turn has read enough' : `token ${token} has not been read`)
  }
}

/** EAGAIN marks an error that a retry may avoid. */
const busy = (why: string): Error => Object.assign(new Error(why), { code: 'EAGAIN' })

interface Job {
  readonly token: number
  withShares: boolean
  /** A request waits for it, so it takes precedence over renewals. */
  isAsked: boolean
  readonly made: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

function newJob(token: number, withShares: boolean, isAsked: boolean): Job {
  let [resolve, reject] = [(): void => {}, (_: unknown): void => {}]
  const made = new Promise<void>((...ends) => {
    ;[resolve, reject] = ends
  })
  // all waiting requests may be gone
  made.catch(() => {})
  return { token, withShares, isAsked, made, resolve, reject }
}

export function createCuts({ engine, store, bounds = QUERY_BOUNDS, isWhole = () => true, ...time }: CutsOptions): Cuts {
  const { now = () => performance.now(), turn = nextTurn } = time
  const { globals } = engine
  const spacing = createSpacing<Cut>(bounds, now)
  const waiting: Job[] = []
  let running: { readonly job: Job; readonly scan: CutScan } | null = null
  const pace = createPace({ first: bounds.readingFirst, most: bounds.readingSlice, targetMs: bounds.readingSliceMs })
  let isReading = false
  let isClosed = false
  /** the answer being made: its arrival and its remaining budget in this turn; null if none */
  let asking: { readonly sinceMs: number; readonly isLast: boolean; left: number; hasRead: boolean } | null = null

  function request(token: number, withShares: boolean, isAsked: boolean): Promise<void> {
    const open = waiting.find((job) => job.token === token)
    if (open !== undefined) {
      open.withShares ||= withShares
      open.isAsked ||= isAsked
      return open.made
    }
    // a running scan will do, unless it lacks the requested shares
    if (running !== null && running.job.token === token && (running.job.withShares || !withShares))
      return running.job.made
    if (waiting.length >= bounds.readingsWaiting) throw busy('too many tokens are being read')
    const job = newJob(token, withShares, isAsked)
    waiting.push(job)
    if (!isReading) void readAll()
    return job.made
  }

  async function readAll(): Promise<void> {
    isReading = true
    // the same request may need more tokens in the same turn
    await turn()
    while (waiting.length > 0) {
      const asked = waiting.findIndex((job) => job.isAsked)
      const [job] = waiting.splice(Math.max(0, asked), 1)
      try {
        await read(job!)
        job!.resolve()
      } catch (error) {
        job!.reject(error)
      } finally {
        running?.scan.close()
        running = null
      }
      // lets the waiting request use the result before the next scan starts
      await turn()
    }
    isReading = false
  }

  function checkWhole(): void {
    if (isClosed || !isWhole()) throw busy('a commit has failed or the service stops: nothing is read')
  }

  async function read(job: Job): Promise<void> {
    const { token, withShares } = job
    let costMs = 0
    const timed = <T>(work: () => T): T => {
      checkWhole()
      const began = now()
      const result = work()
      costMs += now() - began
      return result
    }
    const shares = withShares ? bounds.explainedHolders : null
    const scan = timed(() => createCutScan({ engine, store, token, shares, metMost: bounds.readingMet }))
    running = { job, scan }
    // the first step walks back over the newest trades, which takes as long as a slice
    await turn()
    for (let isRead = false; !isRead; ) {
      const [units, before] = [pace.units(), costMs]
      isRead = timed(() => scan.slice(units))
      pace.took(units, costMs - before)
      if (!isRead) await turn()
    }
    // separate turns for the last slice, the result, and the answer that waits for it
    await turn()
    const cut = timed(scan.finish)
    spacing.made(token, cut, costMs)
    await turn()
  }

  function find(id: number, withShares: boolean): Cut | undefined {
    const standing = spacing.kept(id, asking?.sinceMs ?? now())
    if (standing === undefined || (withShares && standing.value.shares === null)) return undefined
    const { value, isDue } = standing
    if (isDue && value.seq !== globals.seq && waiting.length < bounds.readingsWaiting) {
      void request(id, false, false)
    }
    return value
  }

  /** `left`: positions that may be read at once before yielding to the event loop */
  function attempt<T>(work: () => T, sinceMs: number, left: number, isLast = false): { readonly result: T } | Unread {
    const before = asking
    asking = { sinceMs, isLast, left, hasRead: false }
    try {
      return { result: work() }
    } catch (error) {
      if (error instanceof Unread) return error
      throw error
    } finally {
      asking = before
    }
  }

  async function later<T>(work: () => T, first: Unread, sinceMs: number): Promise<T> {
    try {
      return await whenRead(work, first, sinceMs)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      checkWhole()
      const last = attempt(work, sinceMs, Number.POSITIVE_INFINITY, true)
      if (last instanceof Unread) throw error
      return last.result
    }
  }

  async function whenRead<T>(work: () => T, first: Unread, sinceMs: number): Promise<T> {
    const untilMs = sinceMs + bounds.readingWaitMs
    let turns = 0
    for (let lacking = first; ; ) {
      const leftMs = untilMs - now()
      if (leftMs <= 0) throw busy('the token is still being read')
      if (lacking.token === null) await turn()
      else await within(leftMs, request(lacking.token, lacking.withShares, true)).catch(asBusy)
      checkWhole()
      // small readings are cached until the next entry only; if entries arrive faster, one turn reads everything
      if (lacking.token === null) turns++
      const tried = attempt(work, sinceMs, turns > bounds.readingTurns ? Number.POSITIVE_INFINITY : bounds.readingTurn)
      if (!(tried instanceof Unread)) return tried.result
      lacking = tried
    }
  }

  return {
    isLarge: (positions) => positions >= bounds.readingPositions,
    find,
    isMissed: (id, positions) =>
      asking?.isLast === true && positions >= bounds.readingPositions && find(id, false) === undefined,
    of(id, withShares) {
      const cut = find(id, withShares)
      if (cut === undefined) throw new Unread(id, withShares)
      return cut
    },
    spend(positions) {
      if (asking === null) return
      // at least one reading per turn guarantees progress
      if (asking.hasRead && positions > asking.left) throw new Unread(null)
      asking.hasRead = true
      asking.left -= positions
    },
    settled(work) {
      const sinceMs = now()
      const tried = attempt(work, sinceMs, bounds.readingTurn)
      return tried instanceof Unread ? later(work, tried, sinceMs) : tried.result
    },
    beforeWrite: (changes) => running?.scan.beforeWrite(changes),
    close() {
      isClosed = true
    },
  }
}

function asBusy(error: unknown): never {
  if (error instanceof Error && error.name === 'DeadlineError') throw busy('the token is still being read')
  throw error
}
