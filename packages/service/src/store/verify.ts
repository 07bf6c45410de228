import { existsSync } from 'node:fs'
import { OperatorError } from '../base/errors.ts'
import { DamagedLog } from '../log/segments/damaged.ts'
import { openSegmentLogToRead } from '../log/segments/log-reader.ts'
import type { LogPosition } from '../log/segments/position.ts'
import { type VerifiedLog, verifyingSegments } from '../log/segments/verify.ts'
import { DamagedState } from './damage.ts'
import { checkPosition, logDir, openStoreToRead, stateFile } from './open.ts'
import type { Store } from './store.ts'

/** Progress of the part being read: records of the state, or bytes of the log. */
export interface VerifyProgress {
  readonly what: 'state' | 'log'
  readonly done: number
  /** An estimate for the state. */
  readonly of: number
}

interface VerifyOptions {
  /** Awaited after every few milliseconds of work; throwing ends the verification. */
  readonly pause: (progress: VerifyProgress) => unknown
}

interface VerifiedState {
  /** Newest log entry folded; null if it cannot be read. */
  readonly seq: number | null
  /** Null if the state is intact. */
  readonly problem: OperatorError | null
  readonly records: number
}

export interface Verified {
  readonly sound: boolean
  readonly log: VerifiedLog
  readonly state: VerifiedState
  /** True if the log ends before the state, so folded entries are missing. */
  readonly lost: boolean
}

/** Milliseconds of work between pauses, which is also how long a snapshot is held. */
const SLICE_MS = 5

/**
 * Verifies everything in `dir` and changes nothing, while another process may commit. The state is read first: each
 * commit syncs the log before the state, so the log read afterwards has every entry that the state folded. Later
 * commits are left to the next verification. Throws an OperatorError if the log belongs to another store.
 */
export async function verifyDataDir(dir: string, options: VerifyOptions): Promise<Verified> {
  const { position, ...state } = await verifyStateFile(dir, options)
  const log = await verifyLog(dir, options)
  const mismatch = position !== null && log.whole ? mismatchOf(dir, position) : null
  const lost = mismatch instanceof DamagedLog
  const problem = state.problem ?? (lost ? null : mismatch)
  return { sound: log.whole && !lost && problem === null, log, state: { ...state, problem }, lost }
}

type StateAndPosition = VerifiedState & { readonly position: LogPosition | null }

async function verifyStateFile(dir: string, { pause }: VerifyOptions): Promise<StateAndPosition> {
  const unread = { seq: null, position: null, records: 0 }
  if (!existsSync(stateFile(dir))) return { ...unread, problem: new OperatorError('there is none') }
  try {
    const store = openStoreToRead(dir)
    try {
      const position = { ...store.position(), id: store.identity.log }
      const checks = checkState(store)
      const of = recordsOf(store)
      let records = 0
      for (let ended = false; !ended; ) {
        store.snapshot(() => {
          for (const until = performance.now() + SLICE_MS; !ended && performance.now() < until; records++) {
            ended = checks.next().done === true
          }
        })
        await pause({ what: 'state', done: Math.min(records, of), of })
      }
      return { seq: position.seq, problem: null, records, position }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { ...unread, problem: error }
  }
}

async function verifyLog(dir: string, { pause }: VerifyOptions): Promise<VerifiedLog> {
  const segments = verifyingSegments(logDir(dir))
  let pausedAt = performance.now()
  for (let step = segments.next(); ; step = segments.next()) {
    if (step.done) return step.value
    if (performance.now() - pausedAt < SLICE_MS) continue
    await pause({ what: 'log', ...step.value })
    pausedAt = performance.now()
  }
}

/** The reason why the state cannot be a fold of the log beside it, or null. */
function mismatchOf(dir: string, position: LogPosition): DamagedState | DamagedLog | null {
  const log = openSegmentLogToRead(logDir(dir))
  try {
    checkPosition(dir, log, position)
    return null
  } catch (error) {
    if (error instanceof DamagedState || error instanceof DamagedLog) return error
    throw error
  } finally {
    log.close()
  }
}

/** Roughly the number of steps of `checkState`; positions are counted as they are read. */
function recordsOf(store: Store): number {
  const {
    tokens = 0,
    wallets = 0,
    trades = 0,
    tokenEvents = 0,
    readings = 0,
    verdicts = 0,
    actors = 0,
    frames = 0,
  } = store.entries()
  return 4 * tokens + 5 * wallets + 2 * (trades + tokenEvents + readings + actors) + verdicts + frames
}

/**
 * Reads and verifies every record, that required ones exist, and that indexes lead to their records. Throws
 * DamagedState at the first fault. A step compares records of one commit only, so the caller may continue in a later
 * snapshot.
 */
export function* checkState(store: Store): Generator<void> {
  const begun = store.position().seq
  const { tokens = 0, wallets = 0, actors = 0 } = store.entries()
  let positions = 0
  for (let id = 0; id < tokens; id++) {
    const { mint } = store.token(id)!
    if (store.tokenIdByMint(mint) !== id) throw wrong(`the index of mints does not lead to token ${id}`)
    store.bundles(id)
    positions += checkPositions(store, id)
    yield
  }
  // concurrent commits change the number
  if (store.position().seq === begun && store.positionTotal() !== positions) {
    throw wrong(`there are ${store.positionTotal()} positions, tokens have ${positions}`)
  }
  for (let id = 0; id < wallets; id++) {
    const { address } = store.wallet(id)!
    if (store.walletIdByAddress(address) !== id) throw wrong(`the index of addresses does not lead to wallet ${id}`)
    store.launches(id, 0, 1)
    yield
  }
  for (let id = 0; id < actors; id++) {
    for (const wallet of store.actor(id)!.wallets) {
      if (store.wallet(wallet)!.actor !== id) throw wrong(`wallet ${wallet} does not lead to its actor ${id}`)
    }
    store.actorEdges(id)
    yield
  }
  for (const { no, prev } of store.trades(0)) {
    if (prev >= no) throw wrong(`trade ${no} comes before its token's previous trade ${prev}`)
    yield
  }
  for (const _ of store.tokenEvents(1)) yield
  for (const _ of store.readings(0)) yield
  // everything else, and all again in another order
  yield* store.readAll()
}

/** positions of a token in memory at a time */
const POSITIONS = 1_000

function checkPositions(store: Store, token: number): number {
  let found = 0
  for (let after = -1; ; ) {
    const piece = store.positionsAfter(token, after, POSITIONS)
    found += piece.length
    if (piece.length < POSITIONS) break
    after = piece.at(-1)!.wallet
  }
  const count = store.positionCount(token)
  if (found !== count) throw wrong(`positions of ${token}: ${found} of ${count} are there`)
  return found
}

const wrong = (what: string): DamagedState => new DamagedState('the state', what)
