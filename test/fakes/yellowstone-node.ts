import type { RawBlock } from '@ti/core/model/raw.ts'
import type { Clock } from '@ti/service/base/clock.ts'
import { type FakeChain, filtered } from './yellowstone-chain.ts'
import { blockUpdate, emptyUpdate, pingUpdate, STATUS, slotUpdate } from './yellowstone-wire.ts'

/** How an endpoint misbehaves. Shares are of updates or blocks, drawn anew each time. */
export interface Faults {
  /** the stream breaks off before an update */
  readonly disconnect: number
  /** an update arrives cut short */
  readonly truncate: number
  /** an update arrives twice, or a block of some slots ago once more */
  readonly duplicate: number
  /** so many blocks and what belongs to them are shuffled */
  readonly reorder: number
  /** a block is not sent on this stream */
  readonly lose: number
  /** a block comes damaged, or something else instead of it or before it */
  readonly garbage: number
  /** slots without a block are said to be dead */
  readonly dead: number
  /** of those, on forks, their block is sent before */
  readonly forks: number
  /** the stream falls silent for ever, but for pings */
  readonly stall: number
  /** slots that can be replayed */
  readonly window: number
  /** how SubscribeReplayInfo is answered */
  readonly claims: 'truth' | 'too early' | 'nothing'
  /** what is done with from_slot */
  readonly resume: 'exact' | 'too far back' | 'ignored' | 'refused'
  /** slots [from, to] during which nobody gets a connection; the chain goes on */
  readonly outages: readonly (readonly [number, number])[]
  /** slots that are never sent */
  readonly lacks: (slot: number) => boolean
  /** accounts that a filter may name */
  readonly accountsMost: number
}

export const NO_FAULTS: Faults = {
  disconnect: 0,
  truncate: 0,
  duplicate: 0,
  reorder: 0,
  lose: 0,
  garbage: 0,
  dead: 0,
  forks: 0,
  stall: 0,
  window: 1_000_000,
  claims: 'truth',
  resume: 'exact',
  outages: [],
  lacks: () => false,
  accountsMost: Number.POSITIVE_INFINITY,
}

export interface NodeOptions {
  readonly chain: FakeChain
  readonly clock: Clock
  /** the slot that exists at a moment of the clock */
  readonly head: () => number
  readonly random: () => number
  readonly faults?: Partial<Faults>
  /** milliseconds between two looks for a new block */
  readonly pollMs?: number
  /** milliseconds between two pings when there is nothing else */
  readonly pingMs?: number
}

export interface Subscription {
  /** another filter may take its place while the stream is open */
  accounts: readonly string[]
  /** from_slot; null: from now on */
  readonly from: number | null
}

/** One endpoint, whatever carries it. */
export interface FakeNode {
  readonly faults: Faults
  /** what was subscribed to, in order, and how much was sent */
  readonly subscriptions: Subscription[]
  readonly sent: { updates: number; pongs: number }
  head(): number
  /** throws while there is an outage */
  greet(): void
  firstAvailable(): number | null
  /** encoded SubscribeUpdates; throws when the stream breaks */
  updates(subscription: Subscription, signal: AbortSignal): AsyncGenerator<Buffer>
}

