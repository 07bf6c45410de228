import { Kysely, Migrator, PostgresDialect, type PostgresPool } from 'kysely'
import { OperatorError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { type Embedded, openEmbedded } from '../embedded/embedded.ts'
import { MIGRATIONS } from './migrations.ts'
import { createPool } from './pool.ts'
import type { Schema } from './schema.ts'

/** Statements of an embedded database do not fail because of the way to it, and both are the same there. */
interface Sql {
  /** takes its time, up to LIMITS.database.timeoutMs; DatabaseAway where a server does not answer */
  readonly sql: Kysely<Schema>
  /** for what an answer waits for: gives up after LIMITS.database.quickMs, on connections of its own */
  readonly quick: Kysely<Schema>
}

/** Accounts, keys, subscriptions and the payment ledger: PostgreSQL, embedded or by address, behind one code path. */
export interface Database extends Sql {
  /** in this process, so no other process works on its rows */
  readonly embedded: boolean
  /** its files, where it is embedded */
  readonly files: Embedded | null
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly dataDir: string
  /** postgres://…; null for the embedded one in `dataDir` */
  readonly url: string | null
  /** takes an embedded database as it is where nothing says what it has to be */
  readonly accept?: boolean
  /** path of what a new embedded database is unpacked from; left out: PostgreSQL makes it */
  readonly template?: string
}

/**
 * Opens it and migrates its tables. The embedded one is for one process: hold the lock of the data directory. Throws an
 * OperatorError (badFile) if its files are damaged.
 */
export async function openDatabase({ dataDir, url, accept = false, template }: DatabaseOptions): Promise<Database> {
  const files = url === null ? await openEmbedded(dataDir, { accept, template: template ?? null }) : null
  const { sql, quick } = files === null ? openRemote(url!) : { sql: files.sql, quick: files.sql }
  const close = async (): Promise<void> => {
    await sql.destroy()
    if (quick !== sql) await quick.destroy()
  }
  try {
    await migrate(sql)
    await files?.ready()
  } catch (error) {
    await close().catch(() => {})
    throw error instanceof OperatorError ? error : failure(error, url)
  }
  return { sql, quick, embedded: url === null, files, close }
}

/** for the way to the server and back */
const STATEMENT_MARGIN_MS = 2_000

function openRemote(url: string): Sql {
  const patient = createPool({
    url,
    connections: LIMITS.database.connections,
    timeoutMs: LIMITS.database.timeoutMs,
    // the server gives up before we do: what we hear nothing of has not happened, and may be done again
    statementMs: LIMITS.database.timeoutMs - STATEMENT_MARGIN_MS,
  })
  const quick = createPool({
    url,
    connections: LIMITS.database.quickConnections,
    timeoutMs: LIMITS.database.quickMs,
    statementMs: LIMITS.database.quickMs,
  })
  const over = (pool: PostgresPool): Kysely<Schema> => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return { sql: over(patient), quick: over(quick) }
}

async function migrate(sql: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db: sql, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** The address may carry a password: what is shown is only where it points. */
function failure(error: unknown, url: string | null): OperatorError {
  const where = url === null ? 'the embedded database' : `the database at ${hostOf(url)}`
  return new OperatorError(`${where} cannot be used: ${(error as Error).message}. Check DATABASE_URL and DATA_DIR`, {
    cause: error,
  })
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'DATABASE_URL')
