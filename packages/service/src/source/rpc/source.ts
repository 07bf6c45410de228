import { setMaxListeners } from 'node:events'
import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import { type Clock, steadyClock } from '../../base/clock.ts'
import { memoryShare } from '../../base/memory.ts'
import { createRpcClient, type RpcClient } from '../../observe/outbound/json-rpc.ts'
import type { Transport } from '../../observe/outbound/node-transport.ts'
import { createFollowed } from '../followed.ts'
import type { Source, SourceCursor, SourceItem, SourceStatus } from '../source.ts'
import { createFeed, type Feed, type FeedEntry, type FeedMode } from './feed.ts'
import { type BlockFetcher, createBlockFetcher, RETRIES } from './fetcher.ts'
import { assertSameChain, chainOf } from './genesis.ts'
import { createRangeFill, SLOTS_LISTED } from './range-fill.ts'
import { type Dial, dial } from './session.ts'
import { createSlotOrder } from './slot-order.ts'

/** slots fetched after an outage (6 h: an hour of work at 15 a second); what is older is a gap */
const CATCH_UP_SLOTS = 54_000
/** milliseconds between two looks for a new slot, and that a slot announced too early may wait for the one before */
const POLL_MS = 1_000
const LATE_MS = 500
/** milliseconds newer blocks are held back for one that the node does not answer for */
const HOLD_MS = 120_000
/** bytes of messages that wait for the reader before the stream is held back */
const HELD_BYTES = memoryShare(1 / 8, 128 << 20)

export interface RpcSourceOptions {
  /** HTTP address of the node; may carry a key, which is shown nowhere */
  readonly url: URL
  /** its WebSocket address; without one it is polled */
  readonly wsUrl: URL | null
  /** ways to follow it, best first; none: it is polled */
  readonly modes?: readonly FeedMode[]
  readonly requestsPerSecond?: number
  readonly programs?: readonly Key[]
  /** HELD_BYTES */
  readonly heldBytesMax?: number
  readonly transport?: Transport
  readonly dial?: Dial
  readonly clock?: Clock
  readonly random?: () => number
}

/**
 * A node's JSON-RPC: whole blocks where it offers blockSubscribe, else logs and the transactions they name, else blocks by
 * polling; always polling while no stream is open. What a stream leaves out is fetched before anything newer is let in.
 */
export function createRpcSource(options: RpcSourceOptions): Source {
  const { clock = steadyClock, random = Math.random, programs = LAUNCHPAD_PROGRAMS } = options
  const counts = createCounts()
  const followed = createFollowed(programs)
  let status: SourceStatus | null = null
  /** the chain that the node has named; null: none yet */
  let named: string | null = null
  let look = (): SourceStatus => idle()
  const idle = (): SourceStatus =>
    status ?? { endpoints: 1, connected: 0, newestSlot: -1, filling: 0, missing: 0, heldBytes: 0, counts }

  const { transport, requestsPerSecond } = options
  const openClient = (): RpcClient =>
    createRpcClient({
      url: options.url,
      counts,
      clock,
      random,
      ...(transport === undefined ? {} : { transport }),
      ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    })
  const closeClient = async (rpc: RpcClient): Promise<void> => {
    if (transport === undefined) await rpc.close()
  }

  async function chain(signal: AbortSignal): Promise<string | null> {
    const rpc = openClient()
    try {
      named = await chainOf(rpc, clock, signal)
      return named
    } finally {
      await closeClient(rpc)
    }
  }

  async function* items(cursor: SourceCursor, outer: AbortSignal): AsyncGenerator<SourceItem> {
    const stop = new AbortController()
    const abort = (): void => stop.abort()
    outer.addEventListener('abort', abort, { once: true })
    if (outer.aborted) abort()
    const { signal } = stop
    // everything that waits listens to it
    setMaxListeners(0, signal)
    const rpc = openClient()
    const fetcher = createBlockFetcher({ rpc, programs, followed })
    const feed = createFeed({
      url: options.wsUrl?.href ?? '',
      modes: options.wsUrl === null ? [] : (options.modes ?? ['blocks', 'logs']),
      heldBytesMax: options.heldBytesMax ?? HELD_BYTES,
      dial: options.dial ?? dial,
      programs,
      followed,
      fetcher,
      clock,
      random,
      counts,
      signal,
    })
    const follower = createFollower({ cursor, named, fetcher, rpc, feed, clock, counts, signal })
    look = () => ({
      endpoints: 1,
      connected: feed.live || rpc.reachable ? 1 : 0,
      newestSlot: Math.max(feed.newestSlot, follower.newestSlot),
      filling: follower.filling,
      missing: follower.missing,
      heldBytes: feed.heldBytes,
      followed: { mints: followed.mints.size, holders: followed.holders.size, funders: followed.funders.size },
      problem: fetcher.problem,
      counts,
    })
    try {
      for await (const item of follower.items()) {
        yield item.kind === 'raw' ? { ...item, block: followed.observe(item.block, counts) } : item
      }
    } finally {
      status = { ...look(), connected: 0, filling: 0, heldBytes: 0 }
      look = idle
      abort()
      outer.removeEventListener('abort', abort)
      await feed.ended
      await closeClient(rpc)
    }
  }

  return {
    name: `rpc:${options.url.host}`,
    chain,
    status: () => look(),
    follow: followed.mints.add,
    followHolders: followed.holders.set,
    followFunders: followed.funders.set,
    fundingsOf: followed.funders.fundingsOf,
    items,
  }
}

