import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql as statement } from 'kysely'
import { outOfRoom } from '../../base/shortage.ts'
import { LIMITS } from '../../config/limits.ts'
import { DatabaseAway } from '../sql/pool.ts'
import type { Schema } from '../sql/schema.ts'
import { Damage } from './damage.ts'
import type { Embedded } from './embedded.ts'
import { parseEntries, printEntries } from './journal.ts'
import {
  ALL,
  chunksOf,
  type Manifest,
  pagesOf,
  parseManifest,
  printManifest,
  slices,
  type Touched,
} from './manifest.ts'
import { PAGE_BYTES } from './paths.ts'
import { type SealState, writeSeal } from './seal.ts'
import { readControl, SEGMENT_BYTES, type Stretch, segmentName } from './wal.ts'

/**
 * A copy is one file: the bytes of the database's files one after another, a trailer in JSON that says which they are and
 * carries their seal, the trailer's length in 12 digits, and the SHA-256 of all that.
 */
interface Trailer {
  readonly madeAt: string
  readonly payments: number
  readonly accounts: number
  readonly directories: readonly string[]
  /** path, offset in the copy, bytes */
  readonly files: readonly (readonly [string, number, number])[]
  readonly manifest: string
  readonly journal: string
  readonly stretch: Stretch
}

export interface CopyName {
  readonly name: string
  readonly madeAt: Date
}

const NAME = /^accounts-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.copy$/
const LENGTH_DIGITS = 12
const SHA_BYTES = 32

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

/**
 * Writes a copy of the database as of the end of this call, while it is in use; verified before it gets its name. The newest
 * LIMITS.accounts.copies are kept. Throws Damage if a file does not match its seal.
 */
export async function makeCopy(embedded: Embedded, now: number): Promise<CopyName & { readonly payments: number }> {
  const { copies: folder } = embedded.places
  mkdirSync(folder, { recursive: true })
  await embedded.checkpoint()
  const { seal } = embedded
  const name = `accounts-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.copy`
  const aside = join(folder, `${name}.part`)
  for (const left of readdirSync(folder)) if (left.endsWith('.part')) rmSync(join(folder, left), { force: true })
  try {
    const file = await open(aside, 'w')
    let trailer: Trailer
    try {
      trailer = await writeAll(file, embedded, now)
      await file.sync()
    } finally {
      await file.close()
    }
    await checkCopy(folder, `${name}.part`)
    renameSync(aside, join(folder, name))
    for (const old of listCopies(folder).slice(LIMITS.accounts.copies)) rmSync(join(folder, old.name), { force: true })
    return { name, madeAt: new Date(now), payments: trailer.payments }
  } catch (error) {
    rmSync(aside, { force: true })
    // the files were opened again under another seal, so what was compared says nothing
    const isOther = !embedded.isOpen() || embedded.seal !== seal
    throw isOther ? new DatabaseAway('the database was opened again while it was copied', { cause: error }) : error
  }
}

async function writeAll(file: FileHandle, { sql, places, seal }: Embedded, now: number): Promise<Trailer> {
  const hash = createHash('sha256')
  const files: [string, number, number][] = []
  let size = 0
  const write = async (bytes: Buffer): Promise<void> => {
    hash.update(bytes)
    await writeWhole(file, bytes)
    size += bytes.length
  }
  const { manifest } = seal.state
  for (const path of manifest.files.keys()) {
    const from = size
    await copySealed(places.database, path, manifest, seal.journal.touched, write)
    files.push([path, from, size - from])
  }
  const counts = await countRows(sql)
  // from here to the end of the WAL's copy nothing is taken that comes later than this
  const { touched, stretch } = seal.state
  const journal = printEntries(touched)
  const first = Math.min(readControl(places.database).redo, stretch.from)
  for (let at = first - (first % SEGMENT_BYTES); at < stretch.to || at <= first; at += SEGMENT_BYTES) {
    const from = size
    const path = `pg_wal/${segmentName(at)}`
    await copyBytes(join(places.database, path), walEnd(first, stretch) - at, write)
    files.push([path, from, size - from])
  }
  const directories = [...directoriesBelow(places.database)]
  const head = { madeAt: new Date(now).toISOString(), ...counts, directories, files }
  const trailer: Trailer = { ...head, manifest: printManifest(manifest), journal, stretch }
  const text = Buffer.from(JSON.stringify(trailer))
  await write(text)
  await write(Buffer.from(String(text.length).padStart(LENGTH_DIGITS, '0')))
  await writeWhole(file, hash.digest())
  return trailer
}

async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await file.write(bytes)
  if (bytesWritten < bytes.length) throw outOfRoom('a copy found no room')
}

