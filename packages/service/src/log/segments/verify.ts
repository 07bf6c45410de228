import { findSegments, headerFault, isUnfinished, linkFault, type Segment } from './directory.ts'
import { chainOfId, HEADER_BYTES, type SegmentHeader } from './format.ts'
import { laterNames } from './missing-segments.ts'
import { isBatch, type LogBounds, openSegmentFile, type Place, SEGMENTS } from './segment-file.ts'

interface VerifiedSegment {
  readonly name: string
  readonly bytes: number
  /** Verified entries. */
  readonly entries: number
  /**
   * `damaged`: fault `what`, from entry `seq` on if known; `foreign`: of another log; `missing`: the segment before
   * this one; `torn`: the newest one ends in an interrupted write, which opening drops.
   */
  readonly state: 'ok' | 'torn' | 'damaged' | 'missing' | 'foreign'
  readonly seq?: number
  readonly what?: string
}

export interface VerifiedLog {
  /** The id of the log that most segments belong to; empty if there is none. */
  readonly id: string
  readonly segments: readonly VerifiedSegment[]
  readonly entries: number
  /** True if every segment is `ok` or `torn`. */
  readonly whole: boolean
}

interface ReadBytes {
  readonly done: number
  readonly of: number
}

/** Reads everything in `dir` in steps of one batch, each of which yields the bytes read so far and the total at the beginning. Changes nothing. */
export function* verifyingSegments(dir: string, bounds: LogBounds = SEGMENTS): Generator<ReadBytes, VerifiedLog> {
  // before the files: one that comes meanwhile is then expected still, never missing
  const later = laterNames(dir)
  const found = findSegments(dir)
  const id = mostFrequent(found.flatMap(({ header }) => (typeof header === 'object' ? [header.id] : [])))
  const ofBytes = found.reduce((sum, one) => sum + one.bytes, 0)
  const segments: VerifiedSegment[] = []
  let bytes = 0
  /** the last valid header and, if its segment was read to the end, the resulting chain */
  let before: { segment: Segment; end: Place | undefined } | undefined
  for (const [i, one] of found.entries()) {
    const newest = i === found.length - 1
    const report = { name: one.name, bytes: one.bytes, entries: 0 }
    const fault = headerFault(one)
    if (newest && isUnfinished(one)) {
      segments.push({ ...report, state: 'torn', what: 'it was being made' })
    } else if (fault !== undefined) {
      segments.push({ ...report, state: 'damaged', what: fault })
    } else {
      const segment = one as Segment
      if (segment.header.id !== id) {
        segments.push({ ...report, state: 'foreign', what: `it belongs to another log (${segment.header.id})` })
      } else {
        const read = yield* readSegment(segment, newest, bounds, { done: bytes, of: ofBytes })
        const link = linkFault(segment.header, before?.segment, later) ?? chainFault(segment.header, before?.end)
        const missing = link !== undefined && before?.segment.nameSeq !== segment.header.previous?.firstSeq
        segments.push({
          ...report,
          entries: read.entries,
          ...(read.state !== 'ok' || link === undefined
            ? read.verdict
            : { state: missing ? ('missing' as const) : ('damaged' as const), what: link }),
        })
        before = { segment, end: read.state === 'ok' ? read.end : undefined }
      }
    }
    bytes += one.bytes
  }
  const whole = segments.every(({ state }) => state === 'ok' || state === 'torn')
  return { id, segments, entries: segments.reduce((sum, one) => sum + one.entries, 0), whole }
}

type Verdict = Pick<VerifiedSegment, 'state' | 'seq' | 'what'>

interface ReadSegment {
  /** entries before the first damage */
  readonly entries: number
  readonly end: Place
  readonly state: VerifiedSegment['state']
  readonly verdict: Verdict
}

/** `before`: bytes read of other segments. */
function* readSegment(
  segment: Segment,
  newest: boolean,
  bounds: LogBounds,
  before: ReadBytes,
): Generator<ReadBytes, ReadSegment> {
  const { id, firstSeq: seq, chain } = segment.header
  const file = openSegmentFile(segment.path, { seq, chain }, chainOfId(id), bounds)
  try {
    let end: Place = { seq, chain, offset: HEADER_BYTES }
    for (;;) {
      const found = file.batch(end, segment.bytes)
      if (isBatch(found)) {
        end = found.next
        yield { ...before, done: before.done + end.offset }
        continue
      }
      const entries = end.seq - seq
      if (found.end) return { entries, end, state: 'ok', verdict: { state: 'ok' } }
      const torn = newest && file.wholeBatchBehind(end.offset + 1, segment.bytes) === -1
      const state = torn ? 'torn' : 'damaged'
      return { entries, end, state, verdict: { state, seq: found.seq, what: found.what } }
    }
  } finally {
    file.close()
  }
}

function chainFault(header: SegmentHeader, before: Place | undefined): string | undefined {
  if (before === undefined || header.previous === null) return undefined
  return before.seq === header.firstSeq && before.chain === header.chain
    ? undefined
    : `it does not go on where the segment before it ends (entry ${before.seq - 1})`
}

function mostFrequent(ids: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
}
