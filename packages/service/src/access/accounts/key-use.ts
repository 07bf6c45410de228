import { sql } from 'kysely'
import type { Logger } from '../../base/log.ts'
import { createPoller } from '../../base/poller.ts'
import type { Database } from '../sql/database.ts'
import { values } from '../sql/values.ts'
import { KEY_READING } from './key-reader.ts'

export const KEY_USE = {
  /** milliseconds between two writings of how much each key was used, as much of which is lost when the process is killed,
   * and keys of one statement */
  writeMs: 30_000,
  rows: 500,
}

/** Number of calls of a key, and time of the last (Unix ms). */
export interface Use {
  readonly calls: number
  readonly lastMs: number
}

/** Counts the use of keys for their owners: in memory, written in batches. No decision depends on it. */
export type KeyUse = ReturnType<typeof createKeyUse>

interface KeyUseOptions {
  /** Unix ms */
  readonly now: () => number
  readonly logger: Logger
  readonly bounds?: Readonly<typeof KEY_USE & Pick<typeof KEY_READING, 'inMemory'>>
}

export function createKeyUse(
  { sql: db }: Pick<Database, 'sql'>,
  { now, logger, bounds = { ...KEY_READING, ...KEY_USE } }: KeyUseOptions,
) {
  const uses = new Map<string, { calls: number; lastMs: number }>()
  let failing = false

  function add(id: string, calls: number, lastMs: number): void {
    const known = uses.get(id)
    if (known !== undefined) {
      known.calls += calls
      known.lastMs = Math.max(known.lastMs, lastMs)
    } else if (uses.size < bounds.inMemory) {
      uses.set(id, { calls, lastMs })
    }
  }

  /** Locks rows in the same order on every node. Leaves `changed_at` alone, because permissions do not change. */
  async function writeRows(rows: readonly (readonly [string, Use])[]): Promise<void> {
    const used = values(
      { id: 'text', calls: 'bigint', at: 'timestamptz' },
      rows.map(([id, { calls, lastMs }]) => [id, calls, new Date(lastMs)]),
    )
    await db.transaction().execute(async (inside) => {
      const locked = inside.selectFrom('api_keys').select('id').orderBy('id').forUpdate()
      await locked
        .where(
          'id',
          'in',
          rows.map(([id]) => id),
        )
        .execute()
      await sql`
        with used (id, calls, at) as (${used})
        update api_keys as k set calls = k.calls + used.calls,
          last_used_at = case when k.last_used_at > used.at then k.last_used_at else used.at end
        from used where k.id = used.id`.execute(inside)
    })
  }

  /** Use stays pending until the write is confirmed, so a statement that fails late may count twice. */
  async function writeAll(): Promise<void> {
    const rows = [...uses].map(([id, use]) => [id, { ...use }] as const)
    for (let from = 0; from < rows.length; from += bounds.rows) {
      const part = rows.slice(from, from + bounds.rows)
      try {
        await writeRows(part)
      } catch (error) {
        if (!failing) logger.warn({ err: error }, 'the use of keys cannot be stored now; it is stored later')
        failing = true
        return
      }
      failing = false
      for (const [id, { calls }] of part) {
        const use = uses.get(id)!
        use.calls -= calls
        if (use.calls <= 0) uses.delete(id)
      }
    }
  }

  const writing = createPoller({ what: 'use of keys', everyMs: bounds.writeMs, run: writeAll })
  return {
    /** synchronous and cheap, because every call with a key runs it */
    count: (id: string, calls = 1): void => add(id, calls, now()),
    /** use counted on this node and not written yet */
    pending: (id: string): Use | null => uses.get(id) ?? null,
    /** writes what is pending; runs by itself every KEY_USE.writeMs. Never rejects: what failed stays pending */
    write: writing.run,
    /** writes pending use, then stops */
    async close(): Promise<void> {
      await writing.stop()
      await writing.run()
    },
  }
}
