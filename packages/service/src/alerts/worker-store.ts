import { isDeepStrictEqual } from 'node:util'
import { sql as statement, type Transaction } from 'kysely'
import { SHARED } from '../access/shared/table.ts'
import type { Database } from '../access/sql/database.ts'
import { createLease } from '../access/sql/lease.ts'
import type { Schema, WatchRow } from '../access/sql/schema.ts'
import { values } from '../access/sql/values.ts'
import type { Shown } from './colours.ts'
import type { Draft } from './events.ts'
import type { Reported } from './storm.ts'

export const ALERT_WORK = {
  /** alerts of a watch in a minute of the chain's time, after which the rest of the minute becomes one summary */
  perMinute: 20,
  /** alerts of an account that are kept; some 600 bytes each */
  kept: 10_000,
  /** alerts of all accounts that are kept, some GB with their indexes: beyond it the oldest are deleted, across all accounts */
  stored: 2_000_000,
  /** trade rows and token events of one turn: some 10 ms without a watch that they concern */
  rows: 1_000,
  /** milliseconds of checking conditions without a pause */
  sliceMs: 5,
  /** conditions already met are remembered, so that the database is not queried again: 5 MB */
  metInMemory: 50_000,
  /** milliseconds a worker holds its lease without a word, and between two looks at what changed in the watches */
  leaseMs: 15_000,
  lookMs: 1_000,
  /** slots after a report of a token's colour in which its watch makes no other, five minutes: at an edge a colour changes with each trade */
  colourQuietSlots: 750,
  /** watched tokens that are looked at in one turn though they do not trade: some 20 ms */
  colourLooks: 100,
  /** slots since its launch during which a token is new: an hour */
  newSlots: 9_000,
}

/** The worker's place in the log: the next trade row, the next token event, and the last slot. */
export interface Cursor {
  readonly trade: number
  readonly event: number
  readonly slot: number
}

/** The worker's cursor with the watches as of that cursor. */
interface Loaded {
  readonly cursor: Cursor
  readonly version: number
  readonly rows: readonly WatchRow[]
}

/** The worker's state in SQL: lease, cursor, loaded watches and alerts. Each call is one transaction. */
export interface WorkerStore {
  /** Every change of a watch raises the version. Null means no watch was made yet. */
  version(): Promise<number | null>
  /** takes or renews the lease: its term, another after every change of owner. Null: it is not ours */
  take(): Promise<{ readonly term: number; readonly version: number } | null>
  /**
   * Loads all watches; new ones start to report at the cursor. `at` is this worker's cursor; if it is null, the stored one is
   * used. Without any watch in the database, the cursor starts at `newest`. Null means the lease was lost and nothing was
   * changed.
   */
  load(at: Cursor | null, newest: Cursor): Promise<Loaded | null>
  /** Returns the ids among these that were written before. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Writes alerts with their numbers, the counts and colours of their watches, and the cursor. Alerts whose id exists are left
   * out. Returns false, and writes nothing, if the lease was lost.
   */
  write(
    drafts: readonly Draft[],
    reported: ReadonlyMap<string, Reported>,
    cursor: Cursor,
    colours?: ReadonlyMap<string, Shown>,
  ): Promise<boolean>
  /** Releases the lease. */
  leave(): Promise<void>
}

const NAME = 'alerts'
/** all watches that may be kept */
const WATCHES_MOST = SHARED.watches.pool.pro + SHARED.watches.pool.free
/** The number of rows in one statement. */
const PIECE = 500

/** numbers of alerts for each millisecond: no account is given more, so that a later term begins above all of an earlier one */
const NUMBERS_PER_MS = 100

class LeaseLost extends Error {}

