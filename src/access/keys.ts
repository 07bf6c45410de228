import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'

/**
 * API keys in an append-only file of JSON lines, until accounts exist. Only the SHA-256 of a key is stored and kept in
 * memory: finding a key by its hash takes the same time whatever its prefix.
 */
const FILE = 'keys.jsonl'
const PREFIX = 'sk_live_'
/** 32 random bytes in base64url */
const KEY = /^sk_live_[A-Za-z0-9_-]{43}$/
const SCHEME = 'Bearer '
const HEADER_LENGTH = SCHEME.length + PREFIX.length + 43
/** a scheme's name has no case */
const isBearer = (header: string): boolean => header.startsWith(SCHEME) || /^bearer /i.test(header)

/** milliseconds between two looks at the file for keys made while the server runs */
const LOOK_EVERY_MS = 1_000
/** bytes of a record at most: a name is at most 100 characters, each escaped to at most 12 bytes */
const RECORD_BYTES_MAX = 2_048

const KeyRecord = z.object({
  id: z.string(),
  name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  created_at: z.string(),
  plan: z.literal('pro'),
})
type KeyRecord = z.infer<typeof KeyRecord>

export type KeyCheck =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'absent' | 'malformed' | 'unknown' }

export interface Keys {
  /**
   * The value of an Authorization header. A connection that sends the same valid header again is not hashed again;
   * what is known of a connection ends with it, and with any change of the keys.
   */
  check(authorization: string | undefined, connection?: object): KeyCheck
  readonly size: number
}

/** A valid header of an open connection, and the state of the keys it was valid in. */
interface Known {
  readonly authorization: string
  readonly found: KeyCheck
  readonly version: number
}

interface StoredKey {
  readonly digest: Buffer
  readonly found: KeyCheck
}

const ABSENT: KeyCheck = { ok: false, reason: 'absent' }
const MALFORMED: KeyCheck = { ok: false, reason: 'malformed' }
const UNKNOWN: KeyCheck = { ok: false, reason: 'unknown' }

/** 32 bytes as a latin-1 string: native code makes it in a third of the time of a Buffer. */
const sha256 = (key: string): string => hash('sha256', key, 'binary')

/** Makes a key and writes its record durably; the key itself is never seen again. Safe beside a running server. */
export function createKey(dataDir: string, name: string): { readonly key: string; readonly id: string } {
  if (name.length < 1 || name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) {
    throw new OperatorError('a key needs a name of 1 to 100 characters without control characters')
  }
  const path = join(dataDir, FILE)
  const existing = operating(path, () => {
    mkdirSync(dataDir, { recursive: true })
    return readRecords(path)
  })
  if (existing.records.length >= LIMITS.apiKeys) {
    throw new OperatorError(`${path} holds ${existing.records.length} keys, the most it may: ${LIMITS.apiKeys}`)
  }
  const key = PREFIX + randomBytes(32).toString('base64url')
  const record: KeyRecord = {
    id: `key_${randomBytes(9).toString('base64url')}`,
    name,
    sha256: hash('sha256', key),
    created_at: new Date().toISOString(),
    plan: 'pro',
  }
  const line = `${existing.torn ? '\n' : ''}${JSON.stringify(record)}\n`
  operating(path, () => append(path, line))
  return { key, id: record.id }
}

/** What the file system refuses is the operator's to mend. */
function operating<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600)
  try {
    // one write to a file opened for appending, so that two processes cannot interleave
    const written = writeSync(file, line)
    if (written !== Buffer.byteLength(line)) throw new OperatorError(`${path}: the disk took only a part of the record`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  const directory = openSync(dirname(path), constants.O_RDONLY)
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

interface FileContents {
  readonly records: readonly KeyRecord[]
  /** bytes up to the end of the last whole line */
  readonly end: number
  /** the last line has no end: its writer died, or is still writing */
  readonly torn: boolean
}

const NOTHING: FileContents = { records: [], end: 0, torn: false }

function readRecords(path: string): FileContents {
  const size = sizeOf(path)
  if (size === 0) return NOTHING
  if (size > LIMITS.apiKeys * RECORD_BYTES_MAX) throw new OperatorError(`${path} is too large to be a file of keys`)
  return parseRecords(readFileSync(path))
}

/** Lines that are not whole records (one torn by a crash and continued by a later key) are passed over. */
function parseRecords(bytes: Buffer): FileContents {
  const end = bytes.lastIndexOf(10) + 1
  const records: KeyRecord[] = []
  for (const line of bytes.toString('utf8', 0, end).split('\n')) {
    const parsed = KeyRecord.safeParse(parseJson(line))
    if (parsed.success) records.push(parsed.data)
  }
  return { records, end, torn: end < bytes.length }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Reads what was appended after `from`. */
function readAfter(path: string, from: number): FileContents {
  const file = openSync(path, 'r')
  try {
    const size = Math.min(fstatSync(file).size, LIMITS.apiKeys * RECORD_BYTES_MAX)
    const bytes = Buffer.alloc(Math.max(0, size - from))
    return parseRecords(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)))
  } finally {
    closeSync(file)
  }
}

/** Keys made later are seen within a second. `now` is a clock in milliseconds, for tests. */
export function openKeys(dataDir: string, now: () => number = Date.now): Keys {
  const path = join(dataDir, FILE)
  const byHash = new Map<string, StoredKey>()
  const presented = Buffer.alloc(32)
  const knownOf = new WeakMap<object, Known>()
  let version = 0
  let end = 0
  let looked = Number.NEGATIVE_INFINITY

  function learn(contents: FileContents): void {
    end += contents.end
    version++
    for (const { id, sha256: hex } of contents.records) {
      if (byHash.size >= LIMITS.apiKeys) return
      const digest = Buffer.from(hex, 'hex')
      byHash.set(digest.toString('latin1'), { digest, found: { ok: true, id } })
    }
  }

  function lookAgain(): boolean {
    const time = now()
    if (time - looked < LOOK_EVERY_MS) return false
    looked = time
    try {
      if (sizeOf(path) <= end) return false
      learn(readAfter(path, end))
      return true
    } catch {
      // an unreadable file must not take the door down: known keys stay known, the next look is in a second
      return false
    }
  }

  function find(digest: string): StoredKey | undefined {
    const stored = byHash.get(digest)
    if (stored === undefined) return undefined
    presented.write(digest, 'latin1')
    return timingSafeEqual(stored.digest, presented) ? stored : undefined
  }

  learn(operating(path, () => readRecords(path)))

  return {
    check(authorization, connection) {
      if (authorization === undefined || authorization === '') return ABSENT
      const known = connection === undefined ? undefined : knownOf.get(connection)
      if (known?.authorization === authorization && known.version === version) return known.found
      if (authorization.length !== HEADER_LENGTH || !isBearer(authorization)) return MALFORMED
      const key = authorization.slice(SCHEME.length)
      if (!KEY.test(key)) return MALFORMED
      const digest = sha256(key)
      const stored = find(digest) ?? (lookAgain() ? find(digest) : undefined)
      if (stored === undefined) return UNKNOWN
      if (connection !== undefined) knownOf.set(connection, { authorization, found: stored.found, version })
      return stored.found
    },
    get size() {
      return byHash.size
    },
  }
}
