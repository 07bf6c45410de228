import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { seed } from '../../../../../test/support/chance.ts'
import { drained } from '../../../../../test/support/drained.ts'
import fc from '../../../../../test/support/property.ts'
import { DamagedLog } from './damaged.ts'
import { encodeHeader, HEADER_BYTES } from './format.ts'
import { openSegmentLogToRead } from './log-reader.ts'
import type { LogPosition } from './position.ts'
import { openSegmentLog } from './segment-log.ts'
import { verifyingSegments } from './verify.ts'

const SEED = seed(17)
const BOUNDS = {
  bytes: 8_192,
  batchBytes: 1 << 20,
  readBytes: 2_048,
  markBytes: 512,
  open: 2,
}
const ENTRIES = 400

function generator(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

function temporary(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'segments-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const entry = (seq: number): Buffer => Buffer.alloc(20 + ((seq * 37) % 200), seq % 251)

/** A log of ENTRIES entries, its position, and the offset of the last batch in the last segment. */
function make(dir: string): { position: LogPosition; lastBatch: number; last: string } {
  const log = openSegmentLog(dir, { bounds: BOUNDS })
  let lastBatch = 0
  for (let seq = 0; seq < ENTRIES; ) {
    const last = readdirSync(dir).sort().at(-1)!
    lastBatch = readFileSync(join(dir, last)).length
    for (let left = 1 + (seq % 4); left > 0 && seq < ENTRIES; left--, seq++) log.append(seq, entry(seq))
    log.sync()
  }
  const position = log.position()
  log.close()
  return { position, lastBatch, last: readdirSync(dir).sort().at(-1)! }
}

/** The result of opening and reading everything: entries, all correct, or the damage. Anything else fails. */
function outcome(dir: string): { entries: number; holds: (position: LogPosition) => boolean } | DamagedLog {
  let log: ReturnType<typeof openSegmentLog> | undefined
  try {
    log = openSegmentLog(dir, { bounds: BOUNDS })
    const entries = log.bytes(0, ENTRIES * 2)
    for (const [seq, bytes] of entries.entries()) assert.deepEqual(bytes, entry(seq), `entry ${seq} is wrong`)
    const position = log.position()
    return { entries: entries.length, holds: (other) => other.seq === position.seq && other.chain === position.chain }
  } catch (error) {
    if (error instanceof DamagedLog) return error
    throw error
  } finally {
    log?.close()
  }
}

/** Maps an offset over all segments to a file, so that damage hits any byte. */
function place(dir: string, random: (below: number) => number): { name: string; at: number; bytes: Buffer } {
  const names = readdirSync(dir).sort()
  const files = names.map((name) => ({ name, bytes: readFileSync(join(dir, name)) }))
  const newest = files.at(-1)!
  if (random(6) === 0)
    return { ...newest, at: newest.bytes.length - 1 - random(Math.min(300, newest.bytes.length - 1)) }
  let at = random(files.reduce((sum, { bytes }) => sum + bytes.length, 0))
  for (const file of files) {
    if (at < file.bytes.length) return { ...file, at }
    at -= file.bytes.length
  }
  throw new Error('unreachable')
}

function damageTest(
  name: string,
  times: number,
  damage: (bytes: Buffer, at: number, random: (n: number) => number) => Buffer,
): void {
  test(`${name}, ${times} times: found when it is read, or in the last batch, where the state's position tells`, (t) => {
    t.diagnostic(`seed ${SEED}`)
    const random = generator(SEED)
    const dir = temporary(t)
    const sound = join(dir, 'sound')
    const { position, lastBatch, last } = make(sound)
    let dropped = 0
    for (let i = 0; i < times; i++) {
      const copy = join(dir, 'copy')
      cpSync(sound, copy, { recursive: true })
      const found = place(copy, random)
      const damaged = damage(Buffer.from(found.bytes), found.at, random)
      if (!damaged.equals(found.bytes)) {
        writeFileSync(join(copy, found.name), damaged)
        const firstChanged = damaged.findIndex((byte, at) => byte !== found.bytes[at])
        const at = firstChanged === -1 ? damaged.length : firstChanged
        const report = drained(verifyingSegments(copy, BOUNDS))
        const reader = openSegmentLogToRead(copy, BOUNDS)
        let read: Buffer[] | undefined
        try {
          read = reader.bytes(0, ENTRIES * 2)
        } catch (error) {
          assert.ok(error instanceof DamagedLog, String(error))
        }
        reader.close()
        const bytes = readFileSync(join(copy, last))
        assert.throws(() => openSegmentLog(copy, { bounds: BOUNDS, expected: position }).bytes(0, ENTRIES), DamagedLog)
        if (bytes.length > HEADER_BYTES) assert.ok(readFileSync(join(copy, last)).equals(bytes))
        const came = outcome(copy)
        if (came instanceof DamagedLog) {
          assert.equal(read, undefined, `a reader missed the damage at ${found.name}:${at}`)
          assert.ok(!report.whole, `verify missed the damage at ${found.name}:${at}`)
        } else {
          // only a torn last write may go unnoticed; then the log is shorter than the state's position
          assert.equal(found.name, last, `${found.name}:${at}`)
          const reaches = damaged.subarray(lastBatch).equals(found.bytes.subarray(lastBatch)) ? at : found.bytes.length
          assert.ok(reaches > lastBatch, `byte ${at} was dropped, and the last batch, from ${lastBatch} on, is whole`)
          assert.ok(!came.holds(position))
          assert.equal(report.segments.at(-1)!.state === 'ok' || report.segments.at(-1)!.state === 'torn', true)
          assert.equal(read?.length, came.entries)
          dropped++
        }
      }
      rmSync(copy, { recursive: true })
    }
    t.diagnostic(`${dropped} of ${times} reached the last batch`)
    assert.ok(dropped > 0 && dropped < times / 2)
  })
}

damageTest('a flipped bit', 300, (bytes, at, random) => {
  bytes[at]! ^= 1 << random(8)
  return bytes
})
damageTest('a zeroed sector', 100, (bytes, at) =>
  bytes.fill(0, at - (at % 512), Math.min(bytes.length, at - (at % 512) + 512)),
)
damageTest('random bytes in a sector', 100, (bytes, at, random) => {
  for (let i = at - (at % 512); i < Math.min(bytes.length, at - (at % 512) + 512); i++) bytes[i] = random(256)
  return bytes
})
damageTest('a shortened segment', 100, (bytes, at) => bytes.subarray(0, at))

test('any sectors of the last write may be missing: it is dropped, never refused', (t) => {
  t.diagnostic(`seed ${SEED}`)
  const random = generator(SEED)
  const dir = join(temporary(t), 'log')
  const log = openSegmentLog(dir, { bounds: BOUNDS })
  log.append(0, entry(0))
  log.sync()
  const path = join(dir, readdirSync(dir)[0]!)
  const before = readFileSync(path).length
  for (let seq = 1; seq < 40; seq++) log.append(seq, entry(seq))
  log.sync()
  log.close()
  const whole = readFileSync(path)
  for (let i = 0; i < 200; i++) {
    const torn = Buffer.from(whole.subarray(0, i % 2 === 0 ? whole.length : before + random(whole.length - before)))
    let lost = 0
    for (let from = before; from < torn.length; from = (Math.floor(from / 512) + 1) * 512) {
      if (random(3) !== 0) continue
      const to = Math.min(torn.length, (Math.floor(from / 512) + 1) * 512)
      if (torn.subarray(from, to).some((byte) => byte !== 0)) lost++
      torn.fill(0, from, to)
    }
    if (lost === 0 && torn.length === whole.length) continue
    writeFileSync(path, torn)
    const again = openSegmentLog(dir, { bounds: BOUNDS })
    assert.equal(again.newest(), 0)
    assert.equal(again.droppedBytes, torn.length - before)
    again.close()
    assert.equal(readFileSync(path).length, before)
  }
})

test('an older copy of a segment is refused when it is not the newest, and by its position when it is', (t) => {
  const dir = join(temporary(t), 'log')
  const first = make(dir)
  const old = readFileSync(join(dir, first.last))
  const log = openSegmentLog(dir, { bounds: BOUNDS })
  log.append(ENTRIES, entry(ENTRIES))
  log.sync()
  const position = log.position()
  log.close()
  const newer = readFileSync(join(dir, first.last))
  writeFileSync(join(dir, first.last), old)
  const short = openSegmentLog(dir, { bounds: BOUNDS })
  assert.equal(short.mismatch(position), 'lost')
  short.append(ENTRIES, entry(7))
  short.sync()
  assert.equal(short.mismatch(position), 'differs')
  short.close()
  writeFileSync(join(dir, first.last), newer)
  const more = openSegmentLog(dir, { bounds: BOUNDS })
  for (let seq = more.next(); seq < ENTRIES * 2; seq++) {
    more.append(seq, entry(seq))
    more.sync()
  }
  more.close()
  writeFileSync(join(dir, first.last), old)
  assert.throws(() => openSegmentLog(dir, { bounds: BOUNDS }), DamagedLog)
})

test('random bytes as a segment are damage or an empty tail, and nothing else', (t) => {
  const dir = temporary(t)
  const id = '00112233445566778899aabbccddeeff'
  let count = 0
  const property = fc.property(fc.boolean(), fc.uint8Array({ maxLength: 5_000 }), (withHeader, bytes) => {
    const log = join(dir, `log${count++}`)
    mkdirSync(log)
    const header = withHeader ? encodeHeader({ id, firstSeq: 0, chain: 0, previous: null }) : Buffer.alloc(0)
    writeFileSync(join(log, '0000000000000000.log'), Buffer.concat([header, bytes]))
    const came = outcome(log)
    if (came instanceof DamagedLog) assert.ok(!withHeader && bytes.length > HEADER_BYTES)
    else assert.equal(came.entries, 0)
    assert.equal(drained(verifyingSegments(log, BOUNDS)).segments[0]!.entries, 0)
  })
  t.diagnostic(`seed ${SEED}`)
  fc.assert(property, { numRuns: 300, seed: SEED })
})
