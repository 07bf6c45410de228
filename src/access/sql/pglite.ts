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
import { DatabaseAway } from './pool.ts'

/** The statements of the one connection, and what is done around them. */
interface Watch {
  /** stays the same as long as PostgreSQL runs: another one knows nothing of what was begun before it */
  run(): object
  /** throws if no more statements are accepted */
  before(): void
  query<R>(
    text: string,
    parameters: unknown[],
  ): Promise<{ readonly rows: R[]; readonly affectedRows?: number | undefined }>
  /** a change was committed and not acknowledged yet */
  committed(): Promise<void>
  /** what a statement fails with */
  judged(error: unknown): unknown
  close(): Promise<void>
}

/** Kysely over embedded PostgreSQL. It has one connection, so its holder is alone until it is released. */
export function pgliteDialect(watch: Watch): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver(watch),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

const ONLY_READS = /^\s*(select|begin|rollback|show)\b/i

function driver(watch: Watch): Driver {
  let inTransaction = false
  /** where what is held began */
  let begun = watch.run()
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      watch.before()
      if (begun !== watch.run()) throw new DatabaseAway('the database was opened again while this was under way')
      try {
        const { rows, affectedRows } = await watch.query<R>(query.sql, [...query.parameters])
        if (!inTransaction && !ONLY_READS.test(query.sql)) await watch.committed()
        return { rows, numAffectedRows: BigInt(affectedRows ?? 0) }
      } catch (error) {
        throw watch.judged(error)
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
      begun = watch.run()
      inTransaction = false
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
