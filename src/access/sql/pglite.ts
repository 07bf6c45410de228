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

/** Kysely over embedded PostgreSQL: it has one connection, so whoever holds it is alone until it is given back. */
export function pgliteDialect(database: PGlite): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver(database),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function driver(database: PGlite): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, affectedRows } = await database.query<R>(query.sql, [...query.parameters])
      return { rows, numAffectedRows: BigInt(affectedRows ?? 0) }
    },
    streamQuery() {
      throw new Error('the embedded database does not stream')
    },
  }
  let last: Promise<void> = Promise.resolve()
  let release = (): void => {}
  const run = (statement: string) => async (held: DatabaseConnection) => {
    await held.executeQuery(CompiledQuery.raw(statement))
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
    beginTransaction: run('begin'),
    commitTransaction: run('commit'),
    rollbackTransaction: run('rollback'),
    async releaseConnection() {
      release()
    },
    async destroy() {
      await database.close()
    },
  }
}
