import type { Kysely, RawBuilder } from 'kysely'
import { OperatorError } from '../../base/errors.ts'
import type { Counts } from './accounts-file.ts'
import { DatabaseAway } from './away.ts'
import type { Places } from './places.ts'
import type { PaymentRow, Schema } from './schema.ts'

/** The parts of statements that the two engines spell differently. */
export interface Dialect {
  /**
   * The database's own clock, for `changed_at` and leases: nodes find each other's changes by it, although their own clocks
   * differ. Times that clients see, and expiries, go by the node's clock.
   */
  readonly now: RawBuilder<Date>
  /** milliseconds after now by the same clock */
  after(ms: number): RawBuilder<Date>
  /**
   * Changes at most one payment, by an insert or update without `returning`, and runs `besides` where it did: statements that
   * read the new row from a table `changed`. All of it happens, or nothing. Null: no row was changed.
   */
  changePayment(
    change: RawBuilder<unknown>,
    hash: string,
    besides: readonly RawBuilder<unknown>[],
  ): Promise<PaymentRow | null>
}

/** Accounts, keys, subscriptions and the payment ledger: SQLite in the data directory, or PostgreSQL by address. */
export interface Database {
  /** takes its time, up to LIMITS.database.timeoutMs; DatabaseAway where a server does not answer */
  readonly sql: Kysely<Schema>
  /** for what an answer waits for: gives up after LIMITS.database.quickMs, on connections of its own; the same where embedded */
  readonly quick: Kysely<Schema>
  readonly dialect: Dialect
  /** in this process, so no other process works on its rows */
  readonly embedded: boolean
  /** its file, where it is embedded */
  readonly file: AccountsFile | null
  close(): Promise<void>
}

/** The embedded database as a file. */
export interface AccountsFile {
  readonly places: Places
  /** copies it into `path`, while it is used; verified before the file has its name */
  copy(path: string): Promise<Counts>
  /** rows changed by this process since it opened the file */
  changes(): number
  /** called once, when it turns out to be damaged; no statement is answered from then on */
  onDamage: ((error: OperatorError) => void) | null
}

export interface DatabaseOptions {
  readonly dataDir: string
  /** postgres://…; null for the embedded one in `dataDir` */
  readonly url: string | null
}

/**
 * Opens the database and creates its tables where there are none. The embedded one is for one process: hold the lock of the
 * data directory. Throws an OperatorError (badFile) where it is damaged or of another format.
 */
export async function openDatabase({ dataDir, url }: DatabaseOptions): Promise<Database> {
  try {
    // each engine is loaded only where it is used
    if (url === null) {
      const { openSqlite } = await import('./sqlite.ts')
      return await openSqlite(dataDir)
    }
    const { openPostgres } = await import('./postgres.ts')
    return await openPostgres(url)
  } catch (error) {
    throw error instanceof OperatorError || (url === null && error instanceof DatabaseAway)
      ? error
      : failure(error, url)
  }
}

/** The address may carry a password: what is shown is only where it points. */
function failure(error: unknown, url: string | null): OperatorError {
  const where = url === null ? 'the embedded database' : `the database at ${hostOf(url)}`
  return new OperatorError(`${where} cannot be used: ${(error as Error).message}. Check DATABASE_URL and DATA_DIR`, {
    cause: error,
  })
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'DATABASE_URL')
