import { type Key, keyAt, NO_SIG, type Sig, sigAt } from '@ti/core/base/ids.ts'
import type {
  RawBlock,
  RawConfig,
  RawInnerGroup,
  RawInstruction,
  RawTokenBalance,
  RawTransaction,
  TransactionVersion,
} from '@ti/core/model/raw.ts'
import { type Cursor, fieldEnd, skip, varint } from './cursor.ts'
import { WireError } from './error.ts'
import { readInnerGroup, readInstruction } from './instruction.ts'
import { readTokenBalance } from './token-balance.ts'

/**
 * Reads SubscribeUpdateBlock of Yellowstone (yellowstone-grpc-proto/proto: geyser.proto, solana-storage.proto). The
 * cases are protobuf tags: field number · 8 + wire type. Unknown fields and wire types are stepped over.
 */

/** Transactions one block may have: an order of magnitude over what fits into a Solana block. */
const BLOCK_TRANSACTIONS_MAX = 65_536
/** Account indices are one byte, so nothing can refer to a key beyond. */
const TRANSACTION_KEYS_MAX = 256
/** Marks an unknown position (imported single transactions), which Yellowstone has no value for. u64 maximum on the wire. */
const UNKNOWN_INDEX = 2 ** 64

/** A block that still has the bytes it was read from. */
export interface WireBlock extends RawBlock {
  readonly bytes: Buffer
}

/** Throws WireError when the bytes are not such a block. The block keeps views into `bytes`. */
export function readBlock(bytes: Buffer): WireBlock {
  const cursor: Cursor = { bytes, at: 0 }
  const end = bytes.length
  let slot = -1
  let parent = -1
  let time = 0
  const transactions: RawTransaction[] = []
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    switch (tag) {
      case 8:
        slot = safe(varint(cursor, end))
        break
      case 34:
        time = readTimestamp(cursor, fieldEnd(cursor, end))
        break
      case 50:
        if (transactions.length === BLOCK_TRANSACTIONS_MAX)
          throw new WireError('more transactions than a block can have')
        transactions.push(readTransactionInfo(cursor, fieldEnd(cursor, end)))
        break
      case 56:
        parent = safe(varint(cursor, end))
        break
      default:
        skip(cursor, tag, end)
    }
  }
  if (slot < 0) throw new WireError('block without a slot')
  return { slot, parent, time, transactions, bytes }
}

function safe(value: number): number {
  if (value > Number.MAX_SAFE_INTEGER) throw new WireError(`${value} is not a slot`)
  return value
}

function readTimestamp(cursor: Cursor, end: number): number {
  let time = 0
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 8) time = varint(cursor, end)
    else skip(cursor, tag, end)
  }
  return time > Number.MAX_SAFE_INTEGER ? 0 : time
}

/** The fields filled in from Transaction and TransactionStatusMeta. */
interface Parts {
  /** a message that is not versioned has no mark of its own: null where there is no message */
  version: TransactionVersion | null
  config: RawConfig | null
  tables: Key[] | null
  keys: Key[]
  signers: number
  instructions: RawInstruction[]
  writable: Key[] | null
  readonly: Key[] | null
  failed: boolean
  inner: RawInnerGroup[] | null
  /** start and end of each log line */
  logs: number[] | null
  preBalances: number[]
  postBalances: number[]
  preTokens: RawTokenBalance[]
  postTokens: RawTokenBalance[]
}

function readTransactionInfo(cursor: Cursor, end: number): RawTransaction {
  const parts: Parts = {
    version: null,
    config: null,
    tables: null,
    keys: [],
    signers: 0,
    instructions: [],
    writable: null,
    readonly: null,
    failed: false,
    inner: null,
    logs: null,
    preBalances: [],
    postBalances: [],
    preTokens: [],
    postTokens: [],
  }
  let signature = NO_SIG
  let index = 0
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    switch (tag) {
      case 10:
        signature = readSignature(cursor, fieldEnd(cursor, end))
        break
      case 26:
        readTransaction(cursor, fieldEnd(cursor, end), parts)
        break
      case 34:
        readMeta(cursor, fieldEnd(cursor, end), parts)
        break
      case 40:
        index = varint(cursor, end)
        break
      default:
        skip(cursor, tag, end)
    }
  }
  let { keys } = parts
  if (parts.writable !== null) keys = keys.concat(parts.writable)
  if (parts.readonly !== null) keys = keys.concat(parts.readonly)
  if (keys.length > TRANSACTION_KEYS_MAX) throw new WireError('more keys than a transaction can have')
  return new WireTransaction(
    signature,
    index >= UNKNOWN_INDEX ? -1 : index,
    parts.config === null ? parts.version : 1,
    parts.config,
    parts.tables ?? NO_KEYS,
    parts.failed,
    keys,
    Math.min(parts.signers, keys.length),
    parts.instructions,
    parts.inner,
    parts.preBalances,
    parts.postBalances,
    parts.preTokens,
    parts.postTokens,
    cursor.bytes,
    parts.logs,
  )
}

const NO_KEYS: readonly Key[] = []

