import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { drained } from '../../../../../test/support/drained.ts'
import { OperatorError } from '../../base/errors.ts'
import { encodeEntry } from '../codec.ts'
import { DamagedLog } from './damaged.ts'
import { findSegments } from './directory.ts'
import { openSegmentLogToRead } from './log-reader.ts'
import { openSegmentLog } from './segment-log.ts'
import { verifyingSegments } from './verify.ts'

const BOUNDS = {
  bytes: 4_096,
  batchBytes: 1 << 20,
  readBytes: 1_024,
  markBytes: 512,
  open: 2,
}

function directory(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'segments-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'log')
}

const entry = (seq: number): Buffer => Buffer.alloc(20 + ((seq * 37) % 200), seq % 251)
const open = (dir: string) => openSegmentLog(dir, { bounds: BOUNDS })

/** Batches of 1, 2, 3, 1, 2, … entries. */
function fill(dir: string, entries: number): void {
  const log = open(dir)
  for (let seq = log.next(), inBatch = 0, batch = 1; seq < entries; seq++) {
    log.append(seq, entry(seq))
    if (++inBatch === batch) {
      log.sync()
      inBatch = 0
      batch = (batch % 3) + 1
    }
  }
  log.sync()
  log.close()
}

test('a segment of another format is refused, not damaged, by whoever opens the log', (t) => {
  const dir = directory(t)
  fill(dir, 10)
  const [name = ''] = readdirSync(dir)
  const bytes = readFileSync(join(dir, name))
  bytes.writeUInt32LE(9, 4)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 52)), 52)
  writeFileSync(join(dir, name), bytes)
  for (const read of [
    () => open(dir),
    () => openSegmentLogToRead(dir, BOUNDS).newest(),
    () => drained(verifyingSegments(dir, BOUNDS)),
  ])
    assert.throws(
      read,
      (error) =>
        error instanceof OperatorError &&
        !(error instanceof DamagedLog) &&
        /its format is 9, this program reads 1.*`serve` with an empty DATA_DIR/.test(error.message),
    )
  assert.ok(readFileSync(join(dir, name)).equals(bytes), 'nothing was changed')
})

test('what was synced is read back, over several segments, by its owner and by others', (t) => {
  const dir = directory(t)
  fill(dir, 300)
  assert.ok(readdirSync(dir).length > 5)
  const log = open(dir)
  const reader = openSegmentLogToRead(dir, BOUNDS)
  for (const one of [log, reader]) {
    assert.equal(one.newest(), 299)
    assert.equal(one.oldest(), 0)
    assert.deepEqual(
      one.bytes(0, 1_000),
      Array.from({ length: 300 }, (_, seq) => entry(seq)),
    )
    for (let seq = 299; seq >= 0; seq--) assert.deepEqual(one.bytes(seq, 1), [entry(seq)])
    for (let seq = 0; seq < 300; seq += 7) assert.deepEqual(one.bytes(seq, 7)[0], entry(seq))
    assert.deepEqual(one.bytes(300, 10), [])
    assert.equal(one.chain(300), undefined)
    assert.equal(typeof one.chain(-1), 'number')
    assert.ok(one.holds(log.position()))
    assert.equal(one.mismatch({ id: log.id, seq: 300, chain: 0 }), 'lost')
    assert.equal(one.mismatch({ id: log.id, seq: 150, chain: log.chain(149)! }), 'differs')
    assert.equal(one.mismatch({ id: 'x', seq: 150, chain: 0 }), 'other log')
  }
  log.append(300, entry(300))
  assert.equal(log.newest(), 299)
  log.discard()
  log.append(300, entry(301))
  log.sync()
  assert.deepEqual(reader.bytes(299, 9), [entry(299), entry(301)])
  assert.throws(() => log.append(300, entry(300)), /the log goes on with 301/)
  log.close()
  reader.close()
})

test('entries are decoded', (t) => {
  const log = open(directory(t))
  log.append(0, encodeEntry({ kind: 'gap', from: 3, to: 4 }))
  log.sync()
  assert.deepEqual([...log.read(0)], [{ seq: 0, entry: { kind: 'gap', from: 3, to: 4 } }])
  log.close()
})

test('a log begun later, of the same id, goes on with the chain it was begun with', (t) => {
  const dir = directory(t)
  fill(dir, 50)
  const whole = open(dir)
  const begin = { id: whole.id, seq: 30, chain: whole.chain(29)! }
  const late = openSegmentLog(join(dir, 'late'), { bounds: BOUNDS, begin })
  assert.equal(late.newest(), -1)
  assert.equal(late.next(), 30)
  for (let seq = 30; seq < 50; seq++) late.append(seq, entry(seq))
  late.sync()
  assert.deepEqual(late.position(), whole.position())
  assert.equal(late.oldest(), 30)
  late.close()
  whole.close()
})

test('a torn last batch is dropped at every byte it may end at, and the log goes on', (t) => {
  const dir = directory(t)
  const log = open(dir)
  for (let seq = 0; seq < 3; seq++) log.append(seq, entry(seq))
  log.sync()
  const path = join(dir, findSegments(dir)[0]!.name)
  const before = statSync(path).size
  for (let seq = 3; seq < 6; seq++) log.append(seq, entry(seq))
  log.sync()
  log.close()
  const whole = readFileSync(path)
  for (let size = before; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size))
    const reader = openSegmentLogToRead(dir, BOUNDS)
    assert.equal(reader.newest(), 2)
    reader.close()
    const again = open(dir)
    assert.equal(again.droppedBytes, size - before)
    assert.equal(again.newest(), 2)
    again.append(3, entry(99))
    again.sync()
    assert.deepEqual(again.bytes(2, 5), [entry(2), entry(99)])
    again.close()
  }
})

test('segments that are missing, shortened, exchanged or of another log are named', (t) => {
  const dir = directory(t)
  fill(dir, 200)
  const names = readdirSync(dir)
  const other = directory(t)
  fill(other, 200)
  const [first, second, third] = names.map((name) => join(dir, name)) as [string, string, string]
  const kept = names.map((name) => readFileSync(join(dir, name)))
  const restore = (): void => {
    for (const [i, name] of names.entries()) writeFileSync(join(dir, name), kept[i]!)
  }
  const refused = (what: RegExp): void => {
    assert.throws(
      () => open(dir),
      (error) => error instanceof DamagedLog && error.exitCode === 4 && what.test(error.message),
    )
    restore()
    open(dir).close()
  }
  const verified = (): string[] => drained(verifyingSegments(dir, BOUNDS)).segments.map(({ state }) => state)
  assert.ok(verified().every((state) => state === 'ok'))
  copyFileSync(join(other, names[1]!), second)
  assert.deepEqual(verified().slice(0, 2), ['ok', 'foreign'])
  rmSync(second)
  assert.deepEqual(verified().slice(0, 3), ['ok', 'missing', 'ok'])
  refused(/the segment before it, .*, is missing/)
  rmSync(first)
  refused(/is missing/)
  truncateSync(second, kept[1]!.length - 1)
  refused(/it had \d+ when it was closed/)
  writeFileSync(second, kept[2]!)
  writeFileSync(third, kept[1]!)
  refused(/it is the segment that begins at entry/)
  copyFileSync(join(other, names[1]!), second)
  refused(/it belongs to another log/)
})
