import { type Selectable, sql as statement, type Transaction } from 'kysely'
import type { Plan } from '../access/keys.ts'
import { SHARED } from '../access/shared/table.ts'
import type { Database } from '../access/sql/database.ts'
import { planIn } from '../access/sql/plan.ts'
import type { Schema } from '../access/sql/schema.ts'
import { values } from '../access/sql/values.ts'
import type { Draft } from './events.ts'

/**
 * Alerts that are kept, of all accounts of a plan and of one account. Where a pool is full, the oldest of the accounts with most alerts make
 * room, and none of another plan.
 */
type Kept = Readonly<Record<'pool' | 'share', Readonly<Record<Plan, number>>>>

/** The number of rows in one statement. */
const PIECE = 500
/** numbers of alerts for each millisecond: no account is given more, so that a later term begins above all of an earlier one */
const NUMBERS_PER_MS = 100
/** The part of a full pool that is emptied at once, so that it is not counted for each alert. */
const SPARE = 0.01

type Counter = Selectable<Schema['alert_counters']>

export function createAlertRows({ dialect }: Pick<Database, 'dialect'>, kept: Kept = SHARED.alerts) {
  /** The alerts that fit into each pool until it has to be counted again. */
  const room: Record<Plan, number> = { pro: 0, free: 0 }
  /**
   * Numbers of this term are above it. A database that was replaced by a replica may have lost commits that clients have seen, so
   * only the first term counts from 1.
   */
  let above = 0
  const plan = planIn(dialect.now)

  async function count(inside: Transaction<Schema>, numbers: ReadonlyMap<string, number>): Promise<Counter[]> {
    const counters: Counter[] = []
    for (const piece of pieces([...numbers])) {
      const rows = await inside
        .insertInto('alert_counters')
        .values(piece.map(([account_id, count]) => ({ account_id, seq: count, number: above + count })))
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet({
            seq: statement`alert_counters.seq + excluded.seq`,
            number: statement`excluded.number
              + case when alert_counters.number > ${above} then alert_counters.number - ${above} else 0 end`,
          }),
        )
        .returning(['account_id', 'seq', 'number', 'oldest'])
        .execute()
      counters.push(...rows)
    }
    return counters
  }

  async function plansOf(inside: Transaction<Schema>, accounts: readonly string[]): Promise<Map<string, Plan>> {
    const plans = new Map<string, Plan>()
    for (const piece of pieces(accounts)) {
      const rows = await inside
        .selectFrom('accounts')
        .select(['id', plan.as('plan')])
        .where('id', 'in', piece)
        .execute()
      for (const row of rows) plans.set(row.id, row.plan)
    }
    return plans
  }

  /** Counts a pool. If it is too full, all its accounts keep the same number at most. */
  async function level(inside: Transaction<Schema>, of: Plan): Promise<void> {
    const counters = await inside
      .selectFrom('alert_counters')
      .innerJoin('accounts', 'accounts.id', 'alert_counters.account_id')
      .select(['account_id', 'seq', 'number', 'oldest'])
      .where(plan, '=', of)
      .execute()
    const numbers = counters.map(({ seq, oldest }) => seq - oldest + 1)
    const all = numbers.reduce((sum, n) => sum + n, 0)
    const pool = kept.pool[of]
    const most = all > pool ? levelOf(numbers, Math.floor(pool * (1 - SPARE))) : Number.POSITIVE_INFINITY
    await keepNewest(inside, counters, () => most)
    room[of] = pool - numbers.reduce((sum, n) => sum + Math.min(n, most), 0)
  }

  return {
    /** Numbers the alerts after those of their accounts. The number of statements does not grow with the number of accounts. */
    async append(inside: Transaction<Schema>, drafts: readonly Draft[]): Promise<void> {
      const numbers = new Map<string, number>()
      for (const { account } of drafts) numbers.set(account, (numbers.get(account) ?? 0) + 1)
      const counters = await count(inside, numbers)
      const next = new Map(
        counters.map(({ account_id, seq, number }) => {
          const own = numbers.get(account_id)!
          return [account_id, { seq: seq - own, number: number - own }]
        }),
      )
      const rows = drafts.map((draft) => {
        const place = next.get(draft.account)!
        const { seq, number } = { seq: ++place.seq, number: ++place.number }
        return { account_id: draft.account, seq, number, id: draft.id, body: JSON.stringify(draft) }
      })
      for (const piece of pieces(rows)) await inside.insertInto('alerts').values(piece).execute()
      const plans = await plansOf(inside, [...numbers.keys()])
      await keepNewest(inside, counters, (account) => kept.share[plans.get(account)!])
      for (const [account, n] of numbers) room[plans.get(account)!] -= n
      for (const of of ['pro', 'free'] as const) if (room[of] < 0) await level(inside, of)
    },
    /** The pools may have changed without this worker. */
    recount(): void {
      room.pro = -1
      room.free = -1
    },
    /** Numbers may have been given that the database does not know: from now on they are higher. */
    renumber(): void {
      above = NUMBERS_PER_MS * Date.now()
    },
  }
}

/** Deletes all but the newest alerts of these accounts. */
async function keepNewest(
  inside: Transaction<Schema>,
  counters: readonly Counter[],
  most: (account: string) => number,
): Promise<void> {
  const oldest = counters.flatMap(({ account_id, seq, oldest }) => {
    const first = seq - most(account_id) + 1
    return first > oldest ? [[account_id, first] as const] : []
  })
  for (const piece of pieces(oldest)) {
    const rows = values({ account_id: 'text', oldest: 'bigint' }, piece)
    await statement`with r (account_id, oldest) as (${rows})
      update alert_counters set oldest = r.oldest from r where alert_counters.account_id = r.account_id`.execute(inside)
    await inside
      .deleteFrom('alerts')
      .where(
        'account_id',
        'in',
        piece.map(([account]) => account),
      )
      .where('seq', '<', (query) =>
        query
          .selectFrom('alert_counters')
          .whereRef('alert_counters.account_id', '=', 'alerts.account_id')
          .select('alert_counters.oldest'),
      )
      .execute()
  }
}

/** The largest number up to which each may keep its own so that all together are at most `most`. */
export function levelOf(numbers: readonly number[], most: number): number {
  let left = most
  const sorted = numbers.toSorted((a, b) => a - b)
  for (const [i, n] of sorted.entries()) {
    const level = Math.floor(left / (sorted.length - i))
    if (n > level) return level
    left -= n
  }
  return Number.POSITIVE_INFINITY
}

function* pieces<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += PIECE) yield all.slice(at, at + PIECE)
}