/** Log lines are most of a transaction's bytes and rarely needed: read when first asked for. */
class WireTransaction implements RawTransaction {
  private lines: readonly string[] | null | undefined
  constructor(
    readonly signature: Sig,
    readonly index: number,
    readonly version: TransactionVersion | null,
    readonly config: RawConfig | null,
    readonly tables: readonly Key[],
    readonly failed: boolean,
    readonly keys: readonly Key[],
    readonly signers: number,
    readonly instructions: readonly RawInstruction[],
    readonly inner: readonly RawInnerGroup[] | null,
    readonly preBalances: readonly number[],
    readonly postBalances: readonly number[],
    readonly preTokens: readonly RawTokenBalance[],
    readonly postTokens: readonly RawTokenBalance[],
    private readonly bytes: Buffer,
    /** start and end of each line */
    private readonly bounds: readonly number[] | null,
  ) {}
  get logs(): readonly string[] | null {
    if (this.lines === undefined) this.lines = this.bounds === null ? null : readLogs(this.bytes, this.bounds)
    return this.lines
  }
}

function readLogs(bytes: Buffer, bounds: readonly number[]): string[] {
  const lines: string[] = new Array(bounds.length / 2)
  for (let i = 0; i < lines.length; i++) lines[i] = bytes.toString('utf8', bounds[2 * i], bounds[2 * i + 1])
  return lines
}

function readSignature(cursor: Cursor, end: number): Sig {
  const length = end - cursor.at
  if (length !== 64 && length !== 0) throw new WireError(`signature of ${length} bytes`)
  const signature = length === 0 ? NO_SIG : sigAt(cursor.bytes, cursor.at)
  cursor.at = end
  return signature
}

function readKey(cursor: Cursor, end: number): Key {
  if (end - cursor.at !== 32) throw new WireError(`public key of ${end - cursor.at} bytes`)
  const key = keyAt(cursor.bytes, cursor.at)
  cursor.at = end
  return key
}

function readTransaction(cursor: Cursor, end: number, parts: Parts): void {
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 18) readMessage(cursor, fieldEnd(cursor, end), parts)
    else skip(cursor, tag, end)
  }
}

function readMessage(cursor: Cursor, end: number, parts: Parts): void {
  parts.version = 'legacy'
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    switch (tag) {
      case 10:
        parts.signers = readSigners(cursor, fieldEnd(cursor, end))
        break
      case 18:
        parts.keys.push(readKey(cursor, fieldEnd(cursor, end)))
        break
      case 34:
        parts.instructions.push(readInstruction(cursor, fieldEnd(cursor, end)))
        break
      case 40:
        parts.version = varint(cursor, end) !== 0 ? 0 : 'legacy'
        break
      case 50:
        parts.tables ??= []
        parts.tables.push(readTable(cursor, fieldEnd(cursor, end)))
        break
      case 58:
        parts.config = readConfig(cursor, fieldEnd(cursor, end))
        break
      default:
        skip(cursor, tag, end)
    }
  }
}

/** MessageHeader: the keys that signed are the first ones. */
function readSigners(cursor: Cursor, end: number): number {
  let signers = 0
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 8) signers = varint(cursor, end)
    else skip(cursor, tag, end)
  }
  return signers
}

/** MessageAddressTableLookup: the table alone; what it adds stands in the meta. */
function readTable(cursor: Cursor, end: number): Key {
  let table: Key | null = null
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 10) table = readKey(cursor, fieldEnd(cursor, end))
    else skip(cursor, tag, end)
  }
  if (table === null) throw new WireError('lookup table without an address')
  return table
}

function readConfig(cursor: Cursor, end: number): RawConfig {
  let priorityFee = 0
  let computeUnitLimit = 0
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    if (tag === 8) priorityFee = varint(cursor, end)
    else if (tag === 16) computeUnitLimit = varint(cursor, end)
    else skip(cursor, tag, end)
  }
  return { priorityFee, computeUnitLimit }
}

function readMeta(cursor: Cursor, end: number, parts: Parts): void {
  const inner: RawInnerGroup[] = []
  const logs: number[] = []
  let innerNone = false
  let logsNone = false
  while (cursor.at < end) {
    const tag = varint(cursor, end)
    switch (tag) {
      case 10:
        cursor.at = fieldEnd(cursor, end)
        parts.failed = true
        break
      case 24:
      case 26:
        readNumbers(cursor, tag, end, parts.preBalances)
        break
      case 32:
      case 34:
        readNumbers(cursor, tag, end, parts.postBalances)
        break
      case 42:
        inner.push(readInnerGroup(cursor, fieldEnd(cursor, end)))
        break
      case 50: {
        const stop = fieldEnd(cursor, end)
        logs.push(cursor.at, stop)
        cursor.at = stop
        break
      }
      case 58:
        parts.preTokens.push(readTokenBalance(cursor, fieldEnd(cursor, end)))
        break
      case 66:
        parts.postTokens.push(readTokenBalance(cursor, fieldEnd(cursor, end)))
        break
      case 80:
        innerNone = varint(cursor, end) !== 0
        break
      case 88:
        logsNone = varint(cursor, end) !== 0
        break
      case 98:
        parts.writable ??= []
        parts.writable.push(readKey(cursor, fieldEnd(cursor, end)))
        break
      case 106:
        parts.readonly ??= []
        parts.readonly.push(readKey(cursor, fieldEnd(cursor, end)))
        break
      default:
        skip(cursor, tag, end)
    }
  }
  parts.inner = innerNone ? null : inner
  parts.logs = logsNone ? null : logs
}

/** Repeated uint64, packed or one by one. */
function readNumbers(cursor: Cursor, tag: number, end: number, into: number[]): void {
  if ((tag & 7) === 0) {
    into.push(varint(cursor, end))
    return
  }
  const stop = fieldEnd(cursor, end)
  while (cursor.at < stop) into.push(varint(cursor, stop))
}
