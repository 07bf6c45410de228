import { keyToBase58 } from '@ti/core/base/base58.ts'
import { count } from '@ti/core/base/counts.ts'
import type { Sig } from '@ti/core/base/ids.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import type { FetchedTransaction } from '../shape/json.ts'
import { notificationFromLogs } from '../shape/logs.ts'
import type { FeedReader, ReaderOptions } from './feed.ts'
import { placed } from './places.ts'

/** slots after which, and milliseconds of silence after which, the logs of a slot are all there */
export const SETTLE_SLOTS = 2
export const SETTLE_MS = 2_000
/** transactions requested one by one at once: beyond this number the whole block is requested */
const PENDING_SIGNATURES = 2_000

/** A slot whose notifications are still coming. */
interface Open {
  /** the log reading of each successful transaction, in the order of the notifications */
  readonly noticed: Map<Sig, RawTransaction>
  bytes: number
  heardAt: number
}

/**
 * Uses logsSubscribe for each program, and getTransaction for each success: a log has neither balances nor accounts. The node
 * does not announce the end of a slot, so a slot ends once later ones are announced. After a silence it may have ended, or its
 * rest is delayed and would come too late, so the whole block is fetched. The first slot of a connection may be incomplete, so
 * it counts as not seen.
 */
export function createLogReader(options: ReaderOptions): FeedReader {
  const { programs, clock, counts, push } = options
  const open = new Map<number, Open>()
  const pending = { signatures: 0 }
  /** later slots are seen whole; -1 until the first notification, null until all subscriptions are confirmed */
  let first: number | null = null
  /** newest slot that was closed */
  let base = -1
  let heldBytes = 0

  function close(slot: number, bySilence: boolean): void {
    const { noticed, bytes } = open.get(slot)!
    open.delete(slot)
    heldBytes -= bytes
    base = slot
    // a block without one launchpad transaction is rarer than a lost message: slots without a notification are fetched
    const after = slot - 1
    if (pending.signatures + noticed.size > PENDING_SIGNATURES) {
      // the requests do not keep up: one for the block is cheaper
      count(counts, 'block_instead_of_transactions')
      return push({ slot, after: slot, block: null, rest: () => blockOf(slot, noticed, []), bytes })
    }
    const fetched: (FetchedTransaction | null)[] = []
    const read = () => readSlot(slot, noticed, fetched, pending, options)
    const block = bySilence ? wholeOr(read, slot, options) : read()
    push({ slot, after, block, rest: () => blockOf(slot, noticed, fetched), bytes })
  }

  function closeBefore(slot: number, heardBefore: number): void {
    for (const one of [...open.keys()].sort((a, b) => a - b)) {
      const bySilence = one >= slot
      if (bySilence && open.get(one)!.heardAt >= heardBefore) return
      close(one, bySilence)
    }
  }

  return {
    subscriptions: programs.map((program) => ({
      method: 'logsSubscribe',
      params: [{ mentions: [keyToBase58(program)] }, { commitment: 'confirmed' }],
    })),
    get heldBytes() {
      return heldBytes
    },
    begin() {
      first = -1
    },
    tick(heard) {
      // silence counts only if all messages have been read
      if (!heard) for (const entry of open.values()) entry.heardAt = clock.now()
      closeBefore(-1, clock.now() - SETTLE_MS)
    },
    onMessage(message, bytes) {
      const noticed = notificationFromLogs(message, counts)
      if (noticed === null || first === null) return
      const { slot, transaction } = noticed
      if (first < 0) {
        first = slot
        base = slot
      }
      if (slot <= first) return
      if (slot <= base) {
        // heals while the slot still waits to be read
        if (!transaction.failed) count(counts, 'late_notification')
        return transaction.failed ? undefined : push({ slot, after: slot, block: null, rest: () => null, bytes: 0 })
      }
      let entry = open.get(slot)
      if (entry === undefined) {
        entry = { noticed: new Map(), bytes: 0, heardAt: 0 }
        open.set(slot, entry)
      }
      entry.heardAt = clock.now()
      if (transaction.failed) count(counts, 'failed_transaction')
      else if (entry.noticed.has(transaction.signature)) count(counts, 'repeated_notification')
      else {
        entry.noticed.set(transaction.signature, transaction)
        entry.bytes += bytes
        heldBytes += bytes
      }
      closeBefore(slot - SETTLE_SLOTS, Number.NEGATIVE_INFINITY)
    },
  }
}

/** The block of a slot as the node has it; the notified transactions where the node does not give it. */
async function wholeOr(
  read: () => Promise<RawBlock | null>,
  slot: number,
  { fetcher, counts, signal }: ReaderOptions,
): Promise<RawBlock | null> {
  count(counts, 'block_after_silence')
  const block = await fetcher.fetch(slot, signal)
  return typeof block === 'string' ? read() : block
}

/** The block of a slot from its transactions; null where one of them cannot be had: then the whole block is to be fetched. */
async function readSlot(
  slot: number,
  noticed: ReadonlyMap<Sig, RawTransaction>,
  fetched: (FetchedTransaction | null)[],
  pending: { signatures: number },
  { fetcher, counts, signal }: ReaderOptions,
): Promise<RawBlock | null> {
  pending.signatures += noticed.size
  try {
    const get = async (signature: Sig, i: number): Promise<void> => {
      const one = await fetcher.transaction(signature, signal)
      // one that moved to another slot was announced by a fork that died
      fetched[i] = typeof one !== 'string' && one.slot === slot ? one : null
    }
    await Promise.all([...noticed.keys()].map(get))
    if (signal.aborted) return null
    if (!fetched.includes(null)) return blockOf(slot, noticed, fetched)
    count(counts, 'transaction_missing')
    return null
  } finally {
    pending.signatures -= noticed.size
  }
}

/**
 * Builds a block from the fetched transactions, or their logs where fetching failed. Its parent is not known, and the places
 * in it only if the node gave all of them.
 */
function blockOf(
  slot: number,
  noticed: ReadonlyMap<Sig, RawTransaction>,
  fetched: readonly (FetchedTransaction | null)[],
): RawBlock {
  const transactions = placed([...noticed.values()].map((log, i) => fetched[i]?.transaction ?? log))
  return { slot, parent: -1, time: Math.max(0, ...fetched.map((one) => one?.time ?? 0)), transactions }
}
