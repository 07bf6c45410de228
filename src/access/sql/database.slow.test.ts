import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Migrator, sql as statement } from 'kysely'
import { temporaryDatabase } from '../../../test/support/database.ts'
import { OperatorError } from '../../base/errors.ts'
import { openDatabase } from './database.ts'
import { MIGRATIONS } from './migrations.ts'

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

test('rows come back as they were written, also after it was closed and opened again', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'database-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await openDatabase({ dataDir, url: null })
  await first.sql.insertInto('accounts').values(account('a')).execute()
  await first.close()
  const again = await openDatabase({ dataDir, url: null })
  assert.deepEqual(await again.sql.selectFrom('accounts').selectAll().execute(), [account('a')])

  // a transaction is alone: what runs beside it sees nothing of it before it ends, and a failed one leaves nothing
  const { sql } = again
  const failed = sql.transaction().execute(async (inside) => {
    await inside.insertInto('accounts').values(account('b')).execute()
    throw new Error('on purpose')
  })
  const count = sql.selectFrom('accounts').select(sql.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  await assert.rejects(failed, /on purpose/)
  assert.deepEqual(await count, { n: 1 })
  await assert.rejects(sql.insertInto('accounts').values(account('a')).execute(), /duplicate key/)
  await again.close()
})

test('a store made before a table was added gets it, keeps its rows, and is not touched again', async (t) => {
  const before = await temporaryDatabase(t)
  for (const part of ['drop schema public cascade', 'create schema public'])
    await statement.raw(part).execute(before.sql)
  const [first = ''] = Object.keys(MIGRATIONS)
  const provider = { getMigrations: async () => ({ [first]: MIGRATIONS[first]! }) }
  const { error } = await new Migrator({ db: before.sql, provider }).migrateToLatest()
  assert.equal(error, undefined)
  await before.sql.insertInto('accounts').values(account('a')).execute()
  const at = new Date(1_000)
  await statement`insert into payment_events (hash, at, state, operation, amount, payer, signature, reason) values
    ('h', ${at}, 'settling', 'new', 10000, 'P', 's', null), ('h', ${at}, 'settled', 'new', 10000, 'P', 's', null),
    ('i', ${at}, 'settling', 'new', 10000, 'P', 't', null),
    ('i', ${at}, 'released', 'new', 10000, 'P', 't', 'transaction_failed_on_chain'),
    ('j', ${at}, 'released', 'new', 10000, 'Q', null, 'no_data')`.execute(before.sql)
  await before.close()
  for (const used of [1, 2]) {
    const { sql, close } = await openDatabase(before.options)
    t.after(close)
    assert.deepEqual(await sql.selectFrom('accounts').selectAll().execute(), [account('a')])
    // what the books know of payers becomes their records
    const payer = { wallet: 'P', paid: 10_000, failed: 1, failed_at: at, updated_at: at }
    assert.deepEqual(await sql.selectFrom('payers').selectAll().execute(), [payer])
    const fees = await sql.selectFrom('payment_events').select('fee_lamports').where('fee_lamports', '>', 0).execute()
    assert.deepEqual(fees, [{ fee_lamports: 16_000 }, { fee_lamports: 16_000 }])
    await sql
      .insertInto('trials')
      .values({ account: 'a', started_at: new Date(used), used_ms: used })
      .execute()
    const { n } = await sql.selectFrom('trials').select(sql.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
    assert.equal(n, used)
    await close()
  }
})

test('an address where no database answers is an operator’s error that hides the password', async () => {
  const url = 'postgres://user:secretword@127.0.0.1:1/nothing'
  await assert.rejects(openDatabase({ dataDir: '/nowhere', url }), (error) => {
    assert.ok(error instanceof OperatorError)
    assert.match(error.message, /127\.0\.0\.1:1.*DATABASE_URL/)
    return !error.message.includes('secretword')
  })
})
