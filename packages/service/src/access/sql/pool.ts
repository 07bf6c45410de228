import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, types } from 'pg'
import { DatabaseAway } from './away.ts'

interface PoolOptions {
  readonly url: string
  readonly connections: number
  /** milliseconds to wait for a connection, and again for a statement */
  readonly timeoutMs: number
  /** milliseconds after which the server aborts a statement */
  readonly statementMs: number
}

/** Pool of PostgreSQL connections; a connection is dropped after a failure of the server or network. */
export function createPool({ url, connections, timeoutMs, statementMs }: PoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: statementMs,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? safeInteger : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
    },
  })
  // an unhandled error event ends the process. The pool listens only to idle connections, but one may break while it is in use
  // or right after it opens; the pool drops broken ones
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    async connect() {
      try {
        return watched(await pool.connect())
      } catch (error) {
        throw awayOr(error)
      }
    },
    end: () => pool.end(),
  }
}

/** Drops a connection after a statement without an answer, because it keeps waiting and later statements would queue behind. */
function watched(client: PoolClient): PostgresPoolClient {
  let lost = false
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      const failure = awayOr(error)
      lost ||= failure instanceof DatabaseAway
      throw failure
    }
  }
  return { query: query as PostgresPoolClient['query'], release: () => client.release(lost) }
}

/** SQLSTATE classes of the server itself: connection lost, out of resources, shut down, starting or too slow; read-only */
const OF_THE_SERVER = /^(08|53|57|25006)/

/** Treats every error except the server's reply to the statement as a failure of server or connection. */
function awayOr(error: unknown): unknown {
  const isOfStatement = error instanceof DatabaseError && !OF_THE_SERVER.test(error.code ?? '')
  if (isOfStatement || error instanceof RangeError) return error
  const { message, code } = error as NodeJS.ErrnoException
  return new DatabaseAway(message || (code ?? 'no connection'), { cause: error })
}

const INT8 = types.builtins.INT8

/** Lamports and token units of one row stay far below 2^53; a larger number is a mistake, not a value. */
function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
