import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import type { Clock } from '../../base/clock.ts'
import type { BlockFiller } from '../block-filler.ts'
import type { ReorderBuffer } from './reorder-buffer.ts'
import { sizeOf } from './size.ts'
import { type Notifier, within } from './timing.ts'

export interface GapFillBounds {
  /** a hole is left to the streams for so long: what is late, or comes from another endpoint */
  readonly graceMs: number
  /** without progress, after which the streams are asked to go back to it, and after which it is given up */
  readonly rewindMs: number
  readonly giveUpMs: number
  /** the same where there is no filler to wait for */
  readonly giveUpAloneMs: number
  /** bytes of blocks that wait; close to it only the next slot is fetched */
  readonly heldBytes: number
  /** blocks fetched at once, and pause before one that was not available is asked for again */
  readonly fetches: number
  readonly retryMs: number
  /** slots of one hole that are fetched; what lies before them is given up at once */
  readonly slotsMax: number
}

interface GapFillOptions {
  readonly buffer: ReorderBuffer
  readonly filler: BlockFiller | null
  /** notified whenever the buffer changes */
  readonly changes: Notifier
  readonly clock: Clock
  readonly bounds: GapFillBounds
  readonly counts: Counts
  rewind(): void
}

/** Fills gaps before blocks that wait: asks the filler, then the streams, then gives the slots up. */
export async function fillGaps(options: GapFillOptions, signal: AbortSignal): Promise<void> {
  const { buffer, changes, clock } = options
  const fetches = createFetches(options, signal)
  const ripen = createRipening(options)
  const patience = createPatience(options)
  while (!signal.aborted) {
    const now = clock.now()
    const ripe = ripen.upTo(now)
    if (patience.endsAt(now, ripe)) {
      changes.notify()
      continue
    }
    const due = Math.min(ripen.due, patience.due, buffer.hole() === null ? NEVER : fetches.start(ripe, now))
    if (due < NEVER) await within(clock, Math.max(1, due - now), signal, changes.notified).catch(() => {})
    else await changes.notified
  }
  await fetches.done()
}

const NEVER = Number.POSITIVE_INFINITY

/** Holes are left alone until they are between one and two times `graceMs` old. */
function createRipening({ buffer, bounds }: GapFillOptions) {
  let ripe = -1
  let ripening = -1
  let due = NEVER
  return {
    /** moment at which more is ripe */
    get due() {
      return due
    },
    /** slot before which all holes have had their grace */
    upTo(now: number): number {
      if (buffer.hole() === null) due = NEVER
      else if (due === NEVER || now >= due) {
        if (now >= due) ripe = Math.max(ripe, ripening)
        ripening = buffer.newest
        due = now + bounds.graceMs
      }
      return ripe
    },
  }
}

/** Counts the time since the last progress, while the next slots are missing. */
function createPatience({ buffer, filler, bounds, counts, rewind }: GapFillOptions) {
  const giveUpMs = filler === null ? bounds.giveUpAloneMs : bounds.giveUpMs
  let settled = buffer.settled
  let since = NEVER
  let rewound = false
  let due = NEVER
  return {
    get due() {
      return due
    },
    /** true when slots were given up */
    endsAt(now: number, ripe: number): boolean {
      due = NEVER
      const hole = buffer.hole()
      if (hole === null || hole.from !== buffer.settled + 1) {
        since = NEVER
        return false
      }
      if (since === NEVER || buffer.settled !== settled) {
        settled = buffer.settled
        since = now
        rewound = false
      }
      const tooFar = hole.to - bounds.slotsMax
      if (tooFar >= hole.from && hole.to <= ripe && buffer.giveUp(tooFar)) {
        count(counts, 'given_up_at_once')
        return true
      }
      if (now >= since + giveUpMs && buffer.giveUp(hole.to)) {
        count(counts, 'given_up')
        return true
      }
      if (!rewound && now >= since + bounds.rewindMs) {
        rewound = true
        rewind()
      }
      for (const at of [since + bounds.rewindMs, since + giveUpMs]) if (at > now) due = Math.min(due, at)
      return false
    },
  }
}

/** Blocks that are fetched one by one. */
function createFetches({ buffer, filler, changes, clock, bounds, counts }: GapFillOptions, signal: AbortSignal) {
  const under = new Map<number, Promise<void>>()
  /** slots that were not available: when to ask again, and how often they were asked for */
  const again = new Map<number, { readonly at: number; readonly times: number }>()

  async function fetch(filler: BlockFiller, slot: number): Promise<void> {
    const block = await filler.block(slot, signal).catch(() => 'unavailable' as const)
    under.delete(slot)
    if (signal.aborted) return
    receive(slot, block)
    changes.notify()
  }

  function receive(slot: number, block: RawBlock | 'skipped' | 'unavailable'): void {
    if (block === 'skipped') {
      buffer.skip(slot)
      count(counts, 'skipped_slots')
    } else if (block !== 'unavailable' && block.slot === slot && block.parent >= 0 && block.parent < slot) {
      const answer = buffer.offer(block, sizeOf(block), bounds.heldBytes, true)
      if (answer === 'taken') count(counts, 'filled_slots')
      if (answer !== 'full') return
    } else count(counts, 'unavailable_slots')
    // also what is said to be skipped: it is asked for again only when a block names it as its parent
    const times = (again.get(slot)?.times ?? 0) + 1
    again.set(slot, { at: clock.now() + bounds.retryMs * Math.min(times, RETRIES_SLOWED), times })
  }

  return {
    /** begins what there is room for; the moment at which the next one may be asked again */
    start(last: number, now: number): number {
      if (filler === null) return NEVER
      let due = NEVER
      for (const [slot, { at }] of again) {
        if (slot <= buffer.settled) again.delete(slot)
        else if (at > now) due = Math.min(due, at)
      }
      // close to the bound nothing is fetched ahead, only what is missing before the first that waits
      const crowded = buffer.heldBytes > bounds.heldBytes * CROWDED
      const end = crowded ? Math.min(last, buffer.hole()?.to ?? -1) : last
      const most = (crowded ? 1 : bounds.fetches) - under.size
      const but = (slot: number): boolean => under.has(slot) || (again.get(slot)?.at ?? 0) > now
      if (most > 0) for (const slot of buffer.wanted(most, end, but)) under.set(slot, fetch(filler, slot))
      return due
    },
    done: () => Promise.allSettled(under.values()),
  }
}

/** Share of the held bytes beyond which nothing is fetched ahead. */
const CROWDED = 7 / 8
/** A slot is asked for again after `retryMs`, then twice that, up to this many times that. */
const RETRIES_SLOWED = 10
