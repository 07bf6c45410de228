import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'
import { createKey, openKeys } from './keys.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'keys-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const bearer = (key: string) => `Bearer ${key}`
const file = (dir: string) => join(dir, 'keys.jsonl')

function clock() {
  let ms = 0
  return {
    now: () => ms,
    pass(by: number) {
      ms += by
    },
  }
}

test('a made key opens the door; the file holds its hash and not the key', (t) => {
  const dir = join(folder(t), 'data')
  const { key, id } = createKey(dir, 'first')
  assert.match(key, /^sk_live_[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(openKeys(dir).check(bearer(key)), { ok: true, id })
  const text = readFileSync(file(dir), 'utf8')
  assert.ok(!text.includes(key.slice(8)))
  const record = JSON.parse(text) as Record<string, unknown>
  assert.equal(record.sha256, createHash('sha256').update(key).digest('hex'))
  assert.equal(record.plan, 'pro')
  assert.equal(record.name, 'first')
  assert.equal(statSync(file(dir)).mode & 0o777, 0o600)
})

test('absent, malformed and unknown are told apart', (t) => {
  const dir = folder(t)
  const { key } = createKey(dir, 'one')
  const keys = openKeys(dir)
  const reason = (header: string | undefined) => {
    const check = keys.check(header)
    return check.ok ? 'ok' : check.reason
  }
  assert.equal(reason(undefined), 'absent')
  assert.equal(reason(''), 'absent')
  for (const header of [
    'Bearer',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.slice(1)}`,
    'x'.repeat(9999),
  ]) {
    assert.equal(reason(header), 'malformed', header.slice(0, 80))
  }
  assert.equal(reason(`Bearer ${key.slice(0, -1)}!`), 'malformed')
  assert.equal(reason(`Bearer sk_live_${'ÿ'.repeat(43)}`), 'malformed')
  assert.equal(reason(`Bearer sk_test_${key.slice(8)}`), 'malformed')
  const other = key.endsWith('A') ? 'B' : 'A'
  assert.equal(reason(bearer(key.slice(0, -1) + other)), 'unknown')
  assert.equal(reason(`bearer ${key}`), 'ok')
  assert.equal(reason(`BEARER ${key}`), 'ok')
})

test('a key made while the server runs is seen, with one look at the file a second at most', (t) => {
  const dir = folder(t)
  const { now, pass } = clock()
  const keys = openKeys(dir, now)
  const unknown = bearer(`sk_live_${'A'.repeat(43)}`)
  assert.equal(keys.check(unknown).ok, false)
  const { key, id } = createKey(dir, 'late')
  pass(999)
  assert.equal(keys.check(bearer(key)).ok, false)
  pass(1)
  assert.deepEqual(keys.check(bearer(key)), { ok: true, id })
  const second = createKey(dir, 'later')
  pass(1000)
  assert.deepEqual(keys.check(bearer(second.key)), { ok: true, id: second.id })
  assert.equal(keys.size, 2)
})

test('a torn last line is passed over, also by the record written after it', (t) => {
  const dir = folder(t)
  const { now, pass } = clock()
  const first = createKey(dir, 'first')
  appendFileSync(file(dir), '{"id":"key_torn","name":"to')
  const keys = openKeys(dir, now)
  assert.equal(keys.size, 1)
  const second = createKey(dir, 'second')
  pass(1000)
  for (const { key, id } of [first, second]) assert.deepEqual(keys.check(bearer(key)), { ok: true, id })
  assert.equal(openKeys(dir).size, 2)
})

test('a line finished later is read once it is whole', (t) => {
  const dir = folder(t)
  const { now, pass } = clock()
  const { key, id } = createKey(dir, 'slow')
  const bytes = readFileSync(file(dir))
  writeFileSync(file(dir), bytes.subarray(0, 40))
  const keys = openKeys(dir, now)
  assert.equal(keys.check(bearer(key)).ok, false)
  appendFileSync(file(dir), bytes.subarray(40))
  pass(1000)
  assert.deepEqual(keys.check(bearer(key)), { ok: true, id })
})

test('foreign lines open no door', (t) => {
  const dir = folder(t)
  writeFileSync(file(dir), 'null\n{}\n[1]\n{"id":"x","name":"x","sha256":"zz","created_at":"","plan":"pro"}\n\0\0\n')
  assert.equal(openKeys(dir).size, 0)
})

test('no file means no keys; an unreadable one is told by its name', (t) => {
  const dir = folder(t)
  assert.equal(openKeys(dir).size, 0)
  assert.throws(() => createKey(join(file(dir), 'x', '\0'), 'a'), OperatorError)
  writeFileSync(join(dir, 'plain'), '')
  assert.throws(
    () => createKey(join(dir, 'plain'), 'a'),
    (error) => error instanceof OperatorError && error.message.includes('plain'),
  )
})

test('a file that disappears takes no key away', (t) => {
  const dir = folder(t)
  const { key } = createKey(dir, 'one')
  const keys = openKeys(dir)
  rmSync(dir, { recursive: true })
  assert.equal(keys.check(bearer(key)).ok, true)
  assert.equal(keys.check(bearer(`sk_live_${'A'.repeat(43)}`)).ok, false)
})

test('names are checked and the number of keys is bounded', (t) => {
  const dir = folder(t)
  for (const name of ['', 'x'.repeat(101), 'a\nb']) assert.throws(() => createKey(dir, name), OperatorError)
  const line = (i: number) =>
    `${JSON.stringify({ id: `k${i}`, name: 'n', sha256: createHash('sha256').update(`${i}`).digest('hex'), created_at: '', plan: 'pro' })}\n`
  writeFileSync(file(dir), Array.from({ length: LIMITS.apiKeys }, (_, i) => line(i)).join(''))
  assert.equal(openKeys(dir).size, LIMITS.apiKeys)
  assert.throws(
    () => createKey(dir, 'one too many'),
    (error) => error instanceof OperatorError && error.message.includes(String(LIMITS.apiKeys)),
  )
})

test('a connection is remembered for its own valid header only, and not past a change of the keys', (t) => {
  const dir = folder(t)
  const { key, id } = createKey(dir, 'one')
  const time = clock()
  const keys = openKeys(dir, time.now)
  const connection = {}
  const stranger = bearer(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)
  assert.deepEqual(keys.check(bearer(key), connection), { ok: true, id })
  assert.deepEqual(keys.check(bearer(key), connection), { ok: true, id })
  assert.deepEqual(keys.check(stranger, connection), { ok: false, reason: 'unknown' })
  assert.deepEqual(keys.check(undefined, connection), { ok: false, reason: 'absent' })
  const later = createKey(dir, 'two')
  time.pass(2_000)
  assert.deepEqual(keys.check(bearer(later.key), connection), { ok: true, id: later.id })
  assert.deepEqual(keys.check(bearer(key), connection), { ok: true, id })
})
