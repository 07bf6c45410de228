import { isBatch, type NoBatch, type Place, type SegmentFile } from './segment-file.ts'

/** The last segment as it was when it was looked at. */
interface Tail {
  /** behind the last whole batch in a row */
  readonly end: Place
  /** where that batch begins; undefined when there is none */
  readonly lastBatch: number | undefined
  /** what is behind `end` instead of a batch; undefined: nothing */
  readonly fault: { readonly seq: number; readonly what: string } | undefined
  /**
   * Offset of a whole batch behind the fault, -1 when there is none. Each write is synced before the next begins, so
   * only the last can be torn (and may have lost any of its sectors): a whole one behind it means damage.
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
