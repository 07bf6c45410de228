// Made by `npm run model` of the tables in packages/core/src/model: change those.
import { MalformedBytes, type Reader, readList, type Writer } from '../bytes.ts'
import type { BlockHead, FactsHead, GapSlots, Rent, Tip, TransactionTerms } from '../entries.ts'
import type { KeyReader, KeyWriter } from '../keys.ts'

export function writeBlockHead(w: Writer, v: BlockHead): void {
  w.num(v.slot)
  w.num(v.parent)
  w.num(v.time)
}

export function readBlockHead(r: Reader): BlockHead {
  return {
    slot: r.int(),
    parent: r.int(),
    time: r.num(),
  }
}

export function writeFactsHead(w: Writer, v: FactsHead): void {
  w.num(v.time)
  w.u8(v.byOperator ? 1 : 0)
}

export function readFactsHead(r: Reader): FactsHead {
  return {
    time: r.num(),
    byOperator: r.bool(),
  }
}

export function writeGapSlots(w: Writer, v: GapSlots): void {
  w.num(v.from)
  w.num(v.to)
}

export function readGapSlots(r: Reader): GapSlots {
  return {
    from: r.int(),
    to: r.int(),
  }
}

function writeTip(w: Writer, keys: KeyWriter, v: Tip): void {
  keys.key(v.payer)
  w.num(v.lamports)
  w.num(v.outer)
  w.num(v.inner)
}

function readTip(r: Reader, keys: KeyReader): Tip {
  return {
    payer: keys.key(),
    lamports: r.int(),
    outer: r.int(),
    inner: r.int(),
  }
}

function writeRent(keys: KeyWriter, v: Rent): void {
  keys.key(v.payer)
  keys.key(v.owner)
  keys.key(v.mint)
}

function readRent(keys: KeyReader): Rent {
  return {
    payer: keys.key(),
    owner: keys.key(),
    mint: keys.key(),
  }
}

export function writeTransactionTerms(w: Writer, keys: KeyWriter, v: TransactionTerms): void {
  w.u8(
    (v.version === 'legacy' ? 0 : v.version === 0 ? 1 : 2) |
      (v.tip === null ? 0 : 4) |
      (v.tables.length !== 0 ? 8 : 0) |
      (v.rents.length !== 0 ? 16 : 0),
  )
  w.num(v.priorityFee)
  w.num(v.computeUnitLimit)
  if (v.tip !== null) writeTip(w, keys, v.tip)
  if (v.tables.length !== 0) {
    w.num(v.tables.length)
    for (const item of v.tables) keys.key(item)
  }
  if (v.rents.length !== 0) {
    w.num(v.rents.length)
    for (const item of v.rents) writeRent(keys, item)
  }
}

export function readTransactionTerms(r: Reader, keys: KeyReader, event: number): TransactionTerms {
  const flags = r.upTo(31)
  const version = flags & 3
  if (version > 2) throw new MalformedBytes(`unknown version ${version}`)
  return {
    event,
    version: version === 0 ? 'legacy' : version === 1 ? 0 : 1,
    priorityFee: r.int(),
    computeUnitLimit: r.int(),
    tip: flags & 4 ? readTip(r, keys) : null,
    tables: flags & 8 ? readList(r, () => keys.key()) : [],
    rents: flags & 16 ? readList(r, () => readRent(keys)) : [],
  }
}
