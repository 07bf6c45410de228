import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedLog, otherFormat } from './damaged.ts'
import { decodeHeader, HEADER_BYTES, type SegmentHeader, segmentName, seqOfName } from './format.ts'

/** A segment by its file and header; `header` is undefined where it is not whole. */
export interface FoundSegment {
  readonly name: string
  readonly path: string
  readonly nameSeq: number
  readonly bytes: number
  readonly header: SegmentHeader | undefined
}

interface ListedSegment {
  readonly name: string
  readonly firstSeq: number
  /** undefined for the newest, which is still written */
  readonly entries: number | undefined
  readonly bytes: number
  /** a closed segment never changes again */
  readonly closed: boolean
  /** hex; only where it was asked for, and only of closed segments */
  readonly sha256?: string
}

/** Segments by their first seq; empty where there is no directory. OperatorError (badFile) for one of another format. */
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

/** Null where there is no such file. */
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
    // before the header is read: a segment that its owner is just making would look longer than what was read of it
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

/** Only the making of a segment was cut off: its header is synced before its first entry, so it never had one. */
export const isUnfinished = (segment: FoundSegment): boolean =>
  segment.header === undefined && segment.bytes <= HEADER_BYTES

/** A segment whose header is good and which goes on where the one before it ends; DamagedLog otherwise. */
export interface Segment extends FoundSegment {
  readonly header: SegmentHeader
}

/** `later`: names of segments in front of them that need not be there yet. */
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

/** What keeps `header` from following `before`, the last one on disk with a smaller seq. */
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

/** What a checkpoint sends; DamagedLog where the segments do not follow each other. `hash`: reads every closed one. */
export function listSegments(dir: string, options: { hash?: boolean } = {}): ListedSegment[] {
  const found = findSegments(dir)
  if (found.length > 0 && isUnfinished(found.at(-1)!)) found.pop()
  const segments = checkLinks(found)
  return segments.map((segment, i) => {
    const next = segments[i + 1]
    const listed = { name: segment.name, firstSeq: segment.nameSeq, bytes: segment.bytes }
    if (next === undefined) return { ...listed, entries: undefined, closed: false }
    const closed = { ...listed, entries: next.nameSeq - segment.nameSeq, closed: true }
    return options.hash === true ? { ...closed, sha256: hashOf(segment.path) } : closed
  })
}

const HASH_CHUNK_BYTES = 1 << 20

function hashOf(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(HASH_CHUNK_BYTES)
    for (let read = -1; read !== 0; ) {
      read = readSync(file, chunk, 0, chunk.length, null)
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}
