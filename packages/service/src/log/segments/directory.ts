import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedLog, otherFormat } from './damaged.ts'
import { decodeHeader, HEADER_BYTES, type SegmentHeader, segmentName, seqOfName } from './format.ts'

/** A segment's file and header; `header` is undefined if incomplete. */
export interface FoundSegment {
  readonly name: string
  readonly path: string
  readonly nameSeq: number
  readonly bytes: number
  readonly header: SegmentHeader | undefined
}

/** Segments ordered by first seq; empty without a directory. Throws OperatorError (badFile) for another format. */
export function findSegments(dir: string): FoundSegment[] {
  const found: FoundSegment[] = []
  for (const name of namesIn(dir)) {
    const segment = findSegment(dir, name)
    if (segment !== null) found.push(segment)
  }
  return found
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => seqOfName(name) !== null)
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Null if there is no such file. */
export function findSegment(dir: string, name: string): FoundSegment | null {
  const path = join(dir, name)
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    // before the header: a segment just being created would otherwise look longer than the part read
    const { size } = statSync(path)
    const bytes = Buffer.alloc(HEADER_BYTES)
    const read = readSync(file, bytes, 0, HEADER_BYTES, 0)
    const header = decodeHeader(bytes.subarray(0, read))
    if (typeof header === 'string') throw otherFormat(path, header)
    return { name, path, nameSeq: seqOfName(name)!, bytes: size, header }
  } finally {
    closeSync(file)
  }
}

/** True if only the creation of a segment was interrupted. Its header is synced first, so it has no entry. */
export const isUnfinished = (segment: FoundSegment): boolean =>
  segment.header === undefined && segment.bytes <= HEADER_BYTES

/** A segment with a valid header that continues the one before it; otherwise DamagedLog is thrown. */
export interface Segment extends FoundSegment {
  readonly header: SegmentHeader
}

/** `later`: names of earlier segments that may still be missing. */
export function checkLinks(found: readonly FoundSegment[], later: readonly string[] = []): Segment[] {
  const checked: Segment[] = []
  for (const segment of found) {
    const what = headerFault(segment) ?? linkFault(segment.header as SegmentHeader, checked.at(-1), later)
    if (what !== undefined) throw new DamagedLog(segment.path, undefined, what)
    checked.push(segment as Segment)
  }
  return checked
}

export function headerFault(segment: FoundSegment): string | undefined {
  const { header } = segment
  if (header === undefined) return 'it does not begin as a segment of a log'
  return header.firstSeq === segment.nameSeq ? undefined : `it is the segment that begins at entry ${header.firstSeq}`
}

/** The reason why `header` cannot follow `before`, the preceding segment on disk; undefined if it can. */
export function linkFault(
  header: SegmentHeader,
  before: Segment | undefined,
  later: readonly string[] = [],
): string | undefined {
  if (before !== undefined && before.header.id !== header.id) return `it belongs to another log (${header.id})`
  const { previous } = header
  if (previous === null)
    return before === undefined ? undefined : `it is the first of its log, but ${before.name} is there`
  if (before === undefined && later.includes(segmentName(previous.firstSeq))) return undefined
  if (before === undefined || before.nameSeq !== previous.firstSeq)
    return `the segment before it, ${segmentName(previous.firstSeq)}, is missing`
  if (before.bytes !== previous.bytes)
    return `the segment before it, ${before.name}, has ${before.bytes} bytes, it had ${previous.bytes} when it was closed`
  return undefined
}
