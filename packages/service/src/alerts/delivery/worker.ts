import { count, createCounts } from '@ti/core/base/counts.ts'
import { DESTINATION_KINDS, type DestinationKind } from '@ti/core/contract/account.ts'
import type { ResourceName, Shared } from '../../access/shared/shared.ts'
import { SHARED } from '../../access/shared/table.ts'
import type { Lease } from '../../access/sql/lease.ts'
import { processTroubles } from '../../base/troubles.ts'
import type { AlertReader } from '../alert.ts'
import { KINDS } from './kinds.ts'
import type { Outcome } from './outcome.ts'
import type { DeliveryQueue, Due, Lane, Waiting } from './queue.ts'
import type { Kind, Sender } from './sender.ts'

export const DELIVERY_WORK = {
  /** milliseconds of the lease, between two looks at what other nodes brought, and between two counts for the metrics */
  leaseMs: 15_000,
  lookMs: 2_000,
  countMs: 15_000,
}

const OUTCOMES: readonly Outcome['kind'][] = ['delivered', 'failed', 'later', 'refused', 'moved', 'gone']
const COUNTED = DESTINATION_KINDS.flatMap((kind) => OUTCOMES.map((outcome) => `${kind}:${outcome}` as const))

/** Hands alerts over to destinations and delivers them, as long as this node holds the lease. */
export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>

interface WorkerOptions {
  readonly queue: DeliveryQueue
  readonly reader: Pick<AlertReader, 'after'>
  readonly lease: Lease
  readonly shared: Pick<Shared, 'take'>
  readonly senders: Readonly<Partial<Record<DestinationKind, Sender | null>>>
  /** takes the lease also where nothing is to be delivered: for what else its holder does */
  readonly always?: boolean
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  /** Called when an attempt has ended, because another one may start. */
  readonly onFree: () => void
  readonly troubles?: { note(what: string, error: unknown): void }
}

/** The number of rate-limited destinations kept in memory. The next look finds the others. */
const HELD_MAX = 256
/** The number of destinations that are handed alerts in one look. */
const BEHIND = 100

const placeOf = (kind: DestinationKind, standing: Lane['standing']): ResourceName =>
  standing === 'proven' ? KINDS[kind].places : `${KINDS[kind].places}_${standing}`

/** The attempts at once on these places: the client below has room for each. */
export const attemptsOn = (places: Kind['places']): number =>
  ([places, `${places}_failing`, `${places}_new`] as const).reduce(
    (sum, name) => sum + SHARED[name].pool.pro + SHARED[name].pool.free,
    0,
  )
/** due deliveries of a kind, plan and standing that are looked at: a pool has no more places */
const LOOKED_AT = SHARED.webhooks.pool.pro

export function createDeliveryWorker(options: WorkerOptions) {
  const { queue, reader, lease, shared, senders, now, onFree } = options
  const { always = false, troubles = processTroubles } = options
  const counts = createCounts(COUNTED)
  /** The attempt in flight for each destination. */
  const running = new Map<string, Promise<void>>()
  /** The time at which the rate limit of a destination allows the next message. */
  const held = new Map<string, number>()
  let holds = false
  let leasedMs = Number.NEGATIVE_INFINITY
  let countedMs = Number.NEGATIVE_INFINITY
  let waiting: readonly Waiting[] = []
  let closed = false

  async function keepLease(): Promise<boolean> {
    if (holds && now() - leasedMs < DELIVERY_WORK.leaseMs / 4) return true
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
    const due = await queue.due([...running.keys(), ...held.keys()], LOOKED_AT)
    for (const one of due) {
      const { kind, id, account_id } = one.destination
      const sender = senders[kind]
      if (closed || !sender) continue
      const taker = { plan: one.lane.plan, id: account_id, address: '' }
      const place = shared.take(placeOf(kind, one.lane.standing), taker)
      if (!place.ok) continue
      const waitMs = sender.turnMs(one.destination)
      if (waitMs === 0) {
        start(one, sender, place.release)
        continue
      }
      place.release()
      if (held.size < HELD_MAX) held.set(id, now() + waitMs)
    }
  }

  function start(one: Due, sender: Sender, release: () => void): void {
    const { id } = one.destination
    const attempt = tryOnce(one, sender)
      .catch((error: unknown) => troubles.note('deliveries', error))
      .finally(() => {
        release()
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
    if (now() - countedMs < DELIVERY_WORK.countMs) return
    countedMs = now()
    waiting = await queue.waiting()
  }

  return {
    /** Looks once at what there is to do and starts it. Rejects where the database fails; the next call starts anew. One at a time. */
    run: look,
    /** The milliseconds until `run` has to be called again without a wake-up. */
    nextMs: (): number =>
      Math.max(0, Math.min(DELIVERY_WORK.lookMs, ...[...held.values()].map((untilMs) => untilMs - now()))),
    /** Tells whether this node held the lease at its last look. */
    get holds(): boolean {
      return holds
    },
    /** The number of attempts by `kind:outcome`. */
    counts,
    /** The last count of waiting deliveries. It is empty if another node holds the lease. */
    get waiting(): readonly Waiting[] {
      return waiting
    },
    /** Starts no more attempts and waits for those in flight. */
    async close(): Promise<void> {
      closed = true
      await Promise.all(running.values())
      if (holds) await lease.giveUp()
      holds = false
    },
  }
}
