import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'

/** What files that share a process keep to themselves, and what is known of them when one takes the process along. */
const dir = mkdtempSync(join(tmpdir(), 'together-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const ROOT = process.cwd()

const head = "import assert from 'node:assert/strict'\nimport { after, before, test } from 'node:test'\n"
const FILES = {
  passes: "test('passes', () => {})",
  hooks:
    "let on = false\nbefore(() => { on = true })\nafter(() => { on = false })\ntest('hooked', () => assert.ok(on))",
  fails: "test('is wrong', () => assert.equal(1, 2))",
  cannotLoad: "throw new Error('cannot be loaded')",
  exits: "test('takes the process along', () => process.exit(3))",
} as const

/** Runs the files in one process: what the runner reads of it afterwards. */
function runTogether(names: readonly (keyof typeof FILES)[]) {
  const list = names.map((name) => {
    const path = join(dir, `${name}.test.js`)
    writeFileSync(path, head + FILES[name])
    return { name, path }
  })
  const [times, failures, script] = ['times', 'failures', 'shared.mjs'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [times, failures]) rmSync(path, { force: true })
  const together = JSON.stringify(join(ROOT, 'test/together.mjs'))
  writeFileSync(script, `import { runTogether } from ${together}\nawait runTogether(${JSON.stringify(list)}, [])\n`)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { stdout } = spawnSync(process.execPath, ['test/in-order.mjs', '1', script], {
    cwd: ROOT,
    env: { ...env, TEST_TIMES: times, TEST_FAILURES: failures },
    encoding: 'utf8',
  })
  const lines = (path: string): Record<string, string>[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : []
  return {
    passed: Number(stdout.match(/^ℹ pass (\d+)$/m)?.[1]),
    ended: lines(times).map(({ file }) => basename(file!, '.test.js')),
    failed: lines(failures).map(({ name }) => name),
  }
}

test('a failure and a file that cannot be loaded leave the others of their process as they are', () => {
  const { passed, ended, failed } = runTogether(['fails', 'cannotLoad', 'hooks', 'passes'])
  assert.equal(passed, 2)
  assert.deepEqual(ended, ['fails', 'cannotLoad', 'hooks', 'passes'])
  assert.equal(failed.length, 2)
  assert.equal(failed[0], 'is wrong')
})

test('of a process that is taken along, only what came before counts as ended, so that the runner knows the rest', () => {
  const { ended, failed } = runTogether(['passes', 'exits', 'hooks'])
  assert.deepEqual(ended, ['passes'])
  assert.equal(failed.length, 1)
})
