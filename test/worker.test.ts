import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { after, test } from 'node:test'

/** What files that share processes keep to themselves, and what is known of them when one ends its process. */
const dir = mkdtempSync(join(tmpdir(), 'worker-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const head = "import assert from 'node:assert/strict'\nimport { after, before, test } from 'node:test'\n"
const FILES = {
  passes: "test('passes', () => {})",
  hooks:
    "let on = false\nbefore(() => { on = true })\nafter(() => { on = false })\ntest('hooked', () => assert.ok(on))",
  fails: "test('is wrong', () => assert.equal(1, 2))",
  cannotLoad: "throw new Error('cannot be loaded')",
  exits: "test('ends the process', () => process.exit(3))",
  skips: "test.skip('skipped', () => {})",
} as const
const ROOT = resolve(import.meta.dirname, '..')
const PROCESSES = JSON.stringify(join(ROOT, 'test/processes.mjs'))

interface Told {
  readonly passed: number
  readonly skipped: number
  readonly failed: string[]
  /** by the name of the file */
  readonly outcomes: Record<string, string>
}

/** Runs the files in `workers` processes, from a process of its own: node:test starts none from within a test. */
function tell(names: readonly (keyof typeof FILES)[], { workers = 1, untilMs = Number.MAX_VALUE } = {}): Told {
  const files = names.map((name) => {
    const path = join(dir, `${name}.mjs`)
    writeFileSync(path, head + FILES[name])
    return relative(ROOT, path)
  })
  const script = join(dir, 'tell.mjs')
  const text = `
    import { listOf, runScripts } from ${PROCESSES}
    import { basename } from 'node:path'
    const files = ${JSON.stringify(files)}
    const { scripts, outcomes } = listOf(files, { compiled: (file) => file, workers: ${workers}, untilMs: ${untilMs} })
    const { passed, skipped, failures } = await runScripts(scripts, ${workers}, { say() {} })
    const failed = failures.map(({ name }) => basename(name, '.mjs'))
    const all = outcomes().map(({ file, outcome }) => [basename(file, '.mjs'), outcome])
    console.log(JSON.stringify({ passed, skipped, failed, outcomes: Object.fromEntries(all) }))`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  writeFileSync(script, text)
  return JSON.parse(spawnSync(process.execPath, [script], { env, encoding: 'utf8' }).stdout)
}

test('a failure and a file that cannot be loaded leave the others of their process as they are', () => {
  const { passed, skipped, failed, outcomes } = tell(['fails', 'cannotLoad', 'hooks', 'skips', 'passes'])
  assert.equal(passed, 2)
  assert.equal(skipped, 1)
  assert.deepEqual(failed, ['is wrong', 'cannotLoad'])
  assert.deepEqual(new Set(Object.values(outcomes)), new Set(['ended']))
})

test('of a process that ends early, the file that ended it and those behind it have not ended', () => {
  const { failed, outcomes } = tell(['passes', 'exits', 'hooks'])
  assert.deepEqual(outcomes, { passes: 'ended', exits: 'cut off', hooks: 'cut off' })
  assert.equal(failed.length, 1)
})

test('each file runs once, in whichever process; where one ends early, another goes on', () => {
  const { passed, outcomes } = tell(['exits', 'passes', 'hooks', 'skips'], { workers: 2 })
  assert.deepEqual(outcomes, { exits: 'cut off', passes: 'ended', hooks: 'ended', skips: 'ended' })
  assert.equal(passed, 2)
})

test('what has not begun when time is over is left', () => {
  const { passed, failed, outcomes } = tell(['passes', 'hooks'], { untilMs: 0 })
  assert.deepEqual({ passed, failed, outcomes }, { passed: 0, failed: [], outcomes: { passes: 'left', hooks: 'left' } })
})
