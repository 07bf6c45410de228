import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EXIT, OperatorError } from '../../base/errors.ts'
import { LIMITS } from '../../config/limits.ts'
import { type Copy, checkCopy, listCopies, unpackCopy } from './copies.ts'
import { placesIn } from './paths.ts'
import { verifySeal } from './seal.ts'

interface Restored extends Pick<Copy, 'madeAt' | 'payments' | 'accounts'> {
  readonly name: string
  /** where the database that was replaced is kept */
  readonly kept: string
}

/**
 * Replaces the embedded database by a copy: the newest good one, or the one of that name. What was there is kept aside.
 * Interrupted, it leaves what was there or nothing, and can be repeated. The caller holds the lock of the directory.
 */
export async function restoreCopy(dataDir: string, name: string | null, now: number): Promise<Restored> {
  const places = placesIn(dataDir)
  const found = await choose(places.copies, name)
  const aside = join(dataDir, 'accounts-restoring')
  const unpacked = placesIn(aside)
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const state = unpackCopy(join(places.copies, found.name), found.copy, unpacked.database, unpacked.seal)
  await verifySeal(unpacked, state)
  const kept = `${places.damaged}${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  setAside(dataDir, kept)
  // without its seal the database is not opened: a process that dies between the two leaves nothing that is used
  renameSync(unpacked.seal, places.seal)
  renameSync(unpacked.database, places.database)
  rmSync(aside, { recursive: true, force: true })
  forgetOld(places.damaged)
  const { madeAt, payments, accounts } = found.copy
  return { name: found.name, madeAt, payments, accounts, kept }
}

async function choose(folder: string, name: string | null): Promise<{ readonly name: string; readonly copy: Copy }> {
  const bad: string[] = []
  for (const copy of listCopies(folder)) {
    if (name !== null && copy.name !== name) continue
    try {
      return { name: copy.name, copy: await checkCopy(folder, copy.name) }
    } catch (error) {
      bad.push((error as Error).message)
    }
  }
  const why = bad.length > 0 ? bad.join('; ') : `${folder} has no ${name === null ? 'copy' : `copy ${name}`}`
  throw new OperatorError(`nothing was restored: ${why}`, { exitCode: EXIT.badFile })
}

/** The database and its seal, moved into a directory that remains. */
function setAside(dataDir: string, kept: string): void {
  const { database, seal } = placesIn(dataDir)
  mkdirSync(kept, { recursive: true })
  for (const path of [database, seal]) if (existsSync(path)) renameSync(path, join(kept, basename(path)))
}

function forgetOld(prefix: string): void {
  const old = readdirSync(dirname(prefix))
    .filter((name) => name.startsWith(basename(prefix)))
    .sort()
    .reverse()
    .slice(LIMITS.accounts.damaged)
  for (const name of old) rmSync(join(dirname(prefix), name), { recursive: true, force: true })
}
