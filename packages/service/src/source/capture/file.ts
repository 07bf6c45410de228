import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw, type ZlibOptions } from 'node:zlib'
import { EXIT, OperatorError } from '../../base/errors.ts'
import {
  type CaptureHeader,
  CHUNK_HEAD_BYTES,
  CHUNK_MAGIC,
  type Chunk,
  CRC_BYTES,
  decodeFooter,
  decodeIndex,
  ENTRY_BYTES,
  FOOTER_BYTES,
  type Footer,
  HEADER_BYTES_MAX,
  MAGIC,
  PREFIX_BYTES,
  VERSION,
} from './format.ts'

/** bytes one decompressed capture chunk may have: refuses a decompression bomb */
export const CHUNK_BYTES_MAX = 64 << 20
/** bytes of one compressed capture chunk */
export const CHUNK_STORED_BYTES_MAX = 64 << 20
/** bytes of the index at the end of a capture: 32 bytes a chunk, so about 8 TB of capture */
export const INDEX_BYTES_MAX = 64 << 20

const decompress = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw)

const AGAIN = 'Make it again with `capture record`, `capture import` or `capture simulate`.'
const INTERRUPTED = 'It was cut off or its writer was interrupted: copy or make it again.'
const DAMAGED = 'The file is damaged: copy or make it again.'

/** An error with the file's problem and advice. The file itself is never changed. */
export const refuse = (path: string, problem: string, advice = DAMAGED): OperatorError =>
  new OperatorError(`${path}: not a usable capture: ${problem}. ${advice}`, { exitCode: EXIT.badFile })

export interface Contents {
  readonly header: CaptureHeader
  readonly footer: Footer
  readonly chunks: readonly Chunk[]
  readonly bytes: number
}

export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : message
    throw new OperatorError(`${path}: cannot be opened: ${why}`, { exitCode: EXIT.badFile, cause })
  }
}

/** Reads and checks everything but the chunks' insides. */
export async function readContents(path: string, file: FileHandle): Promise<Contents> {
  const stats = await file.stat()
  if (!stats.isFile()) throw refuse(path, 'it is not a regular file', 'Name a capture file.')
  const { size } = stats
  const header = await readHeader(path, file, size)
  const footer =
    size < header.end + FOOTER_BYTES ? null : decodeFooter(await readAt(path, file, size - FOOTER_BYTES, FOOTER_BYTES))
  if (footer === null) throw refuse(path, 'its end is missing', INTERRUPTED)
  const indexBytes = footer.chunks * ENTRY_BYTES
  if (indexBytes > INDEX_BYTES_MAX || footer.indexOffset + indexBytes + FOOTER_BYTES !== size)
    throw refuse(path, 'its size is not what its end states', INTERRUPTED)
  const index = await readAt(path, file, footer.indexOffset, indexBytes)
  if (crc32(index) !== footer.indexCrc) throw refuse(path, 'its index fails the checksum')
  const chunks = decodeIndex(index)
  checkChunks(path, chunks, header.end, footer.indexOffset)
  return { header: header.header, footer, chunks, bytes: size }
}

/** The header, and where it ends. */
export async function readHeader(
  path: string,
  file: FileHandle,
  size: number,
): Promise<{ header: CaptureHeader; end: number }> {
  const prefix = await readAt(path, file, 0, Math.min(size, PREFIX_BYTES))
  const foreign = !prefix.subarray(0, MAGIC.length).equals(MAGIC.subarray(0, prefix.length))
  if (size === 0) throw refuse(path, 'it is empty', INTERRUPTED)
  if (foreign)
    throw refuse(path, 'it does not start like a capture', 'Turn other material into a capture with `capture import`.')
  if (size < PREFIX_BYTES) throw refuse(path, 'it ends within its header', INTERRUPTED)
  const version = prefix.readUInt32LE(8)
  if (version !== VERSION) throw refuse(path, `its format is version ${version}, this program reads ${VERSION}`, AGAIN)
  const length = prefix.readUInt32LE(12)
  const end = PREFIX_BYTES + length + CRC_BYTES
  if (length > HEADER_BYTES_MAX) throw refuse(path, `its header claims ${length} bytes`)
  if (size < end) throw refuse(path, 'it ends within its header', INTERRUPTED)
  const whole = await readAt(path, file, 0, end)
  if (whole.readUInt32LE(end - CRC_BYTES) !== crc32(whole.subarray(0, -CRC_BYTES)))
    throw refuse(path, 'its header fails the checksum')
  const header = parseHeader(whole.toString('utf8', PREFIX_BYTES, end - CRC_BYTES))
  if (header === null) throw refuse(path, 'its header is invalid')
  return { header, end }
}

/** It goes into the headers of messages and into sentences. */
const CHAIN = /^[\x21-\x7e]{1,200}$/

function parseHeader(text: string): CaptureHeader | null {
  try {
    const { created_at, source, chain = null, holds } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (typeof created_at !== 'string' || typeof source !== 'string' || typeof holds !== 'string') return null
    if (chain !== null && !(typeof chain === 'string' && CHAIN.test(chain))) return null
    return { created_at, source, chain, holds }
  } catch {
    return null
  }
}

function checkChunks(path: string, chunks: readonly Chunk[], start: number, end: number): void {
  let offset = start
  let slot = -1
  for (const chunk of chunks) {
    if (chunk.offset !== offset || chunk.first > chunk.last || chunk.last < slot || chunk.first < slot)
      throw refuse(path, 'its index contradicts itself')
    if (chunk.stored > CHUNK_STORED_BYTES_MAX) throw refuse(path, `a chunk claims ${chunk.stored} bytes`)
    offset += CHUNK_HEAD_BYTES + chunk.stored
    slot = chunk.last
  }
  if (offset !== end) throw refuse(path, 'its index does not cover its chunks')
}

/** A chunk's records, decompressed and checked. */
export async function readChunk(path: string, file: FileHandle, chunk: Chunk): Promise<Buffer> {
  const where = `the chunk at byte ${chunk.offset}`
  const bytes = await readAt(path, file, chunk.offset, CHUNK_HEAD_BYTES + chunk.stored)
  const stored = bytes.subarray(CHUNK_HEAD_BYTES)
  const rawBytes = bytes.readUInt32LE(8)
  const intact =
    bytes.readUInt32LE(0) === CHUNK_MAGIC &&
    bytes.readUInt32LE(36) === crc32(bytes.subarray(0, 36)) &&
    bytes.readUInt32LE(4) === chunk.stored &&
    bytes.readUInt32LE(12) === chunk.records &&
    Number(bytes.readBigInt64LE(16)) === chunk.first &&
    Number(bytes.readBigInt64LE(24)) === chunk.last
  if (!intact) throw refuse(path, `the head of ${where} is damaged`)
  if (rawBytes > CHUNK_BYTES_MAX) throw refuse(path, `${where} claims ${rawBytes} bytes`)
  if (bytes.readUInt32LE(32) !== crc32(stored)) throw refuse(path, `${where} fails the checksum`)
  const limit = Math.max(64, rawBytes)
  const raw = await decompress(stored, { maxOutputLength: limit, chunkSize: limit }).catch(() => null)
  if (raw?.length !== rawBytes) throw refuse(path, `${where} does not decompress`)
  return raw
}

export async function readAt(path: string, file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, offset + done)
    if (bytesRead === 0) throw refuse(path, 'it became shorter while it was read', INTERRUPTED)
    done += bytesRead
  }
  return bytes
}
