import type { DestinationKind } from '@ti/core/contract/account.ts'
import { type ExpressionBuilder, sql as statement, type Transaction } from 'kysely'
import type { Plan } from '../../access/keys.ts'
import type { Database } from '../../access/sql/database.ts'
import { isHeld } from '../../access/sql/lease.ts'
import { planIn } from '../../access/sql/plan.ts'
import type { DestinationRow, Schema } from '../../access/sql/schema.ts'
import type { Alert } from '../alert.ts'
import {
  addDeliveries,
  CHALLENGE,
  DELIVERIES_WAITING,
  dropWaiting,
  isChallenge,
  serviceAlert,
  WINDOW_MS,
} from './deliveries.ts'
import type { Outcome } from './outcome.ts'
import { nextAttempt, restMs } from './schedule.ts'

/** milliseconds of a claim: an attempt whose node died is made again after it */
export const CLAIM_MS = 60_000

/** milliseconds of failures after which a success makes everything that waits due at once */
const LONG_FAILURE_MS = 60_000

/** Signed messages follow a protocol of ours, so their receiver is asked first; the other kinds have a consent of their own. */
const isAnswered = statement<boolean>`(destinations.secret is null or destinations.delivered_at is not null)`
const standing = statement<Lane['standing']>`case when delivered_at is null then 'new'
  when failing_since is null then 'proven' else 'failing' end`

/** A destination that has not been handed every alert of its account. */
interface Behind extends Pick<DestinationRow, 'id' | 'account_id' | 'alert_seq' | 'watches'> {
  /** The number of deliveries that may be added. */
  readonly room: number
}

export type OpenDestination = DestinationRow & { readonly address: string }

/** A delivery that is due. */
export interface Due {
  readonly destination: OpenDestination
  readonly number: number
  readonly attempts: number
  readonly alert: Alert
  readonly giveUpMs: number
  readonly lane: Lane
}

/** The plan and the history of a destination: each lane has slots of its own, so that none delays another. */
export interface Lane {
  readonly plan: Plan
  /** `new` has not delivered since it was made, changed or enabled */
  readonly standing: 'proven' | 'failing' | 'new'
}

/** The waiting deliveries of one kind of destination. */
export interface Waiting {
  readonly kind: DestinationKind
  readonly count: number
  /** The time since which the oldest one waits. */
  readonly oldestMs: number
}

/** The delivery queue of all destinations, for the worker. Times are milliseconds of the caller's clock. */
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>

interface QueueOptions {
  readonly now: () => number
  /** 0 ≤ x < 1 */
  readonly random: () => number
  /** The number of deliveries that wait for a destination; DELIVERIES_WAITING by default. */
  readonly room?: number
}

