import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'
import { syncDirectory, syncFile } from '../base/sync-path.ts'
import { FOLDER, type Manifest, PART, parseManifest, stateFolder } from './manifest.ts'

/** The directory of an export: the names it may contain, and atomic writes. */
export const COPY = '.copy'
export const COPY_ASIDE = '.copy.making'
/** in the copy: progress of the tables */
export const DRAFT = 'draft.json'
const MANIFEST = 'manifest.json'
/** suffix of files being written */
export const ASIDE = '.making'
/** created by the lock */
const LOCK = 'lock.sock'

/** The manifest of the finished export, or null. Throws OperatorError if the directory is not an export's. */
export function readDirectory(out: string, bytesMax: number): Manifest | null {
  if (!existsSync(out)) return null
  if (!statSync(out).isDirectory()) throw new OperatorError(`${out} is not a directory`)
  const names = readdirSync(out)
  const strange = names.filter((name) => !isOurs(out, name))
  if (strange.length > 0) {
    const some = `${strange.slice(0, 3).join(', ')}${strange.length > 3 ? ', …' : ''}`
    throw new OperatorError(`${out} holds something else (${some}): name a new or an empty directory`)
  }
  if (!names.includes(MANIFEST)) return null
  const path = join(out, MANIFEST)
  const manifest = statSync(path).size > bytesMax ? null : parseManifest(readFileSync(path, 'utf8'))
  if (manifest !== null) return manifest
  throw new OperatorError(`${path} is not of an export by this program: name a new or an empty directory`, {
    exitCode: EXIT.badFile,
  })
}

function isOurs(out: string, name: string): boolean {
  if ([COPY, COPY_ASIDE, MANIFEST, MANIFEST + ASIDE, LOCK].includes(name)) return true
  return FOLDER.test(name) && (name !== 'trades' || readdirSync(join(out, name)).every(isPart))
}

const isPart = (name: string): boolean => PART.test(name) || name.endsWith(ASIDE)

/** Removes tables older than the previous export, and remains of abandoned exports. */
export function tidy(out: string, manifest: Manifest | null): void {
  const states = manifest === null ? [] : [manifest.seq, manifest.previous ?? manifest.seq].map(stateFolder)
  for (const name of existsSync(out) ? readdirSync(out) : []) {
    if (name !== 'trades' && FOLDER.test(name) && !states.includes(name)) {
      rmSync(join(out, name), { recursive: true, force: true })
    }
  }
  const trades = join(out, 'trades')
  const kept = new Set(manifest?.tables.trades.parts.map(({ file }) => basename(file)))
  for (const name of existsSync(trades) ? readdirSync(trades) : []) {
    if (!kept.has(name)) rmSync(join(trades, name), { force: true })
  }
}

export const writeManifest = (out: string, manifest: Manifest): void =>
  replaceFile(join(out, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`)

/** Written aside and renamed, so that readers find either the old or the new file, complete. */
export function replaceFile(path: string, text: string): void {
  const aside = path + ASIDE
  writeFileSync(aside, text)
  syncFile(aside)
  moveInto(aside, path)
}

/** Renames within a directory and syncs it. */
export function moveInto(from: string, to: string): void {
  renameSync(from, to)
  syncDirectory(dirname(to))
}
