import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { LIMITS } from '../../config/limits.ts'
import { Damage } from './damage.ts'
import { PAGE_BYTES } from './paths.ts'

/** A file as it was at a checkpoint. */
interface SealedFile {
  readonly bytes: number
  /** CRC-32 of each page, the last one possibly short */
  readonly pages: readonly number[]
}

/** Every file of the database at a checkpoint, by its path below it; the WAL has a witness of its own. */
export interface Manifest {
  readonly id: string
  readonly files: ReadonlyMap<string, SealedFile>
}

/** Pages written since the manifest; ALL: the file was made, cut, renamed or removed. */
export const ALL = 'all'
export type Touched = ReadonlyMap<string, ReadonlyMap<number, number | null> | typeof ALL>

const newId = (): string => randomBytes(8).toString('hex')

/** Files that say nothing of what is in the database: PostgreSQL removes or rebuilds them when it starts. */
export const isWatched = (path: string): boolean =>
  !path.startsWith('pg_wal/') && path !== 'postmaster.pid' && !/(^|\/)pg_internal\.init(\.\d+)?$/.test(path)

/** An unknown file below these is damage: PostgreSQL would read it. */
const READ_BY_NAME = /^(base|global|pg_xact|pg_multixact|pg_tblspc)\//

export function* filesBelow(root: string, prefix = ''): Generator<string> {
  for (const entry of readdirSync(join(root, prefix), { withFileTypes: true })) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(root, path)
    else yield path
  }
}

/** Yields to the event loop after each LIMITS.accounts.sliceMs of work. */
export function slices(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LIMITS.accounts.sliceMs) return
    await turn()
    since = performance.now()
  }
}

const CHUNK_BYTES = 32 * PAGE_BYTES

/** The bytes of a file in chunks of whole pages; each chunk is overwritten by the next. */
export function* chunksOf(path: string): Generator<{ readonly at: number; readonly bytes: Buffer }> {
  const file = openSync(path, 'r')
  try {
    // most files are a few pages: a whole chunk for each of a thousand would be collected as garbage again and again
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.ceil(fstatSync(file).size / PAGE_BYTES) * PAGE_BYTES))
    for (let at = 0; ; ) {
      const got = readSync(file, buffer, 0, buffer.length, at)
      if (got === 0) return
      yield { at, bytes: buffer.subarray(0, got) }
      at += got
    }
  } finally {
    closeSync(file)
  }
}

export function pagesOf(bytes: Buffer): number[] {
  const pages: number[] = []
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) pages.push(crc32(bytes.subarray(at, at + PAGE_BYTES)))
  return pages
}

function sealFile(path: string): SealedFile {
  let bytes = 0
  const pages: number[] = []
  for (const chunk of chunksOf(path)) {
    bytes += chunk.bytes.length
    pages.push(...pagesOf(chunk.bytes))
  }
  return { bytes, pages }
}

/** Of a database that is closed, or whose process is this one and waits. */
export function sealAll(root: string): Manifest {
  const files = new Map<string, SealedFile>()
  for (const path of filesBelow(root)) if (isWatched(path)) files.set(path, sealFile(join(root, path)))
  return { id: newId(), files }
}

/** The next manifest. Only written pages are read, so damage elsewhere is not mistaken for correct contents. */
export function sealAgain(root: string, before: Manifest, touched: Touched): Manifest {
  const files = new Map(before.files)
  for (const [path, pages] of touched) {
    const full = join(root, path)
    if (!existsSync(full)) files.delete(path)
    else if (pages === ALL) files.set(path, sealFile(full))
    else files.set(path, sealPages(full, before.files.get(path), pages))
  }
  return { id: newId(), files }
}

function sealPages(
  path: string,
  before: SealedFile | undefined,
  written: ReadonlyMap<number, number | null>,
): SealedFile {
  const file = openSync(path, 'r')
  try {
    const { size: bytes } = fstatSync(file)
    const pages = [...(before?.pages ?? [])]
    const buffer = Buffer.allocUnsafe(PAGE_BYTES)
    for (let page = 0; page * PAGE_BYTES < bytes; page++) {
      const known = written.get(page)
      if (known === undefined && page < pages.length) continue
      pages[page] = known ?? crc32(buffer.subarray(0, readSync(file, buffer, 0, PAGE_BYTES, page * PAGE_BYTES)))
    }
    pages.length = Math.ceil(bytes / PAGE_BYTES)
    return { bytes, pages }
  } finally {
    closeSync(file)
  }
}

/** Reads every file; Damage where one is not what the manifest says and was not written since. Changes nothing. */
export async function verifyFiles(root: string, { files }: Manifest, touched: Touched): Promise<void> {
  const breathe = slices()
  for (const [path, sealed] of files) {
    const written = touched.get(path)
    if (written === ALL) continue
    if (!existsSync(join(root, path))) throw new Damage(`accounts/${path} is missing`)
    verifyFile(join(root, path), path, sealed, written)
    await breathe()
  }
  for (const path of filesBelow(root)) {
    if (files.has(path) || touched.has(path) || !READ_BY_NAME.test(path) || !isWatched(path)) continue
    throw new Damage(`accounts/${path} was not written by this database`)
  }
}

function verifyFile(
  full: string,
  path: string,
  sealed: SealedFile,
  written: ReadonlyMap<number, number | null> | undefined,
): void {
  let seen = 0
  for (const { at, bytes } of chunksOf(full)) {
    const crcs = pagesOf(bytes)
    seen = at / PAGE_BYTES + crcs.length
    for (const [index, crc] of crcs.entries()) {
      const page = at / PAGE_BYTES + index
      const isKnown = sealed.pages[page] === crc || written?.has(page)
      const isEmpty = page >= sealed.pages.length && isZero(bytes, index * PAGE_BYTES)
      if (!isKnown && !isEmpty) throw new Damage(`page ${page} of accounts/${path} is not what was written there`)
    }
  }
  for (let page = seen; page < sealed.pages.length; page++) {
    if (written?.has(page) !== true) throw new Damage(`accounts/${path} is too short: it had ${sealed.bytes} bytes`)
  }
}

const ZERO = Buffer.alloc(PAGE_BYTES)
const isZero = (bytes: Buffer, at: number): boolean => {
  const page = bytes.subarray(at, at + PAGE_BYTES)
  return page.equals(ZERO.subarray(0, page.length))
}

/** One line of JSON, one with its SHA-256. */
export function printManifest({ id, files }: Manifest): string {
  const text = JSON.stringify({ id, files: [...files].map(([path, { bytes, pages }]) => [path, bytes, hexOf(pages)]) })
  return `${text}\n${digest(text)}\n`
}

export function parseManifest(printed: string): Manifest {
  const [text = '', sum] = printed.split('\n')
  if (digest(text) !== sum) throw new Damage('accounts-seal/manifest is damaged')
  const { id, files } = JSON.parse(text) as { id: string; files: [string, number, string][] }
  return { id, files: new Map(files.map(([path, bytes, pages]) => [path, { bytes, pages: numbersOf(pages) }])) }
}

export const readManifest = (path: string): Manifest => parseManifest(readFileSync(path, 'utf8'))

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const hexOf = (pages: readonly number[]): string => pages.map((crc) => crc.toString(16).padStart(8, '0')).join('')
const numbersOf = (hex: string): number[] => {
  const pages: number[] = []
  for (let at = 0; at < hex.length; at += 8) pages.push(Number.parseInt(hex.slice(at, at + 8), 16))
  return pages
}
