import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { seed } from '../../../../../test/support/chance.ts'
import fc from '../../../../../test/support/property.ts'
import { openSegmentLogToRead } from './log-reader.ts'
import { openSegmentLog, type SegmentLog } from './segment-log.ts'

const SEED = seed(17)
const ENTRIES = 3_000
const BOUNDS = {
  bytes: 30_000,
  batchBytes: 1 << 20,
  readBytes: 4_096,
  markBytes: 1_024,
  open: 2,
}

const entry = (seq: number): Buffer => Buffer.alloc((seq * 997) % 700, seq % 251)

function temporary(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'segments-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const owner = `
  const { openSegmentLog } = await import(${JSON.stringify(new URL('./segment-log.ts', import.meta.url).href)})
  const log = openSegmentLog(process.argv[1], { bounds: ${JSON.stringify(BOUNDS)} })
  while (log.next() < ${ENTRIES}) {
    for (let left = 1 + (log.next() % 5); left > 0 && log.next() < ${ENTRIES}; left--)
      log.append(log.next(), Buffer.alloc((log.next() * 997) % 700, log.next() % 251))
    log.sync()
  }
  log.close()`

test('a reader beside a writing and rotating owner sees a growing log, right at every look', async (t) => {
  const dir = join(temporary(t), 'log')
  const reader = openSegmentLogToRead(dir, BOUNDS)
  assert.equal(reader.newest(), -1)
  assert.equal(reader.id, '')
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', owner, dir], {
    stdio: 'inherit',
  })
  const closed = once(child, 'close')
  let looks = 0
  let read = 0
  for (let ended = false; !ended || read < ENTRIES; looks++) {
    ended = child.exitCode !== null
    for (const bytes of reader.bytes(read, 50)) assert.deepEqual(bytes, entry(read++))
    const newest = reader.newest()
    assert.ok(newest >= read - 1)
    if (newest >= 0) assert.deepEqual(reader.bytes(newest, 1), [entry(newest)])
    if (ended && newest === ENTRIES - 1 && reader.bytes(read, 1).length === 0) break
    await new Promise(setImmediate)
  }
  assert.deepEqual(await closed, [0, null])
  assert.equal(read, ENTRIES)
  assert.ok(readdirSync(dir).length > 20)
  t.diagnostic(`${looks} looks`)
  reader.close()
})

test('a half-written tail is the end for a reader, and read on when it is whole', (t) => {
  const dir = join(temporary(t), 'log')
  const log = openSegmentLog(dir, { bounds: BOUNDS })
  for (let seq = 0; seq < 4; seq++) log.append(seq, entry(seq))
  log.sync()
  const path = join(dir, readdirSync(dir)[0]!)
  const before = readFileSync(path).length
  for (let seq = 4; seq < 8; seq++) log.append(seq, entry(seq))
  log.sync()
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, before))
  const reader = openSegmentLogToRead(dir, BOUNDS)
  for (let size = before; size < whole.length; size += 13) {
    writeFileSync(path, whole.subarray(0, size))
    assert.equal(reader.newest(), 3)
  }
  writeFileSync(path, whole)
  assert.equal(reader.newest(), 7)
  reader.close()
  log.close()
})

test('any appends, discards, syncs, reopenings and reads are those of a plain array', (t) => {
  t.diagnostic(`seed ${SEED}`)
  const dir = temporary(t)
  let count = 0
  const step = fc.oneof(
    fc.record({ do: fc.constant('append' as const), bytes: fc.uint8Array({ maxLength: 400 }) }),
    fc.record({ do: fc.constantFrom('sync' as const, 'discard' as const, 'reopen' as const) }),
    fc.record({ do: fc.constant('read' as const), from: fc.nat(60), limit: fc.nat(20) }),
  )
  const property = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
    const path = join(dir, `log${count++}`)
    const bounds = { ...BOUNDS, bytes: 600, readBytes: 128, markBytes: 64 }
    let log: SegmentLog = openSegmentLog(path, { bounds })
    const reader = openSegmentLogToRead(path, bounds)
    const synced: Buffer[] = []
    let pending: Buffer[] = []
    for (const one of steps) {
      if (one.do === 'append') {
        log.append(synced.length + pending.length, Buffer.from(one.bytes))
        pending.push(Buffer.from(one.bytes))
      } else if (one.do === 'read') {
        const expected = synced.slice(one.from, one.from + one.limit)
        assert.deepEqual(log.bytes(one.from, one.limit), expected)
        assert.deepEqual(reader.bytes(one.from, one.limit), expected)
      } else {
        if (one.do === 'sync') log.sync()
        else log.discard()
        if (one.do === 'sync') synced.push(...pending)
        pending = []
        if (one.do === 'reopen') {
          log.close()
          log = openSegmentLog(path, { bounds })
          assert.equal(log.droppedBytes, 0)
        }
      }
      assert.equal(log.newest(), synced.length - 1)
      assert.equal(reader.newest(), synced.length - 1)
    }
    assert.deepEqual(reader.position(), log.position())
    log.close()
    reader.close()
  })
  fc.assert(property, { numRuns: 60, seed: SEED })
})
