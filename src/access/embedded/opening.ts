import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { isShortage, shortageWords } from '../../base/shortage.ts'
import { within } from '../../base/within.ts'
import { program } from '../../config/invocation.ts'
import { LIMITS } from '../../config/limits.ts'
import { DatabaseAway } from '../sql/pool.ts'
import { listCopies } from './copies.ts'
import { Damage } from './damage.ts'
import { isDatabase, isEmpty, type Places } from './paths.ts'
import { refusal } from './refusal.ts'
import { isSealed, type LiveSeal, openLiveSeal, readSeal, type SealState, verifySeal } from './seal.ts'
import { unpackTemplate } from './template.ts'
import { readControl } from './wal.ts'
import { type Listener, WatchedFs } from './watched-fs.ts'

/** One run of PostgreSQL over its files. */
export interface Running {
  readonly pg: PGlite
  readonly files: WatchedFs
  /** null: it has none yet */
  seal: LiveSeal | null
  /** nothing was there before */
  readonly isNew: boolean
  /** it was closed in order */
  readonly wasClean: boolean
}

/**
 * Verifies the files, then opens them; where there never were any they come from the template, or PostgreSQL makes them.
 * DatabaseAway where the machine is out of a resource, and OperatorError where they are damaged.
 */
export async function openFiles(places: Places, accept: boolean, template: string | null = null): Promise<Running> {
  const state = (await verified(places, accept)) ?? (await fromTemplate(places, template))
  const wasClean = state !== null && readControl(places.database).clean
  const files = new WatchedFs(places.database)
  let seal: LiveSeal | null = null
  try {
    if (state !== null) {
      seal = openLiveSeal(places, state)
      files.listener = listenerOf(seal)
    }
    const pg = await within(LIMITS.accounts.openMs, PGlite.create({ fs: files }))
    return { pg, files, seal, isNew: state === null, wasClean }
  } catch (error) {
    files.release()
    seal?.close()
    const short = files.shortage ?? (isShortage(error) ? error : null)
    if (short !== null) throw accountsAway(short)
    throw await refusal(places, `PostgreSQL cannot open it: ${wordsOf(error)}`, { cause: error, untouched: false })
  }
}

/** What a statement fails with while the machine is out of a resource. */
export const accountsAway = (cause: unknown): DatabaseAway =>
  new DatabaseAway(`accounts are not available: ${shortageWords(cause)}`, { cause })

/** The seal, verified; null where there is none yet. */
async function verified(places: Places, accept: boolean): Promise<SealState | null> {
  try {
    if (existsSync(places.making)) {
      if (existsSync(places.begun)) throw new Damage('accounts-seal/making belongs to another database')
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
    if (isShortage(error)) throw accountsAway(error)
    if (error instanceof Damage) throw await refusal(places, error.message, { cause: error, untouched: true })
    throw error
  }
}

/** Nothing says what the files have to be: they are taken as they are only if that was asked for, and never overwritten. */
function checkUnsealed(places: Places, accept: boolean): void {
  if (isEmpty(places)) {
    const was = existsSync(places.begun) || listCopies(places.copies).length > 0
    if (was) throw new Damage('the directories accounts and accounts-seal are missing, and payments were stored there')
    return
  }
  if (!isDatabase(places)) throw new Damage('accounts/PG_VERSION is missing')
  if (accept) return
  throw new Damage(
    `accounts-seal is missing, so it cannot be checked. This reads all of it and uses it as it is: ${program()} accounts accept`,
  )
}

/** What the template gives; null where PostgreSQL has to make its files, or has made them. */
async function fromTemplate(places: Places, template: string | null): Promise<SealState | null> {
  if (!isEmpty(places)) return null
  beginAnew(places)
  if (template === null) return null
  try {
    const state = await unpackTemplate(places, template)
    if (state === null) beginAnew(places)
    return state
  } catch (error) {
    throw accountsAway(error)
  }
}

/** Before the first seal nothing was acknowledged: an opening that finds this mark starts over. */
function beginAnew({ seal, making }: Places): void {
  mkdirSync(seal, { recursive: true })
  writeFileSync(making, '')
}

export const listenerOf = ({ journal }: LiveSeal): Listener => journal

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
