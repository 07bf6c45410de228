import type { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'

/** What is done around the statements of the one connection. */
export interface Watch {
  /** throws where nothing may be asked any more */
  before(): void
  /** something was committed, and nobody has heard of it yet */
  committed(): Promise<void>
  failed(error: unknown): void
  close(): Promise<void>
}

/** Kysely over embedded PostgreSQL: it has one connection, so whoever holds it is alone until it is given back. */
export function pgliteDialect(database: PGlite, watch: Watch): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver(database, watch),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

const ONLY_READS = /^\s*(select|begin|rollback|show)\b/i

function driver(database: PGlite, watch: Watch): Driver {
  let inTransaction = false
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      watch.before()
      try {
        const { rows, affectedRows } = await database.query<R>(query.sql, [...query.parameters])
        if (!inTransaction && !ONLY_READS.test(query.sql)) await watch.committed()
        return { rows, numAffectedRows: BigInt(affectedRows ?? 0) }
      } catch (error) {
        watch.failed(error)
        throw error
      }
    },
    streamQuery() {
      throw new Error('the embedded database does not stream')
    },
  }
  let last: Promise<void> = Promise.resolve()
  let release = (): void => {}
  const run = (statement: string, isBegin: boolean) => async (held: DatabaseConnection) => {
    if (!isBegin) inTransaction = false
    await held.executeQuery(CompiledQuery.raw(statement))
    inTransaction = isBegin
  }
  return {
    async init() {},
    async acquireConnection() {
      const before = last
      let free = (): void => {}
      last = new Promise((done) => {
        free = done
      })
      await before
      release = free
      return connection
    },
    beginTransaction: run('begin', true),
    commitTransaction: run('commit', false),
    rollbackTransaction: run('rollback', false),
    async releaseConnection() {
      release()
    },
    async destroy() {
      await watch.close()
    },
  }
}
