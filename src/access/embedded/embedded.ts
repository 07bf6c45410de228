import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, sql as statement } from 'kysely'
import type { OperatorError } from '../../base/errors.ts'
import { within } from '../../base/within.ts'
import { LIMITS } from '../../config/limits.ts'
import { pgliteDialect } from '../sql/pglite.ts'
import type { Schema } from '../sql/schema.ts'
import { listCopies } from './copies.ts'
import { Damage, tellsDamage } from './damage.ts'
import { isDatabase, isEmpty, type Places, placesIn } from './paths.ts'
import { refusal } from './refusal.ts'
import { isSealed, type LiveSeal, openLiveSeal, readSeal, type SealState, verifySeal } from './seal.ts'
import { parseLsn, readControl } from './wal.ts'
import { WatchedFs } from './watched-fs.ts'

/** PostgreSQL in this process, its files sealed. */
export interface Embedded {
  readonly sql: Kysely<Schema>
  readonly places: Places
  readonly seal: LiveSeal
  /** its tables are as they should be: from now on damage is looked for at every opening */
  ready(): Promise<void>
  /** a checkpoint and a new seal; statements wait for some ten milliseconds */
  checkpoint(): Promise<void>
  /** notes damage found by somebody else; PostgreSQL is not asked any more */
  failed(error: unknown): void
  /** called once when PostgreSQL complains of its files, and never answers again */
  onDamage: ((error: OperatorError) => void) | null
}

/**
 * Verifies the files, then opens them. A database is made only where there never was one. One without a seal is read from
 * end to end and gets one, if it is accepted. OperatorError (badFile) with what can be done where something is damaged.
 */
export async function openEmbedded(dataDir: string, accept: boolean): Promise<Embedded> {
  const places = placesIn(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const state = await verified(places, accept)
  if (state === null && isEmpty(places)) beginAnew(places)
  const wasClean = state !== null && readControl(places.database).clean
  const files = new WatchedFs(places.database)
  let seal: LiveSeal | null = null
  if (state !== null) {
    seal = openLiveSeal(places, state)
    files.listener = listenerOf(seal)
  }
  let pg: PGlite
  try {
    pg = await within(LIMITS.accountsOpenMs, PGlite.create({ fs: files }))
  } catch (error) {
    seal?.close()
    throw await refusal(places, `PostgreSQL cannot open it: ${wordsOf(error)}`, { cause: error, untouched: false })
  }
  const embedded = watched(pg, places, files, seal)
  if (state === null || !wasClean || existsSync(places.suspect)) await embedded.examine(state === null)
  return embedded.shown
}

/** The seal, verified; null where there is none yet. */
async function verified(places: Places, accept: boolean): Promise<SealState | null> {
  try {
    if (existsSync(places.making)) {
      if (existsSync(places.begun)) throw new Damage('accounts-seal/making is of another database')
      rmSync(places.database, { recursive: true, force: true })
      rmSync(places.seal, { recursive: true, force: true })
    }
    if (!isSealed(places)) {
      if (existsSync(places.seal)) throw new Damage('accounts-seal/manifest is missing')
      checkUnsealed(places, accept)
      return null
    }
    const state = readSeal(places.seal)
    await verifySeal(places, state)
    return state
  } catch (error) {
    if (error instanceof Damage) throw await refusal(places, error.message, { cause: error, untouched: true })
    throw error
  }
}

/** Nothing says what the files have to be: they are taken as they are only if that was asked for, and never overwritten. */
function checkUnsealed(places: Places, accept: boolean): void {
  if (isEmpty(places)) {
    const was = existsSync(places.begun) || listCopies(places.copies).length > 0
    if (was) throw new Damage('the directories accounts and accounts-seal are missing, and payments were kept there')
    return
  }
  if (!isDatabase(places)) throw new Damage('accounts/PG_VERSION is missing')
  if (accept) return
  throw new Damage(`accounts-seal is missing, so nothing says whether it is whole.
This reads all of it and uses it as it is: npm run --silent cli -- accounts accept`)
}

/** Until the first seal nothing was acknowledged: whoever finds this mark makes it once more. */
function beginAnew({ seal, making }: Places): void {
  mkdirSync(seal, { recursive: true })
  writeFileSync(making, '')
}

function noteBegun({ begun }: Places): void {
  if (existsSync(begun)) return
  writeFileSync(
    begun,
    `Since ${new Date().toISOString()} payments are kept beside this file, in accounts. Without it a new ledger could be begun.\n`,
  )
}

const listenerOf = ({ journal }: LiveSeal) => ({ page: journal.page, file: journal.file })

function watched(pg: PGlite, places: Places, files: WatchedFs, given: LiveSeal | null) {
  let seal = given
  let damage: Error | null = null

  const lsn = async (): Promise<number> => {
    const { rows } = await pg.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
    return parseLsn(rows[0]!.lsn)
  }

  function failed(error: unknown): void {
    if (damage !== null || !(error instanceof Damage || tellsDamage(error))) return
    const words = wordsOf(error)
    try {
      writeFileSync(places.suspect, words)
    } catch {
      // the words are for the next opening, which looks at the files anyway
    }
    damage = new Damage(`the embedded database is damaged: ${words}`)
    void refusal(places, words, { cause: error, untouched: false }).then((told) => shown.onDamage?.(told))
  }

  const sql: Kysely<Schema> = new Kysely<Schema>({
    dialect: pgliteDialect(pg, {
      before() {
        if (damage !== null) throw damage
      },
      async committed() {
        if (seal !== null) seal.witness.advance(await lsn())
      },
      failed,
      async close() {
        await pg.close()
        files.listener = null
        // after damage nothing is sealed: the next opening has to find it
        if (damage === null && seal !== null && readControl(places.database).clean) seal.renew()
        seal?.close()
      },
    }),
  })

  /** Holding the only connection, so that nothing is written between the checkpoint and its seal. */
  async function checkpoint(): Promise<void> {
    await sql.connection().execute(async (held) => {
      await statement`checkpoint`.execute(held)
      if (seal === null) seal = openLiveSeal(places, null)
      else seal.renew()
      files.listener = listenerOf(seal)
      rmSync(places.making, { force: true })
      noteBegun(places)
      rmSync(places.suspect, { force: true })
    })
  }

  let mustSeal = false
  const shown: Embedded = {
    sql,
    places,
    get seal() {
      return seal!
    },
    async ready() {
      if (mustSeal) await checkpoint()
      else noteBegun(places)
    },
    checkpoint,
    failed,
    onDamage: null,
  }
  return {
    shown,
    /** of files that nobody vouches for: PostgreSQL reads every row by itself, and complains of what it cannot read */
    async examine(whole: boolean): Promise<void> {
      mustSeal = true
      if (!whole && !existsSync(places.suspect)) return
      try {
        await readEverything(sql)
      } catch (error) {
        await sql.destroy().catch(() => {})
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

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
