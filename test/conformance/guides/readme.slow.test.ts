import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { command } from '../../simulation/service.ts'

/** The commands of README.md and docs/captures.md, run as written; the figures of this machine are left out of the comparison. */
const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8')
const [README, CAPTURES] = [read('README.md'), read('docs/captures.md')]
const VARIES = /^(seconds|trades per second|peak memory mb|microseconds per trade)\b/

const folder = mkdtempSync(join(tmpdir(), 'readme-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the lines of an example in a directory of their own, or the one given; what the last one printed. */
async function run(script: string, dir = mkdtempSync(join(folder, 'example-'))): Promise<string> {
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

test('a replay prints the page’s output, and its way back prints a list', async () => {
  const found =
    /## Replay a capture\n```sh\n([\s\S]*?)```\n```text\n([\s\S]*?)```[\s\S]*?```sh\n(.*)\n/.exec(CAPTURES) ?? []
  const [, script, output, back] = found
  assert.ok(script && output && back, 'the page has lost its example')
  const dir = mkdtempSync(join(folder, 'replay-'))
  assert.deepEqual(steady(await run(script, dir)), steady(output))
  assert.ok(Array.isArray(JSON.parse(await run(back, dir))))
})

test('`explain` begins with the README’s answer', async () => {
  const [, script, output] =
    /## Ask it[\s\S]*?`explain`[\s\S]*?```sh\n([\s\S]*?)```\n```text\n([\s\S]*?)```/.exec(README) ?? []
  assert.ok(script && output, 'the README has lost its example')
  assert.ok((await run(script)).startsWith(output))
})
