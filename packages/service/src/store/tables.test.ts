import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyDir } from '../../../../test/support/store-scene.ts'
import { type Connection, openConnection } from './connection.ts'
import { DamagedState } from './damage.ts'
import { createTables } from './schema.ts'
import { createDenseTable, createPairTable, type DenseTable } from './tables.ts'

const SEED = 0xdeadbeef

interface Scene {
  readonly connection: Connection
  /** The damage reported to the listener. */
  readonly reported: readonly DamagedState[]
}

function scene(t: TestContext): Scene {
  const reported: DamagedState[] = []
  const path = join(emptyDir(t), 'state.db')
  const connection = openConnection(path, { cacheKiB: 256, onDamage: (error) => void reported.push(error) })
  createTables(connection)
  t.after(() => connection.close())
  return { connection, reported }
}

const damaged = (work: () => unknown, why: RegExp): void =>
  assert.throws(work, (error) => error instanceof DamagedState && why.test(error.message))

/** A table of `count` rows that contain their number. */
function dense(connection: Connection, count = 600, seed = SEED): DenseTable {
  const table = createDenseTable(connection, 'tokens', 2, seed, () => count)
  for (let id = 0; id < count; id++) table.put(id, Buffer.from(`row ${id}`))
  return table
}

test('a dense table gives back what was put, and nothing at or beyond its end', (t) => {
  const table = dense(scene(t).connection)
  for (const id of [0, 255, 256, 599]) assert.equal(table.get(id)?.toString(), `row ${id}`)
  assert.deepEqual([table.get(600), table.get(2 ** 40), table.get(-1)], [undefined, undefined, undefined])
  table.put(7, Buffer.from('another'))
  assert.equal(table.get(7)?.toString(), 'another')
  const rows = [...table.from(5)]
  assert.deepEqual([rows.length, rows[0]!.id, rows[2]!.bytes.toString(), rows.at(-1)!.id], [595, 5, 'another', 599])
  assert.deepEqual([[...table.from(600)], [...table.from(10_000)]], [[], []])
})

test('a dense table knows every kind of damage, in one reading and in reading on', (t) => {
  const changes: Record<string, [sql: string, why: RegExp]> = {
    missing: ['delete from tokens where id = 300', /tokens 300 is missing/],
    'the last missing': ['delete from tokens where id = 599', /tokens 599 is missing/],
    'the first missing': ['delete from tokens where id = 0', /tokens 0 is missing/],
    bytes: [`update tokens set v = cast('row 30x' as blob) where id = 300`, /tokens 300 has a wrong checksum/],
    'fewer bytes': [`update tokens set v = cast('row 30' as blob) where id = 300`, /tokens 300 has a wrong checksum/],
    'no bytes': [`update tokens set v = x'' where id = 300`, /tokens 300 has a wrong checksum/],
    checksum: ['update tokens set sum = sum + 1 where id = 300', /tokens 300 has a wrong checksum/],
    'a checksum too large': ['update tokens set sum = 1 << 60 where id = 300', /too large|wrong checksum/],
    'the row of another number': [
      'update tokens set (v, sum) = (select v, sum from tokens where id = 299) where id = 300',
      /tokens 300 has a wrong checksum/,
    ],
    'the row of another table': [
      'insert into wallets select id, v, sum from tokens; update tokens set (v, sum) = (1, 2) where id = -1',
      /wallets 0 has a wrong checksum/,
    ],
  }
  for (const [name, [sql, why]] of Object.entries(changes)) {
    const { connection, reported } = scene(t)
    let table = dense(connection)
    connection.exec(sql)
    if (why.source.startsWith('wallets')) table = createDenseTable(connection, 'wallets', 3, SEED, () => 600)
    const id = Number(/ (\d+)/.exec(why.source)?.[1] ?? 300)
    damaged(() => table.get(id), why)
    damaged(() => [...table.from(0)], why)
    assert.deepEqual([reported.length, why.test(reported[0]!.message)], [1, true], name)
  }
})

test('rows that were swapped, and those of another store, fail', (t) => {
  const { connection } = scene(t)
  const table = dense(connection)
  connection.exec('update tokens set id = -1 where id = 3; update tokens set id = 3 where id = 4')
  connection.exec('update tokens set id = 4 where id = -1')
  for (const id of [3, 4]) damaged(() => table.get(id), new RegExp(`tokens ${id} has a wrong checksum`))
  const other = createDenseTable(connection, 'tokens', 2, SEED + 1, () => 600)
  for (const id of [0, 599]) damaged(() => other.get(id), /wrong checksum/)
})

