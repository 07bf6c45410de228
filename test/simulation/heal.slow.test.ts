import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Trade } from '@ti/core/contract/resources.ts'
import { stateFile } from '@ti/service/store/open.ts'
import { PATIENCE_MS, startService } from './service.ts'

/** milliseconds between two questions */
const PAUSE_MS = 20

interface Answer {
  readonly status: number
  readonly data: Trade[]
}

test('a state that is damaged while it is served from is folded again, and no wrong answer is given meanwhile', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'heal-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const service = startService({ DATA_DIR: dir, SOURCE: 'simulator:seed=4&tps=20', PAYMENTS: 'off' })
  t.after(() => service.child.kill('SIGKILL'))
  const [url, key] = [await service.url, await service.key]
  const get = async (path: string): Promise<Answer> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } }).catch(() => null)
    // between two faces nobody listens for a moment
    if (answer === null) return { status: 0, data: [] }
    const body = (await answer.json()) as { data?: Trade[] }
    return { status: answer.status, data: body.data ?? [] }
  }
  const setAside = (): string[] => readdirSync(dir).filter((name) => name.startsWith('state-damaged-'))
  const statuses = new Set<number>()
  const isReady = async (): Promise<boolean> => (await get('/readyz')).status === 200
  const until = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + PATIENCE_MS; !(await check()); await setTimeout(PAUSE_MS)) {
      assert.ok(Date.now() < end, `waited in vain: ${what}; seen: ${JSON.stringify([...statuses])}`)
      assert.equal(service.child.exitCode, null, 'the service ended')
    }
  }
  await until('the service is ready', isReady)
  const mint = (await get('/v1/tokens/new')).data.find(({ mint }) => mint !== undefined)!.mint
  let before: readonly Trade[] = []
  await until('the token has traded', async () => {
    before = (await get(`/v1/tokens/${mint}/trades`)).data
    return before.length > 0
  })

  // as a failing disk would: what is on it is not what was written
  const other = new DatabaseSync(stateFile(dir))
  other.exec('pragma busy_timeout = 10000; update trades set sum = sum + 1')
  other.close()

  await until('the damage is found', async () => {
    const { status } = await get(`/v1/tokens/${mint}/trades`)
    statuses.add(status)
    // a young state may be folded again between two questions
    return status === 503 || setAside().length > 0
  })
  let after: readonly Trade[] = []
  await until('the state is folded again', async () => {
    const answer = await get(`/v1/tokens/${mint}/trades`)
    after = answer.data
    return setAside().length > 0 && answer.status === 200 && (await isReady())
  })
  // what was shown before is there again, as it was; newer ones may have come
  const shown = new Map(after.map((trade) => [trade.unique_id, trade]))
  const kept = before.filter(({ unique_id }) => shown.has(unique_id))
  assert.ok(
    kept.length > 0 || after.length === 100,
    `none of ${before.length} trades shown before is among ${after.length}`,
  )
  for (const trade of kept) assert.deepEqual(shown.get(trade.unique_id), trade)
  assert.deepEqual(
    [...statuses].filter((status) => ![0, 200, 503].includes(status)),
    [],
  )
  assert.equal(setAside().length, 1)
  service.child.kill('SIGTERM')
  const { code, stderr } = await service.exit
  assert.equal(code, 0)
  assert.match(stderr, /is damaged: trades \d+ has a wrong checksum/)
})
