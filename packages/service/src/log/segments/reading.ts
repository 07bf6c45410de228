import { decodeEntry } from '../codec.ts'
import type { NumberedEntry } from '../log.ts'
import { DamagedLog } from './damaged.ts'
import type { Segment } from './directory.ts'
import { chainOfId } from './format.ts'
import type { LogPosition, Mismatch, SegmentReader } from './position.ts'
import { type Batch, isBatch, isPlace, type LogBounds, openSegmentFile, type SegmentFile } from './segment-file.ts'

/** The valid part of the log at present. */
export interface LogView {
  readonly id: string
  readonly segments: readonly Segment[]
  /** Valid bytes of the last segment. */
  readonly tailBytes: number
  /** Seq and chain of the newest entry, or those before the first. */
  readonly seq: number
  readonly chain: number
}

interface Reading extends Omit<SegmentReader, 'id'> {
  /** The open file of a segment, shared by reads. */
  file(segment: Segment): SegmentFile
}

/** Reads within `view`, which is evaluated at each call. */
export function createReading(view: () => LogView | null, bounds: LogBounds): Reading {
  const files = new Map<string, SegmentFile>()
  let last: { path: string; batch: Batch } | null = null

  const file = (segment: Segment): SegmentFile => {
    const { path, header } = segment
    const open = files.get(path)
    files.delete(path)
    const { id, firstSeq: seq, chain } = header
    const used = open ?? openSegmentFile(path, { seq, chain }, chainOfId(id), bounds)
    files.set(path, used)
    for (const [oldest, unused] of files) {
      if (files.size <= bounds.open) break
      unused.close()
      files.delete(oldest)
    }
    return used
  }

  /** The verified batch that contains `seq`, which must be in the log. */
  const batchWith = (now: LogView, seq: number): Batch => {
    if (last !== null && last.batch.seq <= seq && seq < last.batch.next.seq) return last.batch
    const i = now.segments.findLastIndex((one) => one.nameSeq <= seq)
    const segment = now.segments[i]!
    const following = now.segments[i + 1]
    const end = following === undefined ? now.tailBytes : segment.bytes
    const open = file(segment)
    const place = last?.path === segment.path && last.batch.next.seq === seq ? last.batch.next : open.locate(seq, end)
    const found = isPlace(place) ? open.batch(place, end) : place
    if (!isBatch(found)) {
      throw found.end
        ? new DamagedLog(segment.path, seq, 'the file ends before it')
        : new DamagedLog(segment.path, found.seq, found.what)
    }
    const { next } = found
    if (following !== undefined && next.offset === end) {
      if (next.seq !== following.nameSeq) throw new DamagedLog(segment.path, next.seq, 'the file ends before it')
      if (next.chain !== following.header.chain)
        throw new DamagedLog(following.path, next.seq, `it does not follow what is in ${segment.name}`)
    }
    last = { path: segment.path, batch: found }
    return found
  }

  const oldest = (now: LogView | null): number =>
    now === null || now.seq < now.segments[0]!.nameSeq ? -1 : now.segments[0]!.nameSeq

  function* entries(fromSeq: number, limit: number): Generator<[number, Buffer]> {
    const now = view()
    const first = oldest(now)
    if (now === null || first === -1) return
    const from = Math.max(first, fromSeq)
    const to = Math.min(now.seq, from + limit - 1)
    for (let seq = from; seq <= to; ) {
      const batch = batchWith(now, seq)
      for (; seq < batch.next.seq && seq <= to; seq++) yield [seq, batch.entries[seq - batch.seq]!]
    }
  }

  const chain = (seq: number): number | undefined => {
    const now = view()
    if (now === null || seq > now.seq || seq < now.segments[0]!.nameSeq - 1) return undefined
    if (seq === now.seq) return now.chain
    const begins = now.segments.find((one) => one.nameSeq === seq + 1)
    if (begins !== undefined) return begins.header.chain
    const batch = batchWith(now, seq)
    return batch.chains[seq - batch.seq]
  }

  const mismatch = (position: LogPosition): Mismatch | undefined => {
    const now = view()
    if (now !== null && now.id !== position.id) return 'other log'
    const held = chain(position.seq)
    if (held === undefined) return 'lost'
    return held === position.chain ? undefined : 'differs'
  }

  return {
    file,
    newest: () => {
      const now = view()
      return now === null || now.seq < now.segments[0]!.nameSeq ? -1 : now.seq
    },
    oldest: () => oldest(view()),
    bytes: (fromSeq, limit) => Array.from(entries(fromSeq, limit), ([, bytes]) => bytes),
    *read(fromSeq, limit = Number.POSITIVE_INFINITY): Generator<NumberedEntry> {
      for (const [seq, bytes] of entries(fromSeq, limit)) yield { seq, entry: decodeEntry(seq, bytes) }
    },
    chain,
    position() {
      const now = view()
      return now === null ? { id: '', seq: -1, chain: 0 } : { id: now.id, seq: now.seq, chain: now.chain }
    },
    mismatch,
    holds: (position) => mismatch(position) === undefined,
    segments(upTo = Number.POSITIVE_INFINITY) {
      const now = view()
      if (now === null) return []
      const all = now.segments.filter((one, i) => i === 0 || one.nameSeq <= upTo)
      const last = all.at(-1)!
      const isTail = all.length === now.segments.length
      const end = upTo >= now.seq || upTo < last.nameSeq ? null : batchWith(now, upTo).next.offset
      const bytesOf = end ?? (isTail ? now.tailBytes : last.bytes)
      return all.map(({ name, bytes }) => ({ name, bytes: name === last.name ? bytesOf : bytes }))
    },
    close() {
      for (const open of files.values()) open.close()
      files.clear()
      last = null
    },
  }
}
