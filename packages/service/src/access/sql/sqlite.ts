import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  LimitNode,
  type QueryResult,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql as statement,
  ValueNode,
} from 'kysely'
import { EXIT, OperatorError } from '../../base/errors.ts'
import { isShortage, shortageWords } from '../../base/shortage.ts'
import { startThread } from '../../base/thread.ts'
import { processTroubles } from '../../base/troubles.ts'
import { beginAccounts, Damage } from './accounts-file.ts'
import { DatabaseAway } from './away.ts'
import { damageRefusal } from './copies.ts'
import type { AccountsFile, Database, Dialect } from './database.ts'
import { type Places, placesIn } from './places.ts'
import type { Schema } from './schema.ts'
import { columnsOf } from './tables.ts'

/** statements that may wait for it, some kB each: far more than calls may be in flight */
const STATEMENTS_WAITING = 10_000

/** milliseconds after its thread has ended before another one is started, which reads the whole file */
const RESTART_PAUSE_MS = 500

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A request to the database thread. `connection` is Kysely's; a transaction belongs to one. */
export type Ask = { readonly id: number; readonly connection: number } & (
  | { readonly kind: 'run'; readonly statements: readonly [Statement, ...Statement[]] }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }
)

/** Rows are lists of values in the order of the columns; `changes`: rows inserted, updated or deleted. */
export interface Result {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly changes: number
}

export interface Failure {
  readonly message: string
  readonly isDamage: boolean
  readonly code?: string
  readonly errcode?: number
}

/** `id` 0 reports the opening of the file, or the finished copy. */
export type Answer =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly failure: Failure; readonly isOperators?: boolean }

/** `copyTo`: the thread only makes this copy; null: it runs statements. */
export interface ThreadData {
  readonly dataDir: string
  readonly copyTo: string | null
}

/** Opens the embedded database; creates it in an empty directory. */
export async function openSqlite(dataDir: string): Promise<Database> {
  const places = placesIn(dataDir)
  const thread = createThread(places)
  try {
    beginAccounts(dataDir)
    await thread.open()
  } catch (error) {
    throw isShortage(error) && !(error instanceof DatabaseAway) ? away(error) : error
  }
  const sql: Kysely<Schema> = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(thread),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new Compiler(),
    },
  })
  const dialect = createDialect(sql, thread)
  return { sql, quick: sql, dialect, embedded: true, file: thread.file, close: () => sql.destroy() }
}

function createDialect(sql: Kysely<Schema>, thread: Thread): Dialect {
  const now = statement<Date>`cast(unixepoch('subsec') * 1000 as integer)`
  return {
    now,
    after: (ms) => statement<Date>`(${now} + ${statement.lit(ms)})`,
    async changePayment(change, hash, besides) {
      const changed = statement`with changed as (select * from payments where hash = ${hash})`
      const all = [statement`${change} returning *`, ...besides.map((one) => statement`${changed} ${one}`)]
      const [first, ...rest] = all.map((one) => toStatement(one.compile(sql)))
      const { rows } = toResult(await thread.ask({ kind: 'run', connection: 0, statements: [first!, ...rest] }))
      return (rows[0] as never) ?? null
    },
  }
}

/** Omits row locks, because there is one writer, and adds the limit that an offset requires. */
class Compiler extends SqliteQueryCompiler {
  protected override visitSelectQuery(node: SelectQueryNode): void {
    const { endModifiers: _, ...rest } = node
    const all = node.offset !== undefined && node.limit === undefined
    super.visitSelectQuery(all ? { ...rest, limit: LimitNode.create(ValueNode.createImmediate(-1)) } : rest)
  }
}

function createDriver(thread: Thread): Driver {
  let connections = 0
  const numbers = new WeakMap<DatabaseConnection, number>()
  const end = (kind: 'begin' | 'commit' | 'rollback') => async (held: DatabaseConnection) =>
    void (await thread.ask({ kind, connection: numbers.get(held)! }))
  return {
    async init() {},
    async acquireConnection() {
      const connection = ++connections
      const held: DatabaseConnection = {
        async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
          return toResult(await thread.ask({ kind: 'run', connection, statements: [toStatement(query)] }))
        },
        streamQuery() {
          throw new Error('the embedded database does not stream')
        },
      }
      numbers.set(held, connection)
      return held
    },
    beginTransaction: end('begin'),
    commitTransaction: end('commit'),
    rollbackTransaction: end('rollback'),
    async releaseConnection() {},
    destroy: () => thread.close(),
  }
}

const toStatement = ({ sql, parameters }: CompiledQuery): Statement => ({ sql, parameters: parameters.map(bound) })

/** Values as the file stores them: times as Unix milliseconds, flags as 0 and 1. */
function bound(value: unknown): unknown {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'boolean' ? Number(value) : value
}

const TIMES = columnsOf('time')
const FLAGS = columnsOf('flag')

function readAs(column: string): (value: unknown) => unknown {
  if (TIMES.has(column)) return (value) => (value === null ? null : new Date(value as number))
  if (FLAGS.has(column)) return (value) => (value === null ? null : value !== 0)
  return (value) => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : value)
}

