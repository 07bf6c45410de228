import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { command, operatorOf, type Started, startService } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'

/** The program as its operator starts and stops it. */
const dir = mkdtempSync(join(tmpdir(), 'serve-'))
after(() => rmSync(dir, { recursive: true, force: true }))

describe('SIGTERM', () => {
  const capture = join(dir, 'market.capture')
  before(() => command('capture', 'simulate', capture, '--trades', '500', '--seed', '3'))

  async function start(name: string, env: Readonly<Record<string, string>>): Promise<Started & { ready: string }> {
    const service = startService({ DATA_DIR: join(dir, name), SOURCE: `capture:${capture}?speed=0`, ...env })
    const url = await service.url
    await eventually('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
    return { ...service, ready: url }
  }

  test('it says at once that it is not ready, and answers as before', async (t) => {
    // longer than the test: nothing here waits for the end of it
    const { child, key, ready: url } = await start('drains', { DRAIN_SECONDS: '600' })
    t.after(() => child.kill('SIGKILL'))
    const headers = { authorization: `Bearer ${await key}` }
    child.kill('SIGTERM')
    await eventually('it is not ready', async () => (await fetch(`${url}/readyz`)).status === 503)
    assert.equal((await fetch(`${url}/v1/tokens/new`, { headers })).status, 200)
    const { ready, reason } = (await (await fetch(`${operatorOf(url)}/readyz`)).json()) as Record<string, unknown>
    assert.deepEqual([ready, reason], [false, 'the service is stopping: balancers send nothing new'])
    assert.equal((await fetch(`${operatorOf(url)}/healthz`)).status, 200, 'it is alive: nobody restarts it')
  })

  test('after the pause it ends as always', async (t) => {
    const { child, exit } = await start('ends', { DRAIN_SECONDS: '1' })
    t.after(() => child.kill('SIGKILL'))
    const began = performance.now()
    child.kill('SIGTERM')
    assert.equal((await exit).code, 0)
    assert.ok(performance.now() - began >= 1_000)
  })

  test('whoever presses Ctrl-C waits for nothing', async (t) => {
    const { child, exit } = await start('interrupted', { DRAIN_SECONDS: '600' })
    t.after(() => child.kill('SIGKILL'))
    child.kill('SIGINT')
    assert.equal((await exit).code, 0)
  })
})

test('a data directory that cannot be made ends the start with a sentence', async () => {
  const file = join(dir, 'file')
  writeFileSync(file, '')
  // below /proc, mkdir says that the parent is not there, though it is
  for (const DATA_DIR of [join(file, 'data'), file, '/proc/token-intelligence/data']) {
    const { code, stderr } = await startService({ DATA_DIR, DATABASE_URL: '' }).exit
    assert.equal(code, 1, `${DATA_DIR}: ${stderr}`)
    assert.match(stderr, /cannot be used \(mkdir: E[A-Z]+\): |is not a directory/, DATA_DIR)
    assert.doesNotMatch(stderr, /^ {4}at /m, DATA_DIR)
  }
})

test('everything that is wrong with variables and their files is one list, before any work', async () => {
  const DATA_DIR = join(dir, 'nothing')
  const { code, stderr, stdout } = await startService(
    {
      DATA_DIR,
      // empty, so that nobody prepares the directory
      DATABASE_URL: '',
      PORT: 'x',
      SOURCE: 'yellowstone:https://a.example',
      TRUSTED_PROXIES: '0.0.0.0/0',
      TELEGRAM_BOT_TOKEN: 'not-a-token',
      AGENTS_FILE: join(dir, 'no-such-file'),
      PAYMENTS: 'self',
      FEE_PAYER_KEYPAIR: '[1, 2, 3]',
    },
    ['serve', '--role', 'nobody', '--production'],
  ).exit
  assert.equal(code, 2, stderr)
  for (const wrong of [
    /PORT="x" is not valid/,
    /SOURCE=yellowstone: needs SOURCE_RPC_URL: only a node can name the chain/,
    /TRUSTED_PROXIES="0\.0\.0\.0\/0" is not valid/,
    /TELEGRAM_BOT_TOKEN has to be a token/,
    /AGENTS_FILE=.*no-such-file/,
    /FEE_PAYER_KEYPAIR has to be/,
    /PAYMENTS=self needs PAY_TO/,
    /--role is one of/,
    /PUBLIC_URL=http:\/\/127\.0\.0\.1:\d+ has to be the https address/,
    /CONTACT has to name/,
  ]) {
    assert.match(stderr, wrong)
  }
  assert.doesNotMatch(stderr, /^ {4}at |\b1, 2, 3\b/m)
  assert.doesNotMatch(stdout, /listening/)
  const { stderr: keys } = await startService({ DATA_DIR }, ['keys', 'list']).exit
  assert.match(keys, /no service has run with this data directory/, 'nothing was made')
})

test('others over plain http: it starts, and warns each time', async () => {
  const service = startService({
    DATA_DIR: join(dir, 'plain'),
    HOST: '0.0.0.0',
    PAYMENTS: 'off',
    LOG_LEVEL: 'warn',
    SOURCE: 'simulator:warmup=0&tps=1',
    CONTACT: 'mailto:security@example.com',
    PUBLIC_URL: 'http://api.example.com',
    DRAIN_SECONDS: '0',
  })
  try {
    await service.url
    service.child.kill('SIGTERM')
    assert.match((await service.exit).stderr, /over plain http.*https address/)
  } finally {
    service.child.kill('SIGKILL')
  }
})
