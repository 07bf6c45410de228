import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Kysely, sql as statement } from 'kysely'
import type { OperatorError } from '../../base/errors.ts'
import { isShortage } from '../../base/shortage.ts'
import { processTroubles } from '../../base/troubles.ts'
import { pgliteDialect } from '../sql/pglite.ts'
import type { DatabaseAway } from '../sql/pool.ts'
import type { Schema } from '../sql/schema.ts'
import { comeBack } from './come-back.ts'
import { Damage, tellsDamage } from './damage.ts'
import { accountsAway, listenerOf, openFiles, type Running, wordsOf } from './opening.ts'
import { type Places, placesIn } from './paths.ts'
import { refusal } from './refusal.ts'
import { type LiveSeal, openLiveSeal } from './seal.ts'
import { parseLsn, readControl } from './wal.ts'

/** PostgreSQL in this process, its files sealed. */
export interface Embedded {
  readonly sql: Kysely<Schema>
  readonly places: Places
  /** of the run of PostgreSQL that is open now: another one after it was away */
  readonly seal: LiveSeal
  /** false while the machine is too short of something */
  isOpen(): boolean
  /** its tables are complete: from now on every opening checks for damage */
  ready(): Promise<void>
  /** a checkpoint and a new seal; statements wait for some ten milliseconds */
  checkpoint(): Promise<void>
  /** records damage found elsewhere; PostgreSQL is not asked again */
  failed(error: unknown): void
  /** called once when PostgreSQL complains of its files, and never answers again */
  onDamage: ((error: OperatorError) => void) | null
  /** called when it answers again after the machine was short of something */
  onBack: (() => void) | null
}

/**
 * Verifies the files, then opens them. A database is made only where there never was one. One without a seal is read from
 * end to end and gets one, if it is accepted. OperatorError (badFile) with what can be done where something is damaged.
 *
 * Where the machine is out of a resource PostgreSQL may end, within this process. Then every statement is a DatabaseAway at
 * once, and as soon as there is room the files are verified and opened again, as at a start: what was acknowledged is in them.
 */
export async function openEmbedded(
  dataDir: string,
  { accept, template }: { readonly accept: boolean; readonly template: string | null },
): Promise<Embedded> {
  const places = placesIn(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const running = await openFiles(places, accept, template)
  const embedded = watched(places, running)
  if (running.isNew || !running.wasClean || existsSync(places.suspect)) await embedded.examine(running.isNew)
  return embedded.shown
}

function noteBegun({ begun }: Places): void {
  if (existsSync(begun)) return
  writeFileSync(
    begun,
    `Since ${new Date().toISOString()} payments are kept beside this file, in accounts. Without this file a new ledger could be started.\n`,
  )
}

/** The files are at a checkpoint, and nothing has been written since. */
function sealNow(places: Places, run: Running): void {
  if (run.seal === null) run.seal = openLiveSeal(places, null)
  else run.seal.renew()
  run.files.listener = listenerOf(run.seal)
  rmSync(places.making, { force: true })
  noteBegun(places)
  rmSync(places.suspect, { force: true })
}

function watched(places: Places, first: Running) {
  let run = first
  let damage: Error | null = null
  let away: DatabaseAway | null = null
  let returning: Promise<void> | null = null
  const closing = new AbortController()

  const lsn = async (): Promise<number> => {
    const { rows } = await run.pg.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
    return parseLsn(rows[0]!.lsn)
  }

  function failed(error: unknown): void {
    if (damage !== null || !(error instanceof Damage || tellsDamage(error))) return
    const words = wordsOf(error)
    try {
      writeFileSync(places.suspect, words)
    } catch {
      // the message is for the next opening, which checks the files anyway
    }
    damage = new Damage(`the embedded database is damaged: ${words}`)
    void refusal(places, words, { cause: error, untouched: false }).then((failure) => shown.onDamage?.(failure))
  }

  /** The error of a failed statement. A shortage is distinguished from damage, which it looks like to PostgreSQL. */
  function judged(error: unknown): unknown {
    const short = run.files.shortage ?? (isShortage(error) && !tellsDamage(error) ? error : null)
    const { ended } = run.files
    if (short === null) {
      failed(ended ?? error)
      return error
    }
    processTroubles.note('accounts', short)
    const failure = accountsAway(short)
    if (ended !== null) leave(failure)
    return failure
  }

  function leave(why: DatabaseAway): void {
    if (away !== null) return
    away = why
    run.files.release()
    run.seal?.close()
    // what was never sealed was never acknowledged, so it is made again
    if (run.seal === null) return
    returning = comeBack(places, closing.signal, sealNow).then(
      (next) => {
        if (next === null) return
        run = next
        away = null
        shown.onBack?.()
      },
      // an OperatorError that says what is damaged
      (error: OperatorError) => {
        damage = new Damage(error.message)
        shown.onDamage?.(error)
      },
    )
  }

  async function close(): Promise<void> {
    closing.abort()
    await returning
    if (away !== null) return
    try {
      await run.pg.close()
    } finally {
      run.files.release()
    }
    // after damage nothing is sealed: the next opening has to find it
    const isSound = damage === null && run.files.shortage === null
    if (isSound && run.seal !== null && readControl(places.database).clean) run.seal.renew()
    run.seal?.close()
  }

  const sql: Kysely<Schema> = new Kysely<Schema>({
    dialect: pgliteDialect({
      run: () => run,
      before() {
        if (damage !== null) throw damage
        if (away !== null) throw away
        run.files.shortage = null
      },
      query: (text, parameters) => run.pg.query(text, parameters),
      async committed() {
        if (run.seal !== null) run.seal.witness.advance(await lsn())
      },
      judged,
      close,
    }),
  })

  /** Holding the only connection, so that nothing is written between the checkpoint and its seal. */
  const checkpoint = (): Promise<void> =>
    sql.connection().execute(async (held) => {
      await statement`checkpoint`.execute(held)
      sealNow(places, run)
    })

  let mustSeal = false
  const shown: Embedded = {
    sql,
    places,
    get seal() {
      return run.seal!
    },
    isOpen: () => away === null,
    async ready() {
      if (mustSeal) await checkpoint()
      else noteBegun(places)
    },
    checkpoint,
    failed,
    onDamage: null,
    onBack: null,
  }
  return {
    shown,
    /** for files without a seal: PostgreSQL reads every row itself and reports what it cannot read */
    async examine(whole: boolean): Promise<void> {
      mustSeal = true
      if (!whole && !existsSync(places.suspect)) return
      try {
        await readEverything(sql)
      } catch (error) {
        await sql.destroy().catch(() => {})
        if (isShortage(error)) throw error
        throw await refusal(places, `PostgreSQL cannot read it: ${wordsOf(error)}`, { cause: error, untouched: false })
      }
    },
  }
}

/** Each table in its own order, and once more through each of its indexes. */
async function readEverything(sql: Kysely<Schema>): Promise<void> {
  const { rows } = await statement<{ name: string }>`select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(sql)
  for (const { name } of rows) {
    await statement`select sum(length(t::text)) from ${statement.raw(name)} t`.execute(sql)
    await statement`reindex table ${statement.raw(name)}`.execute(sql)
  }
}
