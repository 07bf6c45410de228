import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Client } from 'pg'
import { type Database, type DatabaseOptions, openDatabase } from '../src/access/sql/database.ts'

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
  cpSync(await template(), dataDir, { recursive: true })
  return { options: { dataDir, url: null }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

/**
 * A data directory with empty tables, made once and copied, because making one takes seconds. It is made under another
 * name and renamed, so that test processes side by side never see half of it; a change of the tables or of the embedded
 * database makes another.
 */
async function template(): Promise<string> {
  const path = join(tmpdir(), `database-template-${process.getuid?.() ?? 0}-${templateKey()}`)
  if (existsSync(path)) return path
  const making = mkdtempSync(`${path}-`)
  await (await openDatabase({ dataDir: making, url: null })).close()
  try {
    renameSync(making, path)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
  return path
}

function templateKey(): string {
  const tables = readFileSync(new URL('../src/access/sql/migrations.ts', import.meta.url))
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const version = JSON.parse(readFileSync(join(engine, '../../package.json'), 'utf8')).version as string
  return createHash('sha256').update(tables).update(version).digest('hex').slice(0, 16)
}
