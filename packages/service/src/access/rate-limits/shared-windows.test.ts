import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { startSilentPostgres } from '../../../../../test/support/silent-postgres.ts'
import { eventually } from '../../../../../test/support/wait.ts'
import { createLogger } from '../../base/log.ts'
import { createPool } from '../sql/pool.ts'
import type { Schema } from '../sql/schema.ts'
import { ALONE_MS, createSharedWindows } from './shared-windows.ts'

const quiet = createLogger('silent')

test('two nodes count in one window, which starts anew after a minute of the database’s clock', async (t) => {
  const database = await emptyDatabase(t)
  const nodes = [createSharedWindows(database, quiet), createSharedWindows(database, quiet)]
  t.after(() => {
    for (const node of nodes) node.close()
  })
  const startedBefore = async (subject: string, ms: number): Promise<void> => {
    const row = database.sql.selectFrom('rate_windows').select('started_at').where('subject', '=', subject)
    const { started_at: at } = await row.executeTakeFirstOrThrow()
    const started_at = new Date(at.getTime() - ms)
    await database.sql.updateTable('rate_windows').set({ started_at }).where('subject', '=', subject).execute()
  }
  const taken = await Promise.all(Array.from({ length: 25 }, (_, i) => nodes[i % 2]!.take('key:a', 20)))
  assert.equal(taken.filter((window) => window.allowed).length, 20)
  assert.deepEqual(
    taken
      .map((window) => window.remaining)
      .sort((a, b) => b - a)
      .slice(0, 3),
    [19, 18, 17],
  )
  assert.ok(taken.every(({ limit, resetS }) => limit === 20 && resetS >= 1 && resetS <= 60))
  assert.equal((await nodes[0]!.take('key:a', 20, 0)).allowed, false, 'looking at a window that is over its limit')
  assert.equal((await nodes[0]!.take('key:b', 20)).remaining, 19)

  await startedBefore('key:a', 60_000)
  assert.deepEqual(await nodes[1]!.take('key:a', 20), { allowed: true, limit: 20, remaining: 19, resetS: 60 })

  await startedBefore('key:b', 121_000)
  await nodes[0]!.sweep()
  const left = await database.sql.selectFrom('rate_windows').select('subject').execute()
  assert.deepEqual(left, [{ subject: 'key:a' }])
})

test('a database that is silent holds up nobody but those who find it out', async (t) => {
  const server = await startSilentPostgres(t)
  const pool = createPool({ url: server.url, connections: 2, timeoutMs: 100, statementMs: 100 })
  const silent = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  t.after(() => silent.destroy())
  const clock = { ms: 0 }
  const windows = createSharedWindows(
    { ...(await emptyDatabase(t)), sql: silent, quick: silent },
    quiet,
    () => clock.ms,
  )
  t.after(windows.close)
  const first = await Promise.all([windows.take('a', 3), windows.take('a', 3)])
  // each waits for a connection of its own, and either may be given up first
  assert.deepEqual(first.map(({ remaining }) => remaining).sort(), [1, 2])
  const { statements } = server.seen
  for (const allowed of [true, false, false]) assert.equal((await windows.take('a', 3)).allowed, allowed)
  assert.equal(server.seen.statements, statements, 'nothing is asked for a while')
  for (let round = 1; round <= 2; round++) {
    clock.ms += ALONE_MS
    for (let i = 0; i < 5; i++) assert.equal((await windows.take('a', 3)).allowed, false)
    await eventually('one asks again', () => server.seen.statements === statements + round)
    await eventually('and is given up', () => server.open === 0)
  }
})

test('a node alone counts with the others again once the database answers', async (t) => {
  const database = await emptyDatabase(t)
  const clock = { ms: 0 }
  const [one, other] = [createSharedWindows(database, quiet, () => clock.ms), createSharedWindows(database, quiet)]
  t.after(() => {
    one.close()
    other.close()
  })
  for (let i = 0; i < 3; i++) await other.take('a', 9)
  await database.sql.schema.alterTable('rate_windows').renameTo('elsewhere').execute()
  assert.equal((await one.take('a', 9)).remaining, 8, 'alone')
  await database.sql.schema.alterTable('elsewhere').renameTo('rate_windows').execute()
  assert.equal((await one.take('a', 9)).remaining, 7, 'still alone')
  clock.ms += ALONE_MS
  let remaining = 0
  await eventually('together again', async () => {
    remaining = (await one.take('a', 9, 0)).remaining
    return remaining === 6
  })
  assert.equal((await other.take('a', 9)).remaining, 5)
})

test('a database that fails leaves the limit in force on this node', async (t) => {
  const database = await emptyDatabase(t)
  await sql`drop table rate_windows`.execute(database.sql)
  const windows = createSharedWindows(database, quiet)
  t.after(windows.close)
  for (let i = 1; i <= 5; i++) assert.equal((await windows.take('a', 5)).allowed, true)
  assert.equal((await windows.take('a', 5)).allowed, false)
})
