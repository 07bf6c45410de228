import { sql as statement, type Transaction } from 'kysely'
import type { Database } from '../access/sql/database.ts'
import type { Schema, WatchRow } from '../access/sql/schema.ts'
import { LIMITS } from '../config/limits.ts'
import type { Draft } from './events.ts'
import type { Reported } from './storm.ts'

/** Next trade row and token event to look at. */
export interface Cursor {
  readonly trade: number
  readonly event: number
}

/** What the worker keeps in SQL: its lease, its cursor, watches taken on, alerts. All of one call is one transaction. */
export interface AlertLedger {
  /** the lease, taken or renewed where it is free, ours or over; null: another holds it */
  take(): Promise<{ readonly cursor: Cursor; readonly version: number } | null>
  /** raised by every change of a watch; null where nothing was written yet */
  version(): Promise<number | null>
  watches(): Promise<readonly WatchRow[]>
  /** watches that begin count from here on */
  adopt(from: Cursor): Promise<void>
  /** ids of these that were written before */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Alerts with their numbers, what their watches have reported, and the cursor behind them. False, and nothing is written:
   * the lease was lost.
   */
  write(drafts: readonly Draft[], reported: ReadonlyMap<string, Reported>, cursor: Cursor): Promise<boolean>
}

const NAME = 'alerts'
/** rows of one statement */
const PIECE = 500

class LeaseLost extends Error {}

export function createAlertLedger(
  { sql }: Pick<Database, 'sql'>,
  owner: string,
  bounds: Pick<typeof LIMITS.alerts, 'leaseMs' | 'kept'> = LIMITS.alerts,
): AlertLedger {
  // the database's clock: nodes need not agree on theirs
  const until = statement<Date>`clock_timestamp() + ${statement.lit(`${bounds.leaseMs} milliseconds`)}::interval`

  async function number(inside: Transaction<Schema>, account: string, drafts: readonly Draft[]): Promise<void> {
    const { seq } = await inside
      .insertInto('alert_counters')
      .values({ account_id: account, seq: drafts.length })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ seq: statement`alert_counters.seq + ${drafts.length}` }),
      )
      .returning('seq')
      .executeTakeFirstOrThrow()
    const first = Number(seq) - drafts.length + 1
    const rows = drafts.map((draft, i) => ({
      ...{ account_id: account, seq: first + i, id: draft.id, body: JSON.stringify(draft) },
      created_at: new Date(draft.at),
    }))
    for (let at = 0; at < rows.length; at += PIECE) {
      await inside
        .insertInto('alerts')
        .values(rows.slice(at, at + PIECE))
        .execute()
    }
    const forgotten = inside.deleteFrom('alerts').where('account_id', '=', account)
    await forgotten.where('seq', '<=', Number(seq) - bounds.kept).execute()
  }

  return {
    async take() {
      const row = await sql
        .insertInto('alert_worker')
        .values({ name: NAME, owner, lease_until: until, trade_no: -1, event_seq: -1, version: 0 })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner, lease_until: until })
            .where(statement<boolean>`alert_worker.owner = ${owner} or alert_worker.lease_until < clock_timestamp()`),
        )
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) return null
      return { cursor: { trade: Number(row.trade_no), event: Number(row.event_seq) }, version: Number(row.version) }
    },
    async version() {
      const row = await sql.selectFrom('alert_worker').select('version').where('name', '=', NAME).executeTakeFirst()
      return row === undefined ? null : Number(row.version)
    },
    watches: () => sql.selectFrom('watches').selectAll().limit(LIMITS.alerts.watches).execute(),
    async adopt({ trade, event }) {
      await sql
        .updateTable('watches')
        .set({ from_trade: trade, from_event: event })
        .where('from_trade', 'is', null)
        .where('paused', '=', false)
        .execute()
    },
    async known(ids) {
      const found = new Set<string>()
      for (let at = 0; at < ids.length; at += PIECE) {
        const rows = await sql
          .selectFrom('alerts')
          .select('id')
          .where('id', 'in', ids.slice(at, at + PIECE))
          .execute()
        for (const { id } of rows) found.add(id)
      }
      return found
    },
    async write(drafts, reported, { trade, event }) {
      const byAccount = grouped(drafts)
      try {
        await sql.transaction().execute(async (inside) => {
          const mine = await inside
            .updateTable('alert_worker')
            .set({ trade_no: trade, event_seq: event, lease_until: until })
            .where('name', '=', NAME)
            .where('owner', '=', owner)
            .returning('name')
            .executeTakeFirst()
          if (mine === undefined) throw new LeaseLost()
          for (const [account, own] of byAccount) await number(inside, account, own)
          for (const [id, { minute, sent, folded }] of reported) {
            await inside.updateTable('watches').set({ minute, sent, folded }).where('id', '=', id).execute()
          }
        })
        return true
      } catch (error) {
        if (error instanceof LeaseLost) return false
        throw error
      }
    },
  }
}

function grouped(drafts: readonly Draft[]): ReadonlyMap<string, readonly Draft[]> {
  const by = new Map<string, Draft[]>()
  for (const draft of drafts) {
    const known = by.get(draft.account)
    if (known === undefined) by.set(draft.account, [draft])
    else known.push(draft)
  }
  return by
}
