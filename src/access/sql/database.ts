import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, Migrator, PostgresDialect } from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { OperatorError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { MIGRATIONS } from './migrations.ts'
import { pgliteDialect } from './pglite.ts'
import type { Schema } from './schema.ts'

/** Accounts, keys, subscriptions and the payment ledger: PostgreSQL, embedded or by address, behind one code path. */
export interface Database {
  readonly sql: Kysely<Schema>
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
  const sql = url === null ? await openEmbedded(dataDir) : openRemote(url)
  try {
    await migrate(sql)
  } catch (error) {
    await sql.destroy().catch(() => {})
    throw failure(error, url)
  }
  return { sql, embedded: url === null, close: () => sql.destroy() }
}

async function openEmbedded(dataDir: string): Promise<Kysely<Schema>> {
  const path = join(dataDir, FOLDER)
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true })
  try {
    return new Kysely<Schema>({ dialect: pgliteDialect(await PGlite.create(path)) })
  } catch (error) {
    throw new OperatorError(`${path} cannot be opened as a database: ${(error as Error).message}`, { cause: error })
  }
}

const INT8 = types.builtins.INT8

/** Lamports and token units of one row stay far below 2^53; a larger number is a mistake, not a value. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is no safe integer`)
  return value
}

/** for the way to the server and back */
const STATEMENT_MARGIN_MS = 2_000

function openRemote(url: string): Kysely<Schema> {
  const config: PoolConfig = {
    connectionString: url,
    max: LIMITS.databaseConnections,
    connectionTimeoutMillis: LIMITS.databaseTimeoutMs,
    query_timeout: LIMITS.databaseTimeoutMs,
    // the server gives up before we do: what we hear nothing of has not happened, and may be done again
    statement_timeout: LIMITS.databaseTimeoutMs - STATEMENT_MARGIN_MS,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? safeInteger : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  }
  const pool = new Pool(config)
  // an idle connection that breaks is replaced by the pool; without a listener it would end the process
  pool.on('error', () => {})
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
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
