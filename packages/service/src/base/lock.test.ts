import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EXIT, OperatorError } from './errors.ts'
import { lockDataDir } from './lock.ts'

const module = new URL('./lock.ts', import.meta.url).href
const holder = `
  const { lockDataDir } = await import(${JSON.stringify(module)})
  await lockDataDir(process.argv[1])
  process.stdout.write('locked\\n')
  setInterval(() => {}, 1000)
`

async function holdElsewhere(dir: string): Promise<ChildProcess> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', holder, dir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  assert.equal(String(line), 'locked\n')
  return child
}

/** Locks a directory again and again with few descriptors to spare, one more each time; a line of JSON says what came of it. */
const starving = `
  const { closeSync, openSync } = await import('node:fs')
  const { lockDataDir } = await import(${JSON.stringify(module)})
  // what is loaded on first use is loaded now
  await (await lockDataDir(process.argv[1])).release()
  const taken = []
  try {
    for (;;) taken.push(openSync('/dev/null'))
  } catch {}
  const codes = []
  for (let spare = 0; spare <= 4; spare++) {
    const lock = await lockDataDir(process.argv[1]).catch((error) => error)
    codes.push(lock instanceof Error ? (lock.code ?? lock.message) : 'locked')
    if (!(lock instanceof Error)) await lock.release()
    closeSync(taken.pop())
  }
  process.stdout.write(JSON.stringify(codes))
`

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

function isBusy(dir: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof OperatorError)
    assert.equal(error.exitCode, EXIT.dataDirBusy)
    assert.ok(error.message.includes(dir), error.message)
    return true
  }
}

test('a second process is refused until the first is killed', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'lock-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const child = await holdElsewhere(dir)
  try {
    await assert.rejects(lockDataDir(dir), isBusy(dir))
  } finally {
    await killed(child)
  }
  const lock = await lockDataDir(dir)
  await lock.release()
})

test('the lock is on the directory, not on its name, and is free after release', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'lock-'))
  const alias = `${dir}-alias`
  symlinkSync(dir, alias)
  t.after(() => {
    rmSync(alias)
    rmSync(dir, { recursive: true })
  })
  const lock = await lockDataDir(dir)
  await assert.rejects(lockDataDir(alias), isBusy(dir))
  await lock.release()
  await (await lockDataDir(alias)).release()
})

test('a holder whose abstract socket cannot be seen is found by the socket file', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'lock-'))
  const other = createServer().listen(join(dir, 'lock.sock'))
  t.after(() => rmSync(dir, { recursive: true }))
  await once(other, 'listening')
  await assert.rejects(lockDataDir(dir), isBusy(dir))
  await new Promise((resolve) => other.close(resolve))
  await (await lockDataDir(dir)).release()
})

test('a directory with a path too long for a socket file is locked all the same', {
  skip: process.platform !== 'linux' && 'only Linux has a lock without a socket file',
}, async (t) => {
  const base = mkdtempSync(join(tmpdir(), 'lock-'))
  t.after(() => rmSync(base, { recursive: true }))
  const dir = join(base, 'x'.repeat(120))
  const lock = await lockDataDir(dir)
  await assert.rejects(lockDataDir(dir), isBusy(dir))
  await lock.release()
})

// before: a service that opens its state again took its own lack of descriptors for another process, and ended
test('without a descriptor to spare the lock says so, and not that another process has it', {
  skip: process.platform !== 'linux' && 'how many descriptors it takes is counted on Linux',
}, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'lock-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const program = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', starving, dir]
  const child = spawn('bash', ['-c', 'ulimit -n 100; exec "$@"', 'bash', ...program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  const codes: string[] = JSON.parse(text)
  const enough = codes.indexOf('locked')
  assert.ok(enough > 0, text)
  assert.deepEqual(
    codes.slice(0, enough).filter((code) => code !== 'EMFILE'),
    [],
  )
})
