import { type Counts, count } from '@ti/core/base/counts.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { exactOf, type Fields, fieldsOf, listOf } from '../shape/fields.ts'
import { blockFromGrpc } from '../shape/grpc.ts'

/** One SubscribeUpdate, as the official clients decode it (geyser.proto), read as far as it matters here. */
type Update =
  /** `whole`: every transaction of it could be read, each once */
  | { readonly kind: 'block'; readonly block: RawBlock; readonly whole: boolean }
  /** a block that need not be read */
  | { readonly kind: 'known' }
  | { readonly kind: 'slot'; readonly slot: number; readonly dead: boolean }
  | { readonly kind: 'ping' }
  /** not what it should be, so that its slot is not known */
  | { readonly kind: 'garbage' }
  | { readonly kind: 'other' }

/** SlotStatus.SLOT_DEAD */
const DEAD = 6
/** Slots between a block and its parent: far more than leaders ever missed in a row while the chain lived. */
const PARENT_DISTANCE_MAX = 100_000

/** `isKnown` spares the reading of blocks that are there already. */
export function readUpdate(input: unknown, isKnown: (slot: number) => boolean, counts: Counts): Update {
  const update = fieldsOf(input)
  if (update === null) return { kind: 'garbage' }
  const block = fieldsOf(update.block)
  if (block !== null) return readBlock(block, isKnown, counts)
  const slot = fieldsOf(update.slot)
  if (slot !== null) {
    const number = exactOf(slot.slot)
    return number === null ? { kind: 'garbage' } : { kind: 'slot', slot: number, dead: slot.status === DEAD }
  }
  return { kind: fieldsOf(update.ping) !== null ? 'ping' : 'other' }
}

function readBlock(fields: Fields, isKnown: (slot: number) => boolean, counts: Counts): Update {
  const slot = exactOf(fields.slot)
  const parent = exactOf(fields.parentSlot)
  if (slot === null || parent === null || parent >= slot || slot - parent > PARENT_DISTANCE_MAX)
    return { kind: 'garbage' }
  if (isKnown(slot)) return { kind: 'known' }
  const block = blockFromGrpc(fields, counts)
  if (block === null) return { kind: 'garbage' }
  const given = listOf(fields.transactions, Number.POSITIVE_INFINITY)?.length ?? 0
  const whole = block.transactions.length === given && eachOnce(block)
  if (!whole) count(counts, 'damaged_blocks')
  return { kind: 'block', block, whole }
}

/** Transactions are in order of their place. */
function eachOnce({ transactions }: RawBlock): boolean {
  for (let i = 0; i < transactions.length; i++) {
    if (transactions[i]!.index <= (i === 0 ? -1 : transactions[i - 1]!.index)) return false
  }
  return true
}
