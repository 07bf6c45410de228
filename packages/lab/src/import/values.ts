import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { parseJson } from '@ti/service/base/bounded-text.ts'
import { exactOf, type Fields, fieldsOf } from '@ti/service/source/shape/fields.ts'
import { blockFromGrpc, updateFromGrpc } from '@ti/service/source/shape/grpc.ts'
import { blockFromJson, type FetchedTransaction, fetchedFromJson } from '@ti/service/source/shape/json.ts'
import { notificationFromLogs } from '@ti/service/source/shape/logs.ts'
import type { Material } from './material.ts'
import { isPumpPortal, pumpPortalOf } from './pumpportal.ts'
import { slotAt } from './slot-time.ts'
import { isSwapLine, swapsOf } from './swaps.ts'
import { timestampOf } from './timestamp.ts'

/** No known format nests wrappers deeper. */
const DEPTH_MAX = 6

/**
 * Adds one JSON value by its type: logs notification, getTransaction or getBlock result, blockSubscribe notification,
 * gRPC update, swap line, or a known wrapper of these. Returns the number of records; unknown values are counted and
 * give none.
 */
export function takeValue(value: unknown, material: Material, counts: Counts, depth = 0): number {
  const again = (inner: unknown) => takeValue(inner, material, counts, depth + 1)
  if (depth > DEPTH_MAX) return unknown(counts)
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + again(inner), 0)
  const fields = fieldsOf(value)
  if (fields === null) return unknown(counts)
  if (typeof fields.raw === 'string') return takeFrame(fields.raw, timeOf(fields.t_wall), again, material, counts)
  if (isPumpPortal(fields)) return takePumpPortal(fields, 0, material, counts)
  if (fields.method === 'logsNotification') return takeFetched(notificationFromLogs(fields, counts), material, counts)
  if (fields.method === 'blockNotification') return takeBlockNotification(fields, material, counts)
  if (isSwapLine(fields)) return takeSwaps(fields, material, counts)
  if (isGrpcUpdate(fields)) return takeFetched(updateFromGrpc(fields, counts), material, counts)
  if (fields.transaction !== undefined && fields.meta !== undefined)
    return takeFetched(fetchedFromJson(fields, counts), material, counts)
  if (isBare(fields)) return takeBare(fields, material, counts)
  if (Array.isArray(fields.transactions)) return takeBlock(fields, material, counts)
  if (fields.message !== undefined && fields.signatures !== undefined) {
    // read from shreds before it ran, so its effects are unknown
    count(counts, 'transaction_without_result')
    return 0
  }
  for (const wrapper of ['tx', 'result', 'blockSubscribe', 'block', 'txs', 'transaction'])
    if (typeof fields[wrapper] === 'object' && fields[wrapper] !== null) return again(placed(fields[wrapper], fields))
  const named = Object.values(fields).filter(hasResult)
  return named.length > 0 ? named.reduce((sum: number, inner) => sum + again(inner), 0) : unknown(counts)
}

/** True for a transaction without outer instructions, as recorders store it, or for its log alone. */
const isBare = ({ transaction, signature, meta }: Fields): boolean =>
  transaction === undefined && typeof signature === 'string' && fieldsOf(meta) !== null

function takeBare(fields: Fields, material: Material, counts: Counts): number {
  const { signature, accountKeys = [] } = fields
  const transaction = { signatures: [signature], message: { accountKeys, instructions: [] } }
  const fetched = fetchedFromJson({ ...fields, transaction }, counts)
  if (fetched === null || fetched.transaction.keys.length > 0) return takeFetched(fetched, material, counts)
  return takeFetched({ ...fetched, transaction: { ...fetched.transaction, version: null } }, material, counts)
}

/** Adds the slot and time found beside the transaction. */
function placed(inner: unknown, { slot, blockTime }: Fields): unknown {
  const fields = fieldsOf(inner)
  return slot === undefined || fields?.meta === undefined ? inner : { slot, blockTime, ...fields }
}

/** True for an executed transaction, a wrapper of one, or a list of them, under any name. */
function hasResult(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(hasResult)
  const fields = fieldsOf(value)
  const inside = fieldsOf(fields?.tx) ?? fields
  return fieldsOf(inside?.meta) !== null && (inside?.transaction !== undefined || typeof inside?.signature === 'string')
}

function unknown(counts: Counts): number {
  count(counts, 'unknown_record')
  return 0
}

const timeOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)

/** A recorded WebSocket frame: its text and time of arrival (Unix seconds, 0 if unknown). */
function takeFrame(
  text: string,
  receivedAt: number,
  again: (inner: unknown) => number,
  material: Material,
  counts: Counts,
): number {
  const inner = parseJson(text)
  const fields = fieldsOf(inner)
  if (inner === null) {
    count(counts, 'broken_frame')
    return 0
  }
  if (fields !== null && isPumpPortal(fields)) return takePumpPortal(fields, receivedAt, material, counts)
  return again(inner)
}

function takePumpPortal(fields: Fields, receivedAt: number, material: Material, counts: Counts): number {
  const { creates, trades } = pumpPortalOf(fields, receivedAt, counts)
  for (const create of creates) material.addCreate(create)
  material.addTrades(trades)
  return creates.length + trades.length
}

function takeFetched(fetched: FetchedTransaction | null, material: Material, counts: Counts): number {
  if (fetched === null) return 0
  const { transaction } = fetched
  const time = fetched.time > 0 ? fetched.time : timestampOf(transaction)
  if (fetched.slot < 0 && time === 0) {
    count(counts, 'no_slot_and_no_time')
    return 0
  }
  const estimated = fetched.slot < 0
  material.addRaw({ slot: estimated ? slotAt(time) : fetched.slot, estimated, time, parent: -1, transaction })
  return 1
}

function takeSwaps(fields: Fields, material: Material, counts: Counts): number {
  const trades = swapsOf(fields, counts)
  material.addTrades(trades)
  // a line without swaps is still of the right kind
  return Math.max(1, trades.length)
}

/** `{ transaction: { transaction, meta, … }, slot }` */
function isGrpcUpdate(fields: Fields): boolean {
  const inside = fieldsOf(fields.transaction)
  return fields.slot !== undefined && fieldsOf(inside?.transaction) !== null
}

function takeBlockNotification(fields: Fields, material: Material, counts: Counts): number {
  const value = fieldsOf(fieldsOf(fieldsOf(fields.params)?.result)?.value)
  const slot = exactOf(value?.slot)
  const block = slot === null ? null : blockFromJson(value?.block, slot, counts)
  return addBlock(block, false, material)
}

/** SubscribeUpdateBlock, or the result of getBlock, which lacks its slot: then the one after its parent. */
function takeBlock(fields: Fields, material: Material, counts: Counts): number {
  if (fieldsOf(fields.blockTime) !== null) return addBlock(blockFromGrpc(fields, counts), false, material)
  const slot = exactOf(fields.slot)
  const parent = exactOf(fields.parentSlot)
  if (slot === null && parent === null) {
    count(counts, 'block_without_slot')
    return 0
  }
  return addBlock(blockFromJson(fields, slot ?? parent! + 1, counts), slot === null, material)
}

function addBlock(block: RawBlock | null, estimated: boolean, material: Material): number {
  if (block === null) return 0
  const { slot, parent, time } = block
  for (const transaction of block.transactions) material.addRaw({ slot, estimated, time, parent, transaction })
  return Math.max(1, block.transactions.length)
}
