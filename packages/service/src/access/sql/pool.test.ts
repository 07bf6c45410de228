import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { temporaryDatabase } from '../../../../../test/support/database.ts'
import { startSilentPostgres } from '../../../../../test/support/silent-postgres.ts'
import { eventually } from '../../../../../test/support/wait.ts'
import { DatabaseAway } from './away.ts'
import { createPool } from './pool.ts'

function open(t: TestContext, url: string, timeoutMs: number): Kysely<unknown> {
  const pool = createPool({ url, connections: 1, timeoutMs, statementMs: timeoutMs })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  t.after(() => db.destroy())
  return db
}

const ask = (db: Kysely<unknown>) => sql`select 1 as one`.execute(db)

test('a statement that is not answered ends, and its connection is not used again', async (t) => {
  const server = await startSilentPostgres(t)
  // long enough for a busy machine to connect within it
  const db = open(t, server.url, 1_000)
  for (let i = 1; i <= 3; i++) {
    await assert.rejects(ask(db), DatabaseAway)
    assert.deepEqual(server.seen, { connections: i, statements: i })
  }
  await eventually('its connections are gone', () => server.open === 0)
})

test('a connection that is not made ends: refused, or never greeted', async (t) => {
  const silent = await startSilentPostgres(t, { greets: false })
  for (const url of ['postgres://somebody:word@127.0.0.1:1/accounts', silent.url]) {
    await assert.rejects(ask(open(t, url, 100)), (error) => {
      assert.ok(error instanceof DatabaseAway, String(error))
      assert.notEqual(error.message, '')
      return !error.message.includes('word')
    })
  }
})

test('a server that goes in the same breath as it greets is away, and ends nothing else', async (t) => {
  const { url } = await startSilentPostgres(t, { leaves: true })
  const db = open(t, url, 1_000)
  for (let i = 0; i < 3; i++) await assert.rejects(ask(db), DatabaseAway)
})

test('what the server says about a statement is no absence, and its connection stays', async (t) => {
  const { options } = await temporaryDatabase(t)
  if (options.url === null) return t.skip('needs a PostgreSQL server: TEST_DATABASE_URL')
  const db = open(t, options.url, 5_000)
  const process = async (): Promise<unknown> => (await sql`select pg_backend_pid() as id`.execute(db)).rows[0]
  const before = await process()
  await assert.rejects(sql`select nonsense`.execute(db), (error) => !(error instanceof DatabaseAway))
  await assert.rejects(sql`select 9007199254740993::bigint as n`.execute(db), RangeError)
  assert.deepEqual(await process(), before)
  await assert.rejects(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db), DatabaseAway)
  assert.notDeepEqual(await process(), before, 'another connection takes its place')
})
