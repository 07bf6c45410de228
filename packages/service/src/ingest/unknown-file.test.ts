import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sigToBase58 } from '@ti/core/base/base58.ts'
import type { UnknownKind } from '@ti/core/decode/unknown.ts'
import { PUMP_TEXT } from '@ti/core/model/programs.ts'
import { pumpTrade, sigOf } from '../../../../test/support/encode.ts'
import { openUnknown, readUnknown, UNKNOWN_FILE } from './unknown-file.ts'

const root = mkdtempSync(join(tmpdir(), 'unknown-'))
after(() => rmSync(root, { recursive: true, force: true }))
const dirOf = () => mkdtempSync(join(root, 'd-'))

const fail = (error: unknown): never => {
  throw error
}

function kind(payload: Buffer, rest: Partial<UnknownKind> = {}): UnknownKind {
  return {
    program: PUMP_TEXT,
    what: 'event',
    why: 'unknown',
    name: '',
    discriminator: payload.toString('hex', 0, 8),
    length: payload.length,
    count: 1,
    firstSlot: 10,
    lastSlot: 10,
    lastTime: 1_790_000_000,
    signature: sigToBase58(sigOf(1)),
    bytes: payload.toString('base64'),
    ...rest,
  }
}

test('counts add up over restarts, and only slots behind the last one count', async () => {
  const dir = dirOf()
  const payload = Buffer.alloc(30, 9)
  const first = openUnknown(dir, fail)
  assert.equal(first.after, -1)
  first.take([kind(payload)])
  first.take([kind(payload, { count: 4, firstSlot: 12, lastSlot: 15, lastTime: 1_790_000_002 })])
  await first.close()
  const second = openUnknown(dir, fail)
  assert.equal(second.after, 15)
  second.take([kind(payload, { firstSlot: 16, lastSlot: 16, lastTime: 1_790_000_003 })])
  await second.close()
  const expected = kind(payload, { count: 6, lastSlot: 16, lastTime: 1_790_000_003 })
  assert.deepEqual(readUnknown(dir), [expected])
  assert.equal(statSync(join(dir, UNKNOWN_FILE)).mode & 0o077, 0, 'nobody else reads it')
  assert.equal(existsSync(join(dir, `${UNKNOWN_FILE}.new`)), false)
})

test('a new kind is on disk at once, without a close', async () => {
  const dir = dirOf()
  const keeper = openUnknown(dir, fail)
  keeper.take([kind(Buffer.alloc(30, 9))])
  for (let turns = 0; !existsSync(join(dir, UNKNOWN_FILE)); turns++) {
    assert.ok(turns < 10_000, 'it was never written')
    await new Promise((done) => setImmediate(done))
  }
  assert.equal(readUnknown(dir).length, 1)
  await keeper.close()
})

test('a kind without a block time has the moment when it was met', async () => {
  const dir = dirOf()
  const keeper = openUnknown(dir, fail, () => 1_800_000_000_500)
  keeper.take([kind(Buffer.alloc(30, 9), { lastTime: 0 })])
  assert.equal(keeper.kinds()[0]!.lastTime, 1_800_000_000)
  await keeper.close()
})

test('what this version decodes is dropped, its slot stays counted', async () => {
  const dir = dirOf()
  const keeper = openUnknown(dir, fail)
  // recorded by a version that could not decode trades
  keeper.take([kind(pumpTrade(), { lastSlot: 99 }), kind(Buffer.alloc(30, 9))])
  await keeper.close()
  const updated = openUnknown(dir, fail)
  assert.deepEqual(
    updated.kinds().map(({ length }) => length),
    [30],
  )
  assert.equal(updated.after, 99)
})

test('a file that is none of ours is refused by name, begun anew by the service, and harms nothing', async () => {
  const whole = dirOf()
  const keeper = openUnknown(whole, fail)
  keeper.take([kind(Buffer.alloc(30, 9))])
  await keeper.close()
  const good = readFileSync(join(whole, UNKNOWN_FILE), 'utf8')
  const broken: [string, string | Buffer][] = [
    ['empty', ''],
    ['cut off', good.slice(0, -10)],
    ['no JSON', Buffer.alloc(100, 255)],
    ['of another format', good.replace('"format":1', '"format":2')],
    ['a program that is none', good.replace(PUMP_TEXT, 'x')],
    ['bytes that are no base64', good.replace(/"bytes":"[^"]*"/, '"bytes":"@@@@"')],
    ['a count that is none', good.replace('"count":1', '"count":"1"')],
    ['too many kinds', JSON.stringify({ format: 1, kinds: Array(1_000).fill(kind(Buffer.alloc(30, 9))) })],
    ['too large', `${good}${' '.repeat(1 << 20)}`],
  ]
  for (const [what, bytes] of broken) {
    const dir = dirOf()
    writeFileSync(join(dir, UNKNOWN_FILE), bytes)
    assert.throws(() => readUnknown(dir), /unknown\.json: .*delete it to begin anew/, what)
    const troubles: unknown[] = []
    const opened = openUnknown(dir, (error) => troubles.push(error))
    assert.equal(troubles.length, 1, what)
    assert.deepEqual(opened.kinds(), [], what)
    opened.take([kind(Buffer.alloc(30, 9))])
    await opened.close()
    assert.equal(readUnknown(dir).length, 1, what)
  }
})

test('a directory that cannot be written costs the file and not the service', async () => {
  const troubles: unknown[] = []
  const keeper = openUnknown(join(root, 'not-there'), (error) => troubles.push(error))
  keeper.take([kind(Buffer.alloc(30, 9))])
  await keeper.close()
  assert.equal(troubles.length, 1)
  assert.equal(keeper.kinds().length, 1)
})
