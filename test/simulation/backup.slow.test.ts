import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { makeKeys } from './keys.ts'
import { command, operatorOf, replay, startService } from './service.ts'

/** What docs/backup.md says of copies: stop, copy the directory, start; and the copy goes on where it was taken. */
test('a copy of the data directory of a stopped service goes on as the original does', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'backup-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const capture = join(dir, 'market.capture')
  await command('capture', 'simulate', capture, '--trades', '10000', '--seed', '5')
  const [data, copy] = [join(dir, 'data'), join(dir, 'copy')]
  const [key] = await makeKeys(data, 1)
  const env = { SOURCE: `capture:${capture}?speed=20`, PAYMENTS: 'off' }
  const service = startService({ ...env, DATA_DIR: data })
  const url = await service.url
  const slotOf = async (base: string): Promise<number> =>
    ((await (await fetch(`${operatorOf(base)}/readyz`)).json()) as { slot: number }).slot
  while ((await slotOf(url)) < 0) await setTimeout(5)
  service.child.kill('SIGTERM')
  assert.equal((await service.exit).code, 0)
  cpSync(data, copy, { recursive: true })

  const restored = startService({ ...env, DATA_DIR: copy })
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${await restored.url}/v1/tokens/new`, { headers })
  assert.equal(answer.status, 200, 'the copy knows the key')
  restored.child.kill('SIGTERM')
  assert.equal((await restored.exit).code, 0)

  const undisturbed = await replay(capture, join(dir, 'undisturbed'))
  for (const one of [data, copy]) assert.equal((await replay(capture, one)).state_hash, undisturbed.state_hash)
})
