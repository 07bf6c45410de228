import { hash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { EXIT, OperatorError } from '../base/errors.ts'
import { copyStore, openStoreToRead, type StoreOptions } from './open.ts'

/**
 * A checkpoint is the store as of one log entry: a header that says what follows, then the data file in compressed parts.
 * It is a back-up, and what a new node begins with.
 */
const Header = z.object({
  checkpoint: z.literal(1),
  /** newest log entry and chain slot in it, -1 none */
  seq: z.int().min(-1),
  slot: z.int().min(-1),
  formulas: z.string().max(100),
  /** Unix milliseconds */
  madeMs: z.int().min(0),
  /** of the data file, and of each of its parts but the last */
  bytes: z.int().positive(),
  partBytes: z
    .int()
    .positive()
    .max(1 << 28),
  /** SHA-256 of each part before it was compressed */
  parts: z.array(z.string().regex(/^[0-9a-f]{64}$/)).min(1),
})
export type Checkpoint = z.infer<typeof Header>

/** Null where the text is none. */
export function headerIn(text: string): Checkpoint | null {
  try {
    return Header.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Where the parts of one go, in order. */
export interface CheckpointSink {
  put(part: number, compressed: Buffer): Promise<void>
  /** after the last part: only now it is one */
  done(): Promise<void>
  /** instead: nothing is left of it */
  abandon(): Promise<void>
}

/** Where they come from, in any order. */
export interface CheckpointSource {
  /** how it is called in messages */
  readonly name: string
  readonly header: Checkpoint
  part(part: number): Promise<Buffer>
}

/** parts that are done, of all */
export type Progress = (done: number, of: number) => void

/** Those of LIMITS with the same names. */
export type CheckpointBounds = Readonly<Record<'checkpointPartBytes' | 'checkpointPartsAtOnce', number>>

export const badCheckpoint = (name: string, why: string): OperatorError =>
  new OperatorError(`${name} is no checkpoint that can be used: ${why}`, { exitCode: EXIT.badFile })

const compress = promisify(gzip)
const decompress = promisify(gunzip)

export interface MakeOptions extends StoreOptions {
  readonly bounds: CheckpointBounds
  /** Unix milliseconds */
  readonly nowMs: number
  /** a directory on the disk that a copy has room on; removed afterwards */
  readonly aside: string
  readonly progress?: Progress
  open(header: Checkpoint): Promise<CheckpointSink>
}

/** From a store that another process may be writing. */
export async function makeCheckpoint(dataDir: string, options: MakeOptions): Promise<Checkpoint> {
  const { bounds, aside } = options
  rmSync(aside, { recursive: true, force: true })
  try {
    await copyStore(dataDir, aside)
    // what is in the copy is what the copy says
    const store = openStoreToRead(aside, options)
    const { seq = -1, slot = -1 } = store.globals() ?? {}
    await store.close()
    const copy = await open(join(aside, 'data.mdb'), 'r')
    try {
      const { size: bytes } = await copy.stat()
      const partBytes = bounds.checkpointPartBytes
      const plan = { bytes, partBytes }
      const parts: string[] = []
      for (let part = 0; part < partsOf(plan); part++) parts.push(hashOf(await readPart(copy, plan, part)))
      const { formulasVersion: formulas, nowMs: madeMs } = options
      const header: Checkpoint = { checkpoint: 1, seq, slot, formulas, madeMs, ...plan, parts }
      await fill(await options.open(header), header, copy, options)
      return header
    } finally {
      await copy.close()
    }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

async function fill(sink: CheckpointSink, header: Checkpoint, copy: FileHandle, options: MakeOptions) {
  const { bounds, progress } = options
  const compressed = async (part: number): Promise<Buffer> =>
    compress(await readPart(copy, header, part), { level: constants.Z_BEST_SPEED })
  let before: Promise<void> = Promise.resolve()
  try {
    await atOnce(bounds.checkpointPartsAtOnce, header.parts.length, (part) => {
      const ready = compressed(part)
      // it may fail while an earlier part is still being written
      ready.catch(() => {})
      before = before.then(async () => {
        await sink.put(part, await ready)
        progress?.(part + 1, header.parts.length)
      })
      return before
    })
    await sink.done()
  } catch (error) {
    await sink.abandon().catch(() => {})
    throw error
  }
}

export interface RestoreOptions extends StoreOptions {
  readonly bounds: CheckpointBounds
  /** what is in the directory already gives way to it */
  readonly replace?: boolean
  readonly progress?: Progress
}

/** Makes a data directory, whose lock the caller holds, from a checkpoint: whole or not at all. */
export async function restoreCheckpoint(
  source: CheckpointSource,
  dataDir: string,
  options: RestoreOptions,
): Promise<void> {
  const { name, header } = source
  const data = join(dataDir, 'data.mdb')
  if (existsSync(data) && options.replace !== true) {
    throw new OperatorError(`${data} exists already: a checkpoint goes into an empty DATA_DIR`)
  }
  if (header.formulas !== options.formulasVersion) {
    throw badCheckpoint(name, `it has formulas ${header.formulas}, this program has ${options.formulasVersion}`)
  }
  if (header.parts.length !== partsOf(header)) throw badCheckpoint(name, 'its header contradicts itself')
  const aside = join(dataDir, 'restoring')
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  try {
    const copy = join(aside, 'data.mdb')
    await writeParts(source, copy, options)
    const store = openStoreToRead(aside, options)
    await store.close()
    // what readers of the old file agreed on says nothing about the new one
    rmSync(join(dataDir, 'lock.mdb'), { force: true })
    renameSync(copy, data)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

async function writeParts(source: CheckpointSource, path: string, options: RestoreOptions): Promise<void> {
  const { name, header } = source
  let done = 0
  const out = await open(path, 'wx')
  try {
    await atOnce(options.bounds.checkpointPartsAtOnce, header.parts.length, async (part) => {
      const compressed = await source.part(part)
      // in one piece: small pieces take twice as long
      const whole = { maxOutputLength: header.partBytes, chunkSize: header.partBytes }
      const bytes = await decompress(compressed, whole).catch((error: Error) => {
        throw badCheckpoint(name, `part ${part}: ${error.message}`)
      })
      if (bytes.length !== lengthOf(header, part) || hashOf(bytes) !== header.parts[part]) {
        throw badCheckpoint(name, `part ${part} is not what its header says`)
      }
      await out.write(bytes, 0, bytes.length, part * header.partBytes)
      options.progress?.(++done, header.parts.length)
    })
    await out.sync()
  } finally {
    await out.close()
  }
}

type Plan = Pick<Checkpoint, 'bytes' | 'partBytes'>

const partsOf = ({ bytes, partBytes }: Plan): number => Math.ceil(bytes / partBytes)
const lengthOf = ({ bytes, partBytes }: Plan, part: number): number => Math.min(partBytes, bytes - part * partBytes)
const hashOf = (bytes: Buffer): string => hash('sha256', bytes, 'hex')

async function readPart(file: FileHandle, plan: Plan, part: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(lengthOf(plan, part))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, part * plan.partBytes)
  if (bytesRead !== bytes.length) throw new Error(`the copy of the store ends in part ${part}`)
  return bytes
}

/** Works on `count` things in their order, on `most` of them at a time. */
async function atOnce(most: number, count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const go = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  const workers = Array.from({ length: Math.min(most, count) }, go)
  // all of them have ended before what they use is closed
  const ends = await Promise.allSettled(workers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
