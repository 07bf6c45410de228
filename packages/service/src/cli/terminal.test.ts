import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { PROGRESS, progressLine } from '../service/progress.ts'
import { refuseWithoutStore } from './running-services.ts'
import { createTerminal } from './terminal.ts'

function fakeStream(isTTY: boolean) {
  const written: string[] = []
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream
  return { written, stream }
}

test('progress comes by the clock, also where the work says nothing, and ends with it', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { written, stream } = fakeStream(false)
    const terminal = createTerminal(stream)
    terminal.show({ label: 'fold', share: 0, text: '' })
    mock.timers.tick(PROGRESS.firstMs - 1)
    assert.deepEqual(written, [])
    mock.timers.tick(1)
    assert.match(written.join(''), /^fold ░+ 0%\n$/)
    terminal.show({ label: 'fold', share: 0.5, text: '7 trades' })
    mock.timers.tick(PROGRESS.lineMs)
    assert.match(written.at(-1)!, /^fold █+░+ 50%, \d+ s left {2}7 trades\n$/)
    assert.equal(terminal.share, 0.5)
    terminal.show(null)
    mock.timers.tick(PROGRESS.lineMs * 3)
    assert.equal(written.length, 2)
  } finally {
    mock.timers.reset()
  }
})

test('what is quick shows no progress; a note on a terminal takes the place of the bar', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { written, stream } = fakeStream(true)
    const terminal = createTerminal(stream)
    terminal.show({ label: 'quick', share: 0, text: '' })
    terminal.close()
    mock.timers.tick(PROGRESS.firstMs * 10)
    assert.deepEqual(written, [])
    terminal.show({ label: 'slow', share: 0.1, text: '' })
    mock.timers.tick(PROGRESS.firstMs)
    terminal.note('a note')
    assert.deepEqual(written.slice(-2), ['\r\x1b[2K', 'a note\n'])
    terminal.close()
  } finally {
    mock.timers.reset()
  }
})

test('time left is said in what a person counts in', () => {
  const said = (share: number, ms: number) => /, (.*)$/.exec(progressLine({ label: 'x', share, text: '' }, ms))?.[1]
  assert.equal(said(0.5, 10_000), '10 s left')
  assert.equal(said(0.1, 60_000), '9 min left')
  assert.equal(said(0.01, 600_000), '16 h 30 min left')
  assert.doesNotMatch(progressLine({ label: 'x', share: 0, text: '' }, 10), /left/)
})

test('without a store keys are refused with the command to name another', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'running-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const empty = join(dir, 'empty')
  assert.throws(
    () => refuseWithoutStore(empty, 'keys create'),
    /no service has run with this data directory.*keys create/s,
  )
  writeFileSync(join(dir, 'admin.sock'), '')
  refuseWithoutStore(dir, 'keys create')
})
