import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { EXIT, OperatorError } from '../../base/errors.ts'
import { createLedger } from '../x402/ledger.ts'
import { beginAccounts, verifyFile } from './accounts-file.ts'
import { listCopies, makeCopy, restoreCopy } from './copies.ts'
import { openDatabase } from './database.ts'
import { placesIn } from './places.ts'

function emptyDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'accounts-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function open(t: TestContext, dataDir = emptyDir(t)) {
  const database = await openDatabase({ dataDir, url: null })
  t.after(() => database.close().catch(() => {}))
  const ledger = createLedger({ database, now: Date.now })
  let next = 0
  const pay = async (): Promise<void> => {
    const hash = String(next++).padStart(64, '0')
    await ledger.reserve({ hash, operation: 'o', request: 'r', amount: 7, payer: 'p', blockhash: 'b' })
  }
  return { dataDir, database, ledger, pay, file: database.file! }
}

const isBadFile = (error: unknown): boolean => {
  assert.ok(error instanceof OperatorError, String(error))
  assert.equal(error.exitCode, EXIT.badFile)
  return true
}

test('a first start makes the file; a directory in use without it is refused, until it is begun on purpose', async (t) => {
  const dataDir = emptyDir(t)
  mkdirSync(join(dataDir, 'log'))
  await assert.rejects(openDatabase({ dataDir, url: null }), isBadFile)
  assert.equal(existsSync(placesIn(dataDir).file), false)
  beginAccounts(dataDir)
  assert.equal(existsSync(placesIn(dataDir).file), false)
  beginAccounts(dataDir, true)
  const { database } = await open(t, dataDir)
  assert.deepEqual(await database.sql.selectFrom('accounts').selectAll().execute(), [])
})

/** Writes past the checksums: a row has the sum of nothing. */
function damageRow(dataDir: string): void {
  const db = new DatabaseSync(placesIn(dataDir).file)
  db.function('row_sum', { deterministic: true, varargs: true }, () => 0)
  db.exec('drop trigger payments_sound')
  db.exec('update payments set amount = 1')
  db.close()
}

test('a row that is not what was written is found when it is read, nothing is answered from then on, and no start takes it', async (t) => {
  const { dataDir, database, ledger, pay, file } = await open(t)
  await pay()
  let told: OperatorError | null = null
  file.onDamage = (error) => {
    told = error
  }
  damageRow(dataDir)
  await assert.rejects(ledger.find('0'.repeat(64)), /a row of payments is not what was written/)
  assert.match(told!.message, /damaged and not used/)
  await assert.rejects(database.sql.selectFrom('accounts').selectAll().execute(), /not what was written/)
  await database.close()
  await assert.rejects(openDatabase({ dataDir, url: null }), isBadFile)
})

test('a damaged row is not given a new checksum by a change', async (t) => {
  const { dataDir, database, pay } = await open(t)
  await pay()
  const db = new DatabaseSync(placesIn(dataDir).file)
  db.function('row_sum', { deterministic: true, varargs: true }, () => 0)
  db.exec("insert into payers (wallet, paid, failed, updated_at) values ('w', 5, 0, 1)")
  db.close()
  const update = database.sql.updateTable('payers').set(({ eb }) => ({ paid: eb('paid', '+', 1) }))
  await assert.rejects(update.execute(), /a row of payers is not what was written/)
})

test('verified fifty times beside commits and copies, it is whole each time', async (t) => {
  const { dataDir, pay, file } = await open(t)
  for (let n = 0; n < 50; n++) {
    const paying = [pay(), pay(), pay()]
    if (n % 10 === 0) await makeCopy(file, Date.now())
    verifyFile(placesIn(dataDir))
    await Promise.all(paying)
  }
})

test('a copy has everything up to its moment, brings it back, and one that is damaged is passed over', async (t) => {
  const first = await open(t)
  const { dataDir, pay } = first
  for (let n = 0; n < 5; n++) await pay()
  await makeCopy(first.file, 1_000)
  for (let n = 0; n < 4; n++) await pay()
  await makeCopy(first.file, 2_000)
  await makeCopy(first.file, 3_000)
  const changes = first.file.changes()
  await first.ledger.open()
  assert.equal(first.file.changes(), changes, 'a read is no change that a copy would lack')
  const { copies, file } = placesIn(dataDir)
  const names = listCopies(copies).map(({ name }) => join(copies, name))
  assert.equal(names.length, 2, 'two are kept')
  await first.database.close()
  const bytes = readFileSync(names[0]!)
  bytes.fill(0, 4_096, 8_192)
  writeFileSync(names[0]!, bytes)
  writeFileSync(file, 'nothing of use')
  const restored = restoreCopy(dataDir, null, Date.now())
  assert.deepEqual([restored.payments, restored.madeAt.getTime()], [9, 2_000])
  assert.equal(readFileSync(join(restored.kept, 'accounts.sqlite'), 'utf8'), 'nothing of use')
  const again = await open(t, dataDir)
  assert.equal((await again.database.sql.selectFrom('payments').select('hash').execute()).length, 9)
})
