import { crc32 } from 'node:zlib'

/**
 * A segment of the log as bytes, little endian:
 *
 *   header   magic u32 · version u32 · log id 16 bytes · first seq u64 · chain before it u32 · previous segment's first
 *            seq u64 (all ones: none) · previous segment's bytes u64 · crc u32 of all that
 *   batches  one per sync: magic u32 · bytes of its entries u32 · first seq u64 · number of entries u32 · chain
 *            before it u32 · crc u32 of that, seeded with the log id; then the entries
 *   entry    length u32 · crc u32 · bytes; the crc is of length, seq and bytes, seeded with the previous entry's crc
 *
 * The running crc ("chain") begins with the crc of the log id, so entries of another position or log do not pass. A
 * batch shows by itself whether it is complete. So a torn last write, which may have lost any of its sectors, differs
 * from damage, which has a complete batch after it. The log id in a batch's crc keeps bytes inside an entry from passing
 * for a batch, because their author does not know the id.
 */
const VERSION = 1
export const HEADER_BYTES = 56
export const BATCH_BYTES = 28
export const ENTRY_BYTES = 8
export const ID_BYTES = 16

const SEGMENT_MAGIC = 0x474c4954
const BATCH_MAGIC = 0x8c3f5ab1
const NO_PREVIOUS = 0xffff_ffff_ffff_ffffn
const MAGIC_BYTES = Buffer.alloc(4)
MAGIC_BYTES.writeUInt32LE(BATCH_MAGIC)

export interface SegmentHeader {
  /** Hex. */
  readonly id: string
  readonly firstSeq: number
  /** The chain before the first entry. */
  readonly chain: number
  readonly previous: { readonly firstSeq: number; readonly bytes: number } | null
}

export interface BatchHeader {
  readonly bytes: number
  readonly firstSeq: number
  readonly entries: number
  readonly chain: number
}

export const chainOfId = (id: string): number => crc32(Buffer.from(id, 'hex'))

export function encodeHeader(header: SegmentHeader): Buffer {
  const out = Buffer.alloc(HEADER_BYTES)
  out.writeUInt32LE(SEGMENT_MAGIC, 0)
  out.writeUInt32LE(VERSION, 4)
  out.write(header.id, 8, 'hex')
  out.writeBigUInt64LE(BigInt(header.firstSeq), 24)
  out.writeUInt32LE(header.chain, 32)
  out.writeBigUInt64LE(header.previous === null ? NO_PREVIOUS : BigInt(header.previous.firstSeq), 36)
  out.writeBigUInt64LE(BigInt(header.previous?.bytes ?? 0), 44)
  out.writeUInt32LE(crc32(out.subarray(0, 52)), 52)
  return out
}

/** Undefined if `bytes` do not begin with a complete header; a string describes another format. */
export function decodeHeader(bytes: Buffer): SegmentHeader | string | undefined {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SEGMENT_MAGIC) return undefined
  if (crc32(bytes.subarray(0, 52)) !== bytes.readUInt32LE(52)) return undefined
  const version = bytes.readUInt32LE(4)
  if (version !== VERSION) return `its format is ${version}, this program reads ${VERSION}`
  const before = bytes.readBigUInt64LE(36)
  return {
    id: bytes.toString('hex', 8, 24),
    firstSeq: Number(bytes.readBigUInt64LE(24)),
    chain: bytes.readUInt32LE(32),
    previous: before === NO_PREVIOUS ? null : { firstSeq: Number(before), bytes: Number(bytes.readBigUInt64LE(44)) },
  }
}

/** Writes into `out` at 0. `idChain` is `chainOfId` of the log. */
export function writeBatchHeader(out: Buffer, batch: BatchHeader, idChain: number): void {
  out.writeUInt32LE(BATCH_MAGIC, 0)
  out.writeUInt32LE(batch.bytes, 4)
  writeSeq(out, batch.firstSeq, 8)
  out.writeUInt32LE(batch.entries, 16)
  out.writeUInt32LE(batch.chain, 20)
  out.writeUInt32LE(crc32(out.subarray(0, 24), idChain), 24)
}

/** Null if there is no batch of this log at `at`. */
export function readBatchHeader(bytes: Buffer, at: number, idChain: number): BatchHeader | null {
  if (at + BATCH_BYTES > bytes.length || bytes.readUInt32LE(at) !== BATCH_MAGIC) return null
  if (crc32(bytes.subarray(at, at + 24), idChain) !== bytes.readUInt32LE(at + 24)) return null
  const header = {
    bytes: bytes.readUInt32LE(at + 4),
    firstSeq: bytes.readUInt32LE(at + 8) + bytes.readUInt32LE(at + 12) * 2 ** 32,
    entries: bytes.readUInt32LE(at + 16),
    chain: bytes.readUInt32LE(at + 20),
  }
  return header.entries === 0 || header.bytes < header.entries * ENTRY_BYTES ? null : header
}

/** The next possible batch header of this log from `at` on; -1 if there is none. */
export function findBatchHeader(bytes: Buffer, at: number, idChain: number): number {
  for (let found = at; ; found++) {
    found = bytes.indexOf(MAGIC_BYTES, found)
    if (found === -1 || readBatchHeader(bytes, found, idChain) !== null) return found
  }
}

const head = Buffer.alloc(12)

/** The chain after an entry. */
export function chainBehind(chain: number, seq: number, bytes: Buffer): number {
  head.writeUInt32LE(bytes.length, 0)
  writeSeq(head, seq, 4)
  return crc32(bytes, crc32(head, chain))
}

function writeSeq(out: Buffer, seq: number, at: number): void {
  out.writeUInt32LE(seq % 2 ** 32, at)
  out.writeUInt32LE(Math.floor(seq / 2 ** 32), at + 4)
}

const NAME = /^(\d{16})\.log$/

export const segmentName = (firstSeq: number): string => `${String(firstSeq).padStart(16, '0')}.log`

/** Null if `name` is not a segment's name. */
export function seqOfName(name: string): number | null {
  const found = NAME.exec(name)
  return found === null ? null : Number(found[1])
}
