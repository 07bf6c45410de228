import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Operation } from './journal.ts'

/** What of the operations that were not synced is on disk: none, all, or some of it as a seed says. */
export type Unsynced = 'dropped' | 'kept' | { readonly seed: number }

type Change = { readonly offset: number; readonly data: Buffer } | { readonly length: number }

/** A file by what of it is on disk, and what was done to it since its last sync. */
interface File {
  synced: Buffer
  unsynced: Change[]
}

interface NameChange {
  readonly path: string
  /** null: the name goes */
  readonly file: File | null
  readonly from?: string
}

const SECTOR_BYTES = 512
/** mapped memory, whose writes are not seen: a power cut leaves none of it, and SQLite makes it anew */
const isMapped = (path: string): boolean => path.endsWith('-shm')

/**
 * Writes into `into` (which is empty) the files as they may be after a power cut behind the first `count` operations.
 *
 * The model: what was written before the last fsync or fdatasync of its file is there. Of later writes each sector of 512
 * bytes is there or not, as the seed says, in any order; where a later sector is there the file is as long as that, with
 * zeros before. Names (creation, rename, removal) reach the disk in order, as in a journalling file system: those up to
 * the last one that concerns a file, or a directory, by the time it is synced, and the first few of the others. Directories
 * themselves are never lost. `before`: a directory with the files as they were, on disk, when recording began.
 */
export function afterPowerCut(
  operations: readonly Operation[],
  count: number,
  unsynced: Unsynced,
  into: string,
  before?: string,
): void {
  const random = typeof unsynced === 'object' ? generator(unsynced.seed) : undefined
  const live = new Map<string, File>()
  /** those of a renamed directory are one */
  const names: (readonly NameChange[])[] = []
  const directories = new Set<string>()
  let durableNames = 0
  if (before !== undefined) {
    for (const [path, synced] of filesIn(before)) {
      const file = { synced, unsynced: [] }
      live.set(path, file)
      names.push([{ path, file }])
    }
    durableNames = names.length
  }
  const fileAt = (path: string): File => {
    const file = live.get(path)
    if (file === undefined) throw new Error(`${path} was not there when the recording began`)
    return file
  }
  const durableUpTo = (concerns: (change: NameChange) => boolean): void => {
    durableNames = Math.max(durableNames, names.findLastIndex((one) => one.some(concerns)) + 1)
  }

  for (const one of operations.slice(0, count)) {
    switch (one.op) {
      case 'create': {
        const file = { synced: Buffer.alloc(0), unsynced: [] }
        live.set(one.path, file)
        names.push([{ path: one.path, file }])
        break
      }
      case 'write':
        fileAt(one.path).unsynced.push({ offset: one.offset, data: one.data })
        break
      case 'truncate':
        fileAt(one.path).unsynced.push({ length: one.length })
        break
      case 'sync': {
        const file = fileAt(one.path)
        file.synced = changed(file.synced, file.unsynced)
        file.unsynced = []
        durableUpTo((change) => change.file === file)
        break
      }
      case 'rename': {
        const below = `${one.path}/`
        const moved = [...live].filter(([path]) => path === one.path || path.startsWith(below))
        if (directories.delete(one.path)) directories.add(one.to)
        else fileAt(one.path)
        const changes = moved.map(([from, file]) => ({ path: one.to + from.slice(one.path.length), file, from }))
        for (const { from } of changes) live.delete(from)
        for (const { path, file } of changes) live.set(path, file)
        names.push(changes)
        break
      }
      case 'unlink':
        live.delete(one.path)
        names.push([{ path: one.path, file: null }])
        break
      case 'sync directory':
        durableUpTo(({ path, from }) => [path, from].some((p) => p !== undefined && inDirectory(p, one.path)))
        break
      case 'make directory':
        directories.add(one.path)
        break
      case 'remove directory':
        directories.delete(one.path)
        break
    }
  }

  const open = names.length - durableNames
  const kept = unsynced === 'kept' ? open : random === undefined ? 0 : random(open + 1)
  const left = new Map<string, File>()
  for (const { path, file, from } of names.slice(0, durableNames + kept).flat()) {
    if (from !== undefined) left.delete(from)
    if (file === null) left.delete(path)
    else left.set(path, file)
  }
  for (const path of directories) mkdirSync(join(into, path), { recursive: true })
  for (const [path, file] of left) {
    if (isMapped(path)) continue
    const some = unsynced === 'kept' ? file.unsynced : random === undefined ? [] : torn(file.unsynced, random)
    mkdirSync(dirname(join(into, path)), { recursive: true })
    writeFileSync(join(into, path), changed(file.synced, some))
  }
}

const inDirectory = (path: string, directory: string): boolean => dirname(path) === (directory === '' ? '.' : directory)

/** A part of the changes: each sector of each write by itself, mostly all or mostly nothing. */
function torn(changes: readonly Change[], random: (below: number) => number): Change[] {
  const of100 = [0, 10, 50, 90, 100][random(5)]!
  return changes.flatMap((change): Change[] => {
    if ('length' in change) return random(100) < of100 ? [change] : []
    const parts: Change[] = []
    const { offset, data } = change
    for (let from = offset; from < offset + data.length; ) {
      const to = Math.min(offset + data.length, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES)
      if (random(100) < of100) parts.push({ offset: from, data: data.subarray(from - offset, to - offset) })
      from = to
    }
    return parts
  })
}

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return bytes
  let length = bytes.length
  let most = length
  for (const change of changes) {
    length = 'length' in change ? change.length : Math.max(length, change.offset + change.data.length)
    most = Math.max(most, length)
  }
  const out = Buffer.alloc(most)
  bytes.copy(out)
  let end = bytes.length
  for (const change of changes) {
    if ('length' in change) {
      if (change.length < end) out.fill(0, change.length, end)
      end = change.length
    } else {
      change.data.copy(out, change.offset)
      end = Math.max(end, change.offset + change.data.length)
    }
  }
  return out.subarray(0, end)
}

/** Every file below `dir` by its relative path, mapped ones left out. */
export function filesIn(dir: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const whole = join(entry.parentPath, entry.name)
    const path = whole.slice(dir.length + 1)
    if (!isMapped(path)) files.set(path, readFileSync(whole))
  }
  return files
}

/** Numbers below a bound, the same for the same seed. */
export function generator(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** What had been written to `path` by then, as text: a process acknowledges by writing to a file below the directory. */
export function writtenTo(operations: readonly Operation[], count: number, path: string): string {
  return operations
    .slice(0, count)
    .flatMap((one) => (one.op === 'write' && one.path === path ? [one.data] : []))
    .join('')
}
