import type { Logger } from '../../base/log.ts'
import { createPoller } from '../../base/poller.ts'
import type { Database } from './database.ts'

/** milliseconds between two probes: a fault is known long before a minute has passed, and a probe is one small commit */
const PROBE_MS = 10_000

/** Knows whether the database takes changes: one that is read-only, or on a full disk, still answers reads. */
export type WriteProbe = ReturnType<typeof createWriteProbe>

interface WriteProbeOptions {
  readonly logger: Logger
  readonly everyMs?: number
}

export function createWriteProbe({ sql }: Pick<Database, 'sql'>, options: WriteProbeOptions) {
  const { logger, everyMs = PROBE_MS } = options
  let problem: string | null = null

  /** A row that is never read. */
  async function write(): Promise<string | null> {
    const value = String(Date.now())
    try {
      await sql
        .insertInto('cursors')
        .values({ name: 'write probe', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  async function look(): Promise<void> {
    const found = await write()
    if (found !== null && problem === null) {
      logger.error(
        { reason: found },
        'the database of accounts takes no changes: payments and changes of accounts are refused',
      )
    }
    if (found === null && problem !== null) logger.info('the database of accounts takes changes again')
    problem = found
  }

  const poller = createPoller({ what: 'accounts', everyMs, run: look })
  return {
    /** Why changes are refused; null while they are taken. */
    get problem(): string | null {
      return problem
    },
    /** Probes now. Never rejects. */
    look: poller.run,
    close: poller.stop,
  }
}