export function createWorkerStore(
  database: Pick<Database, 'sql' | 'dialect'>,
  owner: string,
  bounds: Readonly<typeof ALERT_WORK> = ALERT_WORK,
): WorkerStore {
  /**
   * The number of alerts that can be written before they are counted again. It is valid as long as this worker is the only
   * writer.
   */
  let room = 0
  let term = -1
  /**
   * Numbers of this term are above it. A database that was replaced by a replica may have lost commits that clients have seen, so
   * only the first term counts from 1.
   */
  let above = 0
  /** The cursor as this worker left it. If another one is stored, the database may have lost commits. */
  let left: Cursor | null = null
  const renumber = (): void => {
    above = NUMBERS_PER_MS * Date.now()
  }
  const { sql } = database
  const lease = createLease(database, { name: NAME, owner, ms: bounds.leaseMs })

  /**
   * Makes room for `wanted` alerts. If there is too little, it deletes the oldest of all accounts, and a hundredth more than
   * necessary.
   */
  async function makeRoom(inside: Transaction<Schema>, wanted: number): Promise<void> {
    if (room < wanted) {
      const counted = inside.selectFrom('alerts').select((query) => query.fn.countAll<number | string>().as('n'))
      const count = Number((await counted.executeTakeFirstOrThrow()).n)
      const spare = Math.ceil(bounds.stored / 100)
      const most = bounds.stored - wanted - spare
      const over = count > most ? count - most + spare : 0
      if (over > 0) {
        const oldest = inside.selectFrom('alerts').select('id').orderBy('created_at').orderBy('id').limit(over)
        await inside.deleteFrom('alerts').where('id', 'in', oldest).execute()
      }
      room = bounds.stored - (count - over)
    }
    room -= wanted
  }

  /** Numbers the alerts after those of their accounts. The number of statements does not grow with the number of accounts. */
  async function append(inside: Transaction<Schema>, drafts: readonly Draft[]): Promise<void> {
    const next = new Map<string, { seq: number; number: number }>()
    const counts = [...grouped(drafts)].map(([account_id, own]) => ({ account_id, count: own.length }))
    for (let at = 0; at < counts.length; at += PIECE) {
      const piece = counts.slice(at, at + PIECE)
      const counters = await inside
        .insertInto('alert_counters')
        .values(piece.map(({ account_id, count }) => ({ account_id, seq: count, number: above + count })))
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet({
            seq: statement`alert_counters.seq + excluded.seq`,
            number: statement`excluded.number
              + case when alert_counters.number > ${above} then alert_counters.number - ${above} else 0 end`,
          }),
        )
        .returning(['account_id', 'seq', 'number'])
        .execute()
      const newest = new Map(counters.map((counter) => [counter.account_id, counter]))
      for (const { account_id, count } of piece) {
        const { seq, number } = newest.get(account_id)!
        next.set(account_id, { seq: seq - count, number: number - count })
      }
    }
    const rows = drafts.map((draft) => {
      const place = next.get(draft.account)!
      const { seq, number } = { seq: ++place.seq, number: ++place.number }
      const body = JSON.stringify(draft)
      return { account_id: draft.account, seq, number, id: draft.id, body, created_at: new Date(draft.at) }
    })
    for (let at = 0; at < rows.length; at += PIECE) {
      await inside
        .insertInto('alerts')
        .values(rows.slice(at, at + PIECE))
        .execute()
    }
    const accounts = [...next.keys()]
    for (let at = 0; at < accounts.length; at += PIECE) {
      await inside
        .deleteFrom('alerts')
        .where('account_id', 'in', accounts.slice(at, at + PIECE))
        .where('seq', '<=', (query) =>
          query
            .selectFrom('alert_counters')
            .whereRef('alert_counters.account_id', '=', 'alerts.account_id')
            .select(statement<number>`alert_counters.seq - ${bounds.kept}`.as('last')),
        )
        .execute()
    }
  }

  async function version(): Promise<number | null> {
    const row = await sql.selectFrom('alert_worker').select('version').where('name', '=', NAME).executeTakeFirst()
    return row?.version ?? null
  }

  /** Returns false, and moves nothing, if the cursor is not where this worker left it. */
  async function keep(inside: Transaction<Schema>, { trade, event, slot }: Cursor): Promise<boolean> {
    const update = inside.updateTable('alert_worker').set({ trade_no: trade, event_seq: event, slot })
    const { numUpdatedRows } = await update
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
      room = 0
      if (error instanceof LeaseLost) return lost
      throw error
    }
  }

  return {
    async take() {
      const taken = await lease.take()
      if (taken === null) return null
      if (taken !== term) room = 0
      if (taken !== term && taken > 1) renumber()
      term = taken
      return { term, version: (await version()) ?? 0 }
    },
    version,
    load: (at, newest) =>
      inLease<Loaded | null>(null, async (inside) => {
        const stored = inside.selectFrom('alert_worker').selectAll().where('name', '=', NAME)
        const { trade_no: trade, event_seq: event, slot, version } = await stored.forUpdate().executeTakeFirstOrThrow()
        const rows = inside.selectFrom('watches').selectAll().orderBy('id').limit(WATCHES_MOST)
        const before = await rows.execute()
        const isCounting = trade >= 0 && before.some(({ from_trade }) => from_trade !== null)
        const isLeft = left === null || isDeepStrictEqual({ trade, event, slot }, left)
        if (!isLeft) renumber()
        const cursor = isCounting ? ((isLeft ? at : null) ?? { trade, event, slot }) : newest
        left = null
        await keep(inside, cursor)
        left = cursor
        await inside
          .updateTable('watches')
          .set({ from_trade: cursor.trade, from_event: cursor.event, from_slot: cursor.slot + 1 })
          .where('from_trade', 'is', null)
          .where('paused', '=', false)
          .execute()
        return { cursor, version, rows: await rows.execute() }
      }),
    known: (ids) => knownOf(sql, ids),
    async write(drafts, reported, cursor, colours = new Map()) {
      const written = await inLease(false, async (inside) => {
        if (!(await keep(inside, cursor)) && left !== null) {
          renumber()
          throw new LeaseLost()
        }
        const known = await knownOf(
          inside,
          drafts.map(({ id }) => id),
        )
        const fresh = [...new Map(drafts.map((draft) => [draft.id, draft])).values()].filter(({ id }) => !known.has(id))
        if (fresh.length > 0) {
          await makeRoom(inside, fresh.length)
          await append(inside, fresh)
        }
        if (reported.size > 0) await note(inside, reported)
        if (colours.size > 0) await noteColours(inside, colours)
        return true
      })
      if (written && left !== null) left = cursor
      return written
    },
    leave: lease.giveUp,
  }
}

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

/** A watch that was changed in between starts without a colour, so its row is skipped. */
async function noteColours(inside: Transaction<Schema>, colours: ReadonlyMap<string, Shown>): Promise<void> {
  const types = { id: 'text', colour: 'text', score: 'double precision', slot: 'bigint', count: 'integer' }
  const rows = [...colours].map(([id, { colour, score, slot, count }]) => [id, colour, score, slot, count])
  for (let at = 0; at < rows.length; at += PIECE) {
    await statement`with r (id, colour, score, slot, reports) as (${values(types, rows.slice(at, at + PIECE))})
      update watches set colour = r.colour, colour_score = r.score, colour_slot = r.slot, colours = r.reports
      from r where watches.id = r.id and watches.from_trade is not null`.execute(inside)
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

function grouped(drafts: readonly Draft[]): ReadonlyMap<string, readonly Draft[]> {
  const by = new Map<string, Draft[]>()
  for (const draft of drafts) {
    const known = by.get(draft.account)
    if (known === undefined) by.set(draft.account, [draft])
    else known.push(draft)
  }
  return by
}