interface FollowerOptions {
  readonly cursor: SourceCursor
  /** asked again whenever the node was away; null: the node has not named its chain */
  readonly named: string | null
  readonly fetcher: BlockFetcher
  readonly rpc: RpcClient
  readonly feed: Feed
  readonly clock: Clock
  readonly counts: Counts
  readonly signal: AbortSignal
}

/** Merges the stream and fetched blocks into one order, pulled by its reader. */
function createFollower({ cursor, named, fetcher, rpc, feed, clock, counts, signal }: FollowerOptions) {
  const order = createSlotOrder(cursor)
  const rangeFill = createRangeFill({ fetcher, order, counts, signal, clock, retry })
  /** everything up to here is delivered or given up */
  let covered = cursor.slot
  let tip = -1
  let sessions = 0
  let wasAway = false
  let holeSince = -1

  /**
   * A node that does not answer is waited for: as long as it takes while nothing newer is there, else for a while. One that
   * answers others but not this is not. One that is too old is waited for until it is replaced: every block that it would be
   * passed over for is there, and has to be read.
   */
  async function retry(miss: 'unanswered' | 'too_old', asked: number, since: number): Promise<boolean> {
    if (miss === 'unanswered') {
      if (asked >= RETRIES && rpc.answeredAt > since) return false
      if (feed.peek() !== undefined && clock.now() - holeSince > HOLD_MS) return false
    }
    await clock.sleep(POLL_MS, signal)
    return !signal.aborted
  }

  /** Slots up to `to`, or as many of the newest as are worth the requests. */
  async function* hole(to: number): AsyncGenerator<SourceItem> {
    holeSince = clock.now()
    let from = covered + 1
    if (to - from >= CATCH_UP_SLOTS) {
      count(counts, 'catch_up_cut', to - CATCH_UP_SLOTS + 1 - from)
      from = to - CATCH_UP_SLOTS + 1
    }
    // a node keeps some days of blocks, or only some hours
    if (to - from > SLOTS_LISTED) from = Math.min(to, Math.max(from, await fetcher.firstAvailable(signal)))
    order.giveUp(covered + 1, from - 1)
    yield* rangeFill.fill(from, to)
    if (!signal.aborted) covered = Math.max(covered, to)
  }

  async function* follow(entry: FeedEntry): AsyncGenerator<SourceItem> {
    if (entry.slot <= covered) {
      feed.shift()
      return count(counts, 'repeated_slot')
    }
    const block = await entry.block
    if (signal.aborted || feed.peek() !== entry) return
    // an empty store begins with the first block received
    const until = covered < 0 ? -1 : block === null ? entry.slot - 1 : entry.after
    if (until > covered) {
      // a late block may still arrive by itself
      if (feed.live && holeSince < 0) {
        holeSince = clock.now()
        return await feed.changed(LATE_MS)
      }
      yield* hole(until)
      holeSince = -1
      return
    }
    feed.shift()
    if (block === null && covered < 0) return
    holeSince = clock.now()
    yield* block === null ? whole(entry) : rangeFill.join(block)
    holeSince = -1
    if (!signal.aborted) covered = entry.slot
  }

  /** A slot that is to be fetched whole; what is known of it otherwise where that fails. */
  async function* whole(entry: FeedEntry): AsyncGenerator<SourceItem> {
    yield* rangeFill.fill(entry.slot, entry.slot)
    const rest = order.reach < entry.slot && !signal.aborted ? entry.rest() : null
    if (rest === null) return
    count(counts, 'log_only', rest.transactions.filter((tx) => tx.keys.length === 0).length)
    yield* order.take(rest)
  }

  async function* poll(): AsyncGenerator<SourceItem> {
    const seen = await fetcher.tip(signal)
    tip = Math.max(tip, seen)
    if (seen <= covered) return await feed.changed(POLL_MS)
    if (covered < 0) covered = seen - 1
    count(counts, 'polled_slot', seen - covered)
    yield* hole(seen)
    holeSince = -1
  }

  /** Another node may answer at the same address after it was away. */
  async function compareChain(): Promise<void> {
    if (named === null) return
    wasAway ||= !rpc.reachable || feed.sessions !== sessions
    if (!wasAway || !rpc.reachable) return
    sessions = feed.sessions
    wasAway = !(await assertSameChain(rpc, named, signal))
  }

  return {
    get newestSlot() {
      return tip
    },
    get filling() {
      return rangeFill.filling
    },
    get missing() {
      return order.missing
    },
    async *items(): AsyncGenerator<SourceItem> {
      while (!signal.aborted) {
        await compareChain()
        const entry = feed.peek()
        if (entry !== undefined) yield* follow(entry)
        else if (feed.live) await feed.changed(POLL_MS)
        else yield* poll()
      }
    },
  }
}
