import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql as statement } from 'kysely'
import { makeTemplate, seedAccounts } from '../../../test/support/accounts-template.ts'
import { type Database, openDatabase } from '../sql/database.ts'
import { makeCopy } from './copies.ts'
import { placesIn } from './paths.ts'
import { templatePath } from './template.ts'

const embedded = { skip: process.env.TEST_DATABASE_URL ? 'the database of this run is not embedded' : false }

const dir = mkdtempSync(join(tmpdir(), 'template-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const template = join(dir, 'made.copy')

/** as the build makes it */
before(async () => {
  if (process.env.TEST_DATABASE_URL) return
  await makeTemplate()
  const dataDir = join(dir, 'making')
  mkdirSync(dataDir)
  seedAccounts(dataDir)
  const database = await openDatabase({ dataDir, url: null })
  const { name } = await makeCopy(database.files!, 1_000)
  await database.close()
  renameSync(join(placesIn(dataDir).copies, name), template)
})

const open = (name: string, path: string): Promise<Database> =>
  openDatabase({ dataDir: join(dir, name), url: null, template: path })

/** each column of each table */
async function tablesOf({ sql }: Database): Promise<unknown> {
  const { rows } = await statement`select table_name, column_name, data_type, is_nullable, column_default
    from information_schema.columns where table_schema = 'public' order by 1, 2`.execute(sql)
  return rows
}

/** tables that have rows; the names of migrations are always there */
async function filled({ sql }: Database): Promise<string[]> {
  const { rows } = await statement<{ name: string }>`select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`.execute(sql)
  assert.ok(rows.length > 5)
  const found: string[] = []
  for (const { name } of rows) {
    const some = await statement`select 1 from ${statement.raw(name)} limit 1`.execute(sql)
    if (some.rows.length > 0) found.push(name)
  }
  return found
}

test('a database from the template has the tables of one that PostgreSQL made, and no row', embedded, async () => {
  const own = await openDatabase({ dataDir: join(dir, 'own'), url: null })
  const from = await open('from', template)
  assert.deepEqual(await tablesOf(from), await tablesOf(own))
  assert.deepEqual(await filled(from), [])
  await own.close()
  await from.close()
  const places = placesIn(join(dir, 'from'))
  assert.deepEqual([existsSync(places.making), existsSync(places.begun)], [false, true])
})

test('what the build made is used, and holds no secret: not a row is in it', embedded, async (t) => {
  if (!existsSync(templatePath())) return t.skip('not built: npm run build')
  const built = await open('built', templatePath())
  assert.deepEqual(await filled(built), [])
  await built.close()
})

test('a database made from the template keeps what was written, and is not made again', embedded, async () => {
  const database = await open('kept', template)
  await statement`create table mark (n int)`.execute(database.sql)
  await database.close()
  const again = await open('kept', template)
  await statement`select n from mark`.execute(again.sql)
  await again.close()
})

test('an unpacking that was cut off is done again', embedded, async () => {
  const whole = await open('whole', template)
  await whole.close()
  const places = placesIn(join(dir, 'cut'))
  mkdirSync(places.seal, { recursive: true })
  writeFileSync(places.making, '')
  mkdirSync(places.database)
  cpSync(join(placesIn(join(dir, 'whole')).database, 'PG_VERSION'), join(places.database, 'PG_VERSION'))
  const database = await open('cut', template)
  assert.deepEqual(await filled(database), [])
  await database.close()
})

test('in the place of a damaged template PostgreSQL makes the database', embedded, async () => {
  const bytes = readFileSync(template)
  bytes[bytes.length >> 1]! ^= 1
  const damaged = join(dir, 'damaged.copy')
  writeFileSync(damaged, bytes)
  const database = await open('beside', damaged)
  assert.deepEqual(await filled(database), [])
  await database.close()
})
