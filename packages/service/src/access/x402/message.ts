import { type Key, keyAt, ZERO_KEY } from '@ti/core/base/ids.ts'

/** bytes of a transaction: the network's own bound */
export const TRANSACTION_BYTES = 1_232

/** A legacy or version 0 transaction from its wire form, without lookups on chain. */
export interface WireTransaction {
  /** one per required signer, in order; zeros if it has not signed */
  readonly signatures: readonly Buffer[]
  /** the signed bytes */
  readonly message: Buffer
  readonly accounts: readonly Key[]
  readonly blockhash: Key
  readonly instructions: readonly WireInstruction[]
  /** number of address lookup tables */
  readonly tables: number
}

export interface WireInstruction {
  /** index of the program among the accounts */
  readonly program: number
  /** indices among the accounts */
  readonly accounts: Buffer
  readonly data: Buffer
}

/** bytes of the parts of a transaction's wire format */
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const HEADER_BYTES = 3

/**
 * Parses a transaction or returns the problem. As strict as the network: shortest lengths, no trailing bytes. It exists because
 * every stranger's payment is parsed before any check, and the packages' codecs take 1.5 ms for what this does in a few µs;
 * payment.test.ts compares the two.
 */
export function readWire(bytes: Buffer): WireTransaction | 'undecodable' | 'not canonical' {
  const at: Cursor = { bytes, at: 0, isShortest: true }
  const count = compact(at)
  const signatures: Buffer[] = []
  for (let i = 0; i < count && at.at <= bytes.length; i++) signatures.push(take(at, SIGNATURE_BYTES))
  const message = bytes.subarray(at.at)
  const first = bytes[at.at]
  if (first === undefined) return 'undecodable'
  const isVersioned = first >= 0x80
  if (isVersioned && first !== 0x80) return 'undecodable'
  const [signers] = take(at, isVersioned ? HEADER_BYTES + 1 : HEADER_BYTES).subarray(isVersioned ? 1 : 0)
  const keys = list(at, () => key(at))
  const blockhash = key(at)
  const instructions = list(at, (): WireInstruction => {
    const [program = 0] = take(at, 1)
    return { program, accounts: take(at, compact(at)), data: take(at, compact(at)) }
  })
  const tables = isVersioned ? list(at, () => [take(at, KEY_BYTES), take(at, compact(at)), take(at, compact(at))]) : []
  if (at.at > bytes.length || Math.min(signers!, keys.length) !== count) return 'undecodable'
  if (at.at < bytes.length || !at.isShortest) return 'not canonical'
  return { signatures, message, accounts: keys, blockhash, instructions, tables: tables.length }
}

interface Cursor {
  readonly bytes: Buffer
  /** beyond the end after a read that did not fit */
  at: number
  isShortest: boolean
}

/** Takes `length` bytes; returns fewer at the end and moves the cursor beyond it. */
function take(cursor: Cursor, length: number): Buffer {
  cursor.at += length
  return cursor.bytes.subarray(cursor.at - length, cursor.at)
}

function key(cursor: Cursor): Key {
  const bytes = take(cursor, KEY_BYTES)
  return bytes.length === KEY_BYTES ? keyAt(bytes, 0) : ZERO_KEY
}

/** Reads a compact-u16: seven bits per byte, lowest first, at most 16 bits. */
function compact(cursor: Cursor): number {
  let value = 0
  for (let shift = 0; shift < 21; shift += 7) {
    const [byte = 0] = take(cursor, 1)
    value |= (byte & 0x7f) << shift
    if (byte >= 0x80) continue
    cursor.isShortest &&= shift === 0 || byte !== 0
    if (value > 0xffff) cursor.at = Number.POSITIVE_INFINITY
    return value
  }
  cursor.at = Number.POSITIVE_INFINITY
  return 0
}

/** Reads a length and its elements; stops at the end of the bytes. */
function list<T>(cursor: Cursor, read: () => T): T[] {
  const length = compact(cursor)
  const items: T[] = []
  while (items.length < length && cursor.at <= TRANSACTION_BYTES) items.push(read())
  if (items.length < length) cursor.at = Number.POSITIVE_INFINITY
  return items
}
