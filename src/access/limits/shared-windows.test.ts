import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { temporaryDatabase } from '../../../test/database.ts'
import { createLogger } from '../../base/log.ts'
import { createSharedWindows } from './shared-windows.ts'

const quiet = createLogger('silent')

test('two nodes count in one window, which starts anew after a minute of the database’s clock', async (t) => {
  const database = await temporaryDatabase(t)
  const nodes = [createSharedWindows(database, quiet), createSharedWindows(database, quiet)]
  t.after(() => {
    for (const node of nodes) node.close()
  })
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

  await sql`update rate_windows set started_at = started_at - interval '60 seconds' where subject = 'key:a'`.execute(
    database.sql,
  )
  assert.deepEqual(await nodes[1]!.take('key:a', 20), { allowed: true, limit: 20, remaining: 19, resetS: 60 })

  await sql`update rate_windows set started_at = started_at - interval '121 seconds' where subject = 'key:b'`.execute(
    database.sql,
  )
  await nodes[0]!.sweep()
  const left = await database.sql.selectFrom('rate_windows').select('subject').execute()
  assert.deepEqual(left, [{ subject: 'key:a' }])
})

test('a database that fails leaves the limit in force on this node', async (t) => {
  const database = await temporaryDatabase(t)
  await sql`drop table rate_windows`.execute(database.sql)
  const windows = createSharedWindows(database, quiet)
  t.after(windows.close)
  for (let i = 1; i <= 5; i++) assert.equal((await windows.take('a', 5)).allowed, true)
  assert.equal((await windows.take('a', 5)).allowed, false)
})