export function createDeliveryQueue({ sql, dialect }: Pick<Database, 'sql' | 'dialect'>, options: QueueOptions) {
  const { now, room = DELIVERIES_WAITING } = options
  return {
    /** Returns whether any destination is open, that is enabled and with an address. */
    async isUsed(): Promise<boolean> {
      const one = sql
        .selectFrom('destinations')
        .select('id')
        .where('enabled', '=', true)
        .where('address', 'is not', null)
      return (await one.limit(1).executeTakeFirst()) !== undefined
    },
    /** Returns at most `limit` open destinations that have alerts to be handed over and room for them. */
    async behind(limit: number): Promise<readonly Behind[]> {
      const waiting = statement<number | string>`(select count(*) from deliveries
        where destination_id = destinations.id and state = 'waiting')`
      const rows = await sql
        .selectFrom('destinations')
        .innerJoin('alert_counters', 'alert_counters.account_id', 'destinations.account_id')
        .select(['id', 'destinations.account_id', 'alert_seq', 'watches', waiting.as('waiting')])
        .where('enabled', '=', true)
        .where('address', 'is not', null)
        .where(isAnswered)
        .whereRef('alert_counters.seq', '>', 'alert_seq')
        .where(waiting, '<', room)
        .limit(limit)
        .execute()
      return rows.map(({ waiting: count, ...row }) => ({
        ...row,
        alert_seq: Number(row.alert_seq),
        room: room - Number(count),
      }))
    },
    /**
     * Hands alerts over in order: those of the destination's watches become deliveries, and its cursor moves behind them. Returns
     * false if another node was faster or the destination ended.
     */
    handOver: (to: Behind, alerts: readonly Alert[]): Promise<boolean> =>
      sql.transaction().execute(async (inside) => {
        const missed = alerts[0]!.place - to.alert_seq - 1
        const { numUpdatedRows } = await inside
          .updateTable('destinations')
          .set({ alert_seq: alerts.at(-1)!.place, missed: statement`missed + ${missed}` })
          .where('id', '=', to.id)
          .where('alert_seq', '=', to.alert_seq)
          .where('enabled', '=', true)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        await addDeliveries(inside, { destination: to.id, alerts: ofWatches(to.watches, alerts), nowMs: now() })
        return true
      }),
    /**
     * Returns the first due delivery of each destination except `but`: for each kind and lane at most `limit`, the longest waiting
     * first. A destination that was asked and has not answered yet gets nothing but its challenge.
     */
    async due(but: readonly string[], limit: number): Promise<readonly Due[]> {
      const at = new Date(now())
      const waiting = (from: ExpressionBuilder<Schema, 'destinations'>) =>
        from
          .selectFrom('deliveries')
          .whereRef('destination_id', '=', 'destinations.id')
          .where('state', '=', 'waiting')
          .where((where) => where.or([isAnswered, where('alert_id', 'like', `${CHALLENGE}%`)]))
      // The query looks into an index once for each destination, and reads its deliveries only if the destination has room.
      const open = sql
        .selectFrom('destinations')
        .selectAll()
        .select((from) => waiting(from).select('due_at').orderBy('due_at').limit(1).as('due_at'))
        .select(standing.as('standing'))
        .select(statement<Plan>`(select ${planIn(at)} from accounts where accounts.id = account_id)`.as('plan'))
        .where('enabled', '=', true)
        .where('address', 'is not', null)
        .where((where) => where.or([where('rest_until', 'is', null), where('rest_until', '<=', at)]))
        .$if(but.length > 0, (query) => query.where('id', 'not in', but))
      const placed = sql
        .selectFrom(open.as('open'))
        .selectAll()
        .select(
          statement<number>`row_number() over (partition by kind, plan, standing order by due_at, id)`.as('place'),
        )
        .where('due_at', '<=', at)
      const rows = await sql
        .selectFrom(placed.as('destinations'))
        .selectAll()
        .select((from) =>
          waiting(from).select('number').where('deliveries.due_at', '<=', at).orderBy('number').limit(1).as('number'),
        )
        .where('place', '<=', limit)
        .orderBy('place')
        .execute()
      if (rows.length === 0) return []
      const first = await sql
        .selectFrom('deliveries')
        .selectAll()
        .where((where) =>
          where.or(
            rows.map(({ id, number }) => where.and([where('destination_id', '=', id), where('number', '=', number!)])),
          ),
        )
        .execute()
      const found = new Map(first.map((delivery) => [delivery.destination_id, delivery]))
      return rows.flatMap(({ number: _, place: __, due_at: ___, plan, standing, ...destination }) => {
        const delivery = found.get(destination.id)
        if (delivery === undefined) return []
        const { number, attempts, alert, give_up_at: giveUp } = delivery
        const lane = { plan, standing }
        const one = { number, attempts, lane, giveUpMs: giveUp.getTime(), alert: JSON.parse(alert) as Alert }
        return [{ ...one, destination: { ...destination, address: destination.address! } }]
      })
    },
    /** Begins an attempt. Returns false if the delivery is no longer due or `owner` does not hold the lease. */
    async claim(
      { destination, number, attempts }: Due,
      lease: { readonly name: string; readonly owner: string },
    ): Promise<boolean> {
      const row = await sql
        .updateTable('deliveries')
        .set({ attempts: attempts + 1, attempted_at: new Date(now()), due_at: new Date(now() + CLAIM_MS) })
        .where('destination_id', '=', destination.id)
        .where('number', '=', number)
        .where('state', '=', 'waiting')
        .where('attempts', '=', attempts)
        .where('due_at', '<=', new Date(now()))
        .where(isHeld(dialect, lease))
        .returning('number')
        .executeTakeFirst()
      return row !== undefined
    },
    /** Records the outcome of a claimed attempt. An expired claim records nothing. */
    note: (due: Due, outcome: Outcome): Promise<void> =>
      sql.transaction().execute((inside) => noteOutcome(inside, due, outcome, options)),
    async waiting(): Promise<readonly Waiting[]> {
      const rows = await sql
        .selectFrom('deliveries')
        .innerJoin('destinations', 'destinations.id', 'destination_id')
        .select(({ fn }) => [
          'kind',
          fn.countAll<number | string>().as('n'),
          fn.min('deliveries.created_at').as('created_at'),
        ])
        .where('state', '=', 'waiting')
        .groupBy('kind')
        .execute()
      return rows.map(({ kind, n, created_at }) => ({ kind, count: Number(n), oldestMs: created_at.getTime() }))
    },
  }
}

