import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import { STATE_CHECKPOINT } from '@ti/service/store/commits.ts'
import { openConnection } from '@ti/service/store/connection.ts'
import { STATE_CACHE_KIB } from '@ti/service/store/open.ts'
import { createDenseTable } from '@ti/service/store/tables.ts'

/** Numbered records in a candidate engine for the store. */
export interface EngineStore {
  /** Performs all puts of `work` in one commit that survives a power cut. */
  commit(work: (put: (id: number, bytes: Buffer) => void) => void): unknown
  get(id: number): Uint8Array | undefined
  /** Bytes of the records from..end-1; throws if reading fails. */
  range(from: number, end: number): number | Promise<number>
  /** Makes a consistent copy in the empty directory `to` while commits continue; null if the package cannot. */
  copy: ((to: string) => Promise<unknown>) | null
  close(): unknown
}

type Open = (dir: string, records: number) => Promise<EngineStore>

// most packages have no usable types, so the used parts are declared below
const load = createRequire(import.meta.url)

const keyOf = (id: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeUInt32BE(id, 4)
  return key
}

const lmdb =
  (noSync: boolean): Open =>
  async (dir) => {
    const { open } = load('lmdb')
    const settings = { overlappingSync: false, maxFreeSpaceToRetain: 0, maxDbs: 32, encoding: 'binary', noSync }
    const root = open({ path: join(dir, 'data.mdb'), noSubdir: true, ...settings })
    const db = root.openDB('t', { encoding: 'binary', keyEncoding: 'uint32' })
    return {
      commit: (work) => root.transactionSync(() => work((id, bytes) => db.putSync(id, bytes))),
      get: (id) => db.getBinary(id),
      range(start, end) {
        let bytes = 0
        for (const { value } of db.getRange({ start, end })) bytes += value.length
        return bytes
      },
      copy: (to) => root.backup(join(to, 'data.mdb'), false),
      close: () => root.close(),
    }
  }

const nodeLmdb: Open = async (dir) => {
  const { Env, Cursor } = load('node-lmdb')
  const env = new Env()
  env.open({ path: dir, mapSize: 2 ** 34, maxDbs: 32 })
  const dbi = env.openDbi({ name: 't', create: true, keyIsUint32: true })
  const reading = env.beginTxn({ readOnly: true })
  return {
    commit(work) {
      reading.reset()
      const writing = env.beginTxn()
      work((id, bytes) => writing.putBinary(dbi, id, bytes))
      writing.commit()
      reading.renew()
    },
    get: (id) => reading.getBinary(dbi, id) ?? undefined,
    range(from, end) {
      const cursor = new Cursor(reading, dbi, { keyIsUint32: true })
      let bytes = 0
      for (let key = cursor.goToRange(from); key !== null && key < end; key = cursor.goToNext()) {
        bytes += cursor.getCurrentBinary().length
      }
      cursor.close()
      return bytes
    },
    copy: (to) => new Promise<void>((done, fail) => env.copy(to, (error: unknown) => (error ? fail(error) : done()))),
    close: () => env.close(),
  }
}

const classicLevel: Open = async (dir) => {
  const { ClassicLevel } = load('classic-level')
  const db = new ClassicLevel(dir, { keyEncoding: 'buffer', valueEncoding: 'buffer' })
  await db.open()
  return {
    // it has no synchronous commit
    async commit(work) {
      const batch = db.batch()
      work((id, bytes) => batch.put(keyOf(id), bytes))
      await batch.write({ sync: true })
    },
    get: (id) => db.getSync(keyOf(id)),
    async range(from, end) {
      let bytes = 0
      for (const [, value] of await db.iterator({ gte: keyOf(from), lt: keyOf(end) }).all()) bytes += value.length
      return bytes
    },
    copy: null,
    close: () => db.close(),
  }
}

const rocksdb: Open = async (dir) => {
  const { RocksLevel } = load('@nxtedition/rocksdb')
  const encodings = { keyEncoding: 'buffer', valueEncoding: 'buffer' }
  const db = new RocksLevel(dir, encodings)
  await db.open({ createIfMissing: true })
  return {
    commit(work) {
      const batch = db._chainedBatch()
      work((id, bytes) => batch._put(keyOf(id), bytes))
      batch._writeSync({ sync: true })
      batch._closeSync()
    },
    get: (id) => db._getManySync([keyOf(id)])[0],
    range(from, end) {
      const bounds = { gte: keyOf(from), lt: keyOf(end), reverse: false, limit: -1 }
      const iterator = db._iterator({ ...encodings, ...bounds, keys: true, values: true })
      let bytes = 0
      for (;;) {
        const { rows, finished } = iterator._nextvSync(1_000)
        for (let i = 1; i < rows.length; i += 2) bytes += rows[i].length
        if (finished) break
      }
      iterator._closeSync()
      return bytes
    },
    copy: null,
    close: () => db.close(),
  }
}

