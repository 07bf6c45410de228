import { isBatch, type NoBatch, type Place, type SegmentFile } from './segment-file.ts'

/** The state of the last segment when it was examined. */
interface Tail {
  /** After the last of the complete batches. */
  readonly end: Place
  /** The start of that batch; undefined if there is none. */
  readonly lastBatch: number | undefined
  /** The fault at `end`; undefined if nothing follows. */
  readonly fault: { readonly seq: number; readonly what: string } | undefined
  /**
   * Offset of a complete batch after the fault, -1 if there is none. Each write is synced before the next begins, so
   * only the last can be torn (and may have lost any of its sectors); a complete batch after it means damage.
   */
  readonly wholeBatchAt: number
}

/** Reads and verifies from `from` to the end of the file. */
export function walkTail(file: SegmentFile, from: Place): Tail {
  const size = file.size()
  let end = from
  let lastBatch: number | undefined
  let found = file.batch(end, size)
  for (; isBatch(found); found = file.batch(end, size)) {
    lastBatch = end.offset
    end = found.next
  }
  const fault: NoBatch = found
  if (fault.end) return { end, lastBatch, fault: undefined, wholeBatchAt: -1 }
  return { end, lastBatch, fault, wholeBatchAt: file.wholeBatchBehind(end.offset + 1, size) }
}
