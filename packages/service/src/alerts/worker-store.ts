import { sql as statement, type Transaction } from 'kysely'
import type { Database } from '../access/sql/database.ts'
import { createLease } from '../access/sql/lease.ts'
import type { Schema, WatchRow } from '../access/sql/schema.ts'
import { values } from '../access/sql/values.ts'
import { createAlertRows } from './alert-rows.ts'
import type { Draft } from './events.ts'
import type { Reported } from './storm.ts'

export const ALERT_WORK = {
  /** alerts of a watch in a minute of the chain's time, after which the rest of the minute becomes one summary */
  perMinute: 20,
  /** trade rows and token events of one turn: some 10 ms without a watch that they concern */
  rows: 1_000,
  /** milliseconds of loading watches without a pause */
  sliceMs: 5,
  /** events that are found again and again are remembered, so that the database is not queried again: 5 MB */
  onceInMemory: 50_000,
  /** milliseconds a worker holds its lease without a word, and between two looks at what changed in the watches */
  leaseMs: 15_000,
  lookMs: 1_000,
}

/**
 * The worker's place in the log: the next trade row, the next token event, the last slot, and the first trade row of a token that waits
 * for its conditions.
 */
export interface Cursor {
  readonly trade: number
  readonly event: number
  readonly slot: number
  readonly condition: number
}

/** The worker's cursor with the watches as of that cursor: all of them, or what has changed in them. */
interface Loaded {
  readonly cursor: Cursor
  readonly version: number
  readonly rows: readonly WatchRow[]
  readonly removed: readonly string[]
}

/** The worker's state in SQL: lease, cursor, loaded watches and alerts. Each call is one transaction. */
export type WorkerStore = ReturnType<typeof createWorkerStore>

const NAME = 'alerts'
/** The number of rows in one statement. */
const PIECE = 500

class LeaseLost extends Error {}

