import { appendFileSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

export interface Journal<T> {
  /** The newest entries, oldest first. */
  readonly entries: readonly T[]
  append(entry: T): void
  /** Returns once everything appended survives a power cut; a `kill -9` takes nothing that was appended. */
  sync(): void
}

/**
 * A file with a line of JSON for each entry. An entry is there whole or not at all: a line that a kill left unfinished is cut off.
 * Reads at most the newest `bytes` of the file.
 */
export function openJournal<T>(path: string, bytes = 16 << 20): Journal<T> {
  const file = openSync(path, 'a+')
  const { size } = fstatSync(file)
  const tail = Buffer.alloc(Math.min(size, bytes))
  readSync(file, tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf('\n') + 1
  ftruncateSync(file, size - tail.length + end)
  // The first line of a part of the file may have lost its beginning.
  const lines = tail
    .toString('utf8', 0, end)
    .split('\n')
    .slice(tail.length < size ? 1 : 0, -1)
  return {
    entries: lines.map((line) => JSON.parse(line) as T),
    append: (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`),
    sync: () => fdatasyncSync(file),
  }
}
