import { type Counts, count, createCounts } from '@ti/core/base/counts.ts'
import type { Lease } from '../../access/sql/lease.ts'
import type { DestinationKind } from '../../access/sql/schema.ts'
import { processTroubles } from '../../base/troubles.ts'
import { LIMITS } from '../../config/limits.ts'
import type { AlertReader } from '../alert.ts'
import type { DeliveryQueue, Due, Waiting } from './queue.ts'
import type { Sender } from './sender.ts'

/** Hands alerts over to destinations and delivers them, where it holds the lease. */
export interface DeliveryWorker {
  /** Looks once at what there is to do and starts it. Rejects where the database fails; the next call starts anew. One at a time. */
  run(): Promise<void>
  /** milliseconds until `run` may find something that nobody calls it for */
  nextMs(): number
  /** whether this node held the lease when it looked last */
  readonly holds: boolean
  /** `kind:outcome` of attempts */
  readonly counts: Counts
  /** what waited when it was counted last; nothing where another node holds the lease */
  readonly waiting: readonly Waiting[]
  /** waits for the attempts that are on their way; nothing is begun any more */
  close(): Promise<void>
}

interface WorkerOptions {
  readonly queue: DeliveryQueue
  readonly reader: Pick<AlertReader, 'after'>
  readonly lease: Lease
  readonly senders: Readonly<Partial<Record<DestinationKind, Sender | null>>>
  /** takes the lease also where nothing is to be delivered: for what else its holder does */
  readonly always?: boolean
  /** milliseconds that only go forward */
  readonly now: () => number
  /** something may be done at once: an attempt has ended */
  readonly onFree: () => void
  readonly troubles?: { note(what: string, error: unknown): void }
  readonly bounds?: Pick<typeof LIMITS.delivery, 'together' | 'failingTogether' | 'leaseMs' | 'lookMs' | 'countMs'>
}

/** destinations that were due and have to wait for their rate, at most: the others are found at the next look */
const HELD_MAX = 256
/** destinations that are handed alerts in one look */
const BEHIND = 100

/** Places of attempts: those of destinations that have failed last are apart, so that they delay nobody else. */
const laneOf = ({ destination: { kind, failing_since } }: Due): string =>
  `${kind}${failing_since === null ? '' : ' failing'}`

export function createDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const { queue, reader, lease, senders, now, onFree } = options
  const { always = false, troubles = processTroubles, bounds = LIMITS.delivery } = options
  const counts = createCounts()
  /** destination → what is on its way there */
  const running = new Map<string, Promise<void>>()
  const lanes = new Map<string, number>()
  /** destination → when its rate lets the next one through */
  const held = new Map<string, number>()
  let holds = false
  let leasedMs = Number.NEGATIVE_INFINITY
  let countedMs = Number.NEGATIVE_INFINITY
  let waiting: readonly Waiting[] = []
  let closed = false

  async function keepLease(): Promise<boolean> {
    if (holds && now() - leasedMs < bounds.leaseMs / 4) return true
    leasedMs = now()
    holds = (await lease.take()) !== null
    if (!holds) waiting = []
    return holds
  }

  async function handOver(): Promise<void> {
    for (const to of await queue.behind(BEHIND)) {
      const alerts = await reader.after(to.account_id, to.alert_seq, to.room)
      if (alerts.length > 0) await queue.handOver(to, alerts)
    }
  }

  async function begin(): Promise<void> {
    for (const [id, untilMs] of held) if (untilMs <= now()) held.delete(id)
    const due = await queue.due([...running.keys(), ...held.keys()], bounds.together)
    for (const one of due) {
      const lane = laneOf(one)
      const most = one.destination.failing_since === null ? bounds.together : bounds.failingTogether
      const sender = senders[one.destination.kind]
      if (closed || !sender || (lanes.get(lane) ?? 0) >= most) continue
      const waitMs = sender.turnMs(one.destination)
      if (waitMs > 0) {
        if (held.size < HELD_MAX) held.set(one.destination.id, now() + waitMs)
        continue
      }
      start(one, lane, sender)
    }
  }

  function start(one: Due, lane: string, sender: Sender): void {
    const { id } = one.destination
    lanes.set(lane, (lanes.get(lane) ?? 0) + 1)
    const attempt = tryOnce(one, sender)
      .catch((error: unknown) => troubles.note('deliveries', error))
      .finally(() => {
        lanes.set(lane, lanes.get(lane)! - 1)
        running.delete(id)
        onFree()
      })
    running.set(id, attempt)
  }

  async function tryOnce(one: Due, sender: Sender): Promise<void> {
    if (!(await queue.claim(one, lease))) return
    const outcome = await sender.send(one.destination, one.alert)
    count(counts, `${one.destination.kind}:${outcome.kind}`)
    await queue.note(one, outcome)
  }

  async function look(): Promise<void> {
    if (closed || !((always || (await queue.isUsed())) && (await keepLease()))) return
    await handOver()
    await begin()
    if (now() - countedMs < bounds.countMs) return
    countedMs = now()
    waiting = await queue.waiting()
  }

  return {
    run: look,
    nextMs: () => Math.max(0, Math.min(bounds.lookMs, ...[...held.values()].map((untilMs) => untilMs - now()))),
    get holds() {
      return holds
    },
    counts,
    get waiting() {
      return waiting
    },
    async close() {
      closed = true
      await Promise.all(running.values())
      if (holds) await lease.giveUp()
      holds = false
    },
  }
}
