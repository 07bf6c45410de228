import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../../base/root.ts'
import { isShortage } from '../../base/shortage.ts'
import { checkCopy, unpackCopy } from './copies.ts'
import type { Places } from './paths.ts'
import { type SealState, verifySeal } from './seal.ts'

/** The build puts it there. */
const DIRECTORY = fileURLToPath(new URL('dist/accounts', ROOT))

/**
 * A copy of a database with all tables and no row in them, which the build makes because making one takes five seconds of a
 * processor. Named by the version of PGlite that made it: no other one opens it.
 */
export const templatePath = (): string => join(DIRECTORY, `pglite-${engineVersion()}.copy`)

function engineVersion(): string {
  const engine = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return JSON.parse(readFileSync(join(engine, '../package.json'), 'utf8')).version
}

/**
 * Unpacks it where there is no database yet, verified. Null where none was built or it is not what was built: then nothing
 * of it is left. Throws what the machine is short of.
 */
export async function unpackTemplate(places: Places, path: string): Promise<SealState | null> {
  if (!existsSync(path)) return null
  try {
    const copy = await checkCopy(dirname(path), basename(path))
    const state = unpackCopy(path, copy, places.database, places.seal)
    await verifySeal(places, state)
    rmSync(places.making)
    return state
  } catch (error) {
    if (isShortage(error)) throw error
    rmSync(places.database, { recursive: true, force: true })
    rmSync(places.seal, { recursive: true, force: true })
    return null
  }
}
