import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { INTERRUPT_MS } from '@ti/service/cli/run.ts'
import { command, replay, type Started, startService } from '../simulation/service.ts'

/** Ctrl-C and SIGTERM in the middle of real work: nothing that looks like a result, one line, nothing unfinished is left. */
const dir = mkdtempSync(join(tmpdir(), 'signals-'))
const capture = join(dir, 'market.capture')
const data = join(dir, 'data')

before(async () => {
  await command('capture', 'simulate', capture, '--trades', '8000', '--seed', '3', '--no-truth')
  await replay(capture, data)
})
after(() => rmSync(dir, { recursive: true, force: true }))

interface Interrupted {
  readonly args: readonly string[]
  readonly signal: 'SIGINT' | 'SIGTERM'
  /** resolves when it is time for the signal */
  readonly when: (started: Started) => Promise<unknown>
  /** what the line says beside how far it was */
  readonly said?: RegExp
}

/** stderr has a line of progress */
const atWork = ({ child }: Started): Promise<void> =>
  new Promise((done) => child.stderr!.on('data', (chunk) => /\d%/.test(String(chunk)) && done()))

const says = (pattern: RegExp) => (started: Started) =>
  new Promise<void>((done) => started.child.stderr!.on('data', (chunk) => pattern.test(String(chunk)) && done()))

const thereIs = (path: string) => async () => {
  while (!existsSync(path)) await pause(2)
}

/** Runs a command with a folder for its own temporary files, and ends it. */
async function interrupt({ args, signal, when, said = /^$/ }: Interrupted): Promise<number> {
  const TMPDIR = mkdtempSync(join(dir, 'tmp-'))
  const started = startService({ TMPDIR, DATA_DIR: data }, args)
  const ready = await Promise.race([when(started).then(() => true), started.exit.then(() => false)])
  if (!ready)
    assert.fail(`${args.join(' ')} ended before it could be interrupted: ${JSON.stringify(await started.exit)}`)
  const sentMs = performance.now()
  started.child.kill(signal)
  const { code, signal: endedBy, stdout, stderr } = await started.exit
  const tookMs = Math.round(performance.now() - sentMs)
  // either way a shell tells the same number
  if (endedBy === null) assert.equal(code, signal === 'SIGINT' ? 130 : 143, stderr)
  else assert.equal(endedBy, signal, stderr)
  assert.equal(stdout, '', 'nothing looks like a result')
  const lines = stderr.trimEnd().split('\n')
  const [, rest] = /^interrupted at \d{1,3}%(?:; (.*))?$/.exec(lines.at(-1)!) ?? []
  assert.match(lines.at(-1)!, /^interrupted at \d{1,3}%/)
  assert.equal(lines.filter((line) => line.startsWith('interrupted')).length, 1, stderr)
  assert.match(rest ?? '', said)
  assert.doesNotMatch(stderr, /^ {4}at /m)
  assert.deepEqual(readdirSync(TMPDIR), [], 'temporary files are removed')
  return tookMs
}

test('an interruption has to be over within half a second', () => {
  assert.ok(INTERRUPT_MS < 500)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends capture simulate; the unfinished capture and its truth are removed`, async (t) => {
    const out = join(dir, `${signal}.capture`)
    const args = ['capture', 'simulate', out, '--trades', '5000000']
    t.diagnostic(`${await interrupt({ args, signal, when: atWork })} ms`)
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.startsWith(`${signal}.capture`)),
      [],
    )
  })
}

test('SIGINT ends replay, with a state that is thrown away or kept', async (t) => {
  t.diagnostic(`${await interrupt({ args: ['replay', capture], signal: 'SIGINT', when: atWork })} ms`)
  const kept = join(dir, 'kept')
  const args = ['replay', capture, '--data-dir', kept, '--json']
  const said = /kept stays: the same command continues$/
  t.diagnostic(`${await interrupt({ args, signal: 'SIGINT', when: atWork, said })} ms`)
  const whole = await replay(capture, join(dir, 'whole'))
  assert.equal((await replay(capture, kept)).state_hash, whole.state_hash)
})

test('SIGTERM ends evaluate without a report', async (t) => {
  const args = ['evaluate', capture]
  t.diagnostic(`${await interrupt({ args, signal: 'SIGTERM', when: atWork })} ms`)
})

test('SIGINT ends export; the same command continues', async (t) => {
  const out = join(dir, 'parquet')
  const args = ['export', '--parquet', out]
  const said = /^$|stays: the same command continues$/
  t.diagnostic(`${await interrupt({ args, signal: 'SIGINT', when: says(/copying/), said })} ms`)
  const { code, stdout, stderr } = await startService({ DATA_DIR: data }, args).exit
  assert.equal(code, 0, stderr)
  assert.match(stdout, /trades +8\d\d\d rows/)
})

test('SIGINT ends checkpoint make; nothing unfinished is left', async (t) => {
  const folder = join(dir, 'checkpoints')
  mkdirSync(folder)
  const file = join(folder, 'one')
  const args = ['checkpoint', 'make', file]
  t.diagnostic(`${await interrupt({ args, signal: 'SIGINT', when: thereIs(`${file}.making`) })} ms`)
  // a quick machine finishes it within the moment that work has to put things away: then it is whole
  const left = readdirSync(folder)
  if (left.length === 0) return
  assert.deepEqual(left, ['one'])
  const { code, stderr } = await startService({ DATA_DIR: join(dir, 'restored') }, ['checkpoint', 'restore', file]).exit
  assert.equal(code, 0, stderr)
})