/** The common interface of the SQLite packages. */
interface Sql {
  exec(sql: string): unknown
  prepare(sql: string): {
    run(...values: unknown[]): unknown
    get(id: number): unknown
    all(a: number, b: number): unknown
  }
  close(): void
}

/** A table like the store's, without our checksums, synced at each commit. */
function sqlStore(db: Sql, copy: EngineStore['copy']): EngineStore {
  db.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -${STATE_CACHE_KIB}`)
  db.exec('create table if not exists t (id integer primary key, v blob not null, sum integer not null) strict')
  const [insert, one, some] = [
    'insert or replace into t (id, v, sum) values (?, ?, 0)',
    'select v from t where id = ?',
    'select v from t where id >= ? and id < ? order by id',
  ].map((sql) => db.prepare(sql))
  return {
    commit(work) {
      db.exec('begin immediate')
      work((id, bytes) => insert!.run(id, bytes))
      db.exec('commit')
    },
    get: (id) => (one!.get(id) as { v: Uint8Array } | undefined)?.v,
    range: (from, end) => (some!.all(from, end) as { v: Uint8Array }[]).reduce((sum, { v }) => sum + v.byteLength, 0),
    copy,
    close() {
      // some packages close a connection only when its statements are collected
      db.exec('pragma wal_checkpoint(truncate)')
      db.close()
    },
  }
}

/** all pages in one step */
const RATE = 2 ** 31 - 1

const sqlite: Open = async (dir) => {
  const db = new DatabaseSync(join(dir, 'state.db'))
  return sqlStore(db as unknown as Sql, (to) => backup(db, join(to, 'state.db'), { rate: RATE }))
}

const betterSqlite: Open = async (dir) => {
  const db = new (load('better-sqlite3'))(join(dir, 'state.db'))
  return sqlStore(db, (to) => db.backup(join(to, 'state.db'), { progress: () => RATE }))
}

const libsql: Open = async (dir) => {
  const db = new (load('libsql'))(join(dir, 'state.db'))
  // the package has no backup; this blocks the event loop
  return sqlStore(db, async (to) => db.exec(`vacuum into '${join(to, 'state.db')}'`))
}

/**
 * The store's own connection, tables and checksums. Commits are durable through the log: about as many bytes as the new
 * records have are appended to a file and synced, like the log's segments.
 */
const own: Open = async (dir, records) => {
  const connection = openConnection(join(dir, 'state.db'), { cacheKiB: STATE_CACHE_KIB })
  connection.exec('create table if not exists t (id integer primary key, v blob not null, sum integer not null) strict')
  let count = records
  const table = createDenseTable(connection, 't', 99, 7, () => count)
  mkdirSync(join(dir, 'log'), { recursive: true })
  const log = openSync(join(dir, 'log', 'segment'), 'a')
  const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')
  let checkpointedAt = 0
  return {
    commit(work) {
      connection.exec('begin immediate')
      const entry: Buffer[] = []
      work((id, bytes) => {
        table.put(id, bytes)
        if (id < count) return
        entry.push(bytes)
        count = id + 1
      })
      if (entry.length > 0) writeSync(log, Buffer.concat(entry))
      fdatasyncSync(log)
      connection.exec('commit')
      if (connection.written() - checkpointedAt <= STATE_CHECKPOINT.bytes) return
      // a service has a thread for it
      checkpointedAt = connection.written()
      checkpoint.get()
    },
    get: table.get,
    range(from, end) {
      let bytes = 0
      for (const row of table.from(from)) {
        if (row.id >= end) break
        bytes += row.bytes.length
      }
      return bytes
    },
    async copy(to) {
      const source = new DatabaseSync(join(dir, 'state.db'), { readOnly: true })
      try {
        await backup(source, join(to, 'state.db'), { rate: RATE })
      } finally {
        source.close()
      }
    },
    close() {
      connection.exec('pragma wal_checkpoint(truncate)')
      closeSync(log)
      connection.close()
    },
  }
}

/** The others are compared with the first; the store is built on `own`. */
export const ENGINES = {
  lmdb: lmdb(false),
  'lmdb without sync': lmdb(true),
  'node-lmdb': nodeLmdb,
  'classic-level': classicLevel,
  '@nxtedition/rocksdb': rocksdb,
  '@photostructure/sqlite': sqlite,
  libsql,
  'better-sqlite3': betterSqlite,
  own,
} as const satisfies Readonly<Record<string, Open>>
export type EngineName = keyof typeof ENGINES
