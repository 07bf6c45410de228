import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { type Database, type DatabaseOptions, openDatabase } from '../src/access/sql/database.ts'
import { makeTemplate, seedAccounts } from './accounts-template.ts'

/** A test's own empty database: embedded, or on the PostgreSQL at TEST_DATABASE_URL, so that the same tests run on both. */
export interface TestDatabase extends Database {
  /** opens it once more with `openDatabase`: beside the open one on PostgreSQL, after closing it where it is embedded */
  readonly options: DatabaseOptions
}

/** Closed and removed when the test ends. */
export async function temporaryDatabase(t: TestContext): Promise<TestDatabase> {
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
