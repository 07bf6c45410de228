import { probability } from '../engine/bundles/pairs.ts'
import {
  type BundleBook,
  FAMILIES,
  type Flow,
  type Group,
  type Pair,
  type RecentTrade,
} from '../engine/bundles/state.ts'
import type { Reader, Writer } from '../log/bytes.ts'
import { decodeWith, encodeWith, readNumbers, writeNumbers } from './records.ts'

/** A token's coordinated wallets as bytes; the rules of records.ts hold. */
export const encodeBook = (book: BundleBook): Buffer => encodeWith(writeBook, book)
export const decodeBook = (bytes: Buffer): BundleBook => decodeWith(bytes, readBook)

function writeBook(w: Writer, { recent, pairs, groups, funded }: BundleBook): void {
  writeList(w, recent, writeTrade)
  writeList(w, pairs, writePair)
  writeList(w, groups, writeGroup)
  w.num(funded.length)
  for (const { wallet, funder } of funded) {
    w.num(wallet)
    w.num(funder)
  }
}

const readBook = (r: Reader): BundleBook => ({
  recent: readList(r, readTrade),
  pairs: readList(r, readPair),
  groups: readList(r, readGroup),
  funded: readList(r, () => ({ wallet: r.num(), funder: r.num() })),
})

function writeList<T>(w: Writer, items: readonly T[], write: (w: Writer, item: T) => void): void {
  w.num(items.length)
  for (const item of items) write(w, item)
}

/** `read` is given the item's place in the list. */
function readList<T>(r: Reader, read: (r: Reader, place: number) => T): T[] {
  const count = r.count()
  const items: T[] = []
  for (let i = 0; i < count; i++) items.push(read(r, i))
  return items
}

function writeTrade(w: Writer, t: RecentTrade): void {
  w.u8(t.isBuy ? 1 : 0)
  w.num(t.wallet)
  w.num(t.slot)
  w.num(t.txIndex)
  w.num(t.paid)
  w.num(t.lamports)
  w.num(t.tipper)
}

function readTrade(r: Reader): RecentTrade {
  const isBuy = r.bool()
  return {
    wallet: r.num(),
    slot: r.num(),
    txIndex: r.num(),
    isBuy,
    paid: r.num(),
    lamports: r.num(),
    tipper: r.num(),
  }
}

/** Only the families with evidence are written, behind the bits that name them; few pairs have more than two. */
function writePair(w: Writer, pair: Pair): void {
  let families = 0
  for (let i = 0; i < FAMILIES.length; i++) if (pair.weights[i]! > 0) families |= 1 << i
  w.num(families)
  w.u8(pair.linked ? 1 : 0)
  w.num(pair.a)
  w.num(pair.b)
  w.num(pair.exits)
  w.num(pair.exitSlot)
  for (let i = 0; i < FAMILIES.length; i++) {
    if ((families & (1 << i)) === 0) continue
    w.num(pair.weights[i]!)
    w.num(pair.slots[i]!)
  }
}

function readPair(r: Reader): Pair {
  const families = r.int()
  const linked = r.bool()
  const [a, b, exits, exitSlot] = [r.num(), r.num(), r.num(), r.num()]
  const weights = FAMILIES.map(() => 0)
  const slots = FAMILIES.map(() => -1)
  for (let i = 0; i < FAMILIES.length; i++) {
    if ((families & (1 << i)) === 0) continue
    weights[i] = r.num()
    slots[i] = r.num()
  }
  return { a, b, weights, slots, exits, exitSlot, linked, p: probability(weights) }
}

function writeGroup(w: Writer, g: Group): void {
  w.u8(g.red ? 1 : 0)
  w.num(g.mergedInto)
  w.num(g.firstSlot)
  w.num(g.founder)
  writeNumbers(w, g.members)
  w.num(g.balance)
  w.num(g.peak)
  w.num(g.confirmedSlot)
  w.num(g.bought)
  w.num(g.sold)
  w.num(g.netSellSlot)
  writeList(w, g.flows, writeFlow)
}

function readGroup(r: Reader, no: number): Group {
  const red = r.bool()
  return {
    no,
    mergedInto: r.num(),
    firstSlot: r.num(),
    founder: r.num(),
    members: readNumbers(r),
    balance: r.num(),
    peak: r.num(),
    confirmedSlot: r.num(),
    bought: r.num(),
    sold: r.num(),
    red,
    netSellSlot: r.num(),
    flows: readList(r, readFlow),
  }
}

function writeFlow(w: Writer, { index, bought, sold }: Flow): void {
  w.num(index)
  w.num(bought)
  w.num(sold)
}

const readFlow = (r: Reader): Flow => ({ index: r.num(), bought: r.num(), sold: r.num() })
