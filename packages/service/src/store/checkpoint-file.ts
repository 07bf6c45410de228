import { existsSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { OperatorError } from '../base/errors.ts'
import {
  badCheckpoint,
  type Checkpoint,
  type CheckpointSink,
  type CheckpointSource,
  headerIn,
  type MakeOptions,
  makeCheckpoint,
  partsOf,
  whyNoHeader,
} from './checkpoint.ts'

/** A checkpoint in one file: its header as a line of JSON, then each part preceded by its length in four bytes. */

/** largest first line: 67 bytes per part, of which ten gigabytes have some hundred */
const HEADER_BYTES = 1 << 20

/** Writes `file` completely or not at all. */
export async function writeCheckpointFile(
  dataDir: string,
  file: string,
  options: Omit<MakeOptions, 'aside' | 'open'>,
): Promise<Checkpoint> {
  if (existsSync(file)) throw new OperatorError(`${file} already exists`)
  const aside = `${file}.making`
  return makeCheckpoint(dataDir, { ...options, aside, open: (header) => createFileSink(file, header) })
}

export async function createFileSink(file: string, header: Checkpoint): Promise<CheckpointSink> {
  const partial = `${file}${PARTIAL}`
  const out = await open(partial, 'w')
  await out.appendFile(`${JSON.stringify(header)}\n`)
  return {
    async put(_, compressed) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(compressed.length)
      await out.appendFile(length)
      await out.appendFile(compressed)
    },
    async done() {
      await out.sync()
      await out.close()
      renameSync(partial, file)
    },
    async abandon() {
      await out.close()
      rmSync(partial, { force: true })
    },
  }
}

/** The suffix of incomplete files. */
export const PARTIAL = '.partial'

/** The source passed to `read` stays open until it resolves. */
export async function readCheckpointFile<T>(file: string, read: (source: CheckpointSource) => Promise<T>): Promise<T> {
  const opened = await open(file, 'r').catch((error: Error) => {
    throw badCheckpoint(file, error.message)
  })
  try {
    const { header, length } = await readHeader(file, opened)
    const places = await placesOf(file, opened, length, partsOf(header).length)
    return await read({
      name: file,
      header,
      async part(part) {
        const { at, bytes } = places[part]!
        return readAt(file, opened, at, bytes)
      },
    })
  } finally {
    await opened.close()
  }
}

export async function readCheckpointHeader(file: string): Promise<Checkpoint> {
  const opened = await open(file, 'r')
  try {
    return (await readHeader(file, opened)).header
  } finally {
    await opened.close()
  }
}

async function readHeader(file: string, opened: FileHandle): Promise<{ header: Checkpoint; length: number }> {
  const { bytesRead, buffer } = await opened.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  const end = buffer.subarray(0, bytesRead).indexOf('\n')
  const text = buffer.toString('utf8', 0, Math.max(0, end))
  const header = headerIn(text)
  if (header === null) throw badCheckpoint(file, whyNoHeader(text))
  return { header, length: end + 1 }
}

async function placesOf(file: string, opened: FileHandle, start: number, count: number) {
  const { size } = await opened.stat()
  const places: { readonly at: number; readonly bytes: number }[] = []
  let at = start
  while (places.length < count) {
    const bytes = (await readAt(file, opened, at, 4)).readUInt32BE()
    if (at + 4 + bytes > size) throw badCheckpoint(file, 'it is truncated')
    places.push({ at: at + 4, bytes })
    at += 4 + bytes
  }
  if (at !== size) throw badCheckpoint(file, 'it has more data than its header says')
  return places
}

async function readAt(file: string, opened: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const { bytesRead, buffer } = await opened.read(Buffer.alloc(bytes), 0, bytes, at)
  if (bytesRead !== bytes) throw badCheckpoint(file, 'it is truncated')
  return buffer
}