test('what is no bytes at all in the place of a record is damage', (t) => {
  const { connection } = scene(t)
  connection.exec('create table loose (id integer primary key, v, sum)')
  const table = createDenseTable(connection, 'loose', 2, SEED, () => 3)
  connection.exec(`insert into loose values (0, null, 0), (1, 5, 0), (2, 'text', 0)`)
  for (const id of [0, 1, 2]) damaged(() => table.get(id), /wrong checksum/)
  damaged(() => [...table.from(0)], /loose 0 is missing/)
  for (const id of [1, 2]) damaged(() => table.getAll([id]), /wrong checksum/)
  for (const sum of ['1,2,3', '"', '']) {
    connection.exec(`update loose set sum = '${sum}' where id = 1`)
    damaged(() => table.getAll([1]), /something else where numbers were written/)
  }
})

test('records are read by a list of their numbers, in its order', (t) => {
  const { connection } = scene(t)
  const table = dense(connection)
  const ids = [599, 0, 300, 7]
  const rows = table.getAll(ids)
  assert.deepEqual(
    rows.map(({ id, bytes }) => [id, bytes.toString()]),
    ids.map((id) => [id, `row ${id}`]),
  )
  assert.deepEqual(table.getAll([]), [])
  damaged(() => table.getAll([1, 600]), /tokens 600 is missing/)
  connection.exec('update tokens set sum = sum + 1 where id = 300')
  damaged(() => table.getAll(ids), /tokens 300 has a wrong checksum/)
})

test('numbers above 2^32 are numbers of their own, and so are empty records', (t) => {
  const { connection } = scene(t)
  const table = createDenseTable(connection, 'trades', 4, SEED, () => 2 ** 33 + 1)
  const [low, high] = [5, 2 ** 32 + 5]
  table.put(high, Buffer.from('high'))
  table.put(high + 1, Buffer.alloc(0))
  assert.deepEqual([table.get(high)?.toString(), table.get(high + 1)?.length], ['high', 0])
  damaged(() => table.get(low), /trades 5 is missing/)
  for (const from of [high, high + 1]) {
    connection.exec(
      `delete from trades where id = ${low}; insert into trades select ${low}, v, sum from trades where id = ${from}`,
    )
    damaged(() => table.get(low), /wrong checksum/)
  }
})

/** Three rows for token 1, one for token 2, none for token 3. */
function pairs(connection: Connection) {
  const table = createPairTable(connection, 'positions', 20, SEED)
  for (const [first, second] of [
    [1, 2 ** 32 - 1],
    [1, 0],
    [2, 7],
    [1, 7],
  ] as const)
    table.put(first, second, Buffer.from(`${first} ${second}`))
  return table
}

test('a pair table gives back its records in order', (t) => {
  const table = pairs(scene(t).connection)
  const rows = table.all(1, 3).map(({ first, second, bytes }) => [first, second, bytes.toString()])
  assert.deepEqual(rows, [
    [1, 0, '1 0'],
    [1, 7, '1 7'],
    [1, 2 ** 32 - 1, `1 ${2 ** 32 - 1}`],
  ])
  assert.deepEqual([table.all(3, 0), table.back(3, 0, 9, 0)], [[], []])
  assert.deepEqual(
    [table.back(1, 0, 2, 3), table.back(1, 1, 9, 3)],
    [
      [2 ** 32 - 1, 7],
      [7, 0],
    ],
  )
  assert.deepEqual(Array.from(table.everything(), ({ bytes }) => bytes.toString()).at(-1), '2 7')
  assert.equal(table.total(), 4)
  table.put(1, 7, Buffer.alloc(0))
  assert.equal(table.all(1, 3)[1]!.bytes.length, 0)
})

test('a pair table is read on over many pieces, each record once', (t) => {
  const table = createPairTable(scene(t).connection, 'positions', 20, SEED)
  for (let first = 0; first < 30; first++) {
    for (let second = 0; second < 30; second++) table.put(first, second, Buffer.from([first, second]))
  }
  const all = Array.from(table.everything(), ({ first, second }) => first * 30 + second)
  assert.deepEqual(
    all,
    Array.from({ length: 900 }, (_, i) => i),
  )
})

test('a pair table knows what is lost, what is too much, and what is broken', (t) => {
  const { connection } = scene(t)
  const table = pairs(connection)
  damaged(() => table.all(1, 2), /positions of 1: 3 of 2 are there/)
  connection.exec('delete from positions where a = 1 and b = 7')
  damaged(() => table.all(1, 3), /positions of 1: 2 of 3 are there/)
  damaged(() => table.back(1, 0, 1, 3), /positions of 1: 2 of 3 are there/)
  connection.exec(`insert into positions select 1, 7, v, sum from positions where b = 0`)
  damaged(() => table.all(1, 3), /positions 1, 7 has a wrong checksum/)
  damaged(() => table.back(1, 0, 3, 3), /positions 1, 7 has a wrong checksum/)
  assert.deepEqual(table.back(1, 0, 1, 3), [2 ** 32 - 1])
  damaged(() => [...table.everything()], /positions 1, 7 has a wrong checksum/)
  connection.exec(`update positions set a = 3 where a = 2`)
  damaged(() => table.all(3, 1), /positions 3, 7 has a wrong checksum/)
})
