import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyDatabase, temporaryDatabase } from '../../../../test/support/database.ts'
import { scriptArgs } from '../../../../test/support/script.ts'
import { createAccounts } from '../access/accounts/accounts.ts'
import { openKeys } from '../access/keys.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { lockDataDir } from '../base/lock.ts'
import { createLogger } from '../base/log.ts'
import { readCommandLine } from '../cli/command-line.ts'
import { SILENT } from '../cli/io.ts'
import { parse } from '../cli/parse.ts'
import { ACCOUNT_BODY_BYTES } from '../faces/http/account-request.ts'
import { ADMIN_SOCKET, type AdminAnswer, type AdminCommand, administer, createAdmin, startAdmin } from './admin.ts'

const WALLET = 'So11111111111111111111111111111111111111112'
const bearer = (key: string) => `Bearer ${key}`
const create = (name: string, days: number | null = null) => ({ command: 'create', name, days }) as const

/** The administration of a running service, in a data directory of its own. */
async function startService(t: TestContext) {
  const database = await emptyDatabase(t)
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-'))
  const logged: string[] = []
  const logger = createLogger('info', { write: (line: string) => void logged.push(line) })
  const now = () => Date.UTC(2026, 0, 1)
  const keys = await openKeys(database, { now, logger })
  const accounts = createAccounts(database, { now })
  const admin = createAdmin({ accounts, keys, now })
  const start = () => startAdmin({ dataDir, admin, logger })
  t.after(() => {
    keys.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const ask = (command: AdminCommand) => administer({ dataDir, databaseUrl: null }, command)
  return { dataDir, keys, accounts, start, ask, logged, socket: join(dataDir, ADMIN_SOCKET) }
}

function done(answer: AdminAnswer): AdminAnswer & { ok: true } {
  assert.ok(answer.ok, answer.ok ? '' : answer.message)
  return answer
}

test('the running service makes, lists and revokes keys; what changes counts at once', async (t) => {
  const { keys, accounts, start, ask, logged, socket } = await startService(t)
  const running = await start()
  t.after(running.close)
  assert.equal(statSync(socket).mode & 0o777, 0o600)

  const made = done(await ask(create('robot', 30)))
  const [info] = made.keys
  const check = keys.check(bearer(made.key!))
  assert.ok(check.ok && check.id === info!.id && check.plan === 'pro')
  assert.deepEqual(info!.expiresAt, new Date(Date.UTC(2026, 0, 31)))
  assert.deepEqual(done(await ask({ command: 'list' })), { ok: true, keys: [info], key: null })
  const other = done(await ask(create('other')))
  const beside = done(await ask({ ...create('next'), beside: info!.id }))
  const accountOf = (key: string | null) => {
    const found = keys.check(bearer(key!))
    return found.ok && found.account
  }
  assert.notEqual(accountOf(other.key), check.account)
  assert.equal(accountOf(beside.key), check.account)
  assert.match(
    JSON.stringify(await ask({ ...create('next'), beside: 'key_none' })),
    /the operator has no key with the id/,
  )
  for (const { keys: made } of [other, beside]) await ask({ command: 'revoke', id: made[0]!.id })

  const revoked = done(await ask({ command: 'revoke', id: info!.id }))
  assert.equal(revoked.keys[0]!.state, 'revoked')
  assert.deepEqual(keys.check(bearer(made.key!)), { ok: false, reason: 'revoked' })

  // anybody's key can be revoked, but only the operator's are listed
  const account = await accounts.ofWallet(WALLET)
  const theirs = await accounts.createKey(account.id, { name: 'theirs', expiresAt: null })
  assert.ok(theirs.ok)
  assert.equal(done(await ask({ command: 'list' })).keys.length, 3)
  done(await ask({ command: 'revoke', id: theirs.info.id }))
  assert.deepEqual(keys.check(bearer(theirs.key)), { ok: false, reason: 'revoked' })

  assert.deepEqual(await ask({ command: 'revoke', id: 'key_AAAAAAAAAAAA' }), {
    ok: false,
    message: 'there is no key with the id "key_AAAAAAAAAAAA"',
  })
  assert.equal((await ask(create('a\nb'))).ok, false)
  assert.ok(!logged.join('').includes(made.key!))
})

test('a socket left by a dead process is replaced; a closed one leaves none', async (t) => {
  const { start, ask, socket } = await startService(t)
  writeFileSync(socket, '')
  const running = await start()
  done(await ask(create('one')))
  await running.close()
  assert.equal(existsSync(socket), false)
})

test('what is no command is refused, and the service goes on', async (t) => {
  const { start, ask, socket } = await startService(t)
  const running = await start()
  t.after(running.close)
  const send = (body: string): Promise<string> =>
    new Promise((resolve) => {
      const sent = request({ socketPath: socket, method: 'POST' }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => resolve(text))
      })
      sent.on('error', () => resolve('cut'))
      sent.end(body)
    })
  for (const body of ['', '{', '[]', '{"command":"drop"}', '{"command":"create","name":7,"days":null}']) {
    assert.equal(JSON.parse(await send(body)).ok, false, body)
  }
  assert.equal(JSON.parse(await send('{"command":"create","name":"a","days":0}')).ok, false)
  assert.match(await send(' '.repeat(ACCOUNT_BODY_BYTES + 1)), /cut|"ok":false/)
  done(await ask(create('still here')))
})

