import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../base/errors.ts'
import { isShortage } from '../base/shortage.ts'
import { openConnection } from './connection.ts'
import { DamagedState } from './damage.ts'

/** Reads several rows of a new connection while the process cannot open files, and prints the error. */
const WITHOUT_DESCRIPTORS = `
const { DatabaseSync } = require('@photostructure/sqlite')
const { openSync } = require('node:fs')
const path = process.argv[1] + '/a.db'
new DatabaseSync(path).exec('pragma journal_mode = wal; create table t (x)')
const db = new DatabaseSync(path)
try { for (;;) openSync('/dev/null', 'r') } catch {}
try { db.prepare('pragma user_version').all() } catch ({ code, errcode, message }) {
  process.stdout.write(JSON.stringify({ code, errcode, message }))
}`

test('what the machine lacks is known as that, also where SQLite’s package gives words in place of a number', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'connection-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const child = spawnSync(
    'bash',
    ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, '-e', WITHOUT_DESCRIPTORS, dir],
    {
      cwd: resolve(import.meta.dirname, '../../../..'),
      encoding: 'utf8',
    },
  )
  assert.equal(child.status, 0, child.stderr)
  const told = JSON.parse(child.stdout) as { code: string; message: string }
  // once the package reports a number here, WORDS can be removed
  assert.deepEqual(told, { code: 'ERR_SQLITE_ERROR', message: 'unable to open database file' })

  const connection = openConnection(join(dir, 'state.db'), { cacheKiB: 100 })
  t.after(() => connection.close())
  const saidOf = (message: string): unknown => {
    try {
      connection.guarded(() => {
        throw Object.assign(new Error(message), { code: told.code })
      })
    } catch (error) {
      return error
    }
    return null
  }
  for (const message of [
    told.message,
    'database or disk is full',
    'disk I/O error',
    'attempt to write a readonly database',
  ]) {
    const error = saidOf(message)
    assert.ok(error instanceof OperatorError, message)
    assert.ok(isShortage(error), message)
  }
  assert.ok(isShortage(saidOf('out of memory')))
  assert.equal(isShortage(saidOf('database is locked')), false)
  const damaged = saidOf('database disk image is malformed')
  assert.ok(damaged instanceof DamagedState)
  assert.equal(isShortage(damaged), false)
})
