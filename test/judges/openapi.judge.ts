import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { bin, runNode } from './tools.ts'

/** Linters and generators of others read the document that is checked in. */
const DOCUMENT = resolve(import.meta.dirname, '../../openapi.json')

// a folder of its own, so that no configuration of a parent folder counts
const dir = mkdtempSync(join(tmpdir(), 'openapi-'))
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

async function spectral(name: string): Promise<readonly string[]> {
  writeFileSync(join(dir, '.spectral.json'), JSON.stringify({ extends: ['spectral:oas'] }))
  const args = ['lint', name, '--ruleset', '.spectral.json', '--format', 'json', '--quiet']
  const { stdout, stderr } = await runNode(bin('spectral'), args, { cwd: dir })
  const start = stdout.indexOf('[')
  assert.ok(start >= 0, stderr)
  const found = JSON.parse(stdout.slice(start, stdout.lastIndexOf(']') + 1)) as { code: string; message: string }[]
  return found.map(({ code, message }) => `${code}: ${message}`)
}

test('spectral finds nothing to say, and would', async () => {
  copyFileSync(DOCUMENT, join(dir, 'openapi.json'))
  assert.deepEqual(await spectral('openapi.json'), [])
  const { tags: _, ...untagged } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { tags: unknown }
  writeFileSync(join(dir, 'untagged.json'), JSON.stringify(untagged))
  assert.ok((await spectral('untagged.json')).some((line) => line.startsWith('operation-tag-defined')))
})

const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', [DOCUMENT, '-o', 'types.ts'], 'types.ts'],
  '@hey-api/openapi-ts': ['openapi-ts', ['-i', DOCUMENT, '-o', 'sdk'], 'sdk/index.ts'],
} as const

for (const [name, [command, args, entry]] of Object.entries(GENERATORS)) {
  test(`a client that ${name} makes of the whole interface compiles`, async () => {
    const made = await runNode(bin(command), args, { cwd: dir })
    assert.equal(made.code, 0, made.stderr)
    const strict = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable']
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler']
    const compiled = await runNode(bin('tsc'), [...strict, ...modules, entry], { cwd: dir })
    assert.deepEqual([compiled.code, compiled.stdout], [0, ''])
  })
}

test('an operation is called in a generated client as in the document', () => {
  const sdk = readFileSync(join(dir, 'sdk/sdk.gen.ts'), 'utf8')
  const called = new Set([...sdk.matchAll(/^export const (\w+) =/gm)].map(([, name]) => name))
  const document = readFileSync(DOCUMENT, 'utf8')
  const { webhooks: _, ...rest } = JSON.parse(document) as { webhooks: unknown }
  const ids = [...JSON.stringify(rest).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id!)
  const camel = (id: string): string => id.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  assert.deepEqual([...called].sort(), ids.map(camel).sort())
})
