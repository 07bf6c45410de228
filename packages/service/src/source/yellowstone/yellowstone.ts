import { setMaxListeners } from 'node:events'
import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import type { Clock } from '../../base/clock.ts'
import { memoryShare } from '../../base/memory.ts'
import type { BlockFiller } from '../block-filler.ts'
import type { Followed } from '../followed.ts'
import type { Source, SourceCursor, SourceItem, SourceStatus } from '../source.ts'
import { fillGaps, type GapFillBounds } from './gap-fill.ts'
import { createReorderBuffer, type ReorderBuffer } from './reorder-buffer.ts'
import { createSession, type Session, type SessionBounds, type Sink } from './session.ts'
import { sizeOf } from './size.ts'
import { createNotifier, type Notifier } from './timing.ts'
import type { Transport } from './transport.ts'

export const YELLOWSTONE = {
  /** bytes (as estimated in memory) of blocks that wait for earlier ones or for the decoder: some minutes of mainnet */
  heldBytes: memoryShare(1 / 8, 128 << 20),
  /** milliseconds for a connection, and for the answers before its stream */
  connectMs: 10_000,
  /** milliseconds without a block before a stream counts as stalled: fifty slots */
  stallMs: 20_000,
  /** milliseconds of the first and the longest pause between two attempts, drawn from its upper half */
  backoffMs: 500,
  backoffMsMax: 30_000,
  /** slots before the last settled one from which a stream is resumed: late confirmations come within them */
  marginSlots: 32,
  /** milliseconds between two changes of an open stream's filter: some launches each */
  followMs: 5_000,
  /** milliseconds that a hole is left to the streams before blocks are fetched one by one, which costs requests */
  graceMs: 1_500,
  /** milliseconds without progress before the streams are asked to go back, and before slots are given up: with a filler
   * to wait for, and without. Nothing can be put into the past later, so the wait is long */
  rewindMs: 10_000,
  giveUpMs: 120_000,
  giveUpAloneMs: 30_000,
  /** blocks fetched at once, and milliseconds before an unavailable block is requested again */
  fetches: 8,
  retryMs: 1_000,
  /** slots of one hole that are fetched, 2.2 hours: at ten requests a second they take half an hour */
  slotsMax: 20_000,
}

export interface YellowstoneBounds extends SessionBounds, GapFillBounds {}

interface YellowstoneOptions {
  readonly name: string
  readonly endpoints: readonly Transport[]
  /** fetches what no endpoint delivers; null: nothing does */
  readonly filler: BlockFiller | null
  /** base58; transactions that name none of them are not asked for */
  readonly accounts: readonly string[]
  /** whose transfers are asked for as well */
  readonly followed: Followed
  readonly clock: Clock
  /** [0, 1) */
  readonly random: () => number
  readonly bounds: YellowstoneBounds
}

/** Slots a second that can exist at the most, and room for a clock that is off: what lies beyond is no slot. */
const SLOTS_PER_SECOND_MAX = 10
const SLOTS_AHEAD = 10_000

/** Share of the held bytes that streams may fill: the rest is for what is missing before it. */
const STREAMS = 3 / 4

interface Run {
  readonly buffer: ReorderBuffer
  readonly sessions: readonly Session[]
  readonly newestSlot: number
}

/**
 * The chain from Yellowstone endpoints, at confirmed: whole blocks, each slot once, from whichever endpoint delivers it
 * first; what none delivers is fetched or becomes a gap. Endless: it ends with `signal`.
 */
export function createYellowstone(options: YellowstoneOptions): Source {
  const counts = createCounts()
  const { followed } = options
  let run: Run | null = null
  return {
    name: options.name,
    ...(options.filler?.chain !== undefined && { chain: options.filler.chain }),
    status: () => statusOf(options, run, counts),
    follow: followed.mints.add,
    followHolders: followed.holders.set,
    followFunders: followed.funders.set,
    fundingsOf: followed.funders.fundingsOf,
    async *items(cursor, signal) {
      const stop = new AbortController()
      const changes = createNotifier()
      const either = AbortSignal.any([signal, stop.signal])
      // every session and every block that is fetched listens for the end
      setMaxListeners(0, either)
      either.addEventListener('abort', changes.notify, { once: true })
      const current = createRun(options, cursor, changes, counts)
      run = current
      const work = start(options, current, changes, counts, either, (error) => stop.abort(error))
      try {
        for await (const item of itemsOf(current.buffer, changes, either)) {
          yield item.kind === 'raw' ? { ...item, block: followed.observe(item.block, counts) } : item
        }
        // a fault of ours, not an endpoint's: it must not be swallowed
        if (stop.signal.aborted) throw stop.signal.reason
      } finally {
        stop.abort()
        await work
      }
    },
  }
}

