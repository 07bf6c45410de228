import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { EXIT } from '@ti/service/base/errors.ts'
import { command, PROGRAM, startService } from '../simulation/service.ts'

/**
 * Another user of the same machine. Before: of the 1,042 files of a new database 973 could be read and 968 written
 * by everybody, among them the log of the database with the secret that signs the page's cookies.
 */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

/** A directory that everybody reaches, as /var/lib is. */
function scene(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'attack-files-'))
  chmodSync(dir, 0o755)
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function* below(path: string): Generator<string> {
  yield path
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) yield* below(join(path, name))
}

const openToOthers = (path: string): string[] =>
  [...below(path)].filter((one) => (lstatSync(one).mode & 0o077) !== 0).sort()

/** What user `nobody` finds below a path that he may read or write; sockets he may connect to are writable. */
function reachedByNobody(path: string): string[] {
  const found = spawnSync('find', [path, '-readable', '-print', '-o', '-writable', '-print'], {
    uid: NOBODY,
    gid: NOBODY,
    encoding: 'utf8',
  })
  assert.equal(found.error, undefined)
  return found.stdout.split('\n').filter((line) => line !== '')
}

/** Nothing of it is open, and each file is closed by itself, whatever becomes of the directories above it. */
function assertClosed(t: TestContext, path: string): void {
  const all = [...below(path)]
  assert.ok(all.length > 3, `${path} has ${all.length} entries only`)
  assert.deepEqual(openToOthers(path), [])
  if (!isRoot) return t.diagnostic('not run by root, who alone can look as another user: modes were checked')
  assert.deepEqual(reachedByNobody(path), [])
  const folders = all.filter((one) => lstatSync(one).isDirectory())
  for (const folder of folders) chmodSync(folder, 0o711)
  const files = all.filter((one) => !folders.includes(one))
  const opened = spawnSync(
    'sh',
    ['-c', 'for f; do if [ -r "$f" ] || [ -w "$f" ]; then echo "$f"; fi; done', 'sh', ...files],
    {
      uid: NOBODY,
      gid: NOBODY,
      encoding: 'utf8',
    },
  )
  for (const folder of folders) chmodSync(folder, 0o700)
  assert.equal(opened.status, 0)
  assert.equal(opened.stdout, '')
}

const entries = (path: string): number => [...below(path)].length

/** A market that is soon at its end. */
async function market(dir: string): Promise<{ readonly SOURCE: string }> {
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--trades', '2000', '--seed', '5', '--no-truth')
  assert.equal(lstatSync(capture).mode & 0o077, 0)
  return { SOURCE: `capture:${capture}?speed=0` }
}

test('another user gets at no file of a running service, its checkpoint or its export', async (t) => {
  const dir = scene(t)
  const data = join(dir, 'data')
  const source = await market(dir)
  // also where the operator made the directory himself, and where an earlier version wrote into it
  mkdirSync(join(data, 'accounts'), { recursive: true, mode: 0o755 })
  const service = startService({ DATA_DIR: data, ...source })
  try {
    await service.url
    assert.ok((await service.key) !== null)
    assert.ok(lstatSync(join(data, 'admin.sock')).isSocket() && lstatSync(join(data, 'lock.sock')).isSocket())
    t.diagnostic(`${entries(data)} entries in the directory of a running service`)
    assertClosed(t, data)
    const [checkpoint, out] = [join(dir, 'one.checkpoint'), join(dir, 'export')]
    for (const args of [
      ['checkpoint', 'make', checkpoint],
      ['export', '--parquet', out],
      ['checkpoint', 'keep'],
    ]) {
      const { code, stderr } = await startService({ DATA_DIR: data, CHECKPOINTS: join(dir, 'kept') }, args).exit
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    }
    assert.equal(lstatSync(checkpoint).mode & 0o077, 0)
    assertClosed(t, out)
    assert.deepEqual(openToOthers(join(dir, 'kept')), [])
    assert.equal(readdirSync(join(dir, 'kept')).length, 1)
    assertClosed(t, data)
  } finally {
    service.child.kill('SIGKILL')
    await service.exit
  }
})

test('what was open is closed at the start, and the log says so', async (t) => {
  const dir = scene(t)
  const data = join(dir, 'data')
  const source = await market(dir)
  const first = startService({ DATA_DIR: data, ...source })
  await first.url
  first.child.kill('SIGTERM')
  assert.equal((await first.exit).code, 0)
  for (const path of below(data)) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o666)
  const again = startService({ DATA_DIR: data, LOG_LEVEL: 'warn', ...source })
  try {
    await again.url
    assertClosed(t, data)
  } finally {
    again.child.kill('SIGTERM')
  }
  const { stdout, stderr } = await again.exit
  assert.match(stdout + stderr, /were open to other users of this machine; they are closed now/)
})

test('what cannot be closed is refused with the command that mends it', {
  skip: !isRoot && 'needs root',
}, async (t) => {
  const data = join(scene(t), 'data')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, 'foreign'), 'x')
  spawnSync('chown', [String(NOBODY), join(data, 'foreign')])
  const { code, stderr } = await startService({ DATA_DIR: data }).exit
  assert.equal(code, EXIT.badFile)
  assert.match(stderr, /foreign belongs to another user[\s\S]*chown -R 0 \S+ && chmod -R go= /)
  assert.doesNotMatch(stderr, / {4}at /)
})

test('a key file that others can read starts no service that pays with it', async (t) => {
  const dir = scene(t)
  const key = join(dir, 'fee-payer.json')
  writeFileSync(key, JSON.stringify(Array.from({ length: 64 }, (_, i) => i)), { mode: 0o644 })
  const env = {
    ...(await market(dir)),
    DATA_DIR: join(dir, 'data'),
    PAYMENTS: 'self',
    FEE_PAYER_KEYPAIR: key,
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    PAY_TO: '11111111111111111111111111111111',
  }
  const { code, stderr } = await startService(env).exit
  assert.notEqual(code, 0)
  assert.match(stderr, new RegExp(`chmod go= ${key}`))
})

/** A terminal in front of the program; what it shows. */
function onTerminal(data: string, source: { readonly SOURCE: string }, until: RegExp): string {
  const words = PROGRAM.map((word) => `'${word}'`).join(' ')
  const shown = join(data, '..', 'shown')
  const script = `script -qec "exec ${words} serve" /dev/null > ${shown} 2>&1 & pid=$!
    for i in $(seq 900); do grep -q '${until.source}' ${shown} && break; kill -0 $pid 2> /dev/null || break; sleep 0.1; done
    kill -TERM $(ps -o pid= --ppid $pid); wait $pid; cat ${shown}`
  const env = { ...process.env, ...source, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'error' }
  return spawnSync('bash', ['-c', script], { env, encoding: 'utf8' }).stdout
}

test('the key of a first start is shown to a person and never written into a log', async (t) => {
  const dir = scene(t)
  const source = await market(dir)
  const logged = startService({ DATA_DIR: join(dir, 'logged'), ...source })
  await logged.url
  logged.child.kill('SIGTERM')
  const { stdout, stderr } = await logged.exit
  assert.doesNotMatch(stdout + stderr, /sk_(live|test)_/)
  assert.match(stdout, /key +node \S*main\.js keys create/)
  if (spawnSync('script', ['--version']).status !== 0)
    return t.diagnostic('no command `script` here: no terminal to show it on')
  mkdirSync(join(dir, 'seen'))
  assert.match(
    onTerminal(join(dir, 'seen'), source, /readyz/),
    /sk_test_[\w-]{43} +\(a Pro key, shown only this once\)/,
  )
})
