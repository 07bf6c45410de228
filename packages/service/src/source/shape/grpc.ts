import type { Counts } from '@ti/core/base/counts.ts'
import type { RawBlock, RawInnerGroup, RawInstruction, RawTransaction, TransactionVersion } from '@ti/core/model/raw.ts'
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
import type { FetchedTransaction } from './json.ts'

/** SubscribeUpdateTransaction: `{ transaction, slot }`. Null is counted as `shape:<reason>`. */
export function updateFromGrpc(input: unknown, counts: Counts): FetchedTransaction | null {
  const update = fieldsOf(input)
  const slot = exactOf(update?.slot)
  if (update === null || slot === null) return refuse(counts, 'not_an_update')
  const transaction = transactionFromGrpc(update.transaction, counts)
  return transaction === null ? null : { slot, time: 0, transaction }
}

/** SubscribeUpdateBlock. Refused transactions are left out; those without an index of their own keep their place. */
export function blockFromGrpc(input: unknown, counts: Counts): RawBlock | null {
  const block = fieldsOf(input)
  const slot = exactOf(block?.slot)
  const list = listOf(block?.transactions, SHAPE_MAX.transactions)
  if (block === null || slot === null || list === null) return refuse(counts, 'not_a_block')
  const transactions: RawTransaction[] = []
  for (const entry of list) {
    const transaction = transactionFromGrpc(entry, counts)
    if (transaction !== null) transactions.push(transaction)
  }
  transactions.sort((a, b) => a.index - b.index)
  const parent = exactOf(block.parentSlot) ?? -1
  return { slot, parent, time: exactOf(fieldsOf(block.blockTime)?.timestamp) ?? 0, transactions }
}

/** SubscribeUpdateTransactionInfo: `{ signature, transaction, meta, index }`. */
export function transactionFromGrpc(input: unknown, counts: Counts): RawTransaction | null {
  const info = fieldsOf(input)
  const transaction = fieldsOf(info?.transaction)
  const message = fieldsOf(transaction?.message)
  if (info === null || transaction === null || message === null) return refuse(counts, 'no_message')
  const meta = fieldsOf(info.meta)
  // a transaction read from shreds has not run yet
  if (meta === null) return refuse(counts, 'no_meta')
  const signature = sigOf(info.signature ?? listOf(transaction.signatures, SHAPE_MAX.keys)?.[0])
  if (signature === null) return refuse(counts, 'no_signature')
  const keys = allOf(message.accountKeys, SHAPE_MAX.keys, keyOf)
  const writable = allOf(meta.loadedWritableAddresses ?? [], SHAPE_MAX.keys, keyOf)
  const readonly = allOf(meta.loadedReadonlyAddresses ?? [], SHAPE_MAX.keys, keyOf)
  if (keys === null || writable === null || readonly === null) return refuse(counts, 'bad_keys')
  if (keys.length + writable.length + readonly.length > SHAPE_MAX.keys) return refuse(counts, 'bad_keys')
  const instructions = allOf(message.instructions, SHAPE_MAX.instructions, (entry) => instructionOf(entry, counts))
  if (instructions === null) return refuse(counts, 'bad_instructions')
  const sent = sentOf(message)
  if (sent === null) return refuse(counts, 'bad_config')
  const innerAbsent = meta.innerInstructionsNone === true
  const inner = innerAbsent ? null : innerOf(meta.innerInstructions ?? [], counts)
  if (inner === null && !innerAbsent) return refuse(counts, 'bad_inner')
  const preBalances = lamportsOf(meta.preBalances)
  const postBalances = lamportsOf(meta.postBalances)
  const preTokens = tokensOf(meta.preTokenBalances)
  const postTokens = tokensOf(meta.postTokenBalances)
  if (preBalances === null || postBalances === null || preTokens === null || postTokens === null)
    return refuse(counts, 'bad_balances')
  return {
    signature,
    index: exactOf(info.index) ?? -1,
    ...sent,
    failed: meta.err !== undefined && meta.err !== null,
    keys: [...keys, ...writable, ...readonly],
    signers: Math.min(keys.length, signersOf(message.header, transaction.signatures)),
    instructions,
    inner,
    logs: meta.logMessagesNone === true ? null : readLogs(meta.logMessages ?? [], counts),
    preBalances,
    postBalances,
    preTokens,
    postTokens,
  }
}

/** There is no version field: a config means version 1, whatever `versioned` says. */
function sentOf(message: Fields): Pick<RawTransaction, 'version' | 'config' | 'tables'> | null {
  const stated = fieldsOf(message.config)
  const config = stated === null ? null : configOf(stated)
  const tables = allOf(message.addressTableLookups ?? [], SHAPE_MAX.keys, (entry) => keyOf(fieldsOf(entry)?.accountKey))
  if (tables === null || (stated !== null && (config === null || tables.length > 0))) return null
  const version: TransactionVersion = config !== null ? 1 : message.versioned === true ? 0 : 'legacy'
  return { version, config, tables }
}

function innerOf(value: unknown, counts: Counts): RawInnerGroup[] | null {
  let left = SHAPE_MAX.instructions
  return allOf(value, SHAPE_MAX.instructions, (entry) => {
    const group = fieldsOf(entry)
    const outer = byteOf(group?.index ?? 0)
    const instructions = group === null ? null : allOf(group.instructions, left, (one) => instructionOf(one, counts))
    if (outer === null || instructions === null) return null
    left -= instructions.length
    return { outer, instructions }
  })
}

function instructionOf(value: unknown, counts: Counts): RawInstruction | null {
  const entry = fieldsOf(value)
  const program = byteOf(entry?.programIdIndex)
  const accounts = entry === null ? null : bytesOf(entry.accounts, SHAPE_MAX.keys)
  if (entry === null || program === null || accounts === null) return null
  const data = bytesOf(entry.data, SHAPE_MAX.dataBytes)
  if (data === null) refuse(counts, 'data_unread')
  return { program, accounts, data: data ?? Buffer.alloc(0) }
}
