import type { Kysely, RawBuilder } from 'kysely'
import { OperatorError } from '../../base/errors.ts'
import type { Counts } from './accounts-file.ts'
import { DatabaseAway } from './away.ts'
import type { Places } from './places.ts'
import type { PaymentRow, Schema } from './schema.ts'

/** The parts of statements that differ between the two engines. */
export interface Dialect {
  /**
   * The database's clock, for `changed_at` and leases, because the clocks of nodes differ. Times for clients, and expiries, use
   * the node's clock.
   */
  readonly now: RawBuilder<Date>
  /** milliseconds after now by the same clock */
  after(ms: number): RawBuilder<Date>
  /**
   * Changes at most one payment by an insert or update without `returning`. If it did, also runs `besides`: statements that
   * read the new row from a table `changed`. All or nothing. Null: no row was changed.
   */
  changePayment(
    change: RawBuilder<unknown>,
    hash: string,
    besides: readonly RawBuilder<unknown>[],
  ): Promise<PaymentRow | null>
}

/** Accounts, keys, subscriptions and the payment ledger: SQLite in the data directory, or PostgreSQL by address. */
export interface Database {
  /** waits up to TIMEOUT_MS; DatabaseAway if a server does not answer */
  readonly sql: Kysely<Schema>
  /**
   * for statements that an answer waits for: gives up after QUICK_MS, on its own connections; the same when
   * embedded
   */
  readonly quick: Kysely<Schema>
  readonly dialect: Dialect
  /** in this process, so no other process works on its rows */
  readonly embedded: boolean
  /** the embedded database's file */
  readonly file: AccountsFile | null
  close(): Promise<void>
}

/** The embedded database as a file. */
export interface AccountsFile {
  readonly places: Places
  /** makes a verified copy at `path` while the database is in use */
  copy(path: string): Promise<Counts>
  /** rows changed by this process since it opened the file */
  changes(): number
  /** called once if the file is damaged; all later statements fail */
  onDamage: ((error: OperatorError) => void) | null
}

export interface DatabaseOptions {
  readonly dataDir: string
  /** postgres://…; null for the embedded one in `dataDir` */
  readonly url: string | null
}

/**
 * Opens the database and creates missing tables. The embedded one serves one process, which must hold the lock of the data
 * directory. Throws OperatorError (badFile) if it is damaged or of another format.
 */
export async function openDatabase({ dataDir, url }: DatabaseOptions): Promise<Database> {
  try {
    // loads only the engine in use
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

/** Shows only the host, because the URL may contain a password. */
function failure(error: unknown, url: string | null): OperatorError {
  const where = url === null ? 'the embedded database' : `the database at ${hostOf(url)}`
  return new OperatorError(`${where} cannot be used: ${(error as Error).message}. Check DATABASE_URL and DATA_DIR`, {
    cause: error,
  })
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'DATABASE_URL')
