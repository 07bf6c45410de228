import { crc32 } from 'node:zlib'

/** The byte layout of a capture file; docs/captures.md describes it for other programs. */

/** Not text, and broken by anything that rewrites line ends: such damage shows at once. */
export const MAGIC = Buffer.from([0x89, 0x54, 0x49, 0x43, 0x41, 0x50, 0x0d, 0x0a])
const END_MAGIC = Buffer.from('TICAPEND', 'latin1')
export const VERSION = 1
export const CHUNK_MAGIC = 0x4b4e4843

/** Bytes of the fixed parts: magic, version and length before the header's text, its CRC after it; chunk head; entry; footer. */
export const PREFIX_BYTES = 16
export const CRC_BYTES = 4
export const CHUNK_HEAD_BYTES = 40
export const ENTRY_BYTES = 32
export const FOOTER_BYTES = 64
/** Bytes of the header's JSON text. */
export const HEADER_BYTES_MAX = 65_536
/** Kind and length before each record. */
export const RECORD_HEAD_BYTES = 5

export const RECORD = { raw: 1, decoded: 2, facts: 3, gap: 4 } as const

export interface CaptureHeader {
  /** RFC 3339 */
  readonly created_at: string
  /** name of the source it was taken from */
  readonly source: string
  /** name of the chain, as the source said; null: it did not */
  readonly chain: string | null
  /** description of the contents, for people */
  readonly holds: string
}

/** First and last slot of the chunk's blocks and gaps; where it has none, the last one before it, -1 before any. */
export interface Chunk {
  readonly offset: number
  readonly first: number
  readonly last: number
  readonly records: number
  /** compressed bytes */
  readonly stored: number
}

export interface CaptureCounts {
  readonly raw: number
  readonly decoded: number
  readonly facts: number
  readonly gap: number
  /** transactions in raw blocks */
  readonly transactions: number
}

export function encodeHeader(header: CaptureHeader): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const out = Buffer.alloc(PREFIX_BYTES + text.length + CRC_BYTES)
  MAGIC.copy(out)
  out.writeUInt32LE(VERSION, 8)
  out.writeUInt32LE(text.length, 12)
  text.copy(out, PREFIX_BYTES)
  out.writeUInt32LE(crc32(out.subarray(0, -CRC_BYTES)), out.length - CRC_BYTES)
  return out
}

export function encodeChunkHead(chunk: Omit<Chunk, 'offset'>, rawBytes: number, stored: Buffer): Buffer {
  const out = Buffer.alloc(CHUNK_HEAD_BYTES)
  out.writeUInt32LE(CHUNK_MAGIC, 0)
  out.writeUInt32LE(stored.length, 4)
  out.writeUInt32LE(rawBytes, 8)
  out.writeUInt32LE(chunk.records, 12)
  out.writeBigInt64LE(BigInt(chunk.first), 16)
  out.writeBigInt64LE(BigInt(chunk.last), 24)
  out.writeUInt32LE(crc32(stored), 32)
  out.writeUInt32LE(crc32(out.subarray(0, 36)), 36)
  return out
}

/** Null when the bytes are no intact head. */
export function decodeChunkHead(bytes: Buffer): Omit<Chunk, 'offset'> | null {
  const intact =
    bytes.length === CHUNK_HEAD_BYTES &&
    bytes.readUInt32LE(0) === CHUNK_MAGIC &&
    bytes.readUInt32LE(36) === crc32(bytes.subarray(0, 36))
  if (!intact) return null
  return {
    stored: bytes.readUInt32LE(4),
    records: bytes.readUInt32LE(12),
    first: Number(bytes.readBigInt64LE(16)),
    last: Number(bytes.readBigInt64LE(24)),
  }
}

export function encodeIndex(chunks: readonly Chunk[]): Buffer {
  const out = Buffer.alloc(chunks.length * ENTRY_BYTES)
  for (const [i, chunk] of chunks.entries()) {
    const at = i * ENTRY_BYTES
    out.writeBigUInt64LE(BigInt(chunk.offset), at)
    out.writeBigInt64LE(BigInt(chunk.first), at + 8)
    out.writeBigInt64LE(BigInt(chunk.last), at + 16)
    out.writeUInt32LE(chunk.records, at + 24)
    out.writeUInt32LE(chunk.stored, at + 28)
  }
  return out
}

export function decodeIndex(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    chunks.push({
      offset: Number(bytes.readBigUInt64LE(at)),
      first: Number(bytes.readBigInt64LE(at + 8)),
      last: Number(bytes.readBigInt64LE(at + 16)),
      records: bytes.readUInt32LE(at + 24),
      stored: bytes.readUInt32LE(at + 28),
    })
  }
  return chunks
}

export interface Footer {
  readonly indexOffset: number
  readonly chunks: number
  readonly indexCrc: number
  readonly counts: CaptureCounts
}

export function encodeFooter({ indexOffset, chunks, indexCrc, counts }: Footer): Buffer {
  const out = Buffer.alloc(FOOTER_BYTES)
  out.writeBigUInt64LE(BigInt(indexOffset), 0)
  out.writeUInt32LE(chunks, 8)
  out.writeUInt32LE(indexCrc, 12)
  out.writeBigUInt64LE(BigInt(counts.raw), 16)
  out.writeBigUInt64LE(BigInt(counts.decoded), 24)
  out.writeUInt32LE(counts.facts, 32)
  out.writeUInt32LE(counts.gap, 36)
  out.writeBigUInt64LE(BigInt(counts.transactions), 40)
  out.writeUInt32LE(VERSION, 48)
  out.writeUInt32LE(crc32(out.subarray(0, 52)), 52)
  END_MAGIC.copy(out, 56)
  return out
}

/** Null when the bytes are no intact footer. */
export function decodeFooter(bytes: Buffer): Footer | null {
  if (!bytes.subarray(56).equals(END_MAGIC) || bytes.readUInt32LE(52) !== crc32(bytes.subarray(0, 52))) return null
  return {
    indexOffset: Number(bytes.readBigUInt64LE(0)),
    chunks: bytes.readUInt32LE(8),
    indexCrc: bytes.readUInt32LE(12),
    counts: {
      raw: Number(bytes.readBigUInt64LE(16)),
      decoded: Number(bytes.readBigUInt64LE(24)),
      facts: bytes.readUInt32LE(32),
      gap: bytes.readUInt32LE(36),
      transactions: Number(bytes.readBigUInt64LE(40)),
    },
  }
}
