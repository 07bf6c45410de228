import { type Key, keyAt, type Sig, sigAt } from '@ti/core/base/ids.ts'
import type { RawConfig, RawInstruction, TransactionVersion } from '@ti/core/model/raw.ts'
import { SHAPE_MAX } from './fields.ts'
import { parseV1, V1_BYTE } from './wire-v1.ts'

/** A transaction as it travels on the wire: signatures, then a legacy or version 0 message; version 1 the other way round. */
export interface Wire {
  readonly signature: Sig
  readonly version: TransactionVersion
  /** null for all but version 1 */
  readonly config: RawConfig | null
  /** accounts of the lookup tables it names */
  readonly tables: Key[]
  /** static keys only */
  readonly keys: Key[]
  /** the number of keys that signed */
  readonly signers: number
  readonly instructions: RawInstruction[]
  /** number of keys that the address tables add, writable and readonly */
  readonly writable: number
  readonly readonly: number
}

/** `unknown_config`: a version 1 message states something that this program cannot know the meaning of. */
export type WireRefusal = 'unknown_version' | 'unknown_config' | 'bad_wire'

/** The transaction, or why it cannot be read. */
export function parseWire(bytes: Buffer): Wire | WireRefusal {
  // 128 and more signatures cannot fit a packet: a set high bit is a version that begins with its message
  if (bytes.length > 0 && bytes[0]! >= 0x80) return bytes[0] === V1_BYTE ? parseV1(bytes) : 'unknown_version'
  const cursor = { at: 0 }
  const signatures = compact(bytes, cursor)
  const first = cursor.at
  cursor.at += signatures * 64
  if (signatures < 1 || cursor.at >= bytes.length) return 'bad_wire'
  const versioned = bytes[cursor.at]! >= 0x80
  if (versioned && (bytes[cursor.at]! & 0x7f) !== 0) return 'unknown_version'
  cursor.at += versioned ? 4 : 3
  const keys = staticKeys(bytes, cursor)
  cursor.at += 32
  const instructions = keys === null ? null : instructionsOf(bytes, cursor)
  const added = instructions === null || !versioned ? NO_TABLES : lookups(bytes, cursor)
  if (keys === null || instructions === null || added === null || cursor.at > bytes.length) return 'bad_wire'
  const version = versioned ? 0 : 'legacy'
  return {
    signature: sigAt(bytes, first),
    version,
    config: null,
    keys,
    signers: Math.min(signatures, keys.length),
    instructions,
    ...added,
  }
}

/** The accounts that the lookup tables of a message add. */
type Added = Pick<Wire, 'tables' | 'writable' | 'readonly'>
const NO_TABLES: Added = { tables: [], writable: 0, readonly: 0 }

interface Cursor {
  at: number
}

/** compact-u16: seven bits a byte, at most three bytes; -1 past the end. */
function compact(bytes: Buffer, cursor: Cursor): number {
  let value = 0
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = bytes[cursor.at++]
    if (byte === undefined) return -1
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
  return -1
}

function staticKeys(bytes: Buffer, cursor: Cursor): Key[] | null {
  const length = compact(bytes, cursor)
  if (length < 1 || length > SHAPE_MAX.keys || cursor.at + length * 32 > bytes.length) return null
  const keys: Key[] = []
  for (let i = 0; i < length; i++, cursor.at += 32) keys.push(keyAt(bytes, cursor.at))
  return keys
}

/** A length-prefixed byte string, or null when it does not fit. */
function run(bytes: Buffer, cursor: Cursor): Buffer | null {
  const length = compact(bytes, cursor)
  if (length < 0 || cursor.at + length > bytes.length) return null
  cursor.at += length
  return bytes.subarray(cursor.at - length, cursor.at)
}

function instructionsOf(bytes: Buffer, cursor: Cursor): RawInstruction[] | null {
  const length = compact(bytes, cursor)
  if (length < 0 || length > SHAPE_MAX.instructions) return null
  const instructions: RawInstruction[] = []
  for (let i = 0; i < length; i++) {
    const program = bytes[cursor.at++]
    const accounts = run(bytes, cursor)
    const data = accounts === null ? null : run(bytes, cursor)
    if (program === undefined || accounts === null || data === null) return null
    instructions.push({ program, accounts, data })
  }
  return instructions
}

function lookups(bytes: Buffer, cursor: Cursor): Added | null {
  const length = compact(bytes, cursor)
  if (length < 0 || length > SHAPE_MAX.keys) return null
  const tables: Key[] = []
  let added = 0
  let addedReadonly = 0
  for (let i = 0; i < length; i++) {
    if (cursor.at + 32 > bytes.length) return null
    tables.push(keyAt(bytes, cursor.at))
    cursor.at += 32
    const writable = run(bytes, cursor)
    const readonly = writable === null ? null : run(bytes, cursor)
    if (writable === null || readonly === null) return null
    added += writable.length
    addedReadonly += readonly.length
  }
  return { tables, writable: added, readonly: addedReadonly }
}
