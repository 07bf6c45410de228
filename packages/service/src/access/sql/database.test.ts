import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql as statement } from 'kysely'
import { emptyDatabase, temporaryDatabase } from '../../../../../test/support/database.ts'
import { OperatorError } from '../../base/errors.ts'
import { openDatabase } from './database.ts'
import { columnsOf, TABLES } from './tables.ts'

const account = (id: string) => ({
  id,
  wallet: `wallet of ${id}`,
  reference: `reference of ${id}`,
  paid_until: null,
  balance_lamports: 3_000_000_000,
  granted_pro: false,
  created_at: new Date(1_000),
  changed_at: new Date(2_000),
})

test('rows come back as they were written, also after the database was closed and opened again', async (t) => {
  const first = await temporaryDatabase(t)
  await first.sql.insertInto('accounts').values(account('a')).execute()
  const digest = Buffer.alloc(32, 200)
  const key = { id: 'k', account_id: 'a', name: 'ä 🔑', digest, created_at: new Date(3), changed_at: new Date(4) }
  const ends = { expires_at: null, revoked_at: new Date(5) }
  await first.sql
    .insertInto('api_keys')
    .values({ ...key, ...ends })
    .execute()
  await first.close()
  const again = await openDatabase(first.options)
  t.after(again.close)
  assert.deepEqual(await again.sql.selectFrom('accounts').selectAll().execute(), [account('a')])
  const whole = { ...key, ...ends, calls: 0, last_used_at: null }
  assert.deepEqual(await again.sql.selectFrom('api_keys').selectAll().execute(), [whole])
})

test('a transaction is alone: what runs beside it sees nothing of it, and a failed one leaves nothing', async (t) => {
  const { sql } = await emptyDatabase(t)
  await sql.insertInto('accounts').values(account('a')).execute()
  const failed = sql.transaction().execute(async (inside) => {
    await inside.insertInto('accounts').values(account('b')).execute()
    throw new Error('on purpose')
  })
  const count = sql.selectFrom('accounts').select(sql.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  await assert.rejects(failed, /on purpose/)
  assert.deepEqual(await count, { n: 1 })
})

test('of statements that come together one that fails takes no other along', async (t) => {
  const { sql } = await emptyDatabase(t)
  const ids = ['a', 'b', 'a', 'c', 'b', 'd']
  const done = await Promise.allSettled(ids.map((id) => sql.insertInto('accounts').values(account(id)).execute()))
  // over several connections either of two may come first
  const written = ids.filter((_, i) => done[i]!.status === 'fulfilled')
  assert.deepEqual(written.sort().join(''), 'abcd')
  const rows = await sql.selectFrom('accounts').select('id').orderBy('id').execute()
  assert.deepEqual(rows.map(({ id }) => id).join(''), 'abcd')
})

test('what a row refers to must be there, and goes with it where the table says so', async (t) => {
  const { sql } = await emptyDatabase(t)
  await assert.rejects(
    sql.insertInto('alert_counters').values({ account_id: 'nobody', seq: 1, number: 1 }).execute(),
    /foreign key/i,
  )
  await assert.rejects(
    sql
      .insertInto('accounts')
      .values({ ...account('a'), balance_lamports: -1 })
      .execute(),
    /check/i,
  )
})

test('the clock of the database is near ours, and a time after it is that much later', async (t) => {
  const { sql, dialect } = await emptyDatabase(t)
  const times = sql.selectNoFrom([dialect.now.as('created_at'), dialect.after(5_000).as('changed_at')])
  const { created_at: now, changed_at: later } = await times.executeTakeFirstOrThrow()
  assert.ok(Math.abs(now.getTime() - Date.now()) < 10_000)
  assert.ok(Math.abs(later.getTime() - now.getTime() - 5_000) < 1_000)
})

test('a column name has one type in all tables: what comes back is read by the name alone', () => {
  const types = ['text', 'bigint', 'integer', 'real', 'bytes', 'time', 'flag', 'serial'] as const
  const read = (['time', 'flag'] as const).map(columnsOf)
  for (const { columns } of Object.values(TABLES)) {
    for (const [name, declaration] of Object.entries<string>(columns)) {
      const type = types.find((one) => declaration.split(' ')[0] === one)
      assert.ok(type !== undefined, `${name}: ${declaration}`)
      assert.deepEqual(
        read.map((names) => names.has(name)),
        [type === 'time', type === 'flag'],
        name,
      )
    }
  }
})

test('a database of another format is refused, with what to do', async (t) => {
  const { sql, options, embedded, close } = await temporaryDatabase(t)
  if (embedded) await statement.raw('pragma user_version = 7').execute(sql)
  else await statement`update accounts_format set version = 7`.execute(sql)
  await close()
  await assert.rejects(openDatabase(options), (error) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.match(error.message, /has format 7 .* reads format 4: run the version that wrote it/)
    return true
  })
})

test('an address where no database answers is an operator’s error that hides the password', async () => {
  const url = 'postgres://user:secretword@127.0.0.1:1/nothing'
  await assert.rejects(openDatabase({ dataDir: '/nowhere', url }), (error) => {
    assert.ok(error instanceof OperatorError)
    assert.match(error.message, /127\.0\.0\.1:1.*DATABASE_URL/)
    return !error.message.includes('secretword')
  })
})
