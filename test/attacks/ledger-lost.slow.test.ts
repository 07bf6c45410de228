import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql as statement } from 'kysely'
import { filesBelow } from '../../src/access/embedded/manifest.ts'
import { type Database, openDatabase } from '../../src/access/sql/database.ts'
import { createLedger } from '../../src/access/x402/ledger.ts'
import { EXIT, OperatorError } from '../../src/base/errors.ts'
import { startService } from '../simulation/service.ts'
import { makeTemplate, seedAccounts } from '../support/accounts-template.ts'

/**
 * A ledger of payments whose files are lost in part. Before: without a copy, 5 of these 9 began a new database over the
 * old one or in its place, and 1,160 of 1,160 payments were gone without a word.
 */
const PAYMENTS = 1_160

async function paid(t: TestContext): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'attack-ledger-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const dataDir = join(dir, 'paid')
  mkdirSync(dataDir)
  await makeTemplate()
  seedAccounts(dataDir)
  const database = await openDatabase({ dataDir, url: null })
  const ledger = createLedger({ database, now: Date.now })
  for (let n = 0; n < PAYMENTS; n++) {
    const hash = n.toString(16).padStart(64, '0')
    const facts = { hash, operation: 'new', request: 'r', amount: 1, payer: 'p', blockhash: 'b' }
    assert.notEqual((await ledger.reserve(facts)).claim, null)
  }
  await database.close()
  return dataDir
}

const contentOf = (dataDir: string): Map<string, string> =>
  new Map([...filesBelow(dataDir)].map((path) => [path, readFileSync(join(dataDir, path)).toString('base64')]))

async function countIn(database: Database): Promise<number> {
  const { rows } = await statement<{ n: number }>`select count(*)::int as n from payments`.execute(database.sql)
  return rows[0]!.n
}

/** What is taken away, of a directory without copies, and whether its holder accepts what is left. */
const LOSSES: readonly (readonly [string, readonly string[], boolean])[] = [
  ['PG_VERSION', ['accounts/PG_VERSION'], false],
  ['PG_VERSION and the seal', ['accounts/PG_VERSION', 'accounts-seal'], false],
  ['PG_VERSION and the seal, accepted', ['accounts/PG_VERSION', 'accounts-seal'], true],
  ['PG_VERSION, the seal and the mark', ['accounts/PG_VERSION', 'accounts-seal', 'accounts-begun'], false],
  ['the seal', ['accounts-seal'], false],
  ['the seal and the mark', ['accounts-seal', 'accounts-begun'], false],
  ['the database', ['accounts'], false],
  ['the database and the seal', ['accounts', 'accounts-seal'], false],
  ['the database and the seal, accepted', ['accounts', 'accounts-seal'], true],
]

test('no loss of files begins a ledger anew: each is refused, nothing is changed, and the files bring it back', async (t) => {
  const whole = await paid(t)
  for (const [what, gone, accept] of LOSSES) {
    const dataDir = `${whole}-lost`
    cpSync(whole, dataDir, { recursive: true })
    for (const path of gone) rmSync(join(dataDir, path), { recursive: true })
    const before = contentOf(dataDir)
    await assert.rejects(openDatabase({ dataDir, url: null, accept }), (error) => {
      assert.ok(error instanceof OperatorError, `${what}: ${error}`)
      assert.equal(error.exitCode, EXIT.badFile, what)
      return true
    })
    assert.deepEqual(contentOf(dataDir), before, `${what}: something was changed`)
    for (const path of gone) cpSync(join(whole, path), join(dataDir, path), { recursive: true })
    const again = await openDatabase({ dataDir, url: null })
    assert.equal(await countIn(again), PAYMENTS, what)
    await again.close()
    rmSync(dataDir, { recursive: true })
  }
  t.diagnostic(`${LOSSES.length} losses, ${PAYMENTS} payments there after each; before, 5 of them left 0`)
})

test('the service refuses to start and `accounts accept` to go on without PG_VERSION, and say what to do', async (t) => {
  const dataDir = await paid(t)
  rmSync(join(dataDir, 'accounts', 'PG_VERSION'))
  const started = await startService({ DATA_DIR: dataDir }).exit
  assert.equal(started.code, EXIT.badFile)
  assert.match(started.stderr, /accounts\/PG_VERSION is missing[\s\S]*restore .* from a back-up/)
  const accepted = await startService({ DATA_DIR: dataDir }, ['accounts', 'accept']).exit
  assert.notEqual(accepted.code, 0)
  assert.match(accepted.stderr, /holds no database: there is nothing to accept/)
  assert.ok(existsSync(join(dataDir, 'accounts-seal', 'manifest')), 'its seal is still there')
})
