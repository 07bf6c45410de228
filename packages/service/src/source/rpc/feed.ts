import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { backoff, type Clock } from '../../base/clock.ts'
import { BACKOFF } from '../../observe/outbound/json-rpc.ts'
import type { Followed } from '../followed.ts'
import type { Fields } from '../shape/fields.ts'
import { createBlockReader } from './feed-blocks.ts'
import { createLogReader, SETTLE_MS } from './feed-logs.ts'
import type { BlockFetcher } from './fetcher.ts'
import { type Dial, openSession, type Session, type SessionEnd, type Subscription } from './session.ts'

/** milliseconds between two tries when the node offers no stream */
const REFUSED_MS = 600_000

/** A slot that was announced. */
export interface FeedEntry {
  readonly slot: number
  /** no block of ours lies between this slot and `slot` */
  readonly after: number
  /** null: there is a block, but it has to be fetched */
  readonly block: Promise<RawBlock | null> | null
  /** the data known without a block; null: none */
  readonly rest: () => RawBlock | null
  /** size of the messages it was made of */
  readonly bytes: number
}

/** One way to be notified of blocks. */
export interface FeedReader {
  readonly subscriptions: readonly Subscription[]
  /** a session begins: what was seen of unfinished slots is void */
  begin(): void
  onMessage(message: Fields, bytes: number): void
  /** called periodically; `heard` is false when messages may have come that have not been read yet */
  tick(heard: boolean): void
  /** bytes of slots that are not finished */
  readonly heldBytes: number
}

export interface ReaderOptions {
  readonly programs: readonly Key[]
  readonly followed: Pick<Followed, 'has'>
  readonly fetcher: BlockFetcher
  readonly clock: Clock
  readonly counts: Counts
  readonly signal: AbortSignal
  readonly push: (entry: FeedEntry) => void
  /** the node will bring nothing more this way */
  readonly refuse: () => void
}

export type FeedMode = 'blocks' | 'logs'

interface FeedOptions extends Omit<ReaderOptions, 'push' | 'refuse'> {
  readonly url: string
  readonly dial: Dial
  readonly random: () => number
  /** ways to try, best first */
  readonly modes: readonly FeedMode[]
  /** bytes that may wait before the stream is held back */
  readonly heldBytesMax: number
}

/** Entries of a live stream in the order of their slots, over as many connections as it takes. Bounded in bytes. */
export type Feed = ReturnType<typeof createFeed>

const READERS = { blocks: createBlockReader, logs: createLogReader } as const

export function createFeed(options: FeedOptions) {
  const { clock, counts, signal, random, heldBytesMax } = options
  const queue: FeedEntry[] = []
  let session: Session | null = null
  let reader: FeedReader | null = null
  let live = false
  let paused = false
  let queuedBytes = 0
  let newestSlot = -1
  let sessions = 0
  let wake = (): void => {}

  const heldBytes = (): number => queuedBytes + (reader?.heldBytes ?? 0)

  /** Messages that do not fit stay in the network. */
  function balance(): void {
    const held = heldBytes()
    if (!paused && held > heldBytesMax && queue.length > 0) {
      paused = true
      count(counts, 'held_back')
      session?.pause()
    } else if (paused && (held < heldBytesMax / 2 || queue.length === 0)) {
      paused = false
      session?.resume()
    }
    // one slot alone has more than all of them should: that is no node
    if (held > 2 * heldBytesMax && queue.length === 0) session?.close()
  }

  function push(entry: FeedEntry): void {
    let at = queue.length
    while (at > 0 && queue[at - 1]!.slot > entry.slot) at--
    if (queue[at - 1]?.slot === entry.slot) {
      const { rest, bytes } = queue[at - 1]!
      if (entry.block === null) queue[at - 1] = { ...entry, rest, bytes }
      return count(counts, 'repeated_slot')
    }
    if (at < queue.length) count(counts, 'reordered_slot')
    queue.splice(at, 0, entry)
    queuedBytes += entry.bytes
    newestSlot = Math.max(newestSlot, entry.slot)
    live = true
    wake()
  }

  async function connect(mode: FeedMode): Promise<SessionEnd> {
    let refused = false
    const refuse = (): void => {
      refused = true
      session?.close()
    }
    const current = READERS[mode]({ ...options, push, refuse })
    const opened = openSession({
      ...options,
      subscriptions: current.subscriptions,
      onReady: () => current.begin(),
      onMessage(message, bytes) {
        current.onMessage(message, bytes)
        balance()
      },
    })
    reader = current
    session = opened
    sessions++
    const close = (): void => opened.close()
    signal.addEventListener('abort', close, { once: true })
    const ticking = tick(current, opened)
    const end = await opened.ended
    signal.removeEventListener('abort', close)
    await ticking
    session = null
    reader = null
    live = false
    paused = false
    wake()
    return refused && end === 'closed' ? 'refused' : end
  }

  async function tick(current: FeedReader, opened: Session): Promise<void> {
    const stop = new AbortController()
    void opened.ended.then(() => stop.abort())
    const step = SETTLE_MS / 4
    let at = clock.now()
    while (!stop.signal.aborted) {
      const wasPaused = paused
      await clock.sleep(step, stop.signal)
      const late = clock.now() - at > 2 * step
      at = clock.now()
      if (!stop.signal.aborted) current.tick(!late && !paused && !wasPaused)
    }
  }

  async function run(): Promise<void> {
    let failures = 0
    let mode = 0
    while (!signal.aborted && options.modes.length > 0) {
      const chosen = options.modes[mode]!
      const before = newestSlot
      const end = await connect(chosen)
      if (signal.aborted) return
      count(counts, `stream_${end}`)
      if (end === 'refused') {
        count(counts, `refused:${chosen}`)
        mode = (mode + 1) % options.modes.length
        // all were refused: the operator may change the plan, so it is tried again, rarely
        if (mode === 0) await clock.sleep(REFUSED_MS, signal)
        continue
      }
      failures = newestSlot > before ? 0 : failures + 1
      await clock.sleep(backoff(failures, BACKOFF.firstMs, BACKOFF.mostMs, random), signal)
    }
  }

  return {
    peek: (): FeedEntry | undefined => queue[0],
    shift(): void {
      queuedBytes -= queue.shift()?.bytes ?? 0
      balance()
    },
    /** resolves when an entry came, the state changed, or the time is up */
    async changed(milliseconds: number): Promise<void> {
      if (signal.aborted) return
      const stop = new AbortController()
      const end = (): void => stop.abort()
      wake = end
      signal.addEventListener('abort', end, { once: true })
      await clock.sleep(milliseconds, stop.signal)
      signal.removeEventListener('abort', end)
    },
    /** a stream is open and says what is new */
    get live(): boolean {
      return live
    },
    get heldBytes(): number {
      return heldBytes()
    },
    get newestSlot(): number {
      return newestSlot
    },
    /** streams that were opened so far */
    get sessions(): number {
      return sessions
    },
    /** ends when the signal has aborted */
    ended: run(),
  }
}
