import type { TokenEventRow } from '../engine/state.ts'
import type { Reader, Writer } from '../log/bytes.ts'
import { decodeWith, encodeWith } from './records.ts'
import { readDup, readMetadata, writeDup, writeMetadata } from './token-record.ts'

/** Records of token events as bytes; the rules of records.ts hold. */
export const encodeTokenEvent = (row: TokenEventRow): Buffer => encodeWith(writeTokenEvent, row)
export const decodeTokenEvent = (seq: number, bytes: Buffer): TokenEventRow =>
  decodeWith(bytes, (r) => readTokenEvent(r, seq))

/** First byte of a record. The order is part of the store's format: only ever append. */
const KINDS = ['created', 'metadata', 'duplication', 'graduated', 'dex_paid'] as const

function writeTokenEvent(w: Writer, row: TokenEventRow): void {
  w.u8(KINDS.indexOf(row.kind))
  w.num(row.token)
  w.num(row.slot)
  w.num(row.time)
  if (row.kind === 'metadata') return writeMetadata(w, row.metadata)
  if (row.kind === 'duplication') return writeDup(w, row.dup)
  w.textOrNull(row.image)
  if (row.kind === 'graduated') w.num(row.mcap)
}

function readTokenEvent(r: Reader, seq: number): TokenEventRow {
  const kind = KINDS[r.upTo(KINDS.length - 1)]!
  const base = { seq, token: r.num(), slot: r.num(), time: r.num() }
  if (kind === 'metadata') return { ...base, kind, metadata: readMetadata(r) }
  if (kind === 'duplication') return { ...base, kind, dup: readDup(r) }
  const image = r.textOrNull()
  return kind === 'graduated' ? { ...base, kind, image, mcap: r.num() } : { ...base, kind, image }
}
