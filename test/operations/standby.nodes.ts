import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { createWriteProbe } from '@ti/service/access/sql/write-probe.ts'
import { createLedger } from '@ti/service/access/x402/ledger.ts'
import type { AnswerForm } from '@ti/service/access/x402/types.ts'
import { type Postgres, type Standby, startPostgres } from '../postgres.mjs'
import { startService } from '../simulation/service.ts'
import { openPaymentWorld, until } from '../support/payment-world.ts'
import { callOf, read, type SignedPayment, someone } from '../support/payments-fixtures.ts'

/** PostgreSQL with a second server that follows it by streaming: what a service does over the second one. */
const postgres = await startPostgres()
after(() => 'missing' in postgres || postgres.stop())
const skip = 'missing' in postgres && postgres.missing
const PRICE = 10_000
const TEXT: AnswerForm<string> = { pack: (answer) => answer, unpack: (text) => text }

async function standbyOf(t: TestContext): Promise<Standby> {
  const standby = await (postgres as Postgres).standby()
  t.after(standby.stop)
  return standby
}

const open = async (t: TestContext, url: string) => {
  const options = { dataDir: '/nowhere', url }
  const database = await openDatabase(options)
  t.after(() => database.close().catch(() => {}))
  return { ...database, options }
}

test('a start on a standby ends with a sentence', { skip }, async (t) => {
  await open(t, (postgres as Postgres).url)
  const { url } = await standbyOf(t)
  const dataDir = mkdtempSync(join(tmpdir(), 'standby-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const { code, stderr } = await startService({ DATA_DIR: dataDir, DATABASE_URL: url, SOURCE: 'simulator:seed=3' }).exit
  assert.match(
    stderr,
    /^the database at \S+ cannot be used: cannot execute .* in a read-only transaction\. Check DATABASE_URL/,
  )
  assert.equal(code, 1)
})

test('a standby that was behind takes over: nothing is charged twice, and the loss is said', { skip }, async (t) => {
  const { url, kill } = postgres as Postgres
  const database = await open(t, url)
  const world = await openPaymentWorld(t, { shared: true, database })
  const { cashier } = await world.open()
  const buyer = await world.buyer()
  const stateOf = async (over: Database, { hash }: SignedPayment) =>
    (await createLedger({ database: over, now: Date.now }).find(hash))?.state
  /** the answer, or the message of a refusal */
  const pay = async (at: typeof cashier, over: Database, signed: SignedPayment): Promise<string> => {
    const work = async () => ({ answer: 'answer', charge: true })
    const outcome = await at.pay(read(signed.v2), callOf(), someone, work, TEXT)
    if (outcome.kind !== 'paid') return outcome.kind === 'refused' ? outcome.message : outcome.kind
    await until(async () => (await stateOf(over, signed)) === 'answered')
    return outcome.answer
  }
  const said: string[] = []
  const logger = { error: (...line: unknown[]) => said.push(JSON.stringify(line)), info() {} } as never
  const probed = { sql: database.sql }
  const probe = createWriteProbe(probed, { logger })
  t.after(probe.close)
  const early = await world.sign(cashier, buyer)
  assert.equal(await pay(cashier, database, early), 'answer')
  const standby = await standbyOf(t)
  standby.cut()
  for (let i = 0; i < 3; i++) await probe.look()
  const late = await world.sign(cashier, buyer)
  assert.equal(await pay(cashier, database, late), 'answer')
  await kill()
  standby.promote()
  const behind = await open(t, standby.url)
  assert.deepEqual([await stateOf(behind, early), await stateOf(behind, late)], ['answered', undefined])
  const after = await world.open({}, behind)
  assert.equal(await pay(after.cashier, behind, early), 'answer')
  assert.equal(world.earned(), 2 * PRICE)
  // its row is lost, and the chain takes no transaction twice
  assert.match(await pay(after.cashier, behind, late), /not valid: invalid_exact_svm_transaction_simulation_failed/)
  assert.equal(world.earned(), 2 * PRICE)
  assert.equal(await pay(after.cashier, behind, await world.sign(after.cashier, buyer)), 'answer')
  assert.equal(world.earned(), 3 * PRICE)
  assert.deepEqual([said, probe.problem], [[], null])
  probed.sql = behind.sql
  await probe.look()
  assert.match(said.join(), /has lost its newest commits/)
  await probe.look()
  assert.equal(said.length, 1)
})
