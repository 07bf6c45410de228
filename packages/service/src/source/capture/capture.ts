import type { FileHandle } from 'node:fs/promises'
import type { FactsItem, Source, SourceCursor, SourceItem } from '../source.ts'
import { WireError } from '../wire/error.ts'
import { readBlock } from '../wire/reader.ts'
import { type Contents, openFile, readChunk, readContents, refuse } from './file.ts'
import { type CaptureCounts, type CaptureHeader, type Chunk, RECORD, RECORD_HEAD_BYTES } from './format.ts'
import { createPlayback } from './playback.ts'
import { decodeDecoded, decodeFacts, decodeGap } from './records.ts'

/** chunks a capture reader decompresses ahead of its consumer */
const CHUNKS_AHEAD = 3

export interface CaptureInfo {
  readonly header: CaptureHeader
  /** -1 when it holds no block */
  readonly firstSlot: number
  readonly lastSlot: number
  readonly counts: CaptureCounts
  /** size of the file */
  readonly bytes: number
}

interface Progress {
  /** bytes of the file consumed, of `total` */
  readonly bytes: number
  readonly total: number
}

interface CaptureOptions {
  /** times real time; 0 = as fast as it is read */
  readonly speed?: number
  /** called once a chunk (about 4 MB of transactions) */
  readonly onProgress?: (progress: Progress) => void
}

interface Capture extends Source {
  readonly info: CaptureInfo
}

/** Opens a capture file and checks its frame; OperatorError when it is not whole. Chunks are checked as they are read. */
export async function openCapture(path: string, options: CaptureOptions = {}): Promise<Capture> {
  const file = await openFile(path)
  const contents = await readContents(path, file).finally(() => file.close())
  return {
    name: `capture:${path}`,
    chain: async () => contents.header.chain,
    info: infoOf(contents),
    items: (cursor, signal) => play(path, contents, cursor, signal, options),
  }
}

function infoOf({ header, footer, chunks, bytes }: Contents): CaptureInfo {
  const first = chunks.find((chunk) => chunk.first >= 0)
  return { header, firstSlot: first?.first ?? -1, lastSlot: chunks.at(-1)?.last ?? -1, counts: footer.counts, bytes }
}

async function* play(
  path: string,
  contents: Contents,
  cursor: SourceCursor,
  signal: AbortSignal,
  { speed = 0, onProgress }: CaptureOptions,
): AsyncIterable<SourceItem> {
  const untilDue = createPlayback(speed)
  const filter = createFilter(cursor)
  const file = await openFile(path)
  try {
    for await (const { raw, chunk } of chunksFrom(path, file, contents.chunks, cursor.slot)) {
      for (const item of filter(itemsOf(path, chunk, raw))) {
        if (signal.aborted) return
        if (item.kind === 'raw' || item.kind === 'decoded') {
          const wait =
            item.kind === 'raw'
              ? untilDue(item.block.slot, item.block.time, signal)
              : untilDue(item.slot, item.time, signal)
          if (wait !== undefined) await wait
          if (signal.aborted) return
        }
        yield item
      }
      onProgress?.({ bytes: chunk.offset + chunk.stored, total: contents.bytes })
    }
    onProgress?.({ bytes: contents.bytes, total: contents.bytes })
  } finally {
    await file.close()
  }
}

/** Chunks that may hold something after `slot`, read and decompressed ahead of the consumer. */
async function* chunksFrom(path: string, file: FileHandle, chunks: readonly Chunk[], slot: number) {
  let next = chunks.findIndex((chunk) => chunk.last >= slot)
  if (next < 0) return
  const ahead: { chunk: Chunk; raw: Promise<Buffer> }[] = []
  try {
    while (true) {
      while (ahead.length < CHUNKS_AHEAD && next < chunks.length) {
        const chunk = chunks[next++]!
        const raw = readChunk(path, file, chunk)
        // a failure is met where it is awaited
        raw.catch(() => {})
        ahead.push({ chunk, raw })
      }
      const head = ahead.shift()
      if (head === undefined) return
      yield { chunk: head.chunk, raw: await head.raw }
    }
  } finally {
    await Promise.allSettled(ahead.map(({ raw }) => raw))
  }
}

/**
 * Leaves out blocks and gaps up to the cursor's slot, facts before it, and as many facts items after it as the cursor
 * counts. One filter serves all chunks of a playing.
 */
function createFilter(cursor: SourceCursor): (items: Iterable<SourceItem>) => Generator<SourceItem> {
  let passed = cursor.slot < 0
  let had = cursor.facts
  return function* (items) {
    let between: FactsItem[] = []
    for (const item of items) {
      if (item.kind !== 'facts') {
        if (slotOf(item) > cursor.slot) {
          passed = true
          yield* between.slice(had)
          had = 0
          yield item
        }
        between = []
      } else if (!passed) between.push(item)
      else if (had <= 0) yield item
      else had--
    }
    if (passed) return
    // the chunk ends after the cursor's slot: what follows in the next one counts on
    passed = true
    yield* between.slice(had)
    had = Math.max(0, had - between.length)
  }
}

/** Chain slot that an item ends at. */
const slotOf = (item: Exclude<SourceItem, FactsItem>): number =>
  item.kind === 'raw' ? item.block.slot : item.kind === 'gap' ? item.to : item.slot

/** The items of a chunk's records, checked. */
export function* itemsOf(path: string, chunk: Chunk, raw: Buffer): Generator<SourceItem> {
  const damaged = (what: string) => refuse(path, `the chunk at byte ${chunk.offset} holds ${what}`)
  let at = 0
  let records = 0
  let slot = -1
  while (at < raw.length) {
    if (at + RECORD_HEAD_BYTES > raw.length) throw damaged('a record without its head')
    const length = raw.readUInt32LE(at + 1)
    const start = at + RECORD_HEAD_BYTES
    if (start + length > raw.length) throw damaged('a record that passes its end')
    const item = itemOf(raw[at]!, raw.subarray(start, start + length))
    if (item === null) throw damaged(`a record at byte ${at} that cannot be read`)
    if (item.kind === 'gap') {
      const { from, to } = item
      if (from <= slot || from < chunk.first || to > chunk.last) throw damaged(`a gap from slot ${from} out of order`)
      slot = to
    } else if (item.kind !== 'facts') {
      const next = slotOf(item)
      if (next <= slot || next < chunk.first || next > chunk.last) throw damaged(`slot ${next} out of order`)
      slot = next
    }
    records++
    at = start + length
    yield item
  }
  if (records !== chunk.records) throw damaged(`${records} records instead of ${chunk.records}`)
}

function itemOf(kind: number, bytes: Buffer): SourceItem | null {
  if (kind === RECORD.decoded) return decodeDecoded(bytes)
  if (kind === RECORD.facts) return decodeFacts(bytes)
  if (kind === RECORD.gap) return decodeGap(bytes)
  if (kind !== RECORD.raw) return null
  try {
    return { kind: 'raw', block: readBlock(bytes) }
  } catch (error) {
    if (error instanceof WireError) return null
    throw error
  }
}
