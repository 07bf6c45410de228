import { sql } from 'kysely'
import type { Logger } from '../../base/log.ts'
import { createPoller } from '../../base/poller.ts'
import type { Database } from '../sql/database.ts'
import { createMemoryWindows, WINDOW_MS, type Window, type Windows, windowOf } from './windows.ts'

/** milliseconds that a node without an answer goes on alone before it asks again */
export const ALONE_MS = 1_000

/** milliseconds between two deletions of shared windows that are over */
const WINDOW_SWEEP_MS = 60_000

interface SharedWindows extends Windows {
  take(subject: string, limit: number, calls?: number): Promise<Window>
  /** deletes expired windows; also runs every minute */
  sweep(): Promise<void>
  close(): Promise<void>
}

interface Counted {
  readonly count: number
  readonly age_ms: number
}

/**
 * Windows in one table for all nodes, by the database's clock: one statement per call. While the database is down, this node
 * counts alone, so that limits hold and keys keep working. The first calls wait for a timeout; later ones do not, and one of
 * them probes the database every ALONE_MS.
 */
export function createSharedWindows(
  database: Pick<Database, 'sql' | 'quick' | 'dialect'>,
  logger: Logger,
  now: () => number = () => performance.now(),
): SharedWindows {
  const alone = createMemoryWindows(now)
  /** time of the next probe; null while the database answers */
  let askAgainMs: number | null = null

  const { dialect } = database

  async function count(subject: string, calls: number): Promise<Counted> {
    const over = sql`rate_windows.started_at <= ${dialect.after(-WINDOW_MS)}`
    const { rows } = await sql<{ count: number; started_at: Date; changed_at: Date }>`
      insert into rate_windows (subject, started_at, count) values (${subject}, ${dialect.now}, ${Math.max(0, calls)})
      on conflict (subject) do update set
        started_at = case when ${over} then ${dialect.now} else rate_windows.started_at end,
        count = case when ${over} then ${Math.max(0, calls)}
          when rate_windows.count + ${calls} > 0 then rate_windows.count + ${calls} else 0 end
      returning count, started_at, ${dialect.now} as changed_at`.execute(database.quick)
    const { count: counted, started_at: from, changed_at: at } = rows[0]!
    return { count: counted, age_ms: at.getTime() - from.getTime() }
  }

  async function sweep(): Promise<void> {
    await sql`delete from rate_windows where started_at < ${dialect.after(-2 * WINDOW_MS)}`.execute(database.sql)
  }

  function failed(error: unknown): void {
    if (askAgainMs === null) logger.warn({ err: error }, 'the database fails: this node counts rate limits alone')
    askAgainMs = now() + ALONE_MS
  }

  /** Reads a window without counting. */
  async function askAgain(subject: string): Promise<void> {
    askAgainMs = Number.POSITIVE_INFINITY
    try {
      await count(subject, 0)
      askAgainMs = null
      logger.info('the database answers again: rate limits are counted together')
    } catch (error) {
      failed(error)
    }
  }

  const sweeps = createPoller({ what: 'rate windows', everyMs: WINDOW_SWEEP_MS, run: sweep })

  return {
    async take(subject, limit, calls = 1) {
      if (askAgainMs !== null) {
        if (now() >= askAgainMs) void askAgain(subject)
        return alone.take(subject, limit, calls)
      }
      try {
        const { count: counted, age_ms } = await count(subject, calls)
        return windowOf(limit, counted, 0, age_ms)
      } catch (error) {
        failed(error)
        return alone.take(subject, limit, calls)
      }
    },
    sweep,
    close: sweeps.stop,
  }
}
