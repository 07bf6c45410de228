import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startService } from '../simulation/service.ts'
import { makeTemplate, seedAccounts } from '../support/accounts-template.ts'

/** A path that nobody can make a directory in, whoever runs the tests: it goes on behind a file. */
const NOWHERE = `${import.meta.filename}/token-intelligence`

test('a data directory that cannot be made is said in words, by every command that needs one', async () => {
  const commands = [['serve'], ['keys', 'list'], ['verify']]
  for (const [command = '', ...args] of commands) {
    // with a database elsewhere nothing has to be there before the service is
    const database = command === 'serve' ? { DATABASE_URL: 'postgres://localhost:1/none' } : {}
    const { code, stderr } = await startService({ DATA_DIR: NOWHERE, ...database }, [command, ...args]).exit
    assert.notEqual(code, 0, command)
    assert.doesNotMatch(stderr, /^ {4}at /m, command)
    assert.match(stderr, /volumes\.slow\.test\.\w+\/token-intelligence/, command)
  }
})

/** What is damaged in each run: the catalog, which every start reads, and what says how the database was closed. */
const DAMAGED = ['accounts/base/5/1259', 'accounts/base/5/1249', 'accounts/global/pg_control']

test('a damaged page of the accounts is said in words, with what to do, and without a stack', async (t) => {
  await makeTemplate()
  for (const path of DAMAGED) {
    const dataDir = mkdtempSync(join(tmpdir(), 'damaged-'))
    t.after(() => rmSync(dataDir, { recursive: true, force: true }))
    seedAccounts(dataDir)
    const bytes = readFileSync(join(dataDir, path))
    for (let at = 40; at < Math.min(bytes.length, 8_000); at++) bytes[at]! ^= 0x5a
    writeFileSync(join(dataDir, path), bytes)
    for (const args of [['keys', 'list'], ['serve']]) {
      const { code, stderr } = await startService({ DATA_DIR: dataDir, OBSERVE: 'off' }, args).exit
      assert.equal(code, 4, `${args} ${path}: ${stderr}`)
      assert.doesNotMatch(stderr, /^ {4}at /m, `${args} ${path}`)
      assert.match(stderr, /damaged and not used[\s\S]*(?:accounts restore|back-up)/, `${args} ${path}`)
    }
  }
})
