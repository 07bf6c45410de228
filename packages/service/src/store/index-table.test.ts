import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { seed } from '../../../../test/support/chance.ts'
import fc from '../../../../test/support/property.ts'
import { emptyDir } from '../../../../test/support/store-scene.ts'
import { type Connection, openConnection } from './connection.ts'
import { DamagedState } from './damage.ts'
import { bucketsFor, createIndexTable, type IndexTable } from './index-table.ts'
import { createTables } from './schema.ts'
import { createDenseTable } from './tables.ts'

const SEED = seed(23)
const KEY = 8

interface Scene {
  readonly connection: Connection
  readonly index: IndexTable
  /** Opens the table again, as after a restart. */
  reopened(): IndexTable
  /** Commits flushed keys. */
  committed(): void
}

function scene(t: TestContext, seed = 77): Scene {
  const connection = openConnection(join(emptyDir(t), 'state.db'), { cacheKiB: 256 })
  createTables(connection)
  t.after(() => connection.close())
  let count = 0
  const buckets = createDenseTable(connection, 'mints', 10, 5, () => bucketsFor(count))
  const index = createIndexTable({ buckets, keyLength: KEY, seed, count })
  return {
    connection,
    index,
    reopened: () => createIndexTable({ buckets, keyLength: KEY, seed, count }),
    committed() {
      count = index.count()
    },
  }
}

/** Keys of few distinct bytes, which often occur inside others and across entry borders. */
const key = fc.string({ unit: fc.constantFrom('\0', 'a', 'b', '\xff'), minLength: KEY, maxLength: KEY })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      keys: fc.array(key, { minLength: 20, maxLength: 120, size: 'max' }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('commit' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rollback' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
)

test('an index is a map, over commits, rollbacks and restarts', (t) => {
  t.diagnostic(`seed ${SEED}`)
  let most = 0
  const history = fc.property(fc.array(step, { minLength: 8, maxLength: 24 }), fc.array(key), (steps, absent) => {
    const { connection } = scene(t)
    let count = 0
    let kept = new Map<string, number>()
    let all = new Map<string, number>()
    const buckets = createDenseTable(connection, 'mints', 10, 5, () => bucketsFor(count))
    const open = (): IndexTable => createIndexTable({ buckets, keyLength: KEY, seed: 77, count })
    let index = open()
    connection.exec('begin')
    for (const one of steps) {
      if (one.kind === 'add') {
        for (const key of one.keys) {
          assert.equal(index.find(key), all.get(key))
          if (all.has(key)) continue
          index.add(key, 2 ** 32 - 1 - all.size)
          all.set(key, 2 ** 32 - 1 - all.size)
        }
      } else if (one.kind === 'set') {
        const key = [...all.keys()][one.nth % Math.max(1, all.size)]
        if (key === undefined) continue
        index.set(key, one.nth)
        all.set(key, one.nth)
      } else if (one.kind === 'commit') {
        index.flush()
        connection.exec('commit; begin')
        count = index.count()
        kept = new Map(all)
      } else {
        // flushed keys, too
        if (one.kind === 'rollback') index.flush()
        connection.exec('rollback; begin')
        all = new Map(kept)
        if (one.kind === 'rollback') index.reset(count)
        else index = open()
      }
      assert.equal(index.count(), all.size)
    }
    for (const [key, value] of all) assert.equal(index.find(key), value)
    for (const key of absent) assert.equal(index.find(key), all.get(key))
    const entries = [...index.entries()]
    assert.equal(entries.length, all.size)
    assert.deepEqual(new Map(entries), all)
    connection.exec('rollback')
    most = Math.max(most, bucketsFor(all.size))
  })
  fc.assert(history, { seed: SEED, numRuns: 25 })
  t.diagnostic(`up to ${most} buckets`)
  assert.ok(most > 5)
})

const numbered = (n: number): string => {
  const bytes = Buffer.alloc(KEY)
  bytes.writeUInt32BE(Math.imul(n, 0x9e3779b1) >>> 0, 0)
  bytes.writeUInt32BE(n, 4)
  return bytes.toString('latin1')
}

test('buckets stay of a size, whatever comes and whoever chooses the keys', (t) => {
  for (const keyOf of [numbered, (n: number) => String(n).padStart(KEY, 'x')]) {
    const { connection, index } = scene(t)
    for (let n = 0; n < 10_000; n++) index.add(keyOf(n), n)
    index.flush()
    const { buckets, largest } = connection
      .prepare('select count(*) buckets, max(length(v)) largest from mints')
      .get() as {
      buckets: number
      largest: number
    }
    assert.equal(buckets, bucketsFor(10_000))
    assert.ok(largest < 12 * 48 * 4, `${largest} bytes in the largest of ${buckets}`)
  }
})

test('a bucket that is lost or broken is damage, and never a key that was not there', (t) => {
  const changes = {
    lost: 'delete from mints where id = 7',
    'of another number': 'update mints set (v, sum) = (select v, sum from mints where id = 6) where id = 7',
    'one number': `update mints set v = cast(substr(v, 1, 8) || x'ffffffff' || substr(v, 13) as blob) where id = 7`,
    'one key less': 'update mints set v = substr(v, 13) where id = 7',
    empty: `update mints set v = x'' where id = 7`,
  }
  for (const [name, sql] of Object.entries(changes)) {
    const made = scene(t)
    const count = 2_000
    for (let n = 0; n < count; n++) made.index.add(numbered(n), n)
    made.index.flush()
    made.committed()
    made.connection.exec(sql)
    const index = made.reopened()
    let found = 0
    let damaged = 0
    for (let n = 0; n < count; n++) {
      try {
        assert.equal(index.find(numbered(n)), n, name)
        found++
      } catch (error) {
        if (!(error instanceof DamagedState)) throw error
        damaged++
      }
    }
    assert.ok(damaged > 10 && found > count - 200 && found + damaged === count, `${name}: ${found} and ${damaged}`)
    // keys that were never added: most are known to be absent, except in the broken bucket
    const unknown = Array.from({ length: count }, (_, n) => {
      try {
        return index.find(numbered(n + count)) === undefined ? 'absent' : 'found'
      } catch {
        return 'damaged'
      }
    })
    assert.deepEqual([unknown.includes('found'), unknown.includes('damaged')], [false, true], name)
    assert.throws(() => [...index.entries()], DamagedState)
  }
})
