import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { emptyDatabase } from '../../../../../test/support/database.ts'
import { openKeys } from '../keys.ts'
import { createAccounts } from './accounts.ts'
import { KEY_READING } from './key-reader.ts'
import { createKeyUse, KEY_USE } from './key-use.ts'

const logger = pino({ level: 'silent' })
const forever = { name: 'a', expiresAt: null }

async function setUp(t: TestContext, bounds: Partial<Record<'inMemory' | 'rows', number>> = {}) {
  const database = await emptyDatabase(t)
  let ms = Date.UTC(2026, 0, 1)
  const now = () => ms
  const options = { now, logger, bounds: { ...KEY_READING, ...KEY_USE, ...bounds } }
  const use = createKeyUse(database, options)
  t.after(() => use.close())
  const accounts = createAccounts(database, { now, use })
  const { id: account } = await accounts.ofOperator()
  const make = async () => {
    const made = await accounts.createKey(account, forever)
    assert.ok(made.ok)
    return made
  }
  const seen = async (id: string) => {
    const { calls, lastUsedAt } = (await accounts.keysOf(account)).find((key) => key.id === id)!
    return [calls, lastUsedAt?.getTime() ?? null]
  }
  const pass = (by: number) => {
    ms += by
  }
  return { database, accounts, use, now, options, make, seen, pass }
}

test('calls are seen at once, and stay the same when they are written', async (t) => {
  const { use, now, make, seen, pass } = await setUp(t)
  const { info } = await make()
  assert.deepEqual([info.calls, info.lastUsedAt], [0, null])
  use.count(info.id)
  use.count(info.id, 7)
  assert.deepEqual(await seen(info.id), [8, now()])
  await use.write()
  assert.equal(use.pending(info.id), null)
  assert.deepEqual(await seen(info.id), [8, now()])
  pass(1_000)
  use.count(info.id)
  assert.deepEqual(await seen(info.id), [9, now()])
  await use.write()
  assert.deepEqual(await seen(info.id), [9, now()])
})

test('nodes add to the same row; the last call is the latest of all', async (t) => {
  const { database, use, now, options, make, seen, pass } = await setUp(t)
  const { info } = await make()
  const other = createKeyUse(database, options)
  other.count(info.id, 3)
  pass(5_000)
  use.count(info.id, 2)
  await use.write()
  const latest = now()
  await other.close()
  assert.deepEqual(await seen(info.id), [5, latest])
})

test('many keys are written in statements of so many rows; what finds no room is not counted', async (t) => {
  const { use, make, seen } = await setUp(t, { inMemory: 4, rows: 3 })
  const made = []
  for (let i = 0; i < 5; i++) made.push((await make()).info.id)
  for (const [i, id] of made.entries()) use.count(id, i + 1)
  await use.write()
  assert.deepEqual(await Promise.all(made.map(async (id) => (await seen(id))[0])), [1, 2, 3, 4, 0])
})

test('calls during a writing are pending afterwards, and a database that fails loses nothing', async (t) => {
  const { database, use, options, make, seen } = await setUp(t)
  const { info } = await make()
  use.count(info.id, 2)
  const writing = use.write()
  use.count(info.id)
  await writing
  assert.equal(use.pending(info.id)?.calls, 1)
  await use.write()
  assert.equal((await seen(info.id))[0], 3)

  let broken = true
  const sql = new Proxy(database.sql, {
    get: (target, name) => {
      if (broken && name === 'transaction') throw new Error('away')
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const failing = createKeyUse({ sql }, options)
  failing.count(info.id, 4)
  await failing.write()
  assert.equal(failing.pending(info.id)?.calls, 4)
  broken = false
  await failing.close()
  assert.equal((await seen(info.id))[0], 7)
})

test('a key that opens a stream is used, one that is checked is not counted here', async (t) => {
  const { database, use, now, make } = await setUp(t)
  const made = await make()
  const keys = await openKeys(database, { now, logger, use })
  t.after(() => keys.close())
  assert.ok(keys.check(`Bearer ${made.key}`).ok)
  assert.equal(use.pending(made.info.id), null)
  assert.ok(keys.follow(`Bearer ${made.key}`).found.ok)
  assert.equal(use.pending(made.info.id)?.calls, 1)
  keys.follow(`Bearer ${'x'.repeat(51)}`)
  assert.equal(use.pending(made.info.id)?.calls, 1)
})
