import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../ports.mjs'
import { PATIENCE_MS, startService } from '../simulation/service.ts'

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
