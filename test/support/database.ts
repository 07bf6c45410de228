import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type KyselyPlugin, sql as statement } from 'kysely'
import { Client } from 'pg'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/access/sql/database.ts'
import type { Schema } from '../../src/access/sql/schema.ts'
import { makeTemplate, seedAccounts } from './accounts-template.ts'

/**
 * Databases of tests: embedded, or on the PostgreSQL at TEST_DATABASE_URL, so that the same tests run on both. Opening an embedded
 * one takes a second of a processor and emptying it a few milliseconds, so the tests of a process share one unless they change
 * its tables or need its files.
 */

interface Shared {
  readonly database: TestDatabase
  /** as they were made */
  readonly tables: Tables
}

/** name → its columns */
type Tables = ReadonlyMap<string, string>

let shared: Shared | null = null
/** what is left to close when the last test of the process has ended */
const closing: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closing) await close()
})

/**
 * The database of this process's tests without a row in it; another one where a test has left other tables than it found. When the
 * test ends or closes it, whatever is still asked of it fails. Not for tests that look at files or open an embedded one again.
 */
export async function emptyDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  shared ??= await openShared()
  if (!isDeepStrictEqual(await tablesOf(shared.database.sql), shared.tables)) shared = await openShared()
  const { database, tables } = shared
  await empty(database.sql, tables)
  let ended = false
  const close = async (): Promise<void> => {
    ended = true
  }
  t.after(close)
  const own: KyselyPlugin = {
    transformQuery({ node }) {
      if (ended) throw new Error('the test that was given this database has ended')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const { sql, quick } = database
  return { ...database, sql: sql.withPlugin(own), quick: quick.withPlugin(own), files: null, close }
}

async function openShared(): Promise<Shared> {
  const database = await temporaryDatabase({ after: (close) => void closing.push(close as () => Promise<void>) })
  return { database, tables: await tablesOf(database.sql) }
}

async function tablesOf(sql: Kysely<Schema>): Promise<Tables> {
  const { rows } = await statement<{ name: string; columns: string }>`
    select quote_ident(relname) as name, string_agg(attname, ' ' order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'
    group by relname order by relname`.execute(sql)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

/** In one statement, so that what refers to another table is no obstacle; `truncate` takes four times as long. */
async function empty(sql: Kysely<Schema>, tables: Tables): Promise<void> {
  const deletions = [...tables.keys()].map((name, i) => `d${i} as (delete from ${name})`)
  await statement.raw(`with ${deletions.join()} select`).execute(sql)
}

export interface TestDatabase extends Database {
  /** opens it once more with `openDatabase`: beside the open one on PostgreSQL, after closing it where it is embedded */
  readonly options: DatabaseOptions
}

/** One of the test's own, closed and removed when the test ends. */
export async function temporaryDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  const { options, remove } = url === undefined || url === '' ? await embedded() : await remote(url)
  try {
    const database = await openDatabase(options)
    t.after(async () => {
      await database.close().catch(() => {})
      await remove()
    })
    return { ...database, options }
  } catch (error) {
    await remove()
    throw error
  }
}

interface Place {
  readonly options: DatabaseOptions
  remove(): Promise<void>
}

async function remote(url: string): Promise<Place> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return {
    options: { dataDir: '/nowhere', url: own.href },
    remove: () => run(`drop database if exists ${name} with (force)`),
  }
}

async function embedded(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'database-'))
  await makeTemplate()
  seedAccounts(dataDir)
  return { options: { dataDir, url: null }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}
