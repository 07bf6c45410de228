import { closeSync, constants, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * LMDB maps its file into memory: reading past the end of a truncated file, or a file that is none of its own, kills
 * the process. So the file's own description is checked before LMDB sees it.
 *
 * Offsets as lmdb 3.5.6 writes them (64-bit, little endian; verified by experiment). A page begins with a 24-byte
 * header: page number u64 at 0, flags u16 at 18. Pages 0 and 1 are meta pages and go on with magic u32 at 24, version
 * u32 at 28, page size u32 at 48, root pages of the free list and of the main database u64 at 88 and 136, last page
 * u64 at 144, transaction u64 at 152. The one with the higher transaction counts.
 */
const MAGIC = 0xbeefc0de
const VERSION = 2
const PAGE_HEADER_BYTES = 24
const META_BYTES = 168
const FLAG_BRANCH_OR_LEAF = 0x03
const FLAG_META = 0x08
const NO_PAGE = 0xffff_ffff_ffff_ffffn

interface Meta {
  readonly pageSize: number
  readonly roots: readonly bigint[]
  readonly lastPage: number
  readonly transaction: bigint
}

/**
 * Throws an OperatorError naming the file when it is not a whole data file; reads only. What it cannot see is damage
 * inside the file (bad sectors, a hole in the middle): LMDB has no checksums.
 */
export function checkDataFile(path: string): void {
  const file = openToRead(path)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw refuse(path, 'it is not a regular file')
    const meta = newestMeta(path, file)
    const needed = (meta.lastPage + 1) * meta.pageSize
    if (stat.size < needed) throw refuse(path, `it has ${stat.size} bytes, its last commit needs ${needed}`)
    for (const root of meta.roots) if (!isRoot(file, meta, root)) throw refuse(path, `its page ${root} is damaged`)
  } finally {
    closeSync(file)
  }
}

/** bytes the file is kept longer than its data; sparse, so they cost no disk */
const SPARE_BYTES = 64 << 20

/**
 * Keeps the file longer than what is in use. LMDB may leave the last pages of a commit unwritten when they are free,
 * and then a sound file is shorter than its meta page says (seen about once in 4,000 commits), which could not be told
 * from a truncated one. Returns the file's length; never shortens it.
 */
export function keepSpare(path: string, usedBytes: number, fileBytes: number): number {
  if (usedBytes + SPARE_BYTES / 2 <= fileBytes) return fileBytes
  try {
    const size = statSync(path).size
    const wanted = usedBytes + SPARE_BYTES
    if (size < wanted) truncateSync(path, wanted)
    return Math.max(size, wanted)
  } catch {
    // a file system that refuses keeps its data all the same, and the commit has already happened
    return fileBytes
  }
}

function openToRead(path: string): number {
  try {
    // O_NONBLOCK: a named pipe would wait for a writer; it and everything else is refused by what fstat says
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    throw refuse(path, `it cannot be opened (${(error as NodeJS.ErrnoException).code ?? error})`)
  }
}

function newestMeta(path: string, file: number): Meta {
  const first = readMeta(file, 0, 0)
  if (first === null) throw refuse(path, 'it does not begin like a data file of this service')
  const second = readMeta(file, first.pageSize, 1)
  if (second === null || second.pageSize !== first.pageSize) throw refuse(path, 'its second page is damaged')
  return second.transaction > first.transaction ? second : first
}

function readMeta(file: number, offset: number, pageNumber: number): Meta | null {
  const page = Buffer.alloc(META_BYTES)
  if (readSync(file, page, 0, META_BYTES, offset) < META_BYTES) return null
  if (page.readBigUInt64LE(0) !== BigInt(pageNumber) || page.readUInt16LE(18) !== FLAG_META) return null
  if (page.readUInt32LE(24) !== MAGIC || page.readUInt32LE(28) !== VERSION) return null
  const pageSize = page.readUInt32LE(48)
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return null
  return {
    pageSize,
    roots: [page.readBigUInt64LE(88), page.readBigUInt64LE(136)],
    lastPage: Number(page.readBigUInt64LE(144)),
    transaction: page.readBigUInt64LE(152),
  }
}

function isRoot(file: number, meta: Meta, root: bigint): boolean {
  if (root === NO_PAGE) return true
  if (root > BigInt(meta.lastPage)) return false
  const header = Buffer.alloc(PAGE_HEADER_BYTES)
  const read = readSync(file, header, 0, PAGE_HEADER_BYTES, Number(root) * meta.pageSize)
  return (
    read === PAGE_HEADER_BYTES &&
    header.readBigUInt64LE(0) === root &&
    (header.readUInt16LE(18) & FLAG_BRANCH_OR_LEAF) !== 0
  )
}

export const refuse = (path: string, why: string): OperatorError =>
  new OperatorError(
    `${path} cannot be used: ${why}. Nothing was changed. Restore it from a copy, or move it away to start anew`,
    { exitCode: EXIT.badFile },
  )
