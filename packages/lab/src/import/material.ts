import { type Counts, count } from '@ti/core/base/counts.ts'
import { NO_SIG, type Sig } from '@ti/core/base/ids.ts'
import type { ChainEvent, CreateEvent, TradeEvent } from '@ti/core/model/events.ts'
import type { RawTransaction } from '@ti/core/model/raw.ts'
import type { DecodedItem, RawItem } from '@ti/service/source/source.ts'
import { chainOrder } from './chain-order.ts'
import { timeAt } from './slot-time.ts'

/** A raw transaction with its position. */
interface Placed {
  readonly slot: number
  /** True if the slot was computed from a time. */
  readonly estimated: boolean
  /** Unix seconds, 0 if unknown. */
  readonly time: number
  readonly parent: number
  readonly transaction: RawTransaction
}

/** A trade without its raw transaction. Its position is assigned at the end. */
export interface DecodedTrade {
  readonly slot: number
  readonly estimated: boolean
  readonly time: number
  /** True if the row has real reserves, so that rows of one slot can be ordered. */
  readonly chained: boolean
  readonly event: Omit<TradeEvent, 'txIndex' | 'outer' | 'inner'>
}

/** A launch without its raw transaction. */
export interface DecodedCreate {
  readonly slot: number
  readonly estimated: boolean
  readonly time: number
  readonly event: Omit<CreateEvent, 'txIndex' | 'outer' | 'inner'>
}

/** Collects the contents of all files, each transaction and row once. */
export interface Material {
  addRaw(placed: Placed): void
  /**
   * Adds the rows of one listing. Equal rows are duplicates if they have reserves, which no two trades share, or come
   * from different listings. Within one listing, rows without reserves may repeat legitimately.
   */
  addTrades(listing: readonly DecodedTrade[]): void
  addCreate(create: DecodedCreate): void
  /** Items in slot order; skipped ones are counted. */
  items(counts: Counts): (RawItem | DecodedItem)[]
  readonly transactions: number
  readonly trades: number
  readonly creates: number
}

interface Slot {
  readonly raw: Placed[]
  readonly trades: DecodedTrade[]
  readonly creates: DecodedCreate[]
}

const isFull = ({ transaction }: Placed): boolean => transaction.inner !== null || transaction.keys.length > 0

export function createMaterial(counts: Counts): Material {
  const bySig = new Map<Sig, Placed>()
  const unsigned: Placed[] = []
  const trades = new Map<string, DecodedTrade>()
  const creates = new Map<string, DecodedCreate>()

  return {
    get transactions() {
      return bySig.size + unsigned.length
    },
    get trades() {
      return trades.size
    },
    get creates() {
      return creates.size
    },
    addRaw(placed) {
      const sig = placed.transaction.signature
      if (sig === NO_SIG) {
        unsigned.push(placed)
        return
      }
      const known = bySig.get(sig)
      if (known !== undefined) count(counts, 'duplicate_transaction')
      bySig.set(sig, known === undefined ? placed : better(known, placed))
    },
    addTrades(listing) {
      const seen = new Map<string, number>()
      for (const trade of listing) {
        const row = identityOf(trade)
        const ordinal = trade.chained ? 0 : (seen.get(row) ?? 0)
        seen.set(row, ordinal + 1)
        const id = `${row} ${ordinal}`
        if (trades.has(id)) count(counts, 'decoded_trade_repeated')
        else trades.set(id, trade)
      }
    },
    addCreate(create) {
      const id = `${create.event.sig} ${create.event.mint}`
      if (creates.has(id)) count(counts, 'decoded_create_repeated')
      else creates.set(id, create)
    },
    items(counts) {
      const slots = new Map<number, Slot>()
      const at = (slot: number): Slot => {
        let entry = slots.get(slot)
        if (entry === undefined) {
          entry = { raw: [], trades: [], creates: [] }
          slots.set(slot, entry)
        }
        return entry
      }
      for (const placed of [...bySig.values(), ...unsigned]) {
        if (placed.estimated) count(counts, 'slot_estimated')
        at(placed.slot).raw.push(placed)
      }
      for (const trade of trades.values()) {
        if (bySig.has(trade.event.sig)) count(counts, 'decoded_trade_also_raw')
        else at(trade.slot).trades.push(trade)
      }
      for (const create of creates.values()) {
        if (bySig.has(create.event.sig)) count(counts, 'decoded_create_also_raw')
        else at(create.slot).creates.push(create)
      }
      return itemsOf(slots, counts)
    },
  }
}

