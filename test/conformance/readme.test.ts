import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { command } from '../simulation/service.ts'

/** The README's replay example, run as written; what depends on the machine is left out of the comparison. */
const README = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8')
const VARIES = /^(seconds|trades per second|peak memory mb|microseconds per trade)\b/

const dir = mkdtempSync(join(tmpdir(), 'readme-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const steady = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => !VARIES.test(line))

test('the README’s replay prints what the README says', async () => {
  const [, script, output] = /## Replay history\n```sh\n([\s\S]*?)```\n```text\n([\s\S]*?)```/.exec(README) ?? []
  assert.ok(script && output, 'the README has lost its example')
  let printed = ''
  for (const line of script.trim().split('\n')) {
    const args = line.replace('npm run --silent cli -- ', '').split(' ')
    printed = await command(...args.map((arg) => (arg.endsWith('.capture') ? join(dir, arg) : arg)))
  }
  assert.deepEqual(steady(printed), steady(output))
})
