import { hash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { EXIT, OperatorError } from '../base/errors.ts'
import { openSegmentLogToRead } from '../log/segments/log-reader.ts'
import { type LaterSegments, missingSegments, writeLater } from '../log/segments/missing-segments.ts'
import { copyState } from './copy.ts'
import { FOLD_FINGERPRINT } from './fingerprint.ts'
import { logDir, openStoreToRead, stateDir, stateFile } from './open.ts'

/** bytes of a checkpoint's part, and how many parts are in memory at a time, compressed and not: two cores are busy then */
export const PART_BYTES = 16 << 20
const PARTS_AT_ONCE = 3

const File = z.object({
  name: z.string().regex(/^(state\/state\.db|log\/\d{16}\.log)$/),
  bytes: z.int().positive(),
  /** SHA-256 of each uncompressed part. */
  parts: z.array(z.string().regex(/^[0-9a-f]{64}$/)).min(1),
})

/** Must be raised with every change of the header or the parts. */
const FORMAT = 3

/**
 * A checkpoint is state and log as of one log entry: a header, then the files in compressed parts, the state before the
 * log. It serves as back-up and as the start of a new node.
 */
const Header = z
  .object({
    checkpoint: z.literal(FORMAT),
    /** Newest log entry in the state and its chain slot, -1 if none; the log may have a few more. */
    seq: z.int().min(-1),
    slot: z.int().min(-1),
    /** Fingerprint of the fold that made the state. */
    fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
    /** Unix milliseconds. */
    madeMs: z.int().min(0),
    /** Bytes of all files, and of each part except the last of a file. */
    bytes: z.int().positive(),
    partBytes: z
      .int()
      .positive()
      .max(1 << 28),
    files: z.array(File).min(1),
  })
  .refine(
    ({ files, bytes, partBytes }) =>
      files.every((file) => file.parts.length === Math.ceil(file.bytes / partBytes)) &&
      new Set(files.map(({ name }) => name)).size === files.length &&
      bytes === files.reduce((sum, file) => sum + file.bytes, 0),
  )
export type Checkpoint = z.infer<typeof Header>

const AGAIN = 'Make it again with `checkpoint make`, or let this build fold its log with `checkpoint refold`'

/** Null if the text is not a header of this format. */
export function headerIn(text: string): Checkpoint | null {
  try {
    return Header.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The reason why `text` is not a header. */
export function whyNoHeader(text: string): string {
  const format = /^\{"checkpoint":(\d+),/.exec(text)?.[1] ?? FORMAT
  return Number(format) === FORMAT
    ? 'it does not start like a checkpoint'
    : `its format is ${format}, this program reads ${FORMAT}. ${AGAIN}`
}

/** The destination of a checkpoint's parts, written in order. */
export interface CheckpointSink {
  put(part: number, compressed: Buffer): Promise<void>
  /** Completes the checkpoint after the last part. */
  done(): Promise<void>
  /** Removes everything written so far instead. */
  abandon(): Promise<void>
}

/** The source of a checkpoint's parts, read in any order. */
export interface CheckpointSource {
  /** The name in messages. */
  readonly name: string
  readonly header: Checkpoint
  part(part: number): Promise<Buffer>
}

/** parts done, and all parts */
export type Progress = (done: number, of: number) => void

export const badCheckpoint = (name: string, why: string): OperatorError =>
  new OperatorError(`${name} is not a usable checkpoint: ${why}`, { exitCode: EXIT.badFile })

const compress = promisify(gzip)
const decompress = promisify(gunzip)

export interface MakeOptions {
  /** PART_BYTES by default. */
  readonly partBytes?: number
  /** Unix milliseconds. */
  readonly nowMs: number
  /** A directory on the disk with room for a copy; removed afterwards. */
  readonly aside: string
  readonly progress?: Progress
  open(header: Checkpoint): Promise<CheckpointSink>
}

/** Makes a checkpoint; another process may be writing the store. */
export async function makeCheckpoint(dataDir: string, options: MakeOptions): Promise<Checkpoint> {
  const { aside } = options
  const missing = missingSegments(logDir(dataDir)).length
  if (missing > 0) {
    throw new OperatorError(
      `${logDir(dataDir)} still lacks ${missing} of its older segments, so no checkpoint can be made before they are fetched. ` +
        'The running service fetches them, and so does `checkpoint later`',
    )
  }
  rmSync(aside, { recursive: true, force: true })
  const opened: OpenFile[] = []
  try {
    await copyState(dataDir, aside)
    // the position is read from the copy itself
    const store = openStoreToRead(aside)
    const { seq = -1, slot = -1 } = store.globals() ?? {}
    await store.close()
    opened.push({ name: STATE_NAME, handle: await open(stateFile(aside), 'r') })
    for (const { name, bytes } of segmentsOf(dataDir, seq)) {
      opened.push({ name: `log/${name}`, bytes, handle: await open(join(logDir(dataDir), name), 'r') })
    }
    const header = await describe(opened, { seq, slot }, options)
    await fill(await options.open(header), header, opened, options)
    return header
  } finally {
    for (const { handle } of opened) await handle.close()
    rmSync(aside, { recursive: true, force: true })
  }
}

const STATE_NAME = 'state/state.db'

interface OpenFile {
  readonly name: string
  /** Valid bytes; all of the file if absent. */
  readonly bytes?: number
  readonly handle: FileHandle
}

/** The complete part of the log on disk. Closed segments never change; the last one only grows. */
function segmentsOf(dataDir: string, upTo: number): readonly { readonly name: string; readonly bytes: number }[] {
  const log = openSegmentLogToRead(logDir(dataDir))
  try {
    return log.segments(upTo)
  } finally {
    log.close()
  }
}

async function describe(
  opened: readonly OpenFile[],
  of: Pick<Checkpoint, 'seq' | 'slot'>,
  { nowMs: madeMs, partBytes = PART_BYTES }: MakeOptions,
): Promise<Checkpoint> {
  const files: Checkpoint['files'] = []
  for (const { name, handle, bytes = 0 } of opened) {
    const size = bytes === 0 ? (await handle.stat()).size : bytes
    const parts: string[] = []
    for (let at = 0; at < size; at += partBytes)
      parts.push(hashOf(await readAt(handle, at, Math.min(partBytes, size - at))))
    files.push({ name, bytes: size, parts })
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { checkpoint: FORMAT, ...of, fingerprint: FOLD_FINGERPRINT, madeMs, bytes, partBytes, files }
}

async function fill(
  sink: CheckpointSink,
  header: Checkpoint,
  opened: readonly OpenFile[],
  { progress }: MakeOptions,
): Promise<void> {
  const parts = partsOf(header)
  const compressed = async ({ file, at, bytes }: Part): Promise<Buffer> =>
    compress(await readAt(opened[file]!.handle, at, bytes), { level: constants.Z_BEST_SPEED })
  let before: Promise<void> = Promise.resolve()
  try {
    await atOnce(PARTS_AT_ONCE, parts.length, (i) => {
      const ready = compressed(parts[i]!)
      // it may reject while an earlier part is still being written
      ready.catch(() => {})
      before = before.then(async () => {
        await sink.put(i, await ready)
        progress?.(i + 1, parts.length)
      })
      return before
    })
    await sink.done()
  } catch (error) {
    await sink.abandon().catch(() => {})
    throw error
  }
}

interface RestoreOptions {
  /** Replaces the directory's contents. */
  readonly replace?: boolean
  /** Restores only the state and the newest segment; `fetchMissingSegments` fetches the rest of the log. */
  readonly logLater?: boolean
  readonly progress?: Progress
}

/** Creates a data directory, whose lock the caller holds, from a checkpoint, completely or not at all. */
export async function restoreCheckpoint(
  source: CheckpointSource,
  dataDir: string,
  options: RestoreOptions = {},
): Promise<void> {
  const { name, header } = source
  const inTheWay = [stateDir(dataDir), logDir(dataDir)].find((path) => existsSync(path))
  if (inTheWay !== undefined && options.replace !== true) {
    throw new OperatorError(`${inTheWay} already exists: a checkpoint is restored into an empty DATA_DIR`)
  }
  if (header.fingerprint !== FOLD_FINGERPRINT) {
    throw badCheckpoint(
      name,
      `another build folded it (fingerprint ${header.fingerprint}, this one has ${FOLD_FINGERPRINT}). ${AGAIN}`,
    )
  }
  const aside = join(dataDir, 'restoring')
  rmSync(aside, { recursive: true, force: true })
  for (const folder of [stateDir(aside), logDir(aside)]) mkdirSync(folder, { recursive: true })
  try {
    const [now, later] = whatComes(header, options)
    await writeFiles(source, aside, now, options)
    if (later.length > 0) writeLater(logDir(aside), laterOf(header, later))
    const store = openStoreToRead(aside)
    await store.close()
    for (const folder of [stateDir, logDir]) rmSync(folder(dataDir), { recursive: true, force: true })
    // the log first: a log without its state is folded again, a state without its log is rejected
    for (const folder of [logDir, stateDir]) renameSync(folder(aside), folder(dataDir))
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** Names of the files that are restored now, and of those fetched later. */
function whatComes({ files }: Checkpoint, { logLater = false }: RestoreOptions): [now: string[], later: string[]] {
  const names = files.map(({ name }) => name)
  if (!logLater) return [names, []]
  const segments = names.filter((name) => name !== STATE_NAME).sort()
  return [[STATE_NAME, ...segments.slice(-1)], segments.slice(0, -1)]
}

const laterOf = ({ files, partBytes }: Checkpoint, names: readonly string[]): LaterSegments => ({
  partBytes,
  segments: names.map((name) => ({ ...files.find((file) => file.name === name)!, name: basename(name) })),
})

/** Writes some files of a checkpoint, verifies each part, and syncs them. */
export async function writeFiles(
  source: CheckpointSource,
  dir: string,
  names: readonly string[],
  options: Pick<RestoreOptions, 'progress'> = {},
): Promise<void> {
  const { name, header } = source
  const parts = [...partsOf(header).entries()].filter(([, { file }]) => names.includes(header.files[file]!.name))
  let done = 0
  const files = new Map<number, FileHandle>()
  try {
    for (const [i, file] of header.files.entries())
      if (names.includes(file.name)) files.set(i, await open(join(dir, file.name), 'wx'))
    await atOnce(PARTS_AT_ONCE, parts.length, async (part) => {
      const [i, { file, at, bytes, sha256 }] = parts[part]!
      const compressed = await source.part(i)
      // one output chunk: small chunks take twice as long
      const whole = { maxOutputLength: header.partBytes, chunkSize: header.partBytes }
      const content = await decompress(compressed, whole).catch((error: Error) => {
        throw badCheckpoint(name, `part ${i}: ${error.message}`)
      })
      if (content.length !== bytes || hashOf(content) !== sha256) {
        throw badCheckpoint(name, `part ${i} is not what its header says`)
      }
      await files.get(file)!.write(content, 0, bytes, at)
      options.progress?.(++done, parts.length)
    })
    for (const file of files.values()) await file.sync()
  } finally {
    for (const file of files.values()) await file.close()
  }
}

interface Part {
  readonly file: number
  /** Offset in the file. */
  readonly at: number
  readonly bytes: number
  readonly sha256: string
}

/** The parts of all files in order. */
export function partsOf({ files, partBytes }: Pick<Checkpoint, 'files' | 'partBytes'>): readonly Part[] {
  return files.flatMap(({ bytes, parts }, file) =>
    parts.map((sha256, i) => ({ file, at: i * partBytes, bytes: Math.min(partBytes, bytes - i * partBytes), sha256 })),
  )
}

const hashOf = (bytes: Buffer): string => hash('sha256', bytes, 'hex')

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  if (bytesRead !== length) throw new Error(`a file of the copy ends after ${at + bytesRead} bytes`)
  return bytes
}

/** Runs `work` for `count` items in order, at most `most` at a time. */
async function atOnce(most: number, count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const go = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  const workers = Array.from({ length: Math.min(most, count) }, go)
  // all workers must end before the resources they use are closed
  const ends = await Promise.allSettled(workers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
