import { type FileHandle, open } from 'node:fs/promises'
import { OperatorError } from '../../base/errors.ts'
import { itemsOf } from './capture.ts'
import { CHUNK_STORED_BYTES_MAX, openFile, readAt, readChunk, readHeader } from './file.ts'
import { type CaptureCounts, type CaptureHeader, CHUNK_HEAD_BYTES, type Chunk, decodeChunkHead } from './format.ts'

/** The usable part of an interrupted capture: everything up to the first chunk that is not whole. */
interface Partial {
  readonly header: CaptureHeader
  readonly chunks: readonly Chunk[]
  /** end of the last whole chunk */
  readonly end: number
  readonly counts: CaptureCounts
  /** newest slot of a block or gap, -1 none */
  readonly reached: number
}

/** Opens it for writing behind its last whole chunk; a torn end is cut off. */
export async function openPartial(path: string): Promise<Partial & { readonly file: FileHandle }> {
  const read = await openFile(path)
  const found = await scan(path, read).finally(() => read.close())
  const file = await open(path, 'r+')
  await file.truncate(found.end)
  return { ...found, file }
}

async function scan(path: string, file: FileHandle): Promise<Partial> {
  const { size } = await file.stat()
  const { header, end: start } = await readHeader(path, file, size)
  const chunks: Chunk[] = []
  const counts = { raw: 0, decoded: 0, facts: 0, gap: 0, transactions: 0 }
  let end = start
  let reached = -1
  for (
    let chunk = await nextChunk(path, file, end, size);
    chunk !== null;
    chunk = await nextChunk(path, file, end, size)
  ) {
    const raw = await readChunk(path, file, chunk).catch(notWhole)
    if (raw === null) break
    for (const item of itemsOf(path, chunk, raw)) {
      counts[item.kind]++
      if (item.kind === 'raw') counts.transactions += item.block.transactions.length
    }
    reached = chunk.last
    chunks.push(chunk)
    end = chunk.offset + CHUNK_HEAD_BYTES + chunk.stored
  }
  return { header, chunks, end, counts, reached }
}

/** Null where no whole head stands, or it claims more than there is. */
async function nextChunk(path: string, file: FileHandle, offset: number, size: number): Promise<Chunk | null> {
  if (offset + CHUNK_HEAD_BYTES > size) return null
  const head = decodeChunkHead(await readAt(path, file, offset, CHUNK_HEAD_BYTES))
  if (head === null || head.stored > CHUNK_STORED_BYTES_MAX) return null
  return offset + CHUNK_HEAD_BYTES + head.stored > size ? null : { ...head, offset }
}

/** A head may be on disk before what it announces. */
function notWhole(error: unknown): null {
  if (error instanceof OperatorError) return null
  throw error
}
