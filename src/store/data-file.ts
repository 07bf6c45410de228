import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * LMDB maps its file into memory: reading past the end of a truncated file, or a file that is none of its own, kills the
 * process. So the file's own description is checked before LMDB sees it. Offsets as lmdb 3.5 writes them: a page begins
 * with a 24-byte header (flags at 18), a meta page goes on with magic (24), version (28), page size (48), last page
 * (144) and transaction (152). Pages 0 and 1 are meta pages; the newer one counts.
 */
const MAGIC = 0xbeefc0de
const VERSION = 2
const META_FLAG = 0x08
const META_BYTES = 168

interface Meta {
  readonly pageSize: number
  readonly lastPage: number
  readonly transaction: number
}

/** Throws an OperatorError naming the file when it is not a whole data file; reads only. */
export function checkDataFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw refuse(path, 'it is not a regular file')
    const first = readMeta(file, 0)
    if (first === null) throw refuse(path, 'it does not begin like a data file of this service')
    const second = readMeta(file, first.pageSize)
    if (second === null || second.pageSize !== first.pageSize) throw refuse(path, 'its second page is damaged')
    const newest = second.transaction > first.transaction ? second : first
    const needed = (newest.lastPage + 1) * newest.pageSize
    if (stat.size < needed) throw refuse(path, `it has ${stat.size} bytes where its last commit needs ${needed}`)
  } finally {
    closeSync(file)
  }
}

function readMeta(file: number, offset: number): Meta | null {
  const page = Buffer.alloc(META_BYTES)
  if (readSync(file, page, 0, META_BYTES, offset) < META_BYTES) return null
  const pageSize = page.readUInt32LE(48)
  const isMeta = (page.readUInt16LE(18) & META_FLAG) !== 0
  if (!isMeta || page.readUInt32LE(24) !== MAGIC || page.readUInt32LE(28) !== VERSION) return null
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return null
  return { pageSize, lastPage: Number(page.readBigUInt64LE(144)), transaction: Number(page.readBigUInt64LE(152)) }
}

const refuse = (path: string, why: string): OperatorError =>
  new OperatorError(
    `${path} cannot be used: ${why}. Nothing was changed. Restore it from a copy, or move it away to start anew`,
    { exitCode: EXIT.badFile },
  )
