import { closeSync, fstatSync, openSync } from 'node:fs'
import { cannot, DamagedLog } from './damaged.ts'
import { readUpTo } from './files.ts'
import {
  BATCH_BYTES,
  type BatchHeader,
  chainBehind,
  ENTRY_BYTES,
  findBatchHeader,
  HEADER_BYTES,
  readBatchHeader,
} from './format.ts'

export const SEGMENTS = {
  /** bytes after which a segment of the log is closed: some hours of mainnet; read whole at a start in well under a second */
  bytes: 32 << 20,
  /** bytes of entries that one sync may write: the largest entry of mainnet many times over; a reader holds as much */
  batchBytes: 64 << 20,
  /** bytes read from a segment at a time: sequential reads cost few calls, single ones little */
  readBytes: 256 << 10,
  /** bytes between two places of a segment that are remembered: what finding an entry reads at most, beside its batch */
  markBytes: 256 << 10,
  /** segments that are open for reading at a time: the newest, and readers of older parts */
  open: 8,
}

export type LogBounds = Readonly<typeof SEGMENTS>

/** Where a batch begins: the seq and the chain it goes on from. */
export interface Place {
  readonly seq: number
  readonly offset: number
  readonly chain: number
}

/** A verified batch. Its entries share memory that is never written again. */
export interface Batch {
  readonly seq: number
  readonly entries: readonly Buffer[]
  /** The chain after each of its entries. */
  readonly chains: readonly number[]
  readonly next: Place
}

/** The result at the end of the data, or at bytes that are not a batch. */
export type NoBatch = { readonly end: true } | { readonly end: false; readonly seq: number; readonly what: string }

/** One segment, open for reading. `end` is the number of valid bytes. */
export type SegmentFile = ReturnType<typeof openSegmentFile>

export const isBatch = (found: Batch | NoBatch): found is Batch => 'entries' in found
export const isPlace = (found: Place | NoBatch): found is Place => 'offset' in found

/** `first` is the place of the first batch, directly after the header. */
export function openSegmentFile(path: string, first: Omit<Place, 'offset'>, idChain: number, bounds: LogBounds) {
  const file = openToRead(path)
  const start: Place = { ...first, offset: HEADER_BYTES }
  const marks: Place[] = [start]
  /** the place after the batch read last, where a sequential reader continues */
  let recent = start
  let window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  /** At least `length` bytes from `offset` on, if the file has them before `end`. */
  const load = (offset: number, length: number, end: number): Buffer => {
    const from = offset - window.start
    if (from >= 0 && from + length <= window.bytes.length) return window.bytes.subarray(from)
    window = {
      start: offset,
      bytes: readUpTo(file, offset, Math.min(end - offset, Math.max(length, bounds.readBytes))),
    }
    return window.bytes
  }

  const remember = (place: Place): void => {
    if (place.offset - marks.at(-1)!.offset >= bounds.markBytes) marks.push(place)
  }

  /** The header at `place`; otherwise the end or the fault. */
  const headerAt = (place: Place, end: number): BatchHeader | NoBatch => {
    if (place.offset >= end) return { end: true }
    const bytes = load(place.offset, Math.min(BATCH_BYTES, end - place.offset), end)
    const header = readBatchHeader(bytes, 0, idChain)
    if (header === null) return { end: false, seq: place.seq, what: `no batch begins at byte ${place.offset}` }
    if (header.firstSeq !== place.seq)
      return { end: false, seq: place.seq, what: `entry ${header.firstSeq} is in its place` }
    if (header.bytes > bounds.batchBytes || header.bytes > end - place.offset - BATCH_BYTES)
      return { end: false, seq: place.seq, what: 'its batch is incomplete' }
    return header
  }

  const parse = (place: Place, end: number): Batch | NoBatch => {
    const header = headerAt(place, end)
    if (!('entries' in header)) return header
    if (header.chain !== place.chain)
      return { end: false, seq: place.seq, what: 'it does not follow the entry before it' }
    const from = place.offset + BATCH_BYTES
    const found = parseEntries(load(from, header.bytes, end).subarray(0, header.bytes), header)
    if ('end' in found) return found
    const next = { seq: place.seq + header.entries, offset: from + header.bytes, chain: found.chains.at(-1)! }
    return { seq: place.seq, ...found, next }
  }

  return {
    path,
    size: (): number => fstatSync(file).size,
    batch(place: Place, end: number): Batch | NoBatch {
      const found = parse(place, end)
      if (!isBatch(found)) return found
      remember(found.next)
      recent = found.next
      return found
    },
    /** The batch that contains `seq`, found through batch headers from the nearest index entry. */
    locate(seq: number, end: number): Place | NoBatch {
      let place = marks.findLast((mark) => mark.seq <= seq) ?? start
      if (recent.seq <= seq && recent.seq > place.seq) place = recent
      for (;;) {
        const header = headerAt(place, end)
        if (!('entries' in header)) return header
        // skipped entries are not verified: the chain is vouched for by the header's own checksum
        const here = { ...place, chain: header.chain }
        remember(here)
        if (place.seq + header.entries > seq) return here
        place = { seq: place.seq + header.entries, offset: place.offset + BATCH_BYTES + header.bytes, chain: -1 }
      }
    },
    /** Offset of a complete batch in `from`..`end`; -1 if there is none. */
    wholeBatchBehind(from: number, end: number): number {
      // windows overlap by the length of a header less one byte, so none is missed in between
      for (let at = from; at < end; at += bounds.readBytes - BATCH_BYTES + 1) {
        const bytes = load(at, Math.min(bounds.readBytes, end - at), end).subarray(0, bounds.readBytes)
        for (
          let found = findBatchHeader(bytes, 0, idChain);
          found !== -1;
          found = findBatchHeader(bytes, found + 1, idChain)
        ) {
          const header = readBatchHeader(bytes, found, idChain)!
          if (isBatch(parse({ seq: header.firstSeq, offset: at + found, chain: header.chain }, end))) return at + found
        }
      }
      return -1
    },
    /** Drops cached bytes, because the file's end may have changed. */
    forget(): void {
      window = { start: 0, bytes: Buffer.alloc(0) }
    },
    close: (): void => closeSync(file),
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new DamagedLog(path, undefined, 'the file is missing')
    throw cannot('read', path, error)
  }
}

function parseEntries(bytes: Buffer, header: BatchHeader): { entries: Buffer[]; chains: number[] } | NoBatch {
  const entries: Buffer[] = []
  const chains: number[] = []
  let chain = header.chain
  let at = 0
  for (let i = 0; i < header.entries; i++) {
    const seq = header.firstSeq + i
    if (at + ENTRY_BYTES > bytes.length) return { end: false, seq, what: 'it is incomplete' }
    const length = bytes.readUInt32LE(at)
    const from = at + ENTRY_BYTES
    if (length > bytes.length - from) return { end: false, seq, what: 'it is incomplete' }
    const entry = bytes.subarray(from, from + length)
    chain = chainBehind(chain, seq, entry)
    if (chain !== bytes.readUInt32LE(at + 4)) return { end: false, seq, what: 'its checksum is wrong' }
    entries.push(entry)
    chains.push(chain)
    at = from + length
  }
  if (at !== bytes.length)
    return { end: false, seq: header.firstSeq, what: 'its batch has bytes that belong to no entry' }
  return { entries, chains }
}
