import { DamagedLog } from './damaged.ts'
import {
  checkLinks,
  findSegment,
  findSegments,
  headerFault,
  isUnfinished,
  linkFault,
  type Segment,
} from './directory.ts'
import { HEADER_BYTES, segmentName } from './format.ts'
import { laterNames } from './missing-segments.ts'
import type { SegmentReader } from './position.ts'
import { createReading, type LogView } from './reading.ts'
import { type LogBounds, type Place, SEGMENTS } from './segment-file.ts'
import { walkTail } from './tail.ts'

/**
 * Reads the log in `dir` while its owner, possibly another process, writes it. Each call sees what is complete at that
 * time. A half-written tail counts as the end, never as an error; an absent or empty directory is an empty log.
 */
export function openSegmentLogToRead(dir: string, bounds: LogBounds = SEGMENTS): SegmentReader {
  let segments: Segment[] = []
  /** after the newest complete batch */
  let tail: Place = { seq: 0, offset: 0, chain: 0 }
  let view: LogView | null = null

  const begin = (): boolean => {
    const found = findSegments(dir)
    if (found.length > 0 && isUnfinished(found.at(-1)!)) found.pop()
    if (found.length === 0) return false
    // the last segment may have been closed and another begun since the last call; the walk checks their links
    segments = checkLinks(found, laterNames(dir))
    tail = startOf(segments.at(-1)!)
    return true
  }

  /** Advances to what is complete now. A segment that was closed meanwhile is left behind. */
  const look = (): LogView | null => {
    if (segments.length === 0 && !begin()) return null
    for (;;) {
      const segment = segments.at(-1)!
      const file = reading.file(segment)
      file.forget()
      const walked = walkTail(file, tail)
      tail = walked.end
      // a segment without entries is named after the seq being looked for: it does not follow itself
      const next = tail.seq === segment.nameSeq ? null : following(dir, tail.seq)
      if (next === null) {
        // the fault may have been a write in progress; damage is what persists when read again
        if (walked.fault !== undefined && (walked.wholeBatchAt !== -1 || hasLater(dir, segment))) {
          file.forget()
          const again = walkTail(file, tail)
          if (again.fault !== undefined && again.end.offset === tail.offset)
            throw new DamagedLog(segment.path, again.fault.seq, again.fault.what)
          continue
        }
        break
      }
      const closed = { ...segment, bytes: tail.offset }
      const what = headerFault(next) ?? linkFault((next as Segment).header, closed)
      if (what !== undefined) throw new DamagedLog(next.path, undefined, what)
      segments = [...segments.slice(0, -1), closed, next as Segment]
      tail = startOf(next as Segment)
    }
    const { id } = segments[0]!.header
    view = { id, segments, tailBytes: tail.offset, seq: tail.seq - 1, chain: tail.chain }
    return view
  }

  const reading = createReading(look, bounds)
  return {
    ...reading,
    get id() {
      return look()?.id ?? ''
    },
  }
}

const startOf = ({ header }: Segment): Place => ({ seq: header.firstSeq, offset: HEADER_BYTES, chain: header.chain })

/** The segment that begins with `seq`, once its header is complete. */
function following(dir: string, seq: number): ReturnType<typeof findSegment> {
  const found = findSegment(dir, segmentName(seq))
  return found === null || isUnfinished(found) ? null : found
}

const hasLater = (dir: string, segment: Segment): boolean =>
  findSegments(dir).some((one) => one.nameSeq > segment.nameSeq && !isUnfinished(one))
