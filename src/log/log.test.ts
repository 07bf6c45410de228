import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Database, open } from 'lmdb'
import type { LogEntry } from '../decode/events.ts'
import { BadLogEntry, encodeEntry } from './codec.ts'
import { createLog } from './log.ts'

const gap = (from: number): LogEntry => ({ kind: 'gap', from, to: from })

function openLog(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'log-'))
  const root = open({ path: dir, noSubdir: false, overlappingSync: false, encoding: 'binary' })
  const db: Database<Buffer, number> = root.openDB('log', { encoding: 'binary', keyEncoding: 'uint32' })
  t.after(async () => {
    await root.close()
    rmSync(dir, { recursive: true })
  })
  return { root, db, log: createLog(db) }
}

test('entries are read back in order from anywhere', (t) => {
  const { root, log } = openLog(t)
  assert.deepEqual([log.oldest(), log.newest(), [...log.read(0)]], [-1, -1, []])
  root.transactionSync(() => {
    for (let seq = 0; seq < 300; seq++) log.append(seq, encodeEntry(gap(seq * 10)))
  })
  assert.deepEqual([log.oldest(), log.newest()], [0, 299])
  assert.deepEqual(
    [...log.read(255, 3)],
    [255, 256, 257].map((seq) => ({ seq, entry: gap(seq * 10) })),
  )
  assert.equal([...log.read(0)].length, 300)
  assert.deepEqual([...log.read(300)], [])
})

test('only the next entry can be appended', (t) => {
  const { root, log } = openLog(t)
  const append = (seq: number): void => root.transactionSync(() => log.append(seq, encodeEntry(gap(1))))
  assert.throws(() => append(1), /ends at -1: 1 cannot be next/)
  append(0)
  assert.equal(log.newest(), 0)
  assert.throws(() => append(0), /cannot be next/)
  assert.throws(() => append(2), /cannot be next/)
  append(1)
  assert.equal(log.newest(), 1)
})

test('an aborted append leaves no trace', (t) => {
  const { root, log } = openLog(t)
  assert.throws(
    () =>
      root.transactionSync(() => {
        log.append(0, encodeEntry(gap(1)))
        assert.equal(log.newest(), 0)
        throw new Error('stop')
      }),
    /stop/,
  )
  assert.equal(log.newest(), -1)
  root.transactionSync(() => log.append(0, encodeEntry(gap(2))))
  assert.deepEqual([...log.read(0)], [{ seq: 0, entry: gap(2) }])
})

test('a damaged entry is named by its seq', (t) => {
  const { root, db, log } = openLog(t)
  root.transactionSync(() => {
    log.append(0, encodeEntry(gap(1)))
    log.append(1, encodeEntry(gap(1)))
  })
  db.putSync(1, Buffer.from([1, 2, 3]))
  assert.throws(
    () => [...log.read(0)],
    (error) => error instanceof BadLogEntry && error.seq === 1,
  )
})
