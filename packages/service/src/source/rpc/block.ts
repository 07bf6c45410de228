import { keyToBase58 } from '@ti/core/base/base58.ts'
import { base64Decode } from '@ti/core/base/base64.ts'
import { type Counts, count } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { RawBlock, RawTransaction } from '@ti/core/model/raw.ts'
import { exactOf, fieldsOf, listOf, SHAPE_MAX } from '../shape/fields.ts'
import { transactionFromJson } from '../shape/json.ts'
import { parseWire } from '../shape/wire.ts'

/** Longest base64 text that is looked into; the reading itself has its own bound. */
const TEXT_MAX = 65_536

/** Transactions that are kept: those that name one of the programs, or what is followed. */
interface Wanted {
  readonly programs: readonly Key[]
  readonly followed?: { has(key: Key): boolean } | undefined
}

/**
 * A result of getBlock, or the block of a blockNotification, for `slot`. Transactions that are not `wanted` (null: all are)
 * are left out before the costly part of reading them; places in the block stay what they were. Null when it is no block, or
 * names itself or a later one as its parent.
 */
export function blockOf(input: unknown, slot: number, wanted: Wanted | null, counts: Counts): RawBlock | null {
  const block = fieldsOf(input)
  const list = listOf(block?.transactions, SHAPE_MAX.transactions)
  const parent = exactOf(block?.parentSlot)
  if (block === null || list === null || parent === null || parent >= slot) {
    count(counts, 'block_malformed')
    return null
  }
  const names = wanted === null ? null : createFilter(wanted)
  const transactions: RawTransaction[] = []
  for (let i = 0; i < list.length; i++) {
    if (names !== null && !names(list[i])) continue
    const transaction = transactionFromJson(list[i], counts, i)
    if (transaction !== null) transactions.push(transaction)
  }
  return { slot, parent, time: exactOf(block.blockTime) ?? 0, transactions }
}

/** Selects wanted transactions; an unreadable one passes, so that the reader counts the reason. */
function createFilter({ programs, followed }: Wanted): (input: unknown) => boolean {
  const keys = new Set(programs)
  const texts = new Set<unknown>(programs.map(keyToBase58))
  const names = (list: unknown): boolean =>
    Array.isArray(list) && list.some((entry) => texts.has(typeof entry === 'string' ? entry : fieldsOf(entry)?.pubkey))
  return (input) => {
    const outer = fieldsOf(input)
    const loaded = fieldsOf(fieldsOf(outer?.meta)?.loadedAddresses)
    if (names(loaded?.writable) || names(loaded?.readonly)) return true
    const pair = outer?.transaction
    if (!Array.isArray(pair)) {
      const listed = fieldsOf(fieldsOf(pair)?.message)?.accountKeys
      return !Array.isArray(listed) || names(listed)
    }
    const [text] = pair as readonly unknown[]
    if (typeof text !== 'string' || text.length > TEXT_MAX) return true
    const bytes = base64Decode(text)
    if (bytes === null) return true
    const wire = parseWire(bytes)
    return typeof wire === 'string' || wire.keys.some((key) => keys.has(key) || followed?.has(key) === true)
  }
}
