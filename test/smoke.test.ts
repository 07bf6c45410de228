import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { command, replay, startService } from './simulation/service.ts'
import { eventually } from './support/wait.ts'

/** The built program from end to end, once: whether it starts, answers and ends. What it answers is tested elsewhere. */
const dir = mkdtempSync(join(tmpdir(), 'smoke-'))
after(() => rmSync(dir, { recursive: true, force: true }))

test('a captured market is replayed, served with a key, and the service ends when it is told', async () => {
  const capture = join(dir, 'market.capture')
  const data = join(dir, 'data')
  await command('capture', 'simulate', capture, '--trades', '500', '--seed', '3')
  const { trades, tokens } = await replay(capture, data)
  assert.ok(trades >= 500 && tokens > 0)

  const service = startService({ DATA_DIR: data, SOURCE: `capture:${capture}?speed=0`, VALIDATE_RESPONSES: '1' })
  try {
    const url = await service.url
    const headers = { authorization: `Bearer ${await service.key}` }
    await eventually('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200)
    const get = async (path: string): Promise<unknown> => {
      const answer = await fetch(url + path, { headers })
      assert.equal(answer.status, 200, path)
      return ((await answer.json()) as { data: unknown }).data
    }
    const cards = (await get('/v1/tokens/new')) as { mint: string }[]
    assert.ok(cards.length > 0)
    const snapshot = (await get(`/v1/tokens/${cards[0]!.mint}`)) as object
    assert.deepEqual(Object.keys(snapshot).sort(), [...SNAPSHOT_GROUPS].sort())
    assert.equal((await fetch(`${url}/v1/tokens/new`)).status, 402, 'without a key there is a price')
    assert.match(await (await fetch(url, { headers: { accept: 'text/html' } })).text(), /<!doctype html>/i)
    service.child.kill('SIGTERM')
    const { code, stderr } = await service.exit
    assert.equal(code, 0, stderr)
  } finally {
    service.child.kill('SIGKILL')
  }
})
