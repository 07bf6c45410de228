import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { createLedger } from '@ti/service/access/x402/ledger.ts'
import { EXIT, OperatorError } from '@ti/service/base/errors.ts'
import { startService } from '../simulation/service.ts'

/** A ledger of payments whose files are lost in part. */
const PAYMENTS = 1_160

/** The directory of a service: with a log, and with the accounts as a killed process left them. */
async function paid(t: TestContext): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'attack-ledger-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const dataDir = join(dir, 'paid')
  const database = await openDatabase({ dataDir, url: null })
  t.after(database.close)
  mkdirSync(join(dataDir, 'log'))
  const ledger = createLedger({ database, now: Date.now })
  for (let n = 0; n < PAYMENTS; n++) {
    const hash = n.toString(16).padStart(64, '0')
    const facts = { hash, operation: 'new', request: 'r', amount: 1, payer: 'p', blockhash: 'b' }
    assert.notEqual((await ledger.reserve(facts)).claim, null)
  }
  const killed = join(dir, 'killed')
  cpSync(dataDir, killed, { recursive: true })
  return killed
}

const filesOf = (dataDir: string): Map<string, string> =>
  new Map(
    readdirSync(dataDir)
      .filter((name) => !name.endsWith('-shm') && name !== 'log')
      .map((name) => [name, readFileSync(join(dataDir, name)).toString('base64')] as const)
      // SQLite makes an empty one, and shared memory, where it only reads
      .filter(([, content]) => content !== ''),
  )

async function countIn({ sql }: Database): Promise<number> {
  const { n } = await sql.selectFrom('payments').select(sql.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return n
}

const FILE = 'accounts.sqlite'
/** What is taken away, or cut to nothing. */
const LOSSES: readonly (readonly [string, (path: (end: string) => string) => void])[] = [
  ['the file', (path) => rmSync(path(''))],
  ['the file and its log', (path) => ['', '-wal'].forEach((end) => void rmSync(path(end)))],
  ['everything', (path) => ['', '-wal', '-acknowledged'].forEach((end) => void rmSync(path(end)))],
  ['the write-ahead log', (path) => rmSync(path('-wal'))],
  ['half of the write-ahead log', (path) => truncateSync(path('-wal'), readFileSync(path('-wal')).length >> 1)],
  ['what the file has', (path) => truncateSync(path(''), 0)],
]

test('no loss of files begins a ledger anew: each is refused, nothing is changed, and the files bring it back', async (t) => {
  const whole = await paid(t)
  for (const [what, lose] of LOSSES) {
    const dataDir = `${whole}-lost`
    cpSync(whole, dataDir, { recursive: true })
    lose((end) => join(dataDir, FILE + end))
    const before = filesOf(dataDir)
    await assert.rejects(openDatabase({ dataDir, url: null }), (error) => {
      assert.ok(error instanceof OperatorError, `${what}: ${error}`)
      assert.equal(error.exitCode, EXIT.badFile, what)
      return true
    })
    assert.deepEqual(filesOf(dataDir), before, `${what}: something was changed`)
    rmSync(dataDir, { recursive: true })
    cpSync(whole, dataDir, { recursive: true })
    const again = await openDatabase({ dataDir, url: null })
    assert.equal(await countIn(again), PAYMENTS, what)
    await again.close()
    rmSync(dataDir, { recursive: true })
  }
})

test('the service refuses to start, says what to do, and `accounts accept` goes on with what is there', async (t) => {
  const dataDir = await paid(t)
  rmSync(join(dataDir, `${FILE}-wal`))
  const run = (...args: string[]) => startService({ DATA_DIR: dataDir, OBSERVE: 'off' }, args).exit
  const started = await run('serve')
  assert.equal(started.code, EXIT.badFile)
  assert.match(started.stderr, /its last \d+ commits are missing[\s\S]*from a back-up[\s\S]*accounts accept/)
  assert.equal((await run('accounts', 'verify')).code, EXIT.badFile)
  const accepted = await run('accounts', 'accept')
  assert.equal(accepted.code, 0, accepted.stderr)
  assert.match(accepted.stdout, /it is used from now on/)
  assert.equal((await run('accounts', 'verify')).code, 0)

  rmSync(join(dataDir, FILE))
  assert.equal((await run('keys', 'list')).code, EXIT.badFile)
  assert.match((await run('accounts', 'accept')).stdout, /made, without accounts, keys or payments/)
  assert.ok(existsSync(join(dataDir, FILE)))
  assert.equal((await run('keys', 'list')).code, 0)
})
