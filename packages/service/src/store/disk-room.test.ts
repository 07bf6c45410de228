import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLogger } from '../base/log.ts'
import { createCheckpointer } from './checkpointer.ts'
import { openConnection } from './connection.ts'
import { createDiskRoom } from './disk-room.ts'
import { stateDir, stateFile } from './open.ts'

const HELD_BYTES = 1 << 20

test('a reader that keeps its snapshot is named as the cause of a growing log, until it ends', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'disk-room-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(stateDir(dir))
  const lines: string[] = []
  const logger = createLogger('warn', { write: (line: string) => lines.push(line) })
  const disk = createDiskRoom(dir, { logger, heldBytes: HELD_BYTES })
  assert.equal(disk.status().walBytes, 0)

  const writer = openConnection(stateFile(dir), { cacheKiB: 100 })
  // truncated when it is used anew, as a larger one is in operation
  writer.exec('pragma journal_size_limit = 65536; create table t (v)')
  const checkpointer = createCheckpointer(writer)
  const write = (): void => {
    for (let i = 0; i < 30; i++) {
      writer.exec('delete from t; insert into t values (randomblob(100000))')
      checkpointer.run(false, () => {})
    }
  }
  write()
  assert.equal(disk.status().held, null)

  const reader = openConnection(stateFile(dir), { readOnly: true, cacheKiB: 100 })
  reader.exec('begin; select count(*) from t')
  write()
  const { held, walBytes } = disk.status()
  assert.ok(walBytes > HELD_BYTES)
  assert.match(held!, /another program has read the state for minutes, so that .*state\.db-wal grows \(\d+ MB\)/)
  disk.status()
  assert.equal(lines.length, 1)

  reader.exec('commit')
  write()
  assert.equal(disk.status().held, null)
  reader.close()
  writer.close()
})
