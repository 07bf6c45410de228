import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { EXIT } from '@ti/service/base/errors.ts'
import { logDir, stateFile } from '@ti/service/store/open.ts'
import { operatorOf, type Started, startService } from './service.ts'

const RUNS = 50
/** of those during which the service is killed; a kill costs a start */
const KILLS = 15
/** milliseconds of a verification's life within which the kill comes */
const KILL_MS = 700

function scene(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'verify-beside-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const env = { DATA_DIR: dir, SOURCE: 'simulator:seed=5&tps=60&warmup=0', PAYMENTS: 'off' }
  let service: Started | null = null
  t.after(() => service?.child.kill('SIGKILL'))
  return {
    dir,
    start: async (): Promise<string> => {
      service = startService(env)
      return service.url
    },
    kill: async (): Promise<void> => {
      service!.child.kill('SIGKILL')
      await service!.exit
    },
    verify: (...options: string[]) => startService(env, ['verify', '--json', ...options]).exit,
    setAside: (): string[] => readdirSync(dir).filter((name) => name.includes('-damaged-')),
  }
}

const seqOf = async (url: string): Promise<number> =>
  ((await (await fetch(`${operatorOf(url)}/readyz`)).json()) as { seq: number }).seq

/** Waits until more was committed. */
async function untilCommitted(url: string, after: number): Promise<void> {
  while ((await seqOf(url)) <= after) await pause(50)
}

test('beside a service that commits, also one that is killed, verify finds nothing and repairs nothing', async (t) => {
  const { dir, start, kill, verify, setAside } = scene(t)
  let url = await start()
  await untilCommitted(url, 10)
  const first = await seqOf(url)
  for (let i = 0; i < RUNS; i++) {
    const looked = verify()
    const repaired = verify('--repair')
    const isKilled = i % Math.floor(RUNS / KILLS) === 0
    if (isKilled) {
      await pause((i / RUNS) * KILL_MS)
      await kill()
    }
    const [look, repair] = [await looked, await repaired]
    assert.equal(look.code, 0, `verify ${i}: ${look.stdout} ${look.stderr}`)
    assert.equal(JSON.parse(look.stdout).sound, true)
    // while the service runs it has the lock; after the kill the directory is looked at, and is sound
    if (repair.code === 0) assert.ok(isKilled && JSON.parse(repair.stdout).sound, repair.stdout)
    else assert.equal(repair.code, EXIT.dataDirBusy, `verify --repair ${i}: ${repair.stdout} ${repair.stderr}`)
    assert.deepEqual(setAside(), [])
    if (isKilled) url = await start()
  }
  await untilCommitted(url, first)
  // a start that is under way changes files too
  await kill()
  for (let i = 0; i < 3; i++) {
    const started = start()
    const during = await verify()
    assert.equal(during.code, 0, `${during.stdout} ${during.stderr}`)
    await started
    await kill()
  }
  assert.deepEqual(setAside(), [])
  assert.ok(dir !== '')
})

test('damage is found beside the service and without it, and repaired only without it', async (t) => {
  const { dir, start, kill, verify, setAside } = scene(t)
  await untilCommitted(await start(), 50)
  const segment = join(logDir(dir), readdirSync(logDir(dir)).find((name) => name.endsWith('.log'))!)
  flipByte(segment, 200)
  const live = await verify()
  assert.equal(live.code, EXIT.badFile, live.stderr)
  assert.equal(JSON.parse(live.stdout).log.whole, false)
  assert.equal(JSON.parse(live.stdout).state.problem, null)
  assert.equal((await verify('--repair')).code, EXIT.dataDirBusy)
  assert.deepEqual(setAside(), [])
  await kill()
  assert.equal((await verify()).code, EXIT.badFile)
  flipByte(segment, 200)
  assert.equal((await verify()).code, 0)

  const state = new DatabaseSync(stateFile(dir))
  state.exec('update wallets set sum = sum + 1 where id = 0')
  state.close()
  const stopped = await verify()
  assert.equal(stopped.code, EXIT.badFile)
  assert.match(JSON.parse(stopped.stdout).state.problem, /wallets 0 has a wrong checksum/)
  const repaired = await verify('--repair')
  assert.equal(repaired.code, 0, repaired.stderr)
  assert.match(repaired.stderr, /set aside: .*repaired: the state was folded again/s)
  assert.equal(setAside().length, 1)
  assert.equal((await verify()).code, 0)
})

function flipByte(file: string, at: number): void {
  const opened = openSync(file, 'r+')
  try {
    const byte = Buffer.alloc(1)
    readSync(opened, byte, 0, 1, at)
    byte[0]! ^= 1
    writeSync(opened, byte, 0, 1, at)
  } finally {
    closeSync(opened)
  }
}
