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

/** Runs the lines of an example; what the last one printed. */
async function run(script: string): Promise<string> {
  let printed = ''
  for (const line of script.trim().split('\n')) {
    const args = line.replace('npm run --silent cli -- ', '').split(' ')
    printed = await command(...args.map((arg) => (arg === 'demo.capture' ? join(dir, arg) : arg)))
  }
  return printed
}

const steady = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => !VARIES.test(line))

test('the README’s replay prints what the README says', async () => {
  const [, script, output] = /## Replay history\n```sh\n([\s\S]*?)```\n```text\n([\s\S]*?)```/.exec(README) ?? []
  assert.ok(script && output, 'the README has lost its example')
  const printed = await run(script)
  assert.deepEqual(steady(printed), steady(output))
})

test('the README’s explanation is what `explain` begins with, and its way back prints a list', async () => {
  const found = /## Ask why[\s\S]*?```sh\n([\s\S]*?)```\n```text\n([\s\S]*?)```[\s\S]*?```sh\n(.*)\n/.exec(README) ?? []
  const [, script, output, back] = found
  assert.ok(script && output && back, 'the README has lost its example')
  assert.ok((await run(script)).startsWith(output))
  assert.ok(Array.isArray(JSON.parse(await run(back))))
})
