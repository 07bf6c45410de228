import { readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { base58Decode, keyFromBase58 } from '@ti/core/base/base58.ts'
import { base64Decode } from '@ti/core/base/base64.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import { createPoolBook } from '@ti/core/decode/pools.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import { createUnknownBook, exampleOf, isWhole, UNKNOWN, type UnknownKind, WHYS } from '@ti/core/decode/unknown.ts'
import { z } from 'zod'
import { EXIT, OperatorError } from '../base/errors.ts'
import { createPoller } from '../base/poller.ts'

/** bytes of the file with unknown kinds: twice what 64 kinds with all their fields take */
const FILE_BYTES = 512 << 10
/** milliseconds between two writes of the file while counts go up: a killed process loses at most as much */
const WRITE_MS = 5_000

/** The file of a data directory that says what its node could not decode; each node has its own. */
export const UNKNOWN_FILE = 'unknown.json'
const FORMAT = 1

const whole = z.int().min(-1)
const Kind = z.object({
  program: z.string().refine((text) => keyFromBase58(text) !== null),
  what: z.enum(['event', 'instruction']),
  why: z.enum(WHYS),
  name: z.string().max(64),
  discriminator: z.string().regex(/^([0-9a-f]{2}){0,8}$/),
  length: whole,
  count: whole,
  firstSlot: whole,
  lastSlot: whole,
  lastTime: z.number().min(0),
  signature: z.string().refine((text) => text === '' || base58Decode(text, 64) !== null),
  bytes: z.string().refine((text) => (base64Decode(text)?.length ?? Infinity) <= UNKNOWN.bytes),
})
// each program may have one or two merged entries besides the kinds with bytes of their own
const File = z.object({ format: z.literal(FORMAT), kinds: z.array(Kind).max(2 * UNKNOWN.kinds) })

/** The contents of the file; empty without one. Throws an OperatorError if it cannot be read. */
export function readUnknown(dataDir: string): UnknownKind[] {
  const path = join(dataDir, UNKNOWN_FILE)
  const refuse = (why: string): OperatorError =>
    new OperatorError(`${path}: ${why}. It only counts what could not be decoded: delete it to begin anew`, {
      exitCode: EXIT.badFile,
    })
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return []
  if (size > FILE_BYTES) throw refuse(`it has ${size} bytes, more than this program writes`)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw refuse('it cannot be read')
  }
  const file = File.safeParse(value)
  if (!file.success) throw refuse('it is not what this program writes')
  return file.data.kinds
}

/** Adds the decoding thread's findings to earlier ones and stores them in the data directory. */
export type UnknownKeeper = ReturnType<typeof openUnknown>

/**
 * `onTrouble` is called for a file that cannot be read or written, which only costs counts. Kinds that this version
 * decodes are dropped.
 */
export function openUnknown(dataDir: string, onTrouble: (error: unknown) => void, now: () => number = Date.now) {
  const book = createUnknownBook()
  let after = -1
  try {
    const kinds = readUnknown(dataDir)
    after = Math.max(-1, ...kinds.map(({ lastSlot }) => lastSlot))
    book.add(kinds.filter((kind) => !isKnownNow(kind)))
  } catch (error) {
    onTrouble(error)
  }
  let dirty = false
  async function write(): Promise<void> {
    if (!dirty) return
    dirty = false
    await save(dataDir, JSON.stringify({ format: FORMAT, kinds: book.kinds() }))
  }
  const writes = createPoller({ what: UNKNOWN_FILE, everyMs: WRITE_MS, run: write, onError: onTrouble })

  return {
    /** Everything up to this slot was counted before. */
    after,
    take(kinds: readonly UnknownKind[]): void {
      if (kinds.length === 0) return
      const before = book.size
      // a block known only from logs has no time
      book.add(kinds.map((kind) => (kind.lastTime > 0 ? kind : { ...kind, lastTime: Math.floor(now() / 1000) })))
      dirty = true
      // a new kind is the news; that a count went up may wait
      if (book.size > before) writes.wake()
    },
    kinds: book.kinds,
    /** Writes unsaved changes. */
    async close(): Promise<void> {
      await writes.stop()
      await writes.run().catch(onTrouble)
    },
  }
}

/** Atomic. */
async function save(dataDir: string, text: string): Promise<void> {
  const path = join(dataDir, UNKNOWN_FILE)
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}

function isKnownNow(kind: UnknownKind): boolean {
  if (!isWhole(kind)) return false
  const book = createUnknownBook()
  book.begin(0, 0)
  decodeTransaction(exampleOf([kind]), 0, [], createCounts(), createPoolBook(), book)
  return book.size === 0
}