test('without a service the database is opened, and a locked one is left alone', async (t) => {
  const database = await temporaryDatabase(t)
  const { dataDir, url: databaseUrl } = database.options
  if (database.embedded) await database.close()
  const place = { dataDir, databaseUrl }
  const made = done(await administer(place, create('offline')))
  assert.match(made.key!, /^sk_live_/)
  const { keys } = done(await administer(place, { command: 'list' }))
  assert.deepEqual(
    keys.map(({ name, state }) => `${name} ${state}`),
    ['offline live'],
  )
  if (!database.embedded) return
  const lock = await lockDataDir(dataDir)
  t.after(lock.release)
  await assert.rejects(administer(place, { command: 'list' }), (error) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.equal(error.exitCode, EXIT.dataDirBusy)
    assert.match(error.message, /another process[\s\S]*admin\.sock/)
    return true
  })
})

test('on the command line a key is alone on stdout', async (t) => {
  const { dataDir, keys, start } = await startService(t)
  const running = await start()
  t.after(running.close)
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  const main = join(import.meta.dirname, '../../../lab/src/main.ts')
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [...scriptArgs(main), 'keys', ...args], { env })

  const { stdout, stderr } = await run('create', '--name', 'my bot', '--expires-in-days', '7')
  assert.match(stdout, /^sk_live_[\w-]{43}\n$/)
  const key = stdout.trim()
  assert.ok(keys.check(bearer(key)).ok, 'the key opens nothing')
  const id = /key_[\w-]{12}/.exec(stderr)![0]
  assert.match(stderr, /until 2026-01-08T00:00:00\.000Z/)

  const list = await run('list')
  assert.match(list.stdout, /^id +state +created +expires +name\n/)
  assert.match(list.stdout, new RegExp(`\n${id} +live +2026-01-01 +2026-01-08 +my bot\n$`))
  assert.equal((await run('revoke', id)).stdout, `${id} is revoked\n`)
  assert.deepEqual(keys.check(bearer(key)), { ok: false, reason: 'revoked' })
})

test('what is asked for wrongly ends with 2', async () => {
  const wrong = [
    ['destroy'],
    ['revoke'],
    ['create', 'two', 'words'],
    ['list', '--name', 'x'],
    ['list', 'all'],
    ['create', '--expires-in-days', '0'],
    ['create', '--expires-in-days', '99999'],
    ['create', '--expires-in-days', 'soon'],
  ]
  const run = async (args: string[]): Promise<void> => {
    const asked = readCommandLine(['keys', ...args])
    assert.equal(asked.kind, 'command')
    if (asked.kind === 'command') await (await asked.command.load())(parse(asked.command, asked.args), SILENT)
  }
  for (const args of wrong) {
    await assert.rejects(run(args), (error) => {
      assert.ok(error instanceof OperatorError, args.join(' '))
      return error.exitCode === EXIT.usage
    })
  }
})
