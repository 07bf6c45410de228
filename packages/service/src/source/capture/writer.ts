import { type FileHandle, open, rename, stat, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, deflateRaw, type ZlibOptions } from 'node:zlib'
import { EXIT, OperatorError } from '../../base/errors.ts'
import type { SourceItem } from '../source.ts'
import { blockBytes } from '../wire/writer.ts'
import { CHUNK_BYTES_MAX, INDEX_BYTES_MAX } from './file.ts'
import {
  type CaptureCounts,
  type CaptureHeader,
  type Chunk,
  encodeChunkHead,
  encodeFooter,
  encodeHeader,
  encodeIndex,
  RECORD,
  RECORD_HEAD_BYTES,
} from './format.ts'
import { openPartial } from './partial.ts'
import { encodeDecoded, encodeFacts, encodeGap } from './records.ts'

/** bytes of one capture chunk before compression: large enough to compress well, small enough to hold two in memory */
const CHUNK_BYTES = 4 << 20

/** Chunks compressed at once: zlib works in the thread pool beside the producer. */
const CHUNKS_IN_FLIGHT = 2
/** A full chunk and the block that fills it, usually. */
const CHUNK_BUFFER_BYTES = CHUNK_BYTES + (1 << 20)

const compress = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw)

export type CaptureWriter = ReturnType<typeof createWriter>

/** Writes `path`.partial and renames it when complete, so that a capture under its own name is always whole. */
export async function createCaptureWriter(path: string, header: CaptureHeader): Promise<CaptureWriter> {
  const file = await openNew(path, partialOf(path))
  const output = createOutput(path, file, { chunks: [], offset: 0 })
  await output.begin(header)
  return createWriter(path, output, { reached: -1, counts: NOTHING })
}

/** Goes on with `path`.partial, which an interrupted writer left: behind its last whole chunk. */
export async function resumeCaptureWriter(path: string): Promise<CaptureWriter> {
  await refuseExisting(path)
  const { file, end, ...found } = await openPartial(partialOf(path))
  const output = createOutput(path, file, { chunks: found.chunks, offset: end })
  return createWriter(path, output, found)
}

export const partialOf = (path: string): string => `${path}.partial`

const NOTHING: CaptureCounts = { raw: 0, decoded: 0, facts: 0, gap: 0, transactions: 0 }

interface Position {
  readonly reached: number
  readonly counts: CaptureCounts
}

function createWriter(path: string, output: Output, from: Position) {
  const partial = partialOf(path)
  const counts = { ...from.counts }
  // records are copied here at once: holding on to every block's bytes until the chunk is full keeps the collector busy
  let chunk = Buffer.allocUnsafe(CHUNK_BUFFER_BYTES)
  let bytes = 0
  let records = 0
  let first = -1
  let { reached } = from

  const cut = async () => {
    if (records === 0) return
    const full = chunk.subarray(0, bytes)
    const span = { first: first < 0 ? reached : first, last: reached, records }
    chunk = Buffer.allocUnsafe(CHUNK_BUFFER_BYTES)
    bytes = 0
    records = 0
    first = -1
    await output.add(full, span)
  }
  const append = (kind: number, record: Buffer) => {
    const size = record.length + RECORD_HEAD_BYTES
    if (bytes + size > chunk.length) {
      const larger = Buffer.allocUnsafe(bytes + size)
      chunk.copy(larger, 0, 0, bytes)
      chunk = larger
    }
    chunk[bytes] = kind
    chunk.writeUInt32LE(record.length, bytes + 1)
    record.copy(chunk, bytes + RECORD_HEAD_BYTES)
    bytes += size
    records++
  }

  return {
    /** Slots of blocks and gaps must increase. Await it: that is the back-pressure. */
    async write(item: SourceItem): Promise<void> {
      const span = spanOf(item)
      if (span !== null && span.from <= reached) throw new Error(`slot ${span.from} after slot ${reached}`)
      const record = encodeRecord(item)
      if (record.length + RECORD_HEAD_BYTES > CHUNK_BYTES_MAX)
        throw new OperatorError(
          `slot ${span?.from ?? reached}: a record of ${record.length} bytes does not fit into a capture`,
        )
      if (bytes + record.length + RECORD_HEAD_BYTES > CHUNK_BYTES_MAX) await cut()
      append(RECORD[item.kind], record)
      counts[item.kind]++
      if (item.kind === 'raw') counts.transactions += item.block.transactions.length
      if (span !== null) {
        if (first < 0) first = span.from
        reached = span.to
      }
      if (bytes >= CHUNK_BYTES) await cut()
    },
    /** Puts on disk what was written: a writer that is killed later loses none of it. */
    async flush(): Promise<void> {
      await cut()
      await output.flush()
    },
    /** Completes the file and gives it its name. */
    async finish(): Promise<CaptureCounts> {
      await cut()
      await output.end(counts)
      await rename(partial, path)
      return counts
    },
    /** Removes what was written so far. */
    async discard(): Promise<void> {
      await output.close()
      await unlink(partial)
    },
    /** Leaves it as it is, to be gone on with. */
    async leave(): Promise<void> {
      await cut()
      await output.flush()
      await output.close()
    },
    /** newest slot of a block or gap written, -1 none */
    get reached(): number {
      return reached
    },
  }
}

