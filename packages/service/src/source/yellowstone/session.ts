import { keyToBase58 } from '@ti/core/base/base58.ts'
import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import type { Clock } from '../../base/clock.ts'
import type { BlockFiller } from '../block-filler.ts'
import type { Followed } from '../followed.ts'
import { exactOf, fieldsOf } from '../shape/fields.ts'
import { LATE, within } from './timing.ts'
import { type Connection, PONG, subscription, type Transport, type UpdateStream } from './transport.ts'
import { readUpdate } from './update.ts'

export interface SessionBounds {
  /** for a connection, and for the answers before the stream */
  readonly connectMs: number
  /** without a block */
  readonly stallMs: number
  /** first and longest pause between two attempts; each is drawn between half and the whole of it */
  readonly backoffMs: number
  readonly backoffMsMax: number
  /** slots before the last settled one that are asked for again */
  readonly marginSlots: number
  /** between two changes of what an open stream is asked for */
  readonly followMs: number
}

/** The consumer of a session's updates. */
export interface Sink {
  /** last slot that need not be requested; -1: none yet */
  readonly settled: number
  has(slot: number): boolean
  /** resolves when there is room for the block, or it is not needed; until then nothing more is read */
  take(block: RawBlock, signal: AbortSignal): Promise<void>
  dead(slot: number): void
  /** false when no such slot can exist by now */
  seen(slot: number): boolean
}

interface SessionOptions {
  readonly transport: Transport
  /** base58 */
  readonly accounts: readonly string[]
  /** asked for as well, as far as the endpoint takes them */
  readonly followed: Followed
  /** true if an endpoint is on the chain of the others, see BlockFiller; null: unknown */
  readonly isOnChain: BlockFiller['isOnChain'] | null
  /** blocks are taken although some of their transactions cannot be read */
  readonly takesDamaged: boolean
  readonly sink: Sink
  readonly clock: Clock
  /** [0, 1) */
  readonly random: () => number
  readonly bounds: SessionBounds
  readonly counts: Counts
}

type Asked = 'mints' | 'holders' | 'funders'

/** One endpoint, kept connected until `signal` of `run` aborts. */
export type Session = ReturnType<typeof createSession>

/** Blocks that came damaged twice, after which damage counts as something we cannot read, not as noise. */
const DAMAGED_AGAIN_MAX = 3
/** Damaged blocks remembered until they come again. */
const SUSPECTS_MAX = 64
/** Attempts to resume without a single update, after which the stream is asked for from now on. */
const BARREN_MAX = 2