async function noteOutcome(
  inside: Transaction<Schema>,
  due: Due,
  outcome: Outcome,
  { now, random }: QueueOptions,
): Promise<void> {
  const { destination, number, attempts, giveUpMs } = due
  const nowMs = now()
  const after = nextAttempt(due, outcome, nowMs, random)
  // A failure may touch all destinations of the account, so failures of one account are handled one after the other.
  const account = inside.selectFrom('accounts').select('id').where('id', '=', destination.account_id).forNoKeyUpdate()
  if (outcome.kind === 'failed' || outcome.kind === 'gone') await account.execute()
  const { numUpdatedRows } = await inside
    .updateTable('deliveries')
    .set({ status: outcome.status, error: outcome.kind === 'delivered' ? null : outcome.error, ...after })
    .where('destination_id', '=', destination.id)
    .where('number', '=', number)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts + 1)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const update = inside.updateTable('destinations').where('id', '=', destination.id)
  if (outcome.kind === 'delivered') await noteSuccess(inside, destination, nowMs)
  else if (outcome.kind === 'gone') await disable(inside, destination, { why: outcome.error, nowMs })
  else if (outcome.kind === 'moved') await update.set({ address: outcome.address }).execute()
  else if (outcome.kind === 'failed') {
    const failing = await update
      .set({
        failures: statement`failures + 1`,
        failing_since: statement`coalesce(failing_since, ${new Date(nowMs)})`,
      })
      .returning(['failures', 'delivered_at'])
      .executeTakeFirst()
    if (failing === undefined) return
    await update.set({ rest_until: new Date(nowMs + restMs(failing.failures)) }).execute()
    const beganMs = giveUpMs - WINDOW_MS
    if ('state' in after && (failing.delivered_at?.getTime() ?? 0) < beganMs) {
      const since = isChallenge(due.alert) ? 'the challenge was not answered' : 'no attempt has succeeded for two days'
      await disable(inside, destination, { why: `${since}: ${outcome.error}`, nowMs })
    }
  }
}

async function noteSuccess(
  inside: Transaction<Schema>,
  { id, address, failing_since: since }: OpenDestination,
  nowMs: number,
): Promise<void> {
  const at = new Date(nowMs)
  // a success at the address before proves nothing about the one now
  const update = inside.updateTable('destinations').where('id', '=', id).where('address', '=', address)
  await update.set({ delivered_at: at, failures: 0, failing_since: null, rest_until: null }).execute()
  // a receiver that was away for long is back: what waits need not wait for its own pause
  if (since === null || nowMs - since.getTime() < LONG_FAILURE_MS) return
  await inside
    .updateTable('deliveries')
    .set({ due_at: at })
    .where('destination_id', '=', id)
    .where('state', '=', 'waiting')
    .where('due_at', '>', at)
    .execute()
}

/**
 * Disables a destination on the service's own decision. The owner finds the reason at the destination and in the account's
 * other destinations.
 */
async function disable(
  inside: Transaction<Schema>,
  { id, account_id: account, name }: DestinationRow,
  { why, nowMs }: { readonly why: string; readonly nowMs: number },
): Promise<void> {
  await inside.updateTable('destinations').set({ enabled: false, notice: why }).where('id', '=', id).execute()
  await dropWaiting(inside, id)
  const others = await inside
    .selectFrom('destinations')
    .select('id')
    .where('account_id', '=', account)
    .where('enabled', '=', true)
    .where('address', 'is not', null)
    .orderBy('id')
    .execute()
  const text = `${name}: ${why}`
  const alert = serviceAlert({ account, event: 'destination_disabled', key: `${id}_${nowMs}`, atMs: nowMs, text })
  for (const other of others) await addDeliveries(inside, { destination: other.id, alerts: [alert], nowMs })
}

function ofWatches(list: string | null, alerts: readonly Alert[]): readonly Alert[] {
  if (list === null) return alerts
  const watches = new Set(JSON.parse(list) as string[])
  return alerts.filter(({ watch }) => watches.has(watch.id))
}
