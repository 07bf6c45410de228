import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EXIT, OperatorError } from '../../base/errors.ts'
import { syncDirectory, syncFile } from '../../base/sync-path.ts'
import { program } from '../../config/invocation.ts'
import { asideOf, type Counts, checkCopy } from './accounts-file.ts'
import type { AccountsFile } from './database.ts'
import { type Places, placesIn } from './places.ts'

/** copies that are kept, and damaged databases that were replaced by one */
const COPIES_KEPT = 2
const DAMAGED_KEPT = 2

export interface CopyName {
  readonly name: string
  readonly madeAt: Date
}

const NAME = /^accounts-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.sqlite$/

/** newest first; names only, without checking the contents */
export function listCopies(folder: string): CopyName[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const time = NAME.exec(name)?.[1]
      if (time === undefined) return []
      const iso = time.replace(/T(\d\d)-(\d\d)-(\d\d)-/, 'T$1:$2:$3.')
      return [{ name, madeAt: new Date(iso) }]
    })
    .sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

const fileTime = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-')

/** Copies the database while it is in use; the newest COPIES_KEPT are kept. */
export async function makeCopy(file: AccountsFile, now: number): Promise<CopyName & Counts> {
  const { copies: folder } = file.places
  mkdirSync(folder, { recursive: true })
  for (const left of readdirSync(folder)) if (left.includes('.part')) rmSync(join(folder, left), { force: true })
  const name = `accounts-${fileTime(now)}.sqlite`
  const counts = await file.copy(join(folder, name))
  for (const old of listCopies(folder).slice(COPIES_KEPT)) rmSync(join(folder, old.name), { force: true })
  return { name, madeAt: new Date(now), ...counts }
}

/** Describes the damage, what was changed, and the command that restores a copy. */
export function damageRefusal(places: Places, why: string, untouched: boolean): OperatorError {
  const found = newestGood(places.copies, null, [])
  const offer =
    found === null
      ? `There is no good copy in ${places.copies}: restore ${places.file} from a back-up of your own, or go on with what is there: ${program()} accounts accept`
      : `The newest good copy is ${ageOf(found.madeAt)} old and has ${found.payments} payments. This restores it:

  ${program()} accounts restore --copy ${found.name}

It lacks later payments, deposits and keys: docs/backup.md, "The embedded database", says what to do.`
  return new OperatorError(
    `The embedded database of accounts and payments is damaged and not used: ${why}. It is in ${places.file}. ${untouched ? 'Nothing was changed' : 'No payment was taken'}. ${offer}`,
    { exitCode: EXIT.badFile },
  )
}

/** Returns the newest intact copy, or the named one; adds problems of others to `bad`. */
function newestGood(folder: string, name: string | null, bad: string[]): (CopyName & Counts) | null {
  for (const copy of listCopies(folder)) {
    if (name !== null && copy.name !== name) continue
    try {
      return { ...copy, ...checkCopy(join(folder, copy.name)) }
    } catch (error) {
      bad.push(`${copy.name}: ${(error as Error).message}`)
    }
  }
  return null
}

const MINUTE_MS = 60_000

export function ageOf(madeAt: Date): string {
  const minutes = Math.max(0, Math.round((Date.now() - madeAt.getTime()) / MINUTE_MS))
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

interface Restored extends CopyName, Counts {
  /** directory that keeps the replaced database */
  readonly kept: string
}

/**
 * Replaces the embedded database with a copy: the newest intact one, or the named one. Keeps the replaced files. An
 * interruption leaves the old files or none, and the command can be repeated. The caller holds the lock of the directory.
 */
export function restoreCopy(dataDir: string, name: string | null, now: number): Restored {
  const places = placesIn(dataDir)
  const bad: string[] = []
  const found = newestGood(places.copies, name, bad)
  if (found === null) {
    const why = bad.length > 0 ? bad.join('; ') : `${places.copies} has no ${name === null ? 'copy' : `copy ${name}`}`
    throw new OperatorError(`nothing was restored: ${why}`, { exitCode: EXIT.badFile })
  }
  const aside = asideOf(places)
  copyFileSync(join(places.copies, found.name), aside)
  syncFile(aside)
  const kept = `${places.damaged}${fileTime(now)}`
  setAside(places, kept)
  renameSync(aside, places.file)
  syncDirectory(dataDir)
  forgetOld(places.damaged)
  return { ...found, kept }
}

/** Moves the write-ahead log first, because SQLite would apply it to any file of that name. */
function setAside({ dataDir, file }: Places, kept: string): void {
  mkdirSync(kept, { recursive: true })
  for (const end of ['-wal', '-shm', '-acknowledged', '']) {
    if (existsSync(file + end)) renameSync(file + end, join(kept, basename(file) + end))
  }
  syncDirectory(dataDir)
}

function forgetOld(prefix: string): void {
  const old = readdirSync(dirname(prefix))
    .filter((name) => name.startsWith(basename(prefix)))
    .sort()
    .reverse()
    .slice(DAMAGED_KEPT)
  for (const name of old) rmSync(join(dirname(prefix), name), { recursive: true, force: true })
}
