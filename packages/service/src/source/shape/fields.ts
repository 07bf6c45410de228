import { base58DecodeBytes, keyFromBase58, sigFromBase58 } from '@ti/core/base/base58.ts'
import { type Counts, count } from '@ti/core/base/counts.ts'
import { type Key, keyAt, type Sig, sigAt } from '@ti/core/base/ids.ts'
import type { RawConfig, RawTokenBalance } from '@ti/core/model/raw.ts'

/** texts of public keys in each of two generations, some 140 bytes each: a live market names the same few thousand again and
 * again, and a table that is full after minutes does not make memory grow for hours */
const KEYS_INTERNED = 16_384

/**
 * Reading fields of objects from outside. Every function is total: what is not of the expected kind is null. Byte
 * strings come as Buffer, Uint8Array, base58 text, `{ type: 'Buffer', hex }` or `{ type: 'Buffer', data }`; an empty
 * one may have become `{}` on its way through JSON.
 */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Runtime bounds of one transaction, with room: keys are indexed by a byte, the instruction trace ends at 64, and all of
 * version 1 takes 4,096 bytes.
 */
export const SHAPE_MAX = { keys: 256, instructions: 1_024, logLines: 20_000, transactions: 50_000, dataBytes: 4_096 }

/** Counts why an input was not read, and is the null to answer. */
export function refuse(counts: Counts, reason: string): null {
  count(counts, `shape:${reason}`)
  return null
}

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

export const listOf = (value: unknown, max: number): readonly unknown[] | null =>
  Array.isArray(value) && value.length <= max ? value : null

/** A non-negative integer given as number, decimal text or bigint; inexact above 2^53. */
function integerOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null
  if (typeof value === 'string') return /^\d{1,20}$/.test(value) ? Number(value) : null
  return typeof value === 'bigint' && value >= 0n && value < 1n << 64n ? Number(value) : null
}

/** A slot, a time or an index: exact, or null. */
export function exactOf(value: unknown): number | null {
  const integer = integerOf(value)
  return integer !== null && Number.isSafeInteger(integer) ? integer : null
}

/** One byte. */
export const byteOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value < 256 && Number.isInteger(value) ? value : null

export function bytesOf(value: unknown, maxBytes: number): Buffer | null {
  if (typeof value === 'string') return base58DecodeBytes(value, maxBytes)
  if (value instanceof Uint8Array) {
    if (value.length > maxBytes) return null
    return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.length)
  }
  const fields = fieldsOf(value)
  if (fields === null) return null
  if (typeof fields.hex === 'string') {
    return fields.hex.length <= maxBytes * 2 && /^(?:[0-9a-f]{2})*$/i.test(fields.hex)
      ? Buffer.from(fields.hex, 'hex')
      : null
  }
  const data = listOf(fields.data, maxBytes)
  if (data !== null) return data.every((byte) => byteOf(byte) !== null) ? Buffer.from(data as number[]) : null
  return Object.keys(fields).length === 0 ? Buffer.alloc(0) : null
}

/** A live market names the same few thousand keys again and again; base58 is most of the cost of reading JSON. */
let recent = new Map<string, Key>()
let older = new Map<string, Key>()

export function internKey(text: string): Key | null {
  const known = recent.get(text)
  if (known !== undefined) return known
  const found = older.get(text) ?? keyFromBase58(text)
  if (found === null) return null
  if (recent.size >= KEYS_INTERNED) {
    older = recent
    recent = new Map()
  }
  recent.set(text, found)
  return found
}

export function keyOf(value: unknown): Key | null {
  if (typeof value === 'string') return internKey(value)
  const bytes = bytesOf(value, 32)
  return bytes !== null && bytes.length === 32 ? keyAt(bytes, 0) : null
}

export function sigOf(value: unknown): Sig | null {
  if (typeof value === 'string') return sigFromBase58(value)
  const bytes = bytesOf(value, 64)
  return bytes !== null && bytes.length === 64 ? sigAt(bytes, 0) : null
}

/** Every element through `read`; null when it is not a list, too long, or one element is refused. */
export function allOf<T>(value: unknown, max: number, read: (element: unknown) => T | null): T[] | null {
  const list = listOf(value, max)
  if (list === null) return null
  const out: T[] = []
  for (const element of list) {
    const one = read(element)
    if (one === null) return null
    out.push(one)
  }
  return out
}

export const lamportsOf = (value: unknown): number[] | null => allOf(value ?? [], SHAPE_MAX.keys, integerOf)

export function logsOf(value: unknown): readonly string[] | null {
  const list = listOf(value, SHAPE_MAX.logLines)
  return list?.every((line) => typeof line === 'string') === true ? (list as readonly string[]) : null
}

/** The number of keys that signed: what the header states, else as many as there are signatures. */
export const signersOf = (header: unknown, signatures: unknown): number =>
  byteOf(fieldsOf(header)?.numRequiredSignatures) ?? listOf(signatures, SHAPE_MAX.keys)?.length ?? 0

/** The same beside other parts of a transaction, which are read without them. */
export const readLogs = (value: unknown, counts: Counts): readonly string[] | null =>
  logsOf(value) ?? refuse(counts, 'logs_unread')

/** preTokenBalances and postTokenBalances have one form in JSON and in gRPC; absent means none. */
export const tokensOf = (value: unknown): RawTokenBalance[] | null => allOf(value ?? [], SHAPE_MAX.keys, tokenOf)

function tokenOf(value: unknown): RawTokenBalance | null {
  const row = fieldsOf(value)
  const amounts = fieldsOf(row?.uiTokenAmount)
  if (row === null || amounts === null || typeof row.mint !== 'string') return null
  // protobuf leaves out zeros
  const account = byteOf(row.accountIndex ?? 0)
  const amount = integerOf(amounts.amount === '' ? 0 : amounts.amount)
  const decimals = byteOf(amounts.decimals ?? 0)
  const mint = internKey(row.mint)
  if (account === null || amount === null || decimals === null || mint === null) return null
  const owner = typeof row.owner === 'string' && row.owner !== '' ? internKey(row.owner) : null
  return { account, mint, owner, amount, decimals }
}

/** The config of a version 1 message, with the names of JSON and gRPC; an absent value is 0, as in the runtime. */
export function configOf(stated: Fields): RawConfig | null {
  const priorityFee = integerOf(stated.priorityFee ?? 0)
  const computeUnitLimit = exactOf(stated.computeUnitLimit ?? 0)
  return priorityFee === null || computeUnitLimit === null ? null : { priorityFee, computeUnitLimit }
}
