import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { KEYS } from '../support/fake-service.ts'
import { fakeStreams, openLive } from '../support/live-service.ts'
import { inPython, PYTHON, withMypy } from './tools.ts'

/** The Python client: its own tests, against the real faces. */
const CLIENT = resolve(import.meta.dirname, '../../clients/python')

test('its version is that of the interface', () => {
  const { version } = JSON.parse(readFileSync(join(CLIENT, '../../openapi.json'), 'utf8')).info
  assert.match(readFileSync(join(CLIENT, 'pyproject.toml'), 'utf8'), new RegExp(`^version = "${version}"$`, 'm'))
})

test('its types, strictly', withMypy, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'mypy-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const args = ['-B', '-m', 'mypy', '--strict', '--cache-dir', dir, 'token_intelligence']
  const { stdout } = await promisify(execFile)(PYTHON!, args, { cwd: CLIENT }).catch((error) => {
    throw new Error(error.stdout + error.stderr)
  })
  assert.match(stdout, /^Success/)
})

test('its own tests', inPython, async (t) => {
  const topics = fakeStreams(25)
  for (let i = 0; i < 30; i++) topics.append('frames:live', { text: 'é😀\u2028\u0085' })
  const { mint, trader, deployer } = EXAMPLE_ADDRESSES
  for (const of of [mint, trader, mint, trader]) topics.append('tokens:live', { mint: of })
  const service = await openLive(t, { topics })
  const { stdout } = await promisify(execFile)(
    PYTHON!,
    ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'],
    {
      cwd: CLIENT,
      env: {
        ...process.env,
        PYTHONPATH: CLIENT,
        TI_URL: service.baseUrl,
        TI_KEY: KEYS.pro,
        TI_MINT: mint,
        TI_TRADER: trader,
        TI_DEPLOYER: deployer,
      },
    },
  ).catch((error) => {
    throw new Error(error.stdout + error.stderr)
  })
  t.diagnostic(stdout.trim().split('\n').at(-1)!)
  assert.match(stdout, /^\d+ passed/m)
  assert.doesNotMatch(stdout, /skipped|xfailed/)
})