export function createFakeNode(options: NodeOptions): FakeNode {
  const { chain, clock, random, pollMs = 100, pingMs = 15_000 } = options
  const faults: Faults = { ...NO_FAULTS, ...options.faults }
  const happens = (share: number): boolean => share > 0 && random() < share
  const head = (): number => Math.min(options.head(), chain.last)
  const down = (): boolean => faults.outages.some(([from, to]) => options.head() >= from && options.head() <= to)
  const oldest = (): number => (healed() ? chain.first : Math.max(chain.first, head() - faults.window))
  /** when the chain has come to its end the node behaves: what it was asked for then comes, as from a chain that goes on */
  const healed = (): boolean => options.head() > chain.last + 100
  const node: FakeNode = {
    faults,
    subscriptions: [],
    sent: { updates: 0, pongs: 0 },
    head,
    greet() {
      if (down()) throw new Error('transport error: connection refused')
    },
    firstAvailable() {
      node.greet()
      if (faults.claims === 'nothing') return null
      return faults.claims === 'truth' ? oldest() : oldest() - 20
    },
    async *updates(subscription, signal) {
      node.subscriptions.push(subscription)
      for await (const update of misled(start(subscription), signal)) {
        if (signal.aborted) return
        if (subscription.accounts.length > faults.accountsMost)
          throw new Error(`InvalidArgument: only ${faults.accountsMost} accounts are allowed`)
        node.greet()
        if (happens(faults.disconnect)) throw new Error('h2 protocol error: stream closed')
        node.sent.updates++
        yield happens(faults.truncate) ? update.subarray(0, Math.floor(random() * update.length)) : update
      }

      function left(block: RawBlock): RawBlock {
        return filtered(block, subscription.accounts)
      }

      async function* misled(from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
        for (let place = chain.place(from); ; ) {
          if (!healed() && happens(faults.stall)) await silence(signal)
          const batch: RawBlock[] = []
          const size = 1 + Math.floor(random() * (faults.reorder + 1))
          while (batch.length < size && place < chain.blocks.length) {
            const block = chain.blocks[place]!
            if (block.slot > head()) {
              await clock.sleep(pollMs, signal)
              if (signal.aborted) return
              node.greet()
              continue
            }
            batch.push(block)
            place++
          }
          if (batch.length === 0) {
            await clock.sleep(pingMs, signal)
            if (signal.aborted) return
            yield pingUpdate()
            continue
          }
          const updates = batch.flatMap((block) => updatesOf(block, place))
          if (faults.reorder > 0) shuffle(updates)
          for (const together of updates) yield* together
        }
      }

      /** What is not to be torn apart is together: nobody says that a slot is dead and then sends its block. */
      function updatesOf(block: RawBlock, place: number): Buffer[][] {
        const { slot, parent } = block
        const updates = [[slotUpdate(slot, STATUS.processed, parent)], [slotUpdate(slot, STATUS.confirmed)]]
        // servers have told the same twice, once without the parent
        if (happens(faults.duplicate)) updates.push([slotUpdate(slot, STATUS.confirmed, parent)])
        for (let s = parent + 1; s < slot; s++) if (happens(faults.dead)) updates.push(death(s, block))
        if (!faults.lacks(slot) && !happens(faults.lose)) updates.push(blockUpdates(left(block)))
        const earlier = chain.blocks[place - 1 - Math.floor(random() * 40)]
        if (earlier !== undefined && happens(faults.duplicate) && !faults.lacks(earlier.slot))
          updates.push([blockUpdate(left(earlier))])
        return updates
      }

      /** On a fork whose parents have no block either, so that it never follows on anything. */
      function death(slot: number, next: RawBlock): Buffer[] {
        const dead = slotUpdate(slot, STATUS.dead, slot - 1)
        const follows = chain.block(slot - 1) !== undefined || slot - 1 <= chain.blocks[0]!.parent
        if (follows || !happens(faults.forks)) return [dead]
        return [blockUpdate({ ...left(next), slot, parent: slot - 1 }), dead]
      }

      function blockUpdates(block: RawBlock): Buffer[] {
        const update = blockUpdate(block)
        if (happens(faults.garbage)) return garbage(block, update)
        return happens(faults.duplicate) ? [update, update] : [update]
      }

      function garbage(block: RawBlock, update: Buffer): Buffer[] {
        switch (Math.floor(random() * 6)) {
          case 0:
            return [emptyUpdate(), update]
          case 1:
            return [blockUpdate({ ...block, slot: 2 ** 52, parent: 2 ** 52 - 1 }), update]
          case 2:
            return [slotUpdate(2 ** 52, STATUS.confirmed), update]
          case 3:
            return [blockUpdate({ ...block, parent: -1 })]
          case 4:
            return [blockUpdate({ ...block, parent: block.slot + 3 })]
          default:
            return [blockUpdate({ ...block, transactions: block.transactions.map(damaged) })]
        }
      }
    },
  }

  /** A key of 31 bytes is none. */
  const damaged = (tx: RawBlock['transactions'][number]): RawBlock['transactions'][number] => ({
    ...tx,
    // a getter, which a copy leaves behind
    logs: tx.logs,
    keys: tx.keys.map((key, i) => (i === 0 ? (key.slice(1) as typeof key) : key)),
  })

  function start({ from }: Subscription): number {
    if (from !== null && healed()) return from
    if (from === null || faults.resume === 'ignored') return head()
    if (faults.resume === 'refused' || (from < oldest() && faults.claims === 'truth'))
      throw new Error(`OutOfRange: replay from ${from} is not available`)
    return Math.max(oldest(), faults.resume === 'too far back' ? from - 50 : from)
  }

  async function silence(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await clock.sleep(60_000, signal)
  }

  function shuffle<T>(updates: T[]): void {
    for (let i = updates.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      const kept = updates[i]!
      updates[i] = updates[j]!
      updates[j] = kept
    }
  }

  return node
}