/** The identity of a row. Without a signature, the slot takes its place. */
function identityOf({ slot, chained, event }: DecodedTrade): string {
  const { sig, mint, user, isBuy, quoteAmount, tokenAmount, quoteReserve, baseReserve } = event
  const row = [sig === NO_SIG ? slot : sig, mint, user, isBuy, quoteAmount, tokenAmount]
  return (chained ? [...row, quoteReserve, baseReserve] : row).join(' ')
}

/** The more complete transaction, at the known position rather than an estimated one. */
function better(a: Placed, b: Placed): Placed {
  const full = isFull(b) && !isFull(a) ? b : a
  const place = a.estimated && !b.estimated ? b : b.estimated && !a.estimated ? a : full
  if (place === full) return full
  return { ...full, slot: place.slot, estimated: place.estimated, time: place.time || full.time, parent: place.parent }
}

function itemsOf(slots: ReadonlyMap<number, Slot>, counts: Counts): (RawItem | DecodedItem)[] {
  const items: (RawItem | DecodedItem)[] = []
  const number = createNumbering()
  const states = new Map<string, string>()
  let time = 0
  for (const slot of [...slots.keys()].sort((a, b) => a - b)) {
    const { raw, trades, creates } = slots.get(slot)!
    const stated = Math.max(0, ...raw.map((it) => it.time), ...[...trades, ...creates].map((it) => it.time))
    // a block is never earlier than the one before it, but estimated times may be
    time = Math.max(time, stated > 0 ? stated : timeAt(slot))
    if (raw.length > 0) {
      // the engine takes one block per slot, and raw data are closer to the truth
      if (trades.length > 0) count(counts, 'decoded_trade_in_raw_slot', trades.length)
      if (creates.length > 0) count(counts, 'decoded_create_in_raw_slot', creates.length)
      const parent = Math.max(-1, ...raw.map((it) => it.parent))
      items.push({ kind: 'raw', block: { slot, parent, time, transactions: inBlockOrder(raw) } })
      continue
    }
    for (const one of [...creates, ...trades]) if (one.estimated) count(counts, 'slot_estimated')
    const events = number(behindTheirCreates(creates, chainOrder(trades, states)))
    items.push({ kind: 'decoded', slot, parent: -1, time, events })
  }
  return items
}

/** Launches first, each followed by the trades of its own transaction. */
function behindTheirCreates(
  creates: readonly DecodedCreate[],
  trades: readonly DecodedTrade[],
): (DecodedCreate | DecodedTrade)[] {
  if (creates.length === 0) return [...trades]
  const launched = new Set(creates.map(({ event }) => event.sig))
  const own = (sig: Sig) => trades.filter(({ event }) => event.sig === sig)
  return [
    ...creates.flatMap((create) => [create, ...own(create.event.sig)]),
    ...trades.filter(({ event }) => !launched.has(event.sig)),
  ]
}

/** Sorted by position if the source gave it; otherwise in the original order. */
function inBlockOrder(raw: readonly Placed[]): RawTransaction[] {
  const transactions = raw.map((placed) => placed.transaction)
  return transactions.every(({ index }) => index >= 0) ? transactions.sort((a, b) => a.index - b.index) : transactions
}

/**
 * Numbers records without a position in the chain: outer is -1, inner counts the records of a signature, or of the
 * whole import if unsigned, so that `{signature}:log:{n}` is unique.
 */
function createNumbering(): (records: readonly (DecodedTrade | DecodedCreate)[]) => ChainEvent[] {
  const used = new Map<Sig, number>()
  return (records) => {
    let txIndex = -1
    let sig: Sig | null = null
    return records.map(({ event }) => {
      if (event.sig !== sig || sig === NO_SIG) txIndex++
      sig = event.sig
      const inner = used.get(sig) ?? 0
      used.set(sig, inner + 1)
      return { ...event, txIndex, outer: -1, inner }
    })
  }
}
