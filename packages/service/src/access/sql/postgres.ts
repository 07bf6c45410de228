import { Kysely, PostgresDialect, type PostgresPool, sql as statement } from 'kysely'
import { OperatorError } from '../../base/errors.ts'
import type { Database, Dialect } from './database.ts'
import { createPool } from './pool.ts'
import type { Schema } from './schema.ts'
import { ACCOUNTS_FORMAT, type ColumnTypes, createTable, tableNames } from './tables.ts'

/** connections to PostgreSQL, and milliseconds a query or a connection may take: longer than any of ours, and short
 * enough that a request that waits for it still gets its answer */
export const CONNECTIONS = 10
const TIMEOUT_MS = 10_000

/** connections for what an answer waits for, and milliseconds it waits for one, and again for its statement: these take
 * about one, and a network that swallows everything must not hold reads */
const QUICK_CONNECTIONS = 5
const QUICK_MS = 1_000

const TYPES: ColumnTypes = {
  text: 'text',
  bigint: 'bigint',
  integer: 'integer',
  real: 'double precision',
  bytes: 'bytea',
  time: 'timestamptz',
  flag: 'boolean',
  serial: 'bigint generated always as identity primary key',
}

/** for the round trip to the server */
const STATEMENT_MARGIN_MS = 2_000

/** Opens the database at `url` and creates missing tables. Throws OperatorError if it has another format. */
export async function openPostgres(url: string): Promise<Database> {
  const patient = createPool({
    url,
    connections: CONNECTIONS,
    timeoutMs: TIMEOUT_MS,
    // the server aborts first: a statement without an answer was not executed and may be repeated
    statementMs: TIMEOUT_MS - STATEMENT_MARGIN_MS,
  })
  const fast = createPool({
    url,
    connections: QUICK_CONNECTIONS,
    timeoutMs: QUICK_MS,
    statementMs: QUICK_MS,
  })
  const over = (pool: PostgresPool): Kysely<Schema> => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const [sql, quick] = [over(patient), over(fast)]
  const close = async (): Promise<void> => {
    await sql.destroy()
    await quick.destroy()
  }
  try {
    await createTables(sql)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  return { sql, quick, embedded: false, file: null, dialect: dialectOver(sql), close }
}

const dialectOver = (sql: Kysely<Schema>): Dialect => ({
  now: statement<Date>`clock_timestamp()`,
  after: (ms) => statement<Date>`clock_timestamp() + ${statement.lit(`${ms} milliseconds`)}::interval`,
  async changePayment(change, _hash, besides) {
    const all = besides.map((one, i) => statement`, ${statement.raw(`besides_${i}`)} as (${one})`)
    const whole = statement<
      Schema['payments']
    >`with changed as (${change} returning *)${statement.join(all, statement``)}
      select * from changed`
    return ((await whole.execute(sql)).rows[0] as never) ?? null
  },
})

/** id of an advisory lock that no other program takes; of several nodes that start at once, one creates the tables */
const CREATING = 4_020_021

async function createTables(sql: Kysely<Schema>): Promise<void> {
  await sql.transaction().execute(async (inside) => {
    await statement`select pg_advisory_xact_lock(${statement.lit(CREATING)})`.execute(inside)
    await statement`create table if not exists accounts_format (version integer primary key)`.execute(inside)
    const { rows } = await statement<{ version: number }>`select version from accounts_format`.execute(inside)
    const version = rows[0]?.version
    if (version === undefined) {
      const statements = tableNames.flatMap((name) => createTable(name, TYPES))
      for (const one of statements) await statement.raw(one).execute(inside)
      await statement`insert into accounts_format (version) values (${ACCOUNTS_FORMAT})`.execute(inside)
    } else if (version !== ACCOUNTS_FORMAT) {
      throw new OperatorError(
        `the database of DATABASE_URL has format ${version} of the accounts, and this version of the program reads format ${ACCOUNTS_FORMAT}: run the version that wrote it, or name another database`,
      )
    }
  })
}
