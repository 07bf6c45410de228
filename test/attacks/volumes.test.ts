import assert from 'node:assert/strict'
import { test } from 'node:test'
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
    assert.match(stderr, /volumes\.test\.\w+\/token-intelligence/, command)
  }
})
