import { type Counts, count } from '../../base/counts.ts'
import { NO_SIG, type Sig } from '../../base/ids.ts'
import type { ChainEvent, TradeEvent } from '../../decode/events.ts'
import type { DecodedItem, RawItem } from '../source.ts'
import type { RawTransaction } from '../types.ts'
import { chainOrder } from './chain-order.ts'
import { timeAt } from './slot-time.ts'

/** A raw transaction with where it stands. */
export interface Placed {
  readonly slot: number
  /** the slot was worked out from a time */
  readonly estimated: boolean
  /** Unix seconds, 0 unknown */
  readonly time: number
  readonly parent: number
  readonly transaction: RawTransaction
}

/** A trade that never was raw here. Its position is given when everything is known. */
export interface DecodedTrade {
  readonly slot: number
  readonly estimated: boolean
  readonly time: number
  /** the row states the reserves truly, so that rows of one slot can be put in chain order */
  readonly chained: boolean
  readonly event: Omit<TradeEvent, 'txIndex' | 'outer' | 'inner'>
}

/** Everything the files gave, each transaction once. */
export interface Material {
  addRaw(placed: Placed): void
  addTrade(trade: DecodedTrade): void
  /** Items in the order of slots, what had to be left out counted. */
  items(counts: Counts): (RawItem | DecodedItem)[]
  readonly transactions: number
  readonly trades: number
}

interface Slot {
  readonly raw: Placed[]
  readonly trades: DecodedTrade[]
}

const isFull = ({ transaction }: Placed): boolean => transaction.inner !== null || transaction.keys.length > 0

export function createMaterial(counts: Counts): Material {
  const bySig = new Map<Sig, Placed>()
  const unsigned: Placed[] = []
  const trades: DecodedTrade[] = []

  return {
    get transactions() {
      return bySig.size + unsigned.length
    },
    get trades() {
      return trades.length
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
    addTrade(trade) {
      trades.push(trade)
    },
    items(counts) {
      const slots = new Map<number, Slot>()
      const at = (slot: number): Slot => {
        let entry = slots.get(slot)
        if (entry === undefined) {
          entry = { raw: [], trades: [] }
          slots.set(slot, entry)
        }
        return entry
      }
      for (const placed of [...bySig.values(), ...unsigned]) {
        if (placed.estimated) count(counts, 'slot_estimated')
        at(placed.slot).raw.push(placed)
      }
      for (const trade of trades) {
        if (bySig.has(trade.event.sig)) count(counts, 'decoded_trade_also_raw')
        else at(trade.slot).trades.push(trade)
      }
      return itemsOf(slots, counts)
    },
  }
}

/** The full transaction, at the place that is known rather than estimated. */
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
    const { raw, trades } = slots.get(slot)!
    const stated = Math.max(0, ...raw.map((it) => it.time), ...trades.map((it) => it.time))
    // a block is never before the one in front of it; estimated times may say so
    time = Math.max(time, stated > 0 ? stated : timeAt(slot))
    if (raw.length > 0) {
      // the engine takes one block a slot: what is raw is nearer to the truth
      if (trades.length > 0) count(counts, 'decoded_trade_in_raw_slot', trades.length)
      const parent = Math.max(-1, ...raw.map((it) => it.parent))
      items.push({ kind: 'raw', block: { slot, parent, time, transactions: inBlockOrder(raw) } })
      continue
    }
    for (const trade of trades) if (trade.estimated) count(counts, 'slot_estimated')
    const events = number(chainOrder(trades, states))
    items.push({ kind: 'decoded', slot, parent: -1, time, events })
  }
  return items
}

/** By position where the source told it; the others keep the order they came in. */
function inBlockOrder(raw: readonly Placed[]): RawTransaction[] {
  const transactions = raw.map((placed) => placed.transaction)
  return transactions.every(({ index }) => index >= 0) ? transactions.sort((a, b) => a.index - b.index) : transactions
}

/**
 * Positions of records that have none in the chain: outer -1, inner counts the records of a signature, and those without
 * a signature over the whole import, so that `{signature}:log:{n}` is unique.
 */
function createNumbering(): (trades: readonly DecodedTrade[]) => ChainEvent[] {
  const used = new Map<Sig, number>()
  return (trades) => {
    let txIndex = -1
    let sig: Sig | null = null
    return trades.map(({ event }) => {
      if (event.sig !== sig || sig === NO_SIG) txIndex++
      sig = event.sig
      const inner = used.get(sig) ?? 0
      used.set(sig, inner + 1)
      return { ...event, txIndex, outer: -1, inner }
    })
  }
}
