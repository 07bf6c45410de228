import { setImmediate as nextTurn } from 'node:timers/promises'
import { createPace } from '../base/pace.ts'
import { within } from '../base/within.ts'
import type { Engine } from '../engine/engine.ts'
import type { Changes } from '../engine/state.ts'
import { type Cut, type CutReader, type CutScan, createCutScan } from './cut-scan.ts'
import { createSpacing, type SpacingBounds } from './spacing.ts'

/** Those of LIMITS with the same names. */
export type CutBounds = SpacingBounds &
  Readonly<
    Record<
      | 'readingPositions'
      | 'readingSlice'
      | 'readingFirst'
      | 'readingSliceMs'
      | 'readingMet'
      | 'readingTurn'
      | 'readingTurns'
      | 'readingsWaiting'
      | 'readingWaitMs'
      | 'explainedHolders',
      number
    >
  >

/**
 * Readings never block the event loop for long. A token with many positions is read in slices, on a cut of its own, for the
 * first request, and the result is cached. Many small readings within one answer are spread over turns.
 */
export interface Cuts {
  /** whether a token with this many positions is read in slices */
  isLarge(positions: number): boolean
  /** the kept reading of a large token; throws Unread where there is none, for `settled` to wait for */
  of(id: number, withShares: boolean): Cut
  /** as `of`, undefined where there is none */
  find(id: number, withShares: boolean): Cut | undefined
  /** call before reading this many positions at once: throws Unread if this turn has used its budget */
  spend(positions: number): void
  /** `work` at once, or when what it lacks was read; it may begin several times, and is then in a turn of its own */
  settled<T>(work: () => T): T | Promise<T>
  /** within a commit, when everything is folded and nothing of it is written */
  beforeWrite(changes: Pick<Changes, 'positions' | 'wallets'>): void
  /** ends what is being read */
  close(): void
}

interface CutsOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: CutReader
  readonly bounds: CutBounds
  /** false once memory is ahead of what is durable; left out: it never is */
  readonly isWhole?: () => boolean
  /** milliseconds that only go forward */
  readonly now?: () => number
  /** resolves when the event loop has had its turn */
  readonly turn?: () => Promise<unknown>
}

/** What an answer lacks: a token's reading, or only another turn. */
class Unread extends Error {
  override readonly name = 'Unread'

  constructor(
    readonly token: number | null,
    readonly withShares = false,
  ) {
    super(token === null ? 'this turn has read enough' : `token ${token} has not been read`)
  }
}

/** The code is the system's own for what may work later. */
const busy = (why: string): Error => Object.assign(new Error(why), { code: 'EAGAIN' })

interface Job {
  readonly token: number
  withShares: boolean
  /** a request waits for it, so it takes precedence over mere renewals */
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
  // nobody may be waiting any more
  made.catch(() => {})
  return { token, withShares, isAsked, made, resolve, reject }
}

export function createCuts({ engine, store, bounds, isWhole = () => true, ...time }: CutsOptions): Cuts {
  const { now = () => performance.now(), turn = nextTurn } = time
  const { globals } = engine
  const spacing = createSpacing<Cut>(bounds, now)
  const waiting: Job[] = []
  let running: { readonly job: Job; readonly scan: CutScan } | null = null
  const pace = createPace({ first: bounds.readingFirst, most: bounds.readingSlice, targetMs: bounds.readingSliceMs })
  let isReading = false
  let isClosed = false
  /** of the answer that is being made: since when it is asked for, and what it may still read in this turn; null: none is */
  let asking: { readonly sinceMs: number; left: number; hasRead: boolean } | null = null

  function request(token: number, withShares: boolean, isAsked: boolean): Promise<void> {
    const open = waiting.find((job) => job.token === token)
    if (open !== undefined) {
      open.withShares ||= withShares
      open.isAsked ||= isAsked
      return open.made
    }
    // a cut in the making is as good, unless it lacks what is asked for
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
    // the same request may ask for more in the same turn
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
      // the waiting request takes it before the next one is made
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
    // nor is the end in the turn of a slice, nor the answer that waits for it in the turn of the end
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

  /** `left`: positions that may be read at once before the event loop has its turn */
  function attempt<T>(work: () => T, sinceMs: number, left: number): { readonly result: T } | Unread {
    const before = asking
    asking = { sinceMs, left, hasRead: false }
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
    const untilMs = sinceMs + bounds.readingWaitMs
    let turns = 0
    for (let lacking = first; ; ) {
      const leftMs = untilMs - now()
      if (leftMs <= 0) throw busy('the token is still being read')
      if (lacking.token === null) await turn()
      else await within(leftMs, request(lacking.token, lacking.withShares, true)).catch(asBusy)
      checkWhole()
      // small readings are kept until the next entry only: where entries come faster than they are read, one turn reads them all
      if (lacking.token === null) turns++
      const tried = attempt(work, sinceMs, turns > bounds.readingTurns ? Number.POSITIVE_INFINITY : bounds.readingTurn)
      if (!(tried instanceof Unread)) return tried.result
      lacking = tried
    }
  }

  return {
    isLarge: (positions) => positions >= bounds.readingPositions,
    find,
    of(id, withShares) {
      const cut = find(id, withShares)
      if (cut === undefined) throw new Unread(id, withShares)
      return cut
    },
    spend(positions) {
      if (asking === null) return
      // one at least in each turn, so that there is an end
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
