import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { beginAccounts } from '@ti/service/access/sql/accounts-file.ts'
import { startService } from '../simulation/service.ts'

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

/** Pages of the file that are damaged, one in each run: the header with the schema, and others. */
const PAGES = [0, 3, 20]
const PAGE_BYTES = 4_096

test('a damaged page of the accounts is said in words, with what to do, and without a stack', async (t) => {
  for (const page of PAGES) {
    const dataDir = mkdtempSync(join(tmpdir(), 'damaged-'))
    t.after(() => rmSync(dataDir, { recursive: true, force: true }))
    beginAccounts(dataDir)
    const path = join(dataDir, 'accounts.sqlite')
    const bytes = readFileSync(path)
    for (let at = page * PAGE_BYTES; at < (page + 1) * PAGE_BYTES; at++) bytes[at]! ^= 0x5a
    writeFileSync(path, bytes)
    for (const args of [['keys', 'list'], ['serve']]) {
      const { code, stderr } = await startService({ DATA_DIR: dataDir, OBSERVE: 'off' }, args).exit
      assert.equal(code, 4, `${args} ${page}: ${stderr}`)
      assert.doesNotMatch(stderr, /^ {4}at /m, `${args} ${page}`)
      assert.match(stderr, /damaged and not used[\s\S]*(?:accounts restore|back-up)/, `${args} ${page}`)
    }
  }
})
