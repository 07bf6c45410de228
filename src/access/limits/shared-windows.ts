import { sql } from 'kysely'
import type { Logger } from '../../base/log.ts'
import { LIMITS } from '../../config/limits.ts'
import type { Database } from '../sql/database.ts'
import { createMemoryWindows, WINDOW_MS, type Window, type Windows, windowOf } from './windows.ts'

export interface SharedWindows extends Windows {
  take(subject: string, limit: number, calls?: number): Promise<Window>
  /** deletes windows that are over; runs by itself every minute */
  sweep(): Promise<void>
  close(): void
}

interface Counted {
  readonly count: number
  readonly age_ms: number
}

/**
 * Windows that all nodes count in one table, by the database's clock: one statement a call. While the database does not
 * answer, this node counts alone, so that limits stay and keys keep working.
 */
export function createSharedWindows(database: Database, logger: Logger, now: () => number = Date.now): SharedWindows {
  const alone = createMemoryWindows(now)
  let failing = false

  async function count(subject: string, calls: number): Promise<Counted> {
    const over = sql`rate_windows.started_at <= now() - ${WINDOW_MS} * interval '1 millisecond'`
    const { rows } = await sql<Counted>`
      insert into rate_windows (subject, started_at, count) values (${subject}, now(), ${calls})
      on conflict (subject) do update set
        started_at = case when ${over} then now() else rate_windows.started_at end,
        count = case when ${over} then ${calls} else rate_windows.count + ${calls} end
      returning count, (extract(epoch from now() - started_at) * 1000)::float8 as age_ms`.execute(database.sql)
    return rows[0]!
  }

  async function sweep(): Promise<void> {
    await sql`delete from rate_windows where started_at < now() - ${2 * WINDOW_MS} * interval '1 millisecond'`.execute(
      database.sql,
    )
  }

  const timer = setInterval(() => void sweep().catch(() => {}), LIMITS.windowSweepMs)
  timer.unref()

  return {
    async take(subject, limit, calls = 1) {
      try {
        const { count: counted, age_ms } = await count(subject, calls)
        failing = false
        return windowOf(limit, counted, 0, age_ms)
      } catch (error) {
        if (!failing) logger.warn({ err: error }, 'rate limits are counted by this node alone: the database fails')
        failing = true
        return alone.take(subject, limit, calls)
      }
    },
    sweep,
    close: () => clearInterval(timer),
  }
}
