import { count, createCounts } from '@ti/core/base/counts.ts'
import { type CopyName, listCopies, makeCopy } from '../access/sql/copies.ts'
import type { Database } from '../access/sql/database.ts'
import type { OperatorError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'

/** milliseconds between two copies, and between two looks whether one is due */
const COPY_MS = 3_600_000
const LOOK_MS = 60_000

interface Copying {
  /** Makes a last copy if the database has changed since the newest one. */
  close(): Promise<void>
}

interface CopyingOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  /** milliseconds */
  readonly now: () => number
  /** Called when the database is found damaged; the process ends afterwards. */
  readonly onDamage?: (error: OperatorError) => void
}

/**
 * Copies the embedded database every hour, and ends the service if the database turns out to be damaged. Returns null for any
 * other database.
 */
export function startCopying({ file }: Database, options: CopyingOptions): Copying | null {
  if (file === null) return null
  const { logger, metrics, now, onDamage = end } = options
  const counts = createCounts(['made', 'failed'])
  let newest: CopyName | null = listCopies(file.places.copies)[0] ?? null
  let copiedChanges = 0
  file.onDamage = onDamage
  metrics.counts('ti_accounts_copies_total', 'copies of the embedded database made and failed', 'outcome', counts)
  const age = (): number => (newest === null ? Number.POSITIVE_INFINITY : (now() - newest.madeAt.getTime()) / 1_000)
  metrics.gauge('ti_accounts_copy_age_seconds', 'age of the newest copy of the embedded database', [], age)

  async function copy(): Promise<void> {
    const changes = file!.changes()
    try {
      const made = await makeCopy(file!, now())
      newest = made
      copiedChanges = changes
      count(counts, 'made')
      logger.info({ name: made.name, payments: made.payments }, 'copied the database of accounts')
    } catch (error) {
      count(counts, 'failed')
      logger.error({ err: error }, 'the database of accounts could not be copied')
    }
  }

  const copies = createPoller({
    what: 'copies of accounts',
    everyMs: LOOK_MS,
    run: () => (age() * 1_000 < COPY_MS ? null : copy()),
  })
  copies.wake()
  return {
    async close() {
      await copies.stop()
      if (file.changes() > copiedChanges || newest === null) await copy()
    },
  }
}

/**
 * Ends the process like a kill, which loses no data: no further statement is answered. The next start tells the operator how
 * to go on.
 */
function end(error: OperatorError): void {
  process.stderr.write(`${error.message}\n`)
  process.exit(error.exitCode)
}
