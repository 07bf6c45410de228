import { type CopyName, listCopies, makeCopy } from '../access/embedded/copies.ts'
import { Damage } from '../access/embedded/damage.ts'
import type { Database } from '../access/sql/database.ts'
import { count, createCounts } from '../base/counts.ts'
import type { OperatorError } from '../base/errors.ts'
import { every } from '../base/every.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { LIMITS } from '../config/limits.ts'

interface Copying {
  /** makes a last copy where something was changed since the newest one */
  close(): Promise<void>
}

interface CopyingOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  /** milliseconds */
  readonly now: () => number
  /** what happens once the database is known to be damaged; the process ends */
  readonly onDamage?: (error: OperatorError) => void
}

/** Copies of the embedded database while the service runs, and its end where it turns out to be damaged. Null: there is none. */
export function startCopying({ files }: Database, options: CopyingOptions): Copying | null {
  if (files === null) return null
  const { logger, metrics, now, onDamage = end } = options
  const counts = createCounts()
  let newest: CopyName | null = listCopies(files.places.copies)[0] ?? null
  /** how far the WAL reached at the last copy of this process; null: none was made */
  let copiedTo: number | null = null
  let running: Promise<void> | null = null
  files.onDamage = onDamage
  metrics.counts('ti_accounts_copies_total', 'copies of the embedded database made and failed', 'outcome', counts)
  const age = (): number => (newest === null ? Number.POSITIVE_INFINITY : (now() - newest.madeAt.getTime()) / 1_000)
  metrics.gauge('ti_accounts_copy_age_seconds', 'age of the newest copy of the embedded database', [], age)

  async function copy(): Promise<void> {
    try {
      const made = await makeCopy(files!, now())
      newest = made
      copiedTo = files!.seal.state.stretch.to
      count(counts, 'made')
      logger.info({ name: made.name, payments: made.payments }, 'copied the database of accounts')
    } catch (error) {
      count(counts, 'failed')
      logger.error({ err: error }, 'the database of accounts could not be copied')
      if (error instanceof Damage) files!.failed(error)
    }
  }

  async function look(): Promise<void> {
    const { from, to } = files!.seal.state.stretch
    if (age() * 1_000 >= LIMITS.accounts.copyMs) return copy()
    if (to - from >= LIMITS.accounts.walBytes) await files!.checkpoint()
  }

  const turn = (): void => {
    running ??= look()
      .catch((error: unknown) => logger.error({ err: error }, 'no checkpoint of the database of accounts'))
      .finally(() => {
        running = null
      })
  }
  const stop = every({ what: 'copies of accounts', ms: LIMITS.accounts.lookMs, run: turn })
  return {
    async close() {
      stop()
      await running
      const { from, to } = files.seal.state.stretch
      // where nothing was written since it was opened there is nothing to copy either
      if (to > (copiedTo ?? from) || newest === null) await copy()
    },
  }
}

/** As abrupt as a kill, which loses nothing: no statement is answered any more, and the next start says what is to be done. */
function end(error: OperatorError): void {
  process.stderr.write(`${error.message}\n`)
  process.exit(error.exitCode)
}