export function createWorkerStore(
  database: Pick<Database, 'sql' | 'dialect'>,
  owner: string,
  bounds: Readonly<typeof ALERT_WORK> = ALERT_WORK,
  kept?: Parameters<typeof createAlertRows>[1],
) {
  const rows = createAlertRows(database, kept)
  let term = -1
  /** The cursor as this worker left it. If another one is stored, the database may have lost commits. */
  let left: Cursor | null = null
  const { sql } = database
  const lease = createLease(database, { name: NAME, owner, ms: bounds.leaseMs })

  async function version(): Promise<number | null> {
    const row = await sql.selectFrom('alert_worker').select('version').where('name', '=', NAME).executeTakeFirst()
    return row?.version ?? null
  }

  /** Returns false, and moves nothing, if the cursor is not where this worker left it. */
  async function keep(inside: Transaction<Schema>, { trade, event, slot, condition }: Cursor): Promise<boolean> {
    const place = { trade_no: trade, event_seq: event, slot, condition_no: condition }
    const { numUpdatedRows } = await inside
      .updateTable('alert_worker')
      .set(place)
      .where('name', '=', NAME)
      .$if(left !== null, (query) =>
        query.where('trade_no', '=', left!.trade).where('event_seq', '=', left!.event).where('slot', '=', left!.slot),
      )
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  async function inLease<T>(lost: T, work: (inside: Transaction<Schema>) => Promise<T>): Promise<T> {
    try {
      return await sql.transaction().execute(async (inside) => {
        if (!(await lease.hold(inside))) throw new LeaseLost()
        return work(inside)
      })
    } catch (error) {
      // After a rollback the deleted alerts may be there again.
      rows.recount()
      if (error instanceof LeaseLost) return lost
      throw error
    }
  }

  return {
    /** takes or renews the lease: its term, another after every change of owner. Null: it is not ours */
    async take(): Promise<{ readonly term: number; readonly version: number } | null> {
      const taken = await lease.take()
      if (taken === null) return null
      if (taken !== term) rows.recount()
      if (taken !== term && taken > 1) rows.renumber()
      term = taken
      return { term, version: (await version()) ?? 0 }
    },
    /** Every change of a watch raises the version. Null means no watch was made yet. */
    version,
    /**
     * Loads the watches that changed since a version, or all of them; new ones start to report at the cursor. `since` has this worker's cursor;
     * if it is null, the stored one is used. Without any watch in the database, the cursor starts at `newest`. Null means the lease was lost
     * and nothing was changed.
     */
    load: (
      since: { readonly cursor: Cursor; readonly version: number } | null,
      newest: Cursor,
    ): Promise<Loaded | null> =>
      inLease<Loaded | null>(null, async (inside) => {
        const stored = inside.selectFrom('alert_worker').selectAll().where('name', '=', NAME)
        const { version, ...at } = await stored.forUpdate().executeTakeFirstOrThrow()
        const changed = inside.selectFrom('watches').where('changed', '>', since?.version ?? -1)
        const place = { trade: at.trade_no, event: at.event_seq, slot: at.slot, condition: at.condition_no }
        const isLeft = left === null || isSame(place, left)
        if (!isLeft) {
          rows.renumber()
          left = null
          // changes of watches may have been lost as well: all are loaded
          if (since !== null) return null
        }
        const cursor = since?.cursor ?? (at.trade_no >= 0 && (await hasBegun(inside)) ? place : newest)
        left = null
        await keep(inside, cursor)
        left = cursor
        await inside
          .updateTable('watches')
          .set({ from_trade: cursor.trade, from_event: cursor.event, from_slot: cursor.slot + 1 })
          .where('from_trade', 'is', null)
          .where('paused', '=', false)
          .execute()
        // conditions are added in the order in which they begin
        const watches = await changed.selectAll().orderBy('from_trade').orderBy('id').execute()
        const removed = await inside.deleteFrom('removed_watches').returning('id').execute()
        return { cursor, version, rows: watches, removed: removed.map(({ id }) => id) }
      }),
    /** Returns the ids among these that were written before. */
    known: (ids: readonly string[]): Promise<ReadonlySet<string>> => knownOf(sql, ids),
    /**
     * Writes alerts with their numbers, the counts of their watches, and the cursor. Alerts whose id exists are left
     * out. Returns false, and writes nothing, if the lease was lost.
     */
    async write(drafts: readonly Draft[], reported: ReadonlyMap<string, Reported>, cursor: Cursor): Promise<boolean> {
      const written = await inLease(false, async (inside) => {
        if (!(await keep(inside, cursor)) && left !== null) {
          rows.renumber()
          throw new LeaseLost()
        }
        const known = await knownOf(
          inside,
          drafts.map(({ id }) => id),
        )
        const fresh = [...new Map(drafts.map((draft) => [draft.id, draft])).values()].filter(({ id }) => !known.has(id))
        if (fresh.length > 0) await rows.append(inside, fresh)
        if (reported.size > 0) await note(inside, reported)
        return true
      })
      if (written && left !== null) left = cursor
      return written
    },
    /** Releases the lease. */
    leave: lease.giveUp,
  }
}

async function hasBegun(inside: Transaction<Schema>): Promise<boolean> {
  const begun = inside.selectFrom('watches').select('id').where('from_trade', 'is not', null).limit(1)
  return (await begun.executeTakeFirst()) !== undefined
}

const isSame = (one: Cursor, other: Cursor): boolean =>
  one.trade === other.trade && one.event === other.event && one.slot === other.slot

/** A block may concern hundreds of watches, so this takes few statements. */
async function note(inside: Transaction<Schema>, reported: ReadonlyMap<string, Reported>): Promise<void> {
  const types = { id: 'text', minute: 'bigint', sent: 'integer', folded: 'integer' }
  const rows = [...reported].map(([id, { minute, sent, folded }]) => [id, minute, sent, folded])
  for (let at = 0; at < rows.length; at += PIECE) {
    await statement`with r (id, minute, sent, folded) as (${values(types, rows.slice(at, at + PIECE))})
      update watches set minute = r.minute, sent = r.sent, folded = r.folded from r where watches.id = r.id`.execute(
      inside,
    )
  }
}

async function knownOf(sql: Pick<Database['sql'], 'selectFrom'>, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < ids.length; at += PIECE) {
    const piece = ids.slice(at, at + PIECE)
    const rows = await sql.selectFrom('alerts').select('id').where('id', 'in', piece).execute()
    for (const { id } of rows) found.add(id)
  }
  return found
}
