import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { EXIT, OperatorError } from '../base/errors.ts'
import type { EventLog } from '../log/log.ts'
import { checkDataFile, refuse } from './data-file.ts'
import { createStore, type Store } from './store.ts'

/** Raise with every change to the layout of a record or key, in the store or in the log. */
const FORMAT_VERSION = 3

/** bytes of address space mapped at first; LMDB maps more when the file outgrows it */
const MAP_BYTES = 2 ** 34

export interface StoreOptions {
  /** what the state was folded with: state of other formulas is refused */
  readonly formulasVersion: string
  readonly mapSize?: number
}

/** How the version record is kept, by every version. */
const META = { encoding: 'json', keyEncoding: 'ordered-binary' } as const

interface Versions {
  readonly format: number
  readonly formulas: string
}

/**
 * Opens or creates the store in `dir`, whose lock the caller holds. OperatorError (badFile) when what lies there is
 * truncated, foreign or of another version; it is left untouched then.
 */
export function openStore(dir: string, options: StoreOptions): Store {
  const path = join(dir, 'data.mdb')
  const mine: Versions = { format: FORMAT_VERSION, formulas: options.formulasVersion }
  mkdirSync(dir, { recursive: true })
  if (!existsSync(path)) createDataFile(dir, path, mine)
  checkDataFile(path)
  const root = openRoot(path, dir, options.mapSize ?? MAP_BYTES)
  try {
    checkVersions(path, readVersions(path, root), mine)
    return createStore(root, path)
  } catch (error) {
    root.close()
    throw error
  }
}

/**
 * Opens the store in `dir` to read what is committed, also while another process owns it. OperatorError (badFile) when
 * there is none, or not one of this version.
 */
export function openStoreToRead(dir: string, options: StoreOptions): Store {
  const path = join(dir, 'data.mdb')
  if (!existsSync(path)) throw refuse(path, 'there is no such file')
  checkDataFile(path)
  const root = openRoot(path, dir, options.mapSize ?? MAP_BYTES, true)
  try {
    checkVersions(path, readVersions(path, root), { format: FORMAT_VERSION, formulas: options.formulasVersion })
    return createStore(root, path, true)
  } catch (error) {
    root.close()
    throw error
  }
}

/** The log of a store of any formulas, also while another process owns it. OperatorError (badFile) as above. */
export function openLogToRead(dir: string): { readonly log: EventLog; close(): Promise<void> } {
  const path = join(dir, 'data.mdb')
  if (!existsSync(path)) throw refuse(path, 'there is no such file')
  checkDataFile(path)
  const root = openRoot(path, dir, MAP_BYTES, true)
  try {
    const { formulas } = readVersions(path, root)
    checkVersions(path, readVersions(path, root), { format: FORMAT_VERSION, formulas })
    return createStore(root, path, true)
  } catch (error) {
    root.close()
    throw error
  }
}

/**
 * A consistent copy of the store in `dir` as of one commit, into the directory `to`, also while another process writes it.
 * Page for page: a copy that leaves out what is free has been seen to end the process at its first commits (lmdb 3.5.6).
 */
export async function copyStore(dir: string, to: string): Promise<void> {
  const path = join(dir, 'data.mdb')
  if (!existsSync(path)) throw refuse(path, 'there is no such file')
  checkDataFile(path)
  const root = openRoot(path, dir, MAP_BYTES, true)
  try {
    mkdirSync(to, { recursive: true })
    await root.backup(to, false)
  } finally {
    await root.close()
  }
}

/** Made aside and moved into place, so that a crash never leaves a half-made file that looks like a truncated one. */
function createDataFile(dir: string, path: string, versions: Versions): void {
  const aside = join(dir, 'new')
  rmSync(aside, { recursive: true, force: true })
  const root = openRoot(path, aside, MAP_BYTES)
  root.openDB('meta', META).putSync('versions', versions)
  root.close()
  renameSync(join(aside, 'data.mdb'), path)
  rmSync(aside, { recursive: true })
}

/**
 * Nothing of the list of free pages is kept in memory from one commit to the next: with the default (75,000 pages) lmdb 3.5.6
 * fails a commit now and then (MDB_BAD_TXN, "reserved freelist had a data entry with zero-size"), after some thousand small
 * ones. Not in the package's types.
 */
const FREE_SPACE = { maxFreeSpaceToRetain: 0 }

/** Without overlapping sync a commit is on disk when it returns, and there are just the two meta pages to check. */
function openRoot(path: string, dir: string, mapSize: number, readOnly = false): RootDatabase {
  try {
    return open({
      path: dir,
      noSubdir: false,
      overlappingSync: false,
      encoding: 'binary',
      maxDbs: 20,
      mapSize,
      readOnly,
      ...FREE_SPACE,
    })
  } catch (error) {
    throw refuse(path, (error as Error).message)
  }
}

function readVersions(path: string, root: RootDatabase): Versions {
  const options = { ...META, create: false }
  // undefined, whatever the types say, where there is no such database
  const meta: Database | undefined = root.openDB('meta', options)
  const versions: unknown = meta?.get('versions')
  if (isVersions(versions)) return versions
  throw refuse(path, 'it is an LMDB file of another program')
}

const isVersions = (value: unknown): value is Versions =>
  typeof value === 'object' && value !== null && 'format' in value && 'formulas' in value

function checkVersions(path: string, theirs: Versions, mine: Versions): void {
  if (theirs.format === mine.format && theirs.formulas === mine.formulas) return
  const words = (v: Versions): string => `format ${v.format} and formulas ${v.formulas}`
  throw new OperatorError(
    `${path} was written with ${words(theirs)}, this program needs ${words(mine)}. Nothing was changed. ` +
      'Use the program that wrote it, or an empty DATA_DIR to fold the source anew',
    { exitCode: EXIT.badFile },
  )
}
