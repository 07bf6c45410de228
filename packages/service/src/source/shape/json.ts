import { base64Decode } from '@ti/core/base/base64.ts'
import type { Counts } from '@ti/core/base/counts.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import type {
  RawBlock,
  RawConfig,
  RawInnerGroup,
  RawInstruction,
  RawTransaction,
  TransactionVersion,
} from '@ti/core/model/raw.ts'
import {
  allOf,
  byteOf,
  bytesOf,
  configOf,
  exactOf,
  type Fields,
  fieldsOf,
  keyOf,
  lamportsOf,
  listOf,
  readLogs,
  refuse,
  SHAPE_MAX,
  signersOf,
  sigOf,
  tokensOf,
} from './fields.ts'
import { parseWire } from './wire.ts'
import { V1_MAX } from './wire-v1.ts'

/** A transaction with where it stands, as getTransaction answers it. */
export interface FetchedTransaction {
  /** -1 when the material does not say */
  readonly slot: number
  /** Unix seconds; 0 when the material does not say */
  readonly time: number
  readonly transaction: RawTransaction
}

interface Message {
  readonly signature: Sig
  readonly version: TransactionVersion
  readonly config: RawConfig | null
  readonly tables: readonly Key[]
  readonly keys: readonly Key[]
  readonly signers: number
  readonly instructions: readonly RawInstruction[]
}

/** Longest base64 text of a transaction that is looked into: 1,232 bytes, of version 1 4,096. */
const WIRE_TEXT_MAX = 65_536

/** The result of getTransaction, in any of its encodings. Null is counted as `shape:<reason>`. */
export function fetchedFromJson(input: unknown, counts: Counts): FetchedTransaction | null {
  const result = fieldsOf(input)
  const transaction = transactionFromJson(input, counts, exactOf(result?.transactionIndex) ?? -1)
  if (transaction === null) return null
  return { slot: exactOf(result?.slot) ?? -1, time: exactOf(result?.blockTime) ?? 0, transaction }
}

/** The result of getBlock (or the block of a blockSubscribe notification) for `slot`. Refused transactions are left out. */
export function blockFromJson(input: unknown, slot: number, counts: Counts): RawBlock | null {
  const block = fieldsOf(input)
  const list = listOf(block?.transactions, SHAPE_MAX.transactions)
  if (block === null || list === null) return refuse(counts, 'not_a_block')
  const transactions: RawTransaction[] = []
  for (let i = 0; i < list.length; i++) {
    const transaction = transactionFromJson(list[i], counts, i)
    if (transaction !== null) transactions.push(transaction)
  }
  return { slot, parent: exactOf(block.parentSlot) ?? -1, time: exactOf(block.blockTime) ?? 0, transactions }
}

/** One transaction of getTransaction, getBlock or blockSubscribe: base64, json or jsonParsed. `index`: place in the block. */
export function transactionFromJson(input: unknown, counts: Counts, index = -1): RawTransaction | null {
  const outer = fieldsOf(input)
  if (outer === null) return refuse(counts, 'not_an_object')
  const { version } = outer
  if (version !== undefined && version !== null && version !== 'legacy' && version !== 0 && version !== 1)
    return refuse(counts, 'unknown_version')
  const meta = fieldsOf(outer.meta)
  // without it the transaction's success is unknown
  if (meta === null) return refuse(counts, 'no_meta')
  const message = Array.isArray(outer.transaction)
    ? wireMessage(outer.transaction, meta, counts)
    : objectMessage(outer.transaction, meta, version ?? null, counts)
  if (message === null) return null
  const inner = meta.innerInstructions
  const groups = inner === null || inner === undefined ? null : innerOf(inner, message.keys, counts)
  if (inner !== null && inner !== undefined && groups === null) return refuse(counts, 'bad_inner')
  const logs = meta.logMessages === null || meta.logMessages === undefined ? null : readLogs(meta.logMessages, counts)
  const preBalances = lamportsOf(meta.preBalances)
  const postBalances = lamportsOf(meta.postBalances)
  const preTokens = tokensOf(meta.preTokenBalances)
  const postTokens = tokensOf(meta.postTokenBalances)
  if (preBalances === null || postBalances === null || preTokens === null || postTokens === null)
    return refuse(counts, 'bad_balances')
  const failed = meta.err !== null && meta.err !== undefined
  return { ...message, index, failed, inner: groups, logs, preBalances, postBalances, preTokens, postTokens }
}

/** `[text, 'base64']`: the wire bytes; keys from address tables come from the meta. */
function wireMessage(pair: readonly unknown[], meta: Fields, counts: Counts): Message | null {
  const [text, encoding] = pair
  if (encoding !== 'base64' || typeof text !== 'string') return refuse(counts, 'unknown_encoding')
  if (text.length > WIRE_TEXT_MAX) return refuse(counts, 'bad_wire')
  const bytes = base64Decode(text)
  if (bytes === null) return refuse(counts, 'bad_base64')
  const wire = parseWire(bytes)
  if (typeof wire === 'string') return refuse(counts, wire)
  const loaded = loadedOf(meta)
  if (loaded === null || loaded.length !== wire.writable + wire.readonly) return refuse(counts, 'no_loaded_addresses')
  const { signature, version, config, tables, signers, instructions } = wire
  return { signature, version, config, tables, keys: [...wire.keys, ...loaded], signers, instructions }
}