/** By the first digit of the hash: one count of all payments would hold the event loop for too long. */
async function countRows(sql: Kysely<Schema>): Promise<Pick<Trailer, 'payments' | 'accounts'>> {
  const count = async (query: RawBuilder<{ n: number }>): Promise<number> => (await query.execute(sql)).rows[0]!.n
  let payments = 0
  for (const digit of '0123456789abcdef') {
    const next = String.fromCharCode(digit.charCodeAt(0) + 1)
    payments += await count(statement`select count(*)::int as n from payments
      where hash >= ${digit} and hash < ${next}`)
    await turn()
  }
  return { payments, accounts: await count(statement`select count(*)::int as n from accounts`) }
}

/** the record of the last checkpoint is after `redo` and is needed even if nothing was written since */
const CHECKPOINT_BYTES = 64 << 10
const walEnd = (redo: number, { to }: Stretch): number => Math.max(to, redo + CHECKPOINT_BYTES)

/** As long as it was at the checkpoint: what was added since comes back from the WAL. */
async function copySealed(
  root: string,
  path: string,
  { files }: Manifest,
  touched: Touched,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const sealed = files.get(path)!
  if (!existsSync(join(root, path))) {
    if (touched.get(path) === ALL) return
    throw new Damage(`accounts/${path} is missing`)
  }
  let left = sealed.bytes
  for (const { at, bytes } of chunksOf(join(root, path))) {
    const wanted = bytes.subarray(0, left)
    const crcs = pagesOf(wanted)
    // looked up after reading: a write is entered before it happens
    const written = touched.get(path)
    const wrong = crcs.findIndex((crc, index) => {
      const page = at / PAGE_BYTES + index
      return sealed.pages[page] !== crc && written !== ALL && written?.has(page) !== true
    })
    if (wrong >= 0)
      throw new Damage(`page ${at / PAGE_BYTES + wrong} of accounts/${path} is not what was written there`)
    await write(wanted)
    left -= wanted.length
    if (left <= 0) return
  }
  if (left > 0 && touched.get(path) === undefined) throw new Damage(`accounts/${path} is too short`)
}

async function copyBytes(path: string, most: number, write: (bytes: Buffer) => Promise<void>): Promise<void> {
  let left = Math.min(most, SEGMENT_BYTES)
  for (const { bytes } of chunksOf(path)) {
    const wanted = bytes.subarray(0, left)
    await write(wanted)
    left -= wanted.length
    if (left <= 0) return
    await turn()
  }
}

function* directoriesBelow(root: string, prefix = ''): Generator<string> {
  for (const entry of readdirSync(join(root, prefix), { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    yield path
    yield* directoriesBelow(root, path)
  }
}

export interface Copy {
  readonly madeAt: Date
  readonly payments: number
  readonly accounts: number
  readonly trailer: Trailer
}

/** Reads it from end to end; Damage where it is not what was written. */
export async function checkCopy(folder: string, name: string): Promise<Copy> {
  const path = join(folder, name)
  const breathe = slices()
  const end = statSync(path).size - SHA_BYTES
  const hash = createHash('sha256')
  for (const { at, bytes } of chunksOf(path)) {
    if (at < end) hash.update(bytes.subarray(0, Math.min(bytes.length, end - at)))
    await breathe()
  }
  const file = openSync(path, 'r')
  try {
    const read = (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, at)
      return bytes
    }
    if (end <= LENGTH_DIGITS || !hash.digest().equals(read(end, SHA_BYTES))) throw new Damage(`${path} is damaged`)
    const length = Number(read(end - LENGTH_DIGITS, LENGTH_DIGITS).toString('latin1'))
    const trailer = JSON.parse(read(end - LENGTH_DIGITS - length, length).toString()) as Trailer
    const { payments, accounts, madeAt } = trailer
    return { madeAt: new Date(madeAt), payments, accounts, trailer }
  } finally {
    closeSync(file)
  }
}

/** Writes what a checked copy holds into two directories that do not exist yet. */
export function unpackCopy(path: string, { trailer }: Copy, database: string, seal: string): SealState {
  const { files, directories, stretch } = trailer
  for (const directory of directories) mkdirSync(join(database, directory), { recursive: true })
  const from = openSync(path, 'r')
  try {
    for (const [name, offset, bytes] of files) unpackFile(from, offset, bytes, join(database, name))
  } finally {
    closeSync(from)
  }
  const state = { manifest: parseManifest(trailer.manifest), touched: parseEntries(trailer.journal), stretch }
  writeSeal(seal, state, database)
  return state
}

function unpackFile(from: number, offset: number, bytes: number, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w', 0o600)
  try {
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(bytes, 1), 1 << 20))
    for (let done = 0; done < bytes; ) {
      const got = readSync(from, buffer, 0, Math.min(buffer.length, bytes - done), offset + done)
      writeSync(file, buffer, 0, got)
      done += got
    }
    // a file of the WAL is copied as far as it is written
    if (path.includes('/pg_wal/') && bytes < SEGMENT_BYTES) ftruncateSync(file, SEGMENT_BYTES)
  } finally {
    closeSync(file)
  }
}
