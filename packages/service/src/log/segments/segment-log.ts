import { randomBytes } from 'node:crypto'
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../base/errors.ts'
import { syncDirectory } from '../../base/sync-path.ts'
import { createPendingBatch } from './batch.ts'
import { cannot, DamagedLog } from './damaged.ts'
import { checkLinks, type FoundSegment, findSegments, isUnfinished, type Segment } from './directory.ts'
import { readUpTo, writeAll } from './files.ts'
import { chainOfId, encodeHeader, HEADER_BYTES, ID_BYTES, type SegmentHeader, segmentName } from './format.ts'
import { laterNames } from './missing-segments.ts'
import type { LogPosition, SegmentReader } from './position.ts'
import { createReading, type LogView } from './reading.ts'
import { type LogBounds, openSegmentFile, SEGMENTS } from './segment-file.ts'
import { walkTail } from './tail.ts'

/** The log for its single writer. After a failed write every call except `close` throws that error. */
export interface SegmentLog extends SegmentReader {
  /** Bytes of a torn last write, which were dropped on opening; none of them was ever acknowledged. */
  readonly droppedBytes: number
  /** The seq that `append` expects. */
  next(): number
  /** Copies the entry into memory until `sync`; `seq` must be `next()`. */
  append(seq: number, bytes: Buffer): void
  /** Discards entries appended since the last sync. */
  discard(): void
  /** Writes the appended entries as one batch and syncs. On failure throws an OperatorError: the process must end. */
  sync(): void
}

interface SegmentLogOptions {
  readonly bounds?: LogBounds
  /** what the state was committed at: a log of the same id that ends before it is DamagedLog, and its tail is left as it is */
  readonly expected?: LogPosition
  /** The start of a new log: for a copy, after `seq` - 1 of the original; by default entry 0. */
  readonly begin?: { readonly id: string; readonly seq: number; readonly chain: number }
}

/**
 * Opens the log in `dir` for its single writer, creating it if missing. Throws DamagedLog if a file is missing, belongs
 * to another log, or is broken before a complete batch. A torn last write is dropped (`droppedBytes`).
 */
export function openSegmentLog(dir: string, options: SegmentLogOptions = {}): SegmentLog {
  const { bounds = SEGMENTS } = options
  const { segments, unfinished } = existing(dir, options)
  const { id } = segments[0]!.header
  const idChain = chainOfId(id)
  const tail = openTail(segments.at(-1)!, options)
  if (unfinished !== undefined) remove(unfinished)
  let view: LogView = { id, segments, tailBytes: tail.bytes, seq: tail.seq, chain: tail.chain }
  let file = tail.file
  let failure: unknown = null
  const pending = createPendingBatch(idChain, bounds.batchBytes)
  pending.reset(view.seq + 1, view.chain)

  const usable = (): void => {
    if (failure !== null) throw failure
  }
  const reading = createReading(() => {
    usable()
    return view
  }, bounds)

  const rotate = (): void => {
    const before = { ...view.segments.at(-1)!, bytes: view.tailBytes }
    const previous = { firstSeq: before.nameSeq, bytes: before.bytes }
    const made = makeSegment(dir, { id, firstSeq: view.seq + 1, chain: view.chain, previous })
    closeSync(file)
    file = made.file
    view = { ...view, segments: [...view.segments.slice(0, -1), before, made.segment], tailBytes: HEADER_BYTES }
  }

  return {
    ...reading,
    id,
    droppedBytes: tail.droppedBytes + (unfinished?.bytes ?? 0),
    next: () => view.seq + 1 + pending.count,
    append(seq, bytes) {
      usable()
      const next = view.seq + 1 + pending.count
      if (seq !== next) throw new Error(`the log goes on with ${next}: ${seq} cannot be next`)
      pending.append(seq, bytes)
    },
    discard: () => pending.reset(view.seq + 1, view.chain),
    sync() {
      usable()
      if (pending.count === 0) return
      try {
        if (view.tailBytes >= bounds.bytes) rotate()
        const batch = pending.take()
        writeAll(file, batch, view.tailBytes)
        fdatasyncSync(file)
        view = {
          ...view,
          tailBytes: view.tailBytes + batch.length,
          seq: view.seq + pending.count,
          chain: pending.chain,
        }
        pending.reset(view.seq + 1, view.chain)
      } catch (error) {
        failure = cannot('written', view.segments.at(-1)!.path, error)
        throw failure
      }
    },
    close() {
      reading.close()
      if (file !== -1) closeSync(file)
      file = -1
      failure ??= new Error('the log is closed')
    },
  }
}