function encodeRecord(item: SourceItem): Buffer {
  if (item.kind === 'raw') return blockBytes(item.block)
  if (item.kind === 'gap') return encodeGap(item)
  return item.kind === 'decoded' ? encodeDecoded(item) : encodeFacts(item)
}

/** Slots an item covers; null for facts, which lie between. */
function spanOf(item: SourceItem): { readonly from: number; readonly to: number } | null {
  if (item.kind === 'facts') return null
  if (item.kind === 'gap') return item
  const slot = item.kind === 'raw' ? item.block.slot : item.slot
  return { from: slot, to: slot }
}

type Output = ReturnType<typeof createOutput>

function createOutput(path: string, file: FileHandle, from: { chunks: readonly Chunk[]; offset: number }) {
  const chunks: Chunk[] = [...from.chunks]
  const inFlight: Promise<{ head: Buffer; stored: Buffer; chunk: Omit<Chunk, 'offset'> }>[] = []
  let { offset } = from

  const put = async (bytes: Buffer) => {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset)
      done += bytesWritten
      offset += bytesWritten
    }
  }
  const drain = async (left: number) => {
    while (inFlight.length > left) {
      const { head, stored, chunk } = await inFlight.shift()!
      chunks.push({ ...chunk, offset })
      await put(head)
      await put(stored)
    }
  }

  return {
    begin: (header: CaptureHeader): Promise<void> => put(encodeHeader(header)),
    /** everything given so far is on disk */
    async flush(): Promise<void> {
      await drain(0)
      await file.datasync()
    },
    async add(raw: Buffer, span: Pick<Chunk, 'first' | 'last' | 'records'>): Promise<void> {
      const job = compress(raw, { level: 1, memLevel: 9, chunkSize: 512 << 10 }).then((stored) => {
        const chunk = { ...span, stored: stored.length }
        return { head: encodeChunkHead(chunk, raw.length, stored), stored, chunk }
      })
      // a failure is met where the job is awaited, in its turn
      job.catch(() => {})
      inFlight.push(job)
      await drain(CHUNKS_IN_FLIGHT)
    },
    async end(counts: CaptureCounts): Promise<void> {
      await drain(0)
      const index = encodeIndex(chunks)
      if (index.length > INDEX_BYTES_MAX)
        throw new OperatorError(`${path}: more chunks than the index of a capture may hold; split the material`)
      const indexOffset = offset
      await put(index)
      await put(encodeFooter({ indexOffset, chunks: chunks.length, indexCrc: crc32(index), counts }))
      await file.sync()
      await file.close()
    },
    async close(): Promise<void> {
      // chunks still in compression are dropped
      await Promise.allSettled(inFlight)
      await file.close()
    },
  }
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new OperatorError(`${path}: exists already; delete it or choose another name`)
}

async function openNew(path: string, partial: string): Promise<FileHandle> {
  await refuseExisting(path)
  try {
    return await open(partial, 'wx')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const why =
      code === 'EEXIST' ? 'another run is writing it, or one was interrupted: then delete it' : (cause as Error).message
    throw new OperatorError(`${partial}: cannot be created: ${why}`, { exitCode: EXIT.failed, cause })
  }
}
