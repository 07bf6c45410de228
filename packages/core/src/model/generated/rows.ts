// Made by `npm run model` of the tables in packages/core/src/model: change those.
import { NO_SIG } from '../../base/ids.ts'
import { MalformedBytes, type Reader, recordReader, recordWriter, type Writer } from '../bytes.ts'
import type {
  TokenCreated,
  TokenDexPaid,
  TokenDuplication,
  TokenEventRow,
  TokenGraduated,
  TokenMetadataSeen,
  TradeRow,
} from '../rows.ts'
import { readDupFlags, readTokenMetadata, writeDupFlags, writeTokenMetadata } from './token.ts'

const w = recordWriter
const r = recordReader

function writeTradeRow(w: Writer, v: TradeRow): void {
  w.u8(
    (v.isBuy ? 1 : 0) |
      (v.smart ? 2 : 0) |
      (v.pricing ? 128 : 0) |
      (v.venue << 3) |
      (v.sig !== '' ? 4 : 0) |
      (v.own !== 0 ? 64 : 0),
  )
  w.u8(v.wash ? 1 : 0)
  if (v.sig !== '') w.sig(v.sig)
  if (v.own !== 0) w.num(v.own)
  w.num(v.token)
  w.num(v.wallet)
  w.num(v.prev)
  w.num(v.outer)
  w.num(v.inner)
  w.num(v.slot)
  w.num(v.time)
  w.num(v.lamports)
  w.num(v.tokens)
  w.num(v.mcap)
  w.num(v.buysBefore)
  w.num(v.buyLamportsBefore)
  w.numOrNull(v.avgHoldSlots)
  w.numOrNull(v.pnlLamports)
  w.numOrNull(v.roi)
  w.numOrNull(v.winRate)
  w.numOrNull(v.healthyRate)
  w.numOrNull(v.sellImpact)
  w.numOrNull(v.bundledRate)
  w.numOrNull(v.solBalance)
  w.num(v.group)
}

function readTradeRow(r: Reader, no: number): TradeRow {
  const flags = r.u8()
  const venue = (flags >> 3) & 7
  if (venue > 4) throw new MalformedBytes(`unknown venue ${venue}`)
  const flags2 = r.upTo(1)
  return {
    no,
    isBuy: (flags & 1) !== 0,
    smart: (flags & 2) !== 0,
    pricing: (flags & 128) !== 0,
    wash: (flags2 & 1) !== 0,
    venue: venue as TradeRow['venue'],
    sig: flags & 4 ? r.sig() : NO_SIG,
    own: flags & 64 ? r.num() : 0,
    token: r.num(),
    wallet: r.num(),
    prev: r.num(),
    outer: r.num(),
    inner: r.num(),
    slot: r.num(),
    time: r.num(),
    lamports: r.num(),
    tokens: r.num(),
    mcap: r.num(),
    buysBefore: r.num(),
    buyLamportsBefore: r.num(),
    avgHoldSlots: r.numOrNull(),
    pnlLamports: r.numOrNull(),
    roi: r.numOrNull(),
    winRate: r.numOrNull(),
    healthyRate: r.numOrNull(),
    sellImpact: r.numOrNull(),
    bundledRate: r.numOrNull(),
    solBalance: r.numOrNull(),
    group: r.num(),
  }
}

export function encodeTradeRow(v: TradeRow): Buffer {
  w.take()
  writeTradeRow(w, v)
  return w.take()
}

export function decodeTradeRow(no: number, bytes: Buffer): TradeRow {
  r.open(bytes, 0, bytes.length)
  const v = readTradeRow(r, no)
  r.done()
  return v
}

function writeTokenCreated(w: Writer, v: TokenCreated): void {
  w.textOrNull(v.image)
}

function readTokenCreated(r: Reader, seq: number, token: number, slot: number, time: number): TokenEventRow {
  return {
    kind: 'created',
    seq,
    token,
    slot,
    time,
    image: r.textOrNull(),
  }
}

function writeTokenMetadataSeen(w: Writer, v: TokenMetadataSeen): void {
  writeTokenMetadata(w, v.metadata)
}

function readTokenMetadataSeen(r: Reader, seq: number, token: number, slot: number, time: number): TokenEventRow {
  return {
    kind: 'metadata',
    seq,
    token,
    slot,
    time,
    metadata: readTokenMetadata(r),
  }
}

function writeTokenDuplication(w: Writer, v: TokenDuplication): void {
  writeDupFlags(w, v.dup)
}

function readTokenDuplication(r: Reader, seq: number, token: number, slot: number, time: number): TokenEventRow {
  return {
    kind: 'duplication',
    seq,
    token,
    slot,
    time,
    dup: readDupFlags(r),
  }
}

function writeTokenGraduated(w: Writer, v: TokenGraduated): void {
  w.textOrNull(v.image)
  w.num(v.mcap)
}

function readTokenGraduated(r: Reader, seq: number, token: number, slot: number, time: number): TokenEventRow {
  return {
    kind: 'graduated',
    seq,
    token,
    slot,
    time,
    image: r.textOrNull(),
    mcap: r.num(),
  }
}

function writeTokenDexPaid(w: Writer, v: TokenDexPaid): void {
  w.textOrNull(v.image)
}

function readTokenDexPaid(r: Reader, seq: number, token: number, slot: number, time: number): TokenEventRow {
  return {
    kind: 'dex_paid',
    seq,
    token,
    slot,
    time,
    image: r.textOrNull(),
  }
}

const TOKEN_EVENT_ROW_KIND = { created: 0, metadata: 1, duplication: 2, graduated: 3, dex_paid: 4 } as const

export function writeTokenEventRow(w: Writer, v: TokenEventRow): void {
  w.u8(TOKEN_EVENT_ROW_KIND[v.kind])
  w.num(v.token)
  w.num(v.slot)
  w.num(v.time)
  switch (v.kind) {
    case 'created':
      return writeTokenCreated(w, v)
    case 'metadata':
      return writeTokenMetadataSeen(w, v)
    case 'duplication':
      return writeTokenDuplication(w, v)
    case 'graduated':
      return writeTokenGraduated(w, v)
    case 'dex_paid':
      return writeTokenDexPaid(w, v)
  }
}

export function readTokenEventRow(r: Reader, seq: number): TokenEventRow {
  const kind = r.u8()
  const token = r.num()
  const slot = r.num()
  const time = r.num()
  switch (kind) {
    case 0:
      return readTokenCreated(r, seq, token, slot, time)
    case 1:
      return readTokenMetadataSeen(r, seq, token, slot, time)
    case 2:
      return readTokenDuplication(r, seq, token, slot, time)
    case 3:
      return readTokenGraduated(r, seq, token, slot, time)
    case 4:
      return readTokenDexPaid(r, seq, token, slot, time)
    default:
      throw new MalformedBytes(`unknown kind ${kind}`)
  }
}

export function encodeTokenEventRow(v: TokenEventRow): Buffer {
  w.take()
  writeTokenEventRow(w, v)
  return w.take()
}

export function decodeTokenEventRow(seq: number, bytes: Buffer): TokenEventRow {
  r.open(bytes, 0, bytes.length)
  const v = readTokenEventRow(r, seq)
  r.done()
  return v
}