function toResult<R>({ columns, rows, changes }: Result): QueryResult<R> {
  const read = columns.map((column) => [column, readAs(column)] as const)
  const objects = rows.map((row) => {
    const object: Record<string, unknown> = {}
    read.forEach(([column, value], i) => {
      object[column] = value(row[i])
    })
    return object as R
  })
  return { rows: objects, numAffectedRows: BigInt(changes) }
}

type Question = Ask extends infer A ? (A extends Ask ? Omit<A, 'id'> : never) : never

type Thread = ReturnType<typeof createThread>

interface Waiting {
  done(result: Result): void
  fail(error: unknown): void
}

/** Restarts the thread after it ends, for example out of memory: the next statement opens the file again. */
function createThread(places: Places) {
  let running: Promise<Running> | null = null
  let damage: Damage | null = null
  let closed = false
  let endedMs = Number.NEGATIVE_INFINITY
  let changes = 0

  function fail({ isDamage, message, ...codes }: Failure): Error {
    const error = Object.assign(new Error(message), codes)
    if (!isDamage) return isShortage(error) ? noted(error) : error
    if (damage === null) {
      damage = new Damage(message)
      file.onDamage?.(damageRefusal(places, message, false))
    }
    return damage
  }

  function noted(error: Error): DatabaseAway {
    processTroubles.note('accounts', error)
    return away(error)
  }

  function start(): Promise<Running> {
    if (performance.now() - endedMs < RESTART_PAUSE_MS) throw away(new Error('its thread has just ended'))
    const ended = (): void => {
      running = null
      endedMs = performance.now()
    }
    const opening = openThread(places, null, ended)
    // a thread that failed to start emits no exit
    opening.catch(ended)
    return opening
  }

  const file: AccountsFile = {
    places,
    async copy(path) {
      try {
        const { first } = await openThread(places, path)
        const [payments, accounts] = first.rows[0] as readonly [number, number]
        return { payments, accounts }
      } catch (error) {
        throw error instanceof Refused ? fail(error.failure) : error
      }
    },
    changes: () => changes,
    onDamage: null,
  }

  return {
    file,
    async open(): Promise<void> {
      try {
        running = start()
        await running
      } catch (error) {
        running = null
        if (!(error instanceof Refused)) throw error
        const { failure, isOperators } = error
        if (isOperators) throw new OperatorError(failure.message, { exitCode: EXIT.badFile, cause: error })
        if (failure.isDamage) throw damageRefusal(places, failure.message, true)
        throw fail(failure)
      }
    },
    /** throws DatabaseAway if the machine is out of a resource; a later request may succeed */
    async ask(question: Question): Promise<Result> {
      if (damage !== null) throw damage
      if (closed) throw new Error('the database is closed')
      try {
        running ??= start()
        const result = await (await running).ask(question)
        if (question.kind !== 'begin') changes += result.changes
        return result
      } catch (error) {
        if (error instanceof Refused) throw fail(error.failure)
        if (isShortage(error)) throw noted(error as Error)
        throw error
      }
    },
    async close(): Promise<void> {
      closed = true
      await (await running?.catch(() => null))?.close()
    },
  }
}

/** The thread refused a request or could not carry it out. */
class Refused extends Error {
  override readonly name = 'Refused'
  readonly failure: Failure
  readonly isOperators: boolean
  constructor(failure: Failure, isOperators = false) {
    super(failure.message)
    this.failure = failure
    this.isOperators = isOperators
  }
}

type Running = Awaited<ReturnType<typeof openThread>>

/** Resolves with the thread's first answer. `onEnd` is called if it ends without `close`. */
async function openThread(places: Places, copyTo: string | null, onEnd = (): void => {}) {
  const workerData: ThreadData = { dataDir: places.dataDir, copyTo }
  const worker = startThread('access/sql/sqlite-thread', { workerData })
  const waiting = new Map<number, Waiting>()
  let newest = 0
  let cause: unknown
  let isOver = false
  /** An idle thread does not keep the process alive. */
  const answered = (id: number): Promise<Result> => {
    worker.ref()
    return new Promise((done, fail) => void waiting.set(id, { done, fail }))
  }
  worker.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if ('result' in answer) asked?.done(answer.result)
    else asked?.fail(new Refused(answer.failure, answer.isOperators))
  })
  worker.on('error', (error) => {
    cause = error
  })
  const ended = new Promise<void>((done) => {
    worker.once('exit', () => {
      isOver = true
      for (const { fail } of waiting.values()) fail(away(cause ?? new Error('its thread ended')))
      waiting.clear()
      onEnd()
      done()
    })
  })
  const first = await answered(0)
  return {
    first,
    ask(question: Question): Promise<Result> {
      if (waiting.size >= STATEMENTS_WAITING) throw new DatabaseAway('too many statements wait for the accounts')
      if (isOver) throw away(cause ?? new Error('its thread ended'))
      const id = ++newest
      worker.postMessage({ ...question, id } as Ask)
      return answered(id)
    },
    async close(): Promise<void> {
      if (!isOver) worker.postMessage('close')
      worker.ref()
      await ended
    },
  }
}

/** Error of a statement while the machine is out of a resource or the thread has ended. */
function away(cause: unknown): DatabaseAway {
  const words = isShortage(cause) ? shortageWords(cause) : (cause as Error).message
  return new DatabaseAway(`accounts are not available: ${words}`, { cause })
}