function loadedOf(meta: Fields): readonly Key[] | null {
  if (meta.loadedAddresses === undefined || meta.loadedAddresses === null) return []
  const loaded = fieldsOf(meta.loadedAddresses)
  const writable = allOf(loaded?.writable ?? [], SHAPE_MAX.keys, keyOf)
  const readonly = allOf(loaded?.readonly ?? [], SHAPE_MAX.keys, keyOf)
  return writable === null || readonly === null ? null : [...writable, ...readonly]
}

/** `json` lists static keys as text, `jsonParsed` all keys as objects, those from address tables included. */
function objectMessage(value: unknown, meta: Fields, said: TransactionVersion | null, counts: Counts): Message | null {
  const transaction = fieldsOf(value)
  const message = fieldsOf(transaction?.message)
  if (transaction === null || message === null) return refuse(counts, 'no_message')
  const signature = sigOf(listOf(transaction.signatures, SHAPE_MAX.keys)?.[0])
  if (signature === null) return refuse(counts, 'no_signature')
  const parsed = fieldsOf(listOf(message.accountKeys, SHAPE_MAX.keys)?.[0]) !== null
  const listed = allOf(message.accountKeys, SHAPE_MAX.keys, (entry) => keyOf(parsed ? fieldsOf(entry)?.pubkey : entry))
  const loaded = parsed ? [] : loadedOf(meta)
  if (listed === null || loaded === null || listed.length + loaded.length > SHAPE_MAX.keys)
    return refuse(counts, 'bad_keys')
  const keys = [...listed, ...loaded]
  const instructions = allOf(message.instructions, SHAPE_MAX.instructions, (entry) =>
    instructionOf(entry, keys, counts),
  )
  if (instructions === null) return refuse(counts, 'bad_instructions')
  const signers = Math.min(listed.length, signersOf(message.header, transaction.signatures))
  const tables = allOf(message.addressTableLookups ?? [], SHAPE_MAX.keys, (entry) => keyOf(fieldsOf(entry)?.accountKey))
  if (tables === null) return refuse(counts, 'bad_keys')
  const stated = fieldsOf(message.transactionConfig)
  const version = said ?? (stated !== null ? 1 : tables.length > 0 ? 0 : 'legacy')
  if (version !== 1) return { signature, version, config: null, tables, keys, signers, instructions }
  const config = configOf(stated ?? {})
  if (config === null) return refuse(counts, 'bad_config')
  if (tables.length > 0 || loaded.length > 0 || keys.length > V1_MAX.addresses) return refuse(counts, 'bad_keys')
  if (instructions.length > V1_MAX.instructions) return refuse(counts, 'bad_instructions')
  return { signature, version, config, tables, keys, signers, instructions }
}

function innerOf(value: unknown, keys: readonly Key[], counts: Counts): RawInnerGroup[] | null {
  let left = SHAPE_MAX.instructions
  return allOf(value, SHAPE_MAX.instructions, (entry) => {
    const group = fieldsOf(entry)
    const outer = byteOf(group?.index)
    const instructions = allOf(group?.instructions, left, (one) => instructionOf(one, keys, counts))
    if (outer === null || instructions === null) return null
    left -= instructions.length
    return { outer, instructions }
  })
}

const NO_BYTES = Buffer.alloc(0)
const NO_ACCOUNTS = new Uint8Array(0)

/** By index (`json`, `base64`), by key (`jsonParsed`, undecoded), or parsed by the node: then without bytes. */
function instructionOf(value: unknown, keys: readonly Key[], counts: Counts): RawInstruction | null {
  const entry = fieldsOf(value)
  if (entry === null) return null
  const byIndex = typeof entry.programIdIndex === 'number'
  const program = byIndex ? byteOf(entry.programIdIndex) : indexOfKey(entry.programId, keys)
  if (program === null) return null
  if (entry.data === undefined) return { program, accounts: NO_ACCOUNTS, data: NO_BYTES }
  const accounts = allOf(entry.accounts, SHAPE_MAX.keys, byIndex ? byteOf : (account) => indexOfKey(account, keys))
  const data = typeof entry.data === 'string' ? bytesOf(entry.data, SHAPE_MAX.dataBytes) : null
  if (accounts === null) return null
  // longer data than any event has is not worth its quadratic decoding
  if (data === null) refuse(counts, 'data_unread')
  return { program, accounts: Uint8Array.from(accounts), data: data ?? NO_BYTES }
}

function indexOfKey(value: unknown, keys: readonly Key[]): number | null {
  const key = typeof value === 'string' ? keyOf(value) : null
  const index = key === null ? -1 : keys.indexOf(key)
  return index < 0 ? null : index
}
