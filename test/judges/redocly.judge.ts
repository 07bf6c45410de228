import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { bin, runNode } from './tools.ts'

/** A linter of others reads the document that is checked in, by its recommended rules. */
const DOCUMENT = resolve(import.meta.dirname, '../../openapi.json')

// a folder of its own, so that no configuration of a parent folder counts
const dir = mkdtempSync(join(tmpdir(), 'redocly-'))
after(() => rmSync(dir, { recursive: true, force: true }))

interface Verdict {
  readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[]
}

async function lint(name: string): Promise<Verdict> {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = ['lint', name, '--extends', 'recommended', '--format', 'json']
  const { code, stdout, stderr } = await runNode(bin('redocly'), args, { cwd: dir, env })
  const start = stdout.indexOf('{')
  assert.ok(start >= 0, `no verdict (${code}): ${stderr}`)
  return JSON.parse(stdout.slice(start)) as Verdict
}

test('redocly finds nothing to say about openapi.json', async () => {
  copyFileSync(DOCUMENT, join(dir, 'openapi.json'))
  const { totals, problems } = await lint('openapi.json')
  assert.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  )
  assert.deepEqual([totals.errors, totals.warnings, totals.ignored], [0, 0, 0])
})

test('redocly would say so: a document that lost its ways in and a component', async () => {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
    paths: Record<string, { get: { security?: unknown } }>
    components: { headers: Record<string, unknown> }
  }
  delete document.paths['/v1/tokens/new']!.get.security
  delete document.components.headers['PAYMENT-REQUIRED']
  writeFileSync(join(dir, 'broken.json'), JSON.stringify(document))
  const { problems } = await lint('broken.json')
  const rules = new Set(problems.map(({ ruleId }) => ruleId))
  assert.ok(rules.has('security-defined') && rules.has('no-unresolved-refs'), [...rules].join())
})
