import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, Migrator, PostgresDialect, type PostgresPool } from 'kysely'
import { OperatorError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { MIGRATIONS } from './migrations.ts'
import { pgliteDialect } from './pglite.ts'
import { createPool } from './pool.ts'
import type { Schema } from './schema.ts'

/** Statements of an embedded database do not fail because of the way to it, and both are the same there. */
interface Sql {
  /** takes its time, up to LIMITS.databaseTimeoutMs; DatabaseAway where a server does not answer */
  readonly sql: Kysely<Schema>
  /** for what an answer waits for: gives up after LIMITS.databaseQuickMs, on connections of its own */
  readonly quick: Kysely<Schema>
}

/** Accounts, keys, subscriptions and the payment ledger: PostgreSQL, embedded or by address, behind one code path. */
export interface Database extends Sql {
  /** in this process, so nobody else works on its rows */
  readonly embedded: boolean
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly dataDir: string
  /** postgres://…; null for the embedded one in `dataDir` */
  readonly url: string | null
}

const FOLDER = 'accounts'

/** Opens it and brings its tables up to date. The embedded one is for one process: hold the lock of the data directory. */
export async function openDatabase({ dataDir, url }: DatabaseOptions): Promise<Database> {
  const { sql, quick } = url === null ? await openEmbedded(dataDir) : openRemote(url)
  const close = async (): Promise<void> => {
    await sql.destroy()
    if (quick !== sql) await quick.destroy()
  }
  try {
    await migrate(sql)
  } catch (error) {
    await close().catch(() => {})
    throw failure(error, url)
  }
  return { sql, quick, embedded: url === null, close }
}

async function openEmbedded(dataDir: string): Promise<Sql> {
  const path = join(dataDir, FOLDER)
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true })
  try {
    const sql = new Kysely<Schema>({ dialect: pgliteDialect(await PGlite.create(path)) })
    return { sql, quick: sql }
  } catch (error) {
    throw new OperatorError(`${path} cannot be opened as a database: ${(error as Error).message}`, { cause: error })
  }
}

/** for the way to the server and back */
const STATEMENT_MARGIN_MS = 2_000

function openRemote(url: string): Sql {
  const patient = createPool({
    url,
    connections: LIMITS.databaseConnections,
    timeoutMs: LIMITS.databaseTimeoutMs,
    // the server gives up before we do: what we hear nothing of has not happened, and may be done again
    statementMs: LIMITS.databaseTimeoutMs - STATEMENT_MARGIN_MS,
  })
  const quick = createPool({
    url,
    connections: LIMITS.databaseQuickConnections,
    timeoutMs: LIMITS.databaseQuickMs,
    statementMs: LIMITS.databaseQuickMs,
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