/**
 * The linked segments in `dir`, and the file of one whose creation was interrupted. Creates the first one if there is
 * none and none is expected.
 */
function existing(dir: string, { begin, expected }: SegmentLogOptions) {
  try {
    mkdirSync(dir, { recursive: true })
    syncDirectory(dirname(dir))
    const found = findSegments(dir)
    const unfinished = found.length > 0 && isUnfinished(found.at(-1)!) ? found.pop() : undefined
    if (found.length > 0) return { segments: checkLinks(found, laterNames(dir)), unfinished }
    if (expected !== undefined)
      throw new DamagedLog(unfinished?.path ?? dir, undefined, 'there is a state, and no entry of its log')
    if (unfinished !== undefined) remove(unfinished)
    const id = begin?.id ?? randomBytes(ID_BYTES).toString('hex')
    const header = { id, firstSeq: begin?.seq ?? 0, chain: begin?.chain ?? chainOfId(id), previous: null }
    const { segment, file } = makeSegment(dir, header)
    closeSync(file)
    return { segments: [segment], unfinished: undefined }
  } catch (error) {
    throw error instanceof OperatorError ? error : cannot('opened', dir, error)
  }
}

function remove({ path }: FoundSegment): void {
  try {
    unlinkSync(path)
    syncDirectory(dirname(path))
  } catch (error) {
    throw cannot('opened', path, error)
  }
}

/** Header and file name are on disk before anything is written after them. */
function makeSegment(dir: string, header: SegmentHeader): { segment: Segment; file: number } {
  const name = segmentName(header.firstSeq)
  const path = join(dir, name)
  const file = openSync(path, 'wx+')
  try {
    writeAll(file, encodeHeader(header), 0)
    fsyncSync(file)
    syncDirectory(dir)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return { segment: { name, path, nameSeq: header.firstSeq, bytes: HEADER_BYTES, header }, file }
}

interface Tail {
  readonly file: number
  readonly bytes: number
  readonly seq: number
  readonly chain: number
  readonly droppedBytes: number
}

/** Verifies the last segment, drops what a write left half done, and syncs the rest. */
function openTail(segment: Segment, { bounds = SEGMENTS, expected }: SegmentLogOptions): Tail {
  const { id, firstSeq: seq, chain } = segment.header
  const reader = openSegmentFile(segment.path, { seq, chain }, chainOfId(id), bounds)
  let file = -1
  try {
    file = openSync(segment.path, 'r+')
    const { end, lastBatch, fault, wholeBatchAt } = walkTail(reader, { seq, chain, offset: HEADER_BYTES })
    if (fault !== undefined && wholeBatchAt !== -1)
      throw new DamagedLog(
        segment.path,
        fault.seq,
        `${fault.what}, and a whole batch is behind it at byte ${wholeBatchAt}`,
      )
    if (expected?.id === id && end.seq <= expected.seq)
      throw new DamagedLog(
        segment.path,
        end.seq,
        `the state was folded up to entry ${expected.seq}: the log has lost its end`,
      )
    const droppedBytes = fstatSync(file).size - end.offset
    if (droppedBytes > 0) ftruncateSync(file, end.offset)
    // After a failed sync the kernel's cache may hold bytes that count as written but are not on disk. Only the last
    // batch can be affected, and writing it again repairs it.
    if (lastBatch !== undefined) writeAll(file, readUpTo(file, lastBatch, end.offset - lastBatch), lastBatch)
    fsyncSync(file)
    return { file, bytes: end.offset, seq: end.seq - 1, chain: end.chain, droppedBytes }
  } catch (error) {
    if (file !== -1) closeSync(file)
    throw error instanceof DamagedLog ? error : cannot('opened', segment.path, error)
  } finally {
    reader.close()
  }
}