async function* itemsOf(buffer: ReorderBuffer, changes: Notifier, signal: AbortSignal): AsyncIterable<SourceItem> {
  while (!signal.aborted) {
    const item = buffer.next()
    if (item === null) {
      await changes.notified
      continue
    }
    changes.notify()
    yield item
  }
}

async function start(
  { clock, filler, bounds }: YellowstoneOptions,
  { buffer, sessions }: Run,
  changes: Notifier,
  counts: Counts,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<void> {
  const rewind = (): void => {
    count(counts, 'rewinds')
    for (const session of sessions) session.restart()
    changes.notify()
  }
  const holes = fillGaps({ buffer, filler, changes, clock, bounds, counts, rewind }, signal)
  await Promise.all([...sessions.map((session) => session.run(signal)), holes].map((work) => work.catch(fail)))
}

function createRun(options: YellowstoneOptions, cursor: SourceCursor, changes: Notifier, counts: Counts): Run {
  const { clock, random, bounds, accounts, filler } = options
  const buffer = createReorderBuffer(cursor.slot, counts)
  const most = bounds.heldBytes * STREAMS
  let newest = cursor.slot
  /** a slot that existed at a time: the cursor's, then the first that is seen */
  let known = cursor.slot < 0 ? null : { slot: cursor.slot, ms: cursor.time > 0 ? cursor.time * 1000 : clock.now() }

  const sink: Sink = {
    get settled() {
      return buffer.settled
    },
    has: buffer.has,
    async take(block, signal) {
      const bytes = sizeOf(block)
      while (buffer.offer(block, bytes, most) === 'full') {
        await changes.notified
        signal.throwIfAborted()
      }
      changes.notify()
    },
    dead(slot) {
      buffer.drop(slot)
      changes.notify()
    },
    seen(slot) {
      const now = clock.now()
      known ??= { slot, ms: now }
      const most = known.slot + SLOTS_AHEAD + (Math.max(0, now - known.ms) / 1000) * SLOTS_PER_SECOND_MAX
      if (slot > most) return false
      if (slot > newest) newest = slot
      return true
    },
  }

  return {
    buffer,
    sessions: options.endpoints.map((transport) =>
      createSession({
        transport,
        accounts,
        followed: options.followed,
        isOnChain: filler?.isOnChain ?? null,
        takesDamaged: filler === null,
        sink,
        clock,
        random,
        bounds,
        counts,
      }),
    ),
    get newestSlot() {
      return newest
    },
  }
}

/** The largest filters over all endpoints. */
function askedMost(sessions: readonly Session[]): NonNullable<SourceStatus['followed']> {
  const most = (what: keyof Session['asked']): number => Math.max(0, ...sessions.map(({ asked }) => asked[what]))
  return { mints: most('mints'), holders: most('holders'), funders: most('funders') }
}

function statusOf({ endpoints, filler }: YellowstoneOptions, run: Run | null, counts: Counts): SourceStatus {
  const hole = run?.buffer.hole() ?? null
  const foreign = run?.sessions.findIndex(({ isForeign }) => isForeign) ?? -1
  return {
    endpoints: endpoints.length,
    connected: run?.sessions.filter(({ connected }) => connected).length ?? 0,
    newestSlot: run?.newestSlot ?? -1,
    filling: hole === null ? 0 : hole.to - hole.from + 1,
    missing: run?.buffer.missing ?? 0,
    heldBytes: run?.buffer.heldBytes ?? 0,
    followed: askedMost(run?.sessions ?? []),
    problem:
      foreign < 0
        ? (filler?.problem ?? null)
        : `endpoint ${foreign + 1} serves another chain than the node of SOURCE_RPC_URL`,
    counts,
  }
}