export function createSession(options: SessionOptions) {
  const { transport, accounts, followed, sink, clock, bounds, counts } = options
  let connected = false
  let attempt = new AbortController()
  /** attempts in a row without a block */
  let failures = 0
  /** failed attempts to resume that brought no update at all */
  let barren = 0
  let refused = false
  let isForeign = false
  let damagedAgain = 0
  const suspects = new Set<number>()
  /** known bounds of the endpoint for one filter */
  const all = Number.POSITIVE_INFINITY
  const most: Record<Asked, number> = { mints: all, holders: all, funders: all }
  let askedFor: Record<Asked, number> = { mints: 0, holders: 0, funders: 0 }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      attempt = new AbortController()
      const either = AbortSignal.any([signal, attempt.signal])
      try {
        await connect(either)
      } catch (error) {
        if (signal.aborted) return
        if (!attempt.signal.aborted) blame(error)
      } finally {
        connected = false
      }
      await clock.sleep(pauseMs(), signal)
      count(counts, 'reconnects')
    }
  }

  function blame(error: unknown): void {
    failures++
    const text = error instanceof Error ? error.message : String(error)
    if (error instanceof SessionError) count(counts, error.message)
    else if (/out.?of.?range|from_slot|not available|replay/i.test(text)) {
      count(counts, 'replay_refused')
      refused = true
    } else if (/invalid.?argument|too many|max.{0,20}amount/i.test(text) && sumOf(askedFor) > 0) {
      count(counts, 'refused_filters')
      askForLess()
    } else if (/unauthenticated|permission.?denied/i.test(text)) count(counts, 'refused_token')
    else count(counts, 'lost_connections')
  }

  /**
   * Endpoints do not publish the bound of a filter. After a refusal a quarter is tried; funders, then holders, are left out after
   * a second one.
   */
  function askForLess(): void {
    const what = (['funders', 'holders'] as const).find((one) => askedFor[one] > 0)
    if (what === undefined) most.mints = askedFor.mints >> 2
    else most[what] = Number.isFinite(most[what]) ? 0 : askedFor[what] >> 2
  }

  function pauseMs(): number {
    const most = Math.min(bounds.backoffMsMax, bounds.backoffMs * 2 ** Math.min(Math.max(failures - 1, 0), 30))
    return most * (0.5 + options.random() / 2)
  }

  async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const result = await within(clock, bounds.connectMs, signal, work)
    if (result === LATE) throw new SessionError('connect_timeouts')
    return result
  }

  /** A mint shows what everyone sends of it, an account one holder: mints come first. */
  function wanted(): readonly string[] {
    const mints = followed.mints.newest(most.mints)
    const holders = followed.holders.first(most.holders)
    const funders = followed.funders.first(most.funders)
    askedFor = { mints: mints.length, holders: holders.length, funders: funders.length }
    return [...accounts, ...[...mints, ...holders, ...funders].map(keyToBase58)]
  }

  async function connect(signal: AbortSignal): Promise<void> {
    const opening = transport.connect()
    let connection: Connection | null = null
    let stream: UpdateStream | null = null
    try {
      connection = await inTime(opening, signal)
      await assertSameChain(connection, signal)
      const from = await resumeFrom(connection, signal)
      const { version } = followed
      const subscribing = connection.subscribe(subscription(wanted(), from))
      stream = await inTime(subscribing, signal)
      await follow(stream, from !== null, version, signal)
    } finally {
      stream?.close()
      connection?.close()
      // one that comes after all is not kept
      if (connection === null)
        opening.then(
          (late) => late.close(),
          () => {},
        )
    }
  }

  /** An endpoint whose chain cannot be found out counts as right: it was right when it was configured. */
  async function assertSameChain(connection: Connection, signal: AbortSignal): Promise<void> {
    isForeign = false
    if (!options.isOnChain) return
    const newest = fieldsOf(
      await inTime(
        connection.newestBlock().catch(() => null),
        signal,
      ),
    )
    const slot = exactOf(newest?.slot)
    const blockhash = newest?.blockhash
    if (slot === null || typeof blockhash !== 'string') return count(counts, 'unknown_chains')
    const isOn = await inTime(options.isOnChain({ slot, blockhash }, signal), signal)
    if (isOn === null) count(counts, 'unknown_chains')
    isForeign = isOn === false
    if (isForeign) throw new SessionError('foreign_chains')
  }

  /** The slot to resume from: with a margin, but nothing the endpoint no longer has. */
  async function resumeFrom(connection: Connection, signal: AbortSignal): Promise<number | null> {
    if (sink.settled < 0) return null
    if (refused || barren >= BARREN_MAX) {
      count(counts, 'resumed_without_replay')
      barren = 0
      refused = false
      return null
    }
    const wanted = Math.max(0, sink.settled - bounds.marginSlots)
    // an endpoint that does not know the question is asked for the slot itself
    const answer = await inTime(
      connection.firstAvailable().catch(() => null),
      signal,
    )
    const first = exactOf(answer)
    if (first === null || first <= wanted) return wanted
    if (!sink.seen(first)) return wanted
    if (first > sink.settled + 1) count(counts, 'window_too_short')
    return first
  }

  async function follow(stream: UpdateStream, resumed: boolean, version: number, signal: AbortSignal): Promise<void> {
    let sign = clock.now()
    let asked = { at: sign, version }
    if (resumed) barren++
    while (true) {
      if (asked.version !== followed.version && clock.now() - asked.at >= bounds.followMs) {
        asked = { at: clock.now(), version: followed.version }
        if (sumOf(most) > 0) stream.write(subscription(wanted(), null))
      }
      const left = bounds.stallMs - (clock.now() - sign)
      const input = left <= 0 ? LATE : await within(clock, left, signal, stream.read())
      if (input === LATE) throw new SessionError('stalls')
      if (input === null) throw new SessionError('ended_streams')
      connected = true
      barren = 0
      if (!(await receive(input, stream, signal))) continue
      // not before: time spent waiting for room is not the endpoint's
      sign = clock.now()
      failures = 0
    }
  }

  /** Handles one update; true if it is a block. */
  async function receive(input: unknown, stream: UpdateStream, signal: AbortSignal): Promise<boolean> {
    const update = readUpdate(input, sink.has, counts)
    switch (update.kind) {
      case 'block': {
        const { block, whole } = update
        if (!sink.seen(block.slot)) {
          count(counts, 'implausible')
          return false
        }
        if (!whole && !mayTakeDamaged(block.slot)) return true
        await sink.take(block, signal)
        return true
      }
      case 'known':
        count(counts, 'duplicates')
        return true
      case 'slot':
        if (!sink.seen(update.slot)) count(counts, 'implausible')
        else if (update.dead) sink.dead(update.slot)
        return false
      case 'ping':
        stream.write(PONG)
        return false
      case 'garbage':
        count(counts, 'garbage')
        return false
      default:
        return false
    }
  }

  /**
   * A block with transactions that cannot be read is asked for once more: what comes again like this is no noise. It is
   * left to the filler; where there is none, what can be read of it is better than nothing.
   */
  function mayTakeDamaged(slot: number): boolean {
    if (damagedAgain < DAMAGED_AGAIN_MAX && !suspects.has(slot)) {
      if (suspects.size >= SUSPECTS_MAX) suspects.clear()
      suspects.add(slot)
      throw new SessionError('damaged_streams')
    }
    if (suspects.delete(slot)) damagedAgain++
    count(counts, options.takesDamaged ? 'damaged_taken' : 'damaged_left')
    return options.takesDamaged
  }

  return {
    run,
    /** closes the stream and asks for the last slots again */
    restart: (): void => attempt.abort(),
    /** it serves another chain than the node of SOURCE_RPC_URL */
    get isForeign(): boolean {
      return isForeign
    },
    /** updates arrive */
    get connected(): boolean {
      return connected
    },
    /** numbers of mints, token accounts of holders, and funders in the last filter */
    get asked(): Readonly<Record<Asked, number>> {
      return askedFor
    },
  }
}

const sumOf = ({ mints, holders, funders }: Readonly<Record<Asked, number>>): number => mints + holders + funders

/** The message is the name it is counted by. */
class SessionError extends Error {
  override readonly name = 'SessionError'
}
