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
import { type LogBounds, openSegmentFile } from './segment-file.ts'
import { walkTail } from './tail.ts'

/** The log of its one owner. After a failed write every call but `close` throws what failed. */
export interface SegmentLog extends SegmentReader {
  /** bytes of a last write, cut off by a kill or a power cut, that opening dropped: never anything acknowledged */
  readonly droppedBytes: number
  /** the seq that `append` takes */
  next(): number
  /** Keeps a copy in memory until `sync`; `seq` must be `next()`. */
  append(seq: number, bytes: Buffer): void
  /** Forgets what was appended since the last sync. */
  discard(): void
  /** Writes what was appended as one batch and waits until it is on disk. OperatorError where that fails: end the process. */
  sync(): void
}

interface SegmentLogOptions {
  readonly bounds: LogBounds
  /** what the state was committed at: a log of the same id that ends before it is DamagedLog, and its tail is left as it is */
  readonly expected?: LogPosition
  /** where a log that is made begins: of a copy of a log, after `seq` - 1 of that log; a new log with entry 0 unless given */
  readonly begin?: { readonly id: string; readonly seq: number; readonly chain: number }
}

/**
 * Opens the log in `dir`, for its only writer; makes it when there is none. DamagedLog where a file is missing, of
 * another log, or broken in front of a whole batch. What a last write left half done is dropped (`droppedBytes`).
 */
export function openSegmentLog(dir: string, options: SegmentLogOptions): SegmentLog {
  const { bounds } = options
  const { segments, unfinished } = existing(dir, options)
  const { id } = segments[0]!.header
  const idChain = chainOfId(id)
  const tail = openTail(segments.at(-1)!, options)
  if (unfinished !== undefined) remove(unfinished)
  let view: LogView = { id, segments, tailBytes: tail.bytes, seq: tail.seq, chain: tail.chain }
  let file = tail.file
  let failure: unknown = null
  const pending = createPendingBatch(idChain, bounds.logBatchBytes)
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
        if (view.tailBytes >= bounds.logSegmentBytes) rotate()
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
 * The segments in `dir`, linked, and one behind them whose making was cut off, which is still there. A first one is made
 * where there is none and none is expected.
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

/** The header is on disk, and so is the file's name, before anything is written behind it. */
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
function openTail(segment: Segment, { bounds, expected }: SegmentLogOptions): Tail {
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
    // A sync that failed before may have left bytes in the kernel's memory that count as written and are not on disk:
    // only those of the last batch, and writing the same bytes again puts them there.
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
