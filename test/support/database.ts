import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { type Database, type DatabaseOptions, openDatabase } from '@ti/service/access/sql/database.ts'
import { tableNames } from '@ti/service/access/sql/tables.ts'
import type { KyselyPlugin } from 'kysely'
import { Client } from 'pg'

/**
 * Databases of tests: embedded, or on the PostgreSQL at TEST_DATABASE_URL, so that the same tests run on both. The tests of a
 * process share one unless they need its file or close it.
 */

let shared: TestDatabase | null = null
/** what is left to close when the last test of the process has ended */
const closing: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closing) await close()
})

/**
 * The database of this process's tests without a row in it. When the test ends or closes it, whatever is still asked of it
 * fails. Not for tests that look at files or open an embedded one again.
 */
export async function emptyDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  shared ??= await openShared()
  // a test may have left other tables than it found
  await empty(shared).catch(async () => {
    shared = await openShared()
  })
  const database = shared
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
  return { ...database, sql: sql.withPlugin(own), quick: quick.withPlugin(own), file: null, close }
}

const openShared = (): Promise<TestDatabase> =>
  temporaryDatabase({ after: (close) => void closing.push(close as () => Promise<void>) })

const empty = ({ sql }: TestDatabase): Promise<void> =>
  sql.transaction().execute(async (inside) => {
    for (const name of tableNames.toReversed()) await inside.deleteFrom(name).execute()
  })

export interface TestDatabase extends Database {
  /** opens it once more with `openDatabase`: beside the open one on PostgreSQL, after closing it where it is embedded */
  readonly options: DatabaseOptions
}

/** One of the test's own, closed and removed when the test ends. */
export async function temporaryDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  const url = process.env.TEST_DATABASE_URL
  const { options, remove } = url === undefined || url === '' ? embedded() : await remote(url)
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

function embedded(): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'database-'))
  return { options: { dataDir, url: null }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}
