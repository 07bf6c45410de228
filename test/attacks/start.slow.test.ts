import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../ports.mjs'
import { operatorOf, PATIENCE_MS, PROGRAM, startService } from '../simulation/service.ts'

/**
 * Before: the port stayed closed until everything was open (80 s after a long log), which a balancer takes for a dead node and
 * its supervisor for a reason to start it again.
 */
test('from the first moment the service listens and answers 503 with the reason, until it is ready, without a gap', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'start-'))
  const port = await freePort()
  const service = startService({
    DATA_DIR: dataDir,
    PORT: String(port),
    SOURCE: 'simulator:seed=3&tps=5&warmup=3000',
    OBSERVE: 'off',
  })
  t.after(async () => {
    service.child.kill('SIGKILL')
    await service.exit
    rmSync(dataDir, { recursive: true, force: true })
  })
  const seen: (readonly [alive: number, ready: number, data: number])[] = []
  let reason = ''
  const ask = async (path: string): Promise<Response | null> =>
    fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
  for (const end = Date.now() + PATIENCE_MS; seen.at(-1)?.[1] !== 200; await pause(10)) {
    assert.ok(Date.now() < end && service.child.exitCode === null, `it was never ready: ${JSON.stringify(seen)}`)
    const alive = await ask('/healthz')
    // the process has not come to listening yet
    if (alive === null && seen.length === 0) continue
    const [ready, data] = [await ask('/readyz'), await ask('/v1/tokens/new')]
    if (data?.status === 503) reason ||= ((await data.json()) as { error: { message: string } }).error.message
    if (data?.status === 503) assert.ok(Number(data.headers.get('retry-after')) > 0)
    seen.push([alive?.status ?? 0, ready?.status ?? 0, data?.status ?? 0])
  }
  assert.deepEqual(seen[0], [200, 503, 503], 'alive before it is ready')
  assert.match(reason, /\w+ \w+/)
  const odd = seen.filter(([alive, ready]) => alive !== 200 || (ready !== 503 && ready !== 200))
  assert.deepEqual(odd, [])
})

/** Mounts a volume in memory of this size; returns its directory and what changes its size. Null: only root may mount. */
function mountVolume(t: TestContext, size: string) {
  const dir = mkdtempSync(join(tmpdir(), 'volume-'))
  const mount = (...options: string[]) =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(), 'tmpfs', dir]).status === 0
  const isMounted = mount(`size=${size}`)
  t.after(() => {
    if (isMounted) spawnSync('umount', ['--lazy', dir])
    rmSync(dir, { recursive: true, force: true })
  })
  return isMounted ? { dir, grow: (to: string) => assert.ok(mount('remount', `size=${to}`)) } : null
}

/** Nothing fits; the file of accounts does not fit; it fits, and its write-ahead log does not. */
for (const size of ['4k', '128k', '500k']) {
  test(`on a full volume of ${size} the first start ends and says what to do, and the next one has room`, async (t) => {
    const volume = mountVolume(t, size)
    if (volume === null) return t.skip('only root may mount a volume')
    const { dir, grow } = volume
    const env = { DATA_DIR: dir, SOURCE: 'simulator:seed=3&tps=5', OBSERVE: 'off' }
    const start = () => startService(env, ['serve'], { main: PROGRAM[1] })
    const { code, stderr } = await start().exit
    assert.equal(
      stderr,
      `${dir} cannot be used (write: ENOSPC): the volume is full: make room and start again; nothing acknowledged is lost\n`,
    )
    assert.equal(code, 1)
    grow('256m')
    const again = start()
    t.after(async () => {
      again.child.kill('SIGKILL')
      await again.exit
    })
    assert.equal((await fetch(`${operatorOf(await again.url)}/healthz`)).status, 200)
  })
}

test('on a volume that is nearly full it starts, says that nothing is folded, and goes on when there is room', async (t) => {
  const volume = mountVolume(t, '16m')
  if (volume === null) return t.skip('only root may mount a volume')
  const service = startService({ DATA_DIR: volume.dir, SOURCE: 'simulator:seed=3&tps=5', OBSERVE: 'off' })
  t.after(async () => {
    service.child.kill('SIGKILL')
    await service.exit
  })
  const monitors = operatorOf(await service.url)
  const readyz = async () => {
    const answer = await fetch(`${monitors}/readyz`)
    return { status: answer.status, ...((await answer.json()) as { disk: { problem: string | null }; seq: number }) }
  }
  const before = await readyz()
  assert.match(before.disk.problem!, /is full \(\d+ MB left\): nothing more is folded until 96 MB are free/)
  volume.grow('256m')
  const end = Date.now() + PATIENCE_MS
  for (let now = before; now.status !== 200 || now.seq <= before.seq; now = await readyz()) {
    assert.ok(Date.now() < end && service.child.exitCode === null, `it does not go on: ${JSON.stringify(now)}`)
    await pause(100)
  }
})
