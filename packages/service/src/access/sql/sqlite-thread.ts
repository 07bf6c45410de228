import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { backup, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'
import { syncDirectory, syncFile } from '../../base/sync-path.ts'
import {
  type Commit,
  checkCopy,
  commitText,
  Damage,
  damagedRow,
  openFile,
  rowSum,
  sumColumn,
  tellsDamage,
  verifyFile,
} from './accounts-file.ts'
import { placesIn } from './places.ts'
import type { Schema } from './schema.ts'
import type { Answer, Ask, Failure, Result, Statement, ThreadData } from './sqlite.ts'
import { TABLES, tableNames } from './tables.ts'

/**
 * Runs the embedded database on its own thread, so that a commit's sync does not block the service. Statements that arrive
 * during a sync share the next commit.
 */

/** prepared statements to keep; there are about two hundred, plus lists of varying length */
const PREPARED = 512

const port = parentPort!
const data = workerData as ThreadData

const failure = (error: unknown): Failure => {
  const { message, code, errcode } = error as { message: string; code?: string; errcode?: number }
  const isDamage = tellsDamage(error) || DAMAGED_ROWS.has(message)
  return { message, isDamage, ...(code !== undefined && { code }), ...(errcode !== undefined && { errcode }) }
}
const DAMAGED_ROWS: ReadonlySet<string> = new Set(tableNames.map(damagedRow))

interface Prepared {
  readonly statement: StatementSyncInstance
  /** empty for a statement without rows */
  readonly columns: readonly string[]
  /** positions of the checksum and its columns, if the statement reads whole rows of a table */
  readonly checked: { readonly table: keyof Schema; readonly sumAt: number; readonly at: readonly number[] } | null
}

function prepare(db: DatabaseSyncInstance, sql: string): Prepared {
  const statement = db.prepare(sql)
  const columns = statement.columns().map(({ name }) => name)
  if (columns.length > 0) statement.setReturnArrays(true)
  const table = tableNames.find((name) => columns.includes(sumColumn(name)))
  if (table === undefined) return { statement, columns, checked: null }
  const at = Object.keys(TABLES[table].columns).map((column) => columns.indexOf(column))
  return { statement, columns, checked: { table, at, sumAt: columns.indexOf(sumColumn(table)) } }
}

function createWriter(db: DatabaseSyncInstance, acknowledged: number) {
  const prepared = new Map<string, Prepared>()
  const changes = db.prepare('select total_changes() as n')
  const countCommit = db.prepare('update commits set n = n + 1 returning id, n')
  const totalChanges = (): number => (changes.get() as { n: number }).n

  function run({ sql, parameters }: Statement): Result {
    let known = prepared.get(sql)
    if (known === undefined) {
      known = prepare(db, sql)
      if (prepared.size >= PREPARED) prepared.delete(prepared.keys().next().value!)
      prepared.set(sql, known)
    }
    const { statement, columns, checked } = known
    if (columns.length === 0) return { columns, rows: [], changes: Number(statement.run(...parameters).changes) }
    const rows = statement.all(...parameters) as unknown[][]
    const changes = ONLY_READS.test(sql) ? 0 : rows.length
    if (checked === null) return { columns, rows, changes }
    const { table, at, sumAt } = checked
    for (const row of rows) {
      if (rowSum(table, ...at.map((i) => row[i])) !== row[sumAt]) throw new Damage(damagedRow(table))
      row.splice(sumAt, 1)
    }
    return { columns: columns.filter((_, i) => i !== sumAt), rows, changes }
  }

  /** Runs the remaining statements only if the first changed a row. */
  function runUnit([first, ...rest]: readonly [Statement, ...Statement[]]): Result {
    const result = run(first)
    if (result.rows.length > 0) for (const statement of rest) run(statement)
    return result
  }

  function commit(changesBefore: number): void {
    const hasChanged = totalChanges() > changesBefore
    const made = hasChanged ? (countCommit.get() as unknown as Commit) : null
    db.exec('commit')
    if (made !== null) writeSync(acknowledged, commitText(made), 0, 'latin1')
  }

  const answerTo = ({ id, statements }: Ask & { readonly kind: 'run' }): Answer => ({ id, result: runUnit(statements) })

  /** Undoes a request that fails; throws if the whole transaction has ended. */
  function answerApart(ask: Ask & { readonly kind: 'run' }): Answer {
    db.exec('savepoint one')
    try {
      const answer = answerTo(ask)
      db.exec('release one')
      return answer
    } catch (error) {
      if (!db.isTransaction || tellsDamage(error)) throw error
      db.exec('rollback to one; release one')
      return { id: ask.id, failure: failure(error) }
    }
  }

  /** Runs requests in one commit. A failed request does not affect the others, unless it ends the transaction. */
  function runTogether(asks: readonly (Ask & { readonly kind: 'run' })[]): Answer[] {
    const before = totalChanges()
    try {
      db.exec('begin immediate')
      const answers = asks.map((ask) => (asks.length === 1 ? answerTo(ask) : answerApart(ask)))
      commit(before)
      return answers
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      return asks.map(({ id }) => ({ id, failure: failure(error) }))
    }
  }

  return { run: runUnit, runTogether, commit, totalChanges }
}

const ONLY_READS = /^\s*select\b/i
const onlyReads = ({ statements }: { readonly statements: readonly Statement[] }): boolean =>
  statements.every(({ sql }) => ONLY_READS.test(sql))

function serve(): void {
  const places = placesIn(data.dataDir)
  verifyFile(places)
  const db = openFile(places.file)
  const acknowledged = openSync(places.acknowledged, existsSync(places.acknowledged) ? 'r+' : 'w+', 0o600)
  const writer = createWriter(db, acknowledged)
  const waiting: Ask[] = []
  /** connection with the open transaction; all others wait */
  let owner: number | null = null
  let changesBefore = 0
  let scheduled = false

  function one(ask: Ask): Answer {
    try {
      // a full disk ends a transaction; the following statements must not commit on their own
      if (owner !== null && ask.kind !== 'rollback' && !db.isTransaction)
        throw new Error('the transaction was rolled back')
      if (ask.kind === 'run') return { id: ask.id, result: writer.run(ask.statements) }
      if (ask.kind === 'begin') {
        changesBefore = writer.totalChanges()
        db.exec('begin immediate')
        owner = ask.connection
      } else if (owner !== ask.connection) throw new Error('this transaction ended with its connection')
      else {
        owner = null
        if (ask.kind === 'commit') writer.commit(changesBefore)
        else if (db.isTransaction) db.exec('rollback')
      }
      return { id: ask.id, result: NOTHING }
    } catch (error) {
      if (ask.kind === 'commit' && db.isTransaction) db.exec('rollback')
      return { id: ask.id, failure: failure(error) }
    }
  }

  /** Takes the requests that may run now: one of the open transaction, else all before the next transaction. */
  function next(): Ask[] {
    if (owner !== null) {
      const at = waiting.findIndex(({ connection }) => connection === owner)
      return at < 0 ? [] : waiting.splice(at, 1)
    }
    const begin = waiting.findIndex(({ kind }) => kind !== 'run')
    return waiting.splice(0, begin < 0 ? waiting.length : Math.max(1, begin))
  }

  function work(): void {
    scheduled = false
    for (let asks = next(); asks.length > 0; asks = next()) {
      const runs = asks.filter((ask) => ask.kind === 'run')
      const isAlone = owner !== null || runs.length < asks.length || runs.every(onlyReads)
      for (const answer of isAlone ? asks.map(one) : writer.runTogether(runs)) port.postMessage(answer)
    }
  }

  port.on('message', (message: Ask | 'close') => {
    if (message === 'close') {
      work()
      if (db.isTransaction) db.exec('rollback')
      // a prepared statement keeps its connection and write-ahead log until it is collected
      db.exec('pragma wal_checkpoint(truncate)')
      db.close()
      closeSync(acknowledged)
      return port.close()
    }
    waiting.push(message)
    // runs after all messages that have arrived, so that they share a commit
    if (!scheduled) setImmediate(work)
    scheduled = true
  })
  port.postMessage({ id: 0, result: NOTHING } satisfies Answer)
}

const NOTHING: Result = { columns: [], rows: [], changes: 0 }

/** Copies the file as of one commit, while the writer continues. */
async function copy(to: string): Promise<void> {
  const aside = `${to}.part`
  const db = openFile(placesIn(data.dataDir).file, { readOnly: true })
  try {
    // copies all pages in one step, because a commit between two steps restarts the copy
    await backup(db, aside, { rate: ALL_PAGES })
  } finally {
    db.close()
  }
  const counts = checkCopy(aside)
  syncFile(aside)
  renameSync(aside, to)
  syncDirectory(dirname(to))
  port.postMessage({ id: 0, result: { columns: [], rows: [[counts.payments, counts.accounts]], changes: 0 } })
}

const ALL_PAGES = 0x7fff_fff0

const work = data.copyTo === null ? Promise.resolve().then(serve) : copy(data.copyTo)
work.catch((error: unknown) => {
  if (data.copyTo !== null) for (const end of ['', '-journal']) rmSync(`${data.copyTo}.part${end}`, { force: true })
  port.postMessage({ id: 0, failure: failure(error), isOperators: (error as Error).name === 'OperatorError' })
  port.close()
})
