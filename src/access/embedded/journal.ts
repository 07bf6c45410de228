import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { isShortage, outOfRoom } from '../../base/shortage.ts'
import { Damage } from './damage.ts'
import { ALL, type Touched } from './manifest.ts'

/**
 * The pages written since the manifest, each entered before it is written. After a crash PostgreSQL restores them from its
 * WAL, which has a full image of each changed page (`full_page_writes`), so they need no check.
 */
export interface Journal {
  readonly touched: Touched
  /** `crc` of the page after the write, where that is known */
  page(path: string, page: number, crc: number | null): void
  file(path: string): void
  /** the write to a page failed: what is in it now is not known */
  unsure(path: string, page: number): void
  close(): void
}

type Pages = Map<number, number | null>

export function openJournal(path: string): Journal {
  const touched = readEntries(path, false) as Map<string, Pages | typeof ALL>
  const file = openSync(path, 'a')
  let bytes = cutTorn(path, file)
  const enter = (name: string, what: string): void => {
    const line = `${what} ${name}`
    const entry = Buffer.from(`${crc32(line).toString(16)} ${line}\n`)
    const written = writeSync(file, entry)
    if (written < entry.length) {
      // a partial entry must not precede the next one, and its page must not be written
      ftruncateSync(file, bytes)
      throw outOfRoom('an entry of the journal found no room')
    }
    bytes += entry.length
  }
  return {
    touched,
    page(name, page, crc) {
      let pages = touched.get(name)
      if (pages === ALL) return
      if (pages === undefined) {
        pages = new Map()
        touched.set(name, pages)
      }
      if (!pages.has(page)) enter(name, String(page))
      pages.set(page, crc)
    },
    file(name) {
      if (touched.get(name) === ALL) return
      enter(name, ALL)
      touched.set(name, ALL)
    },
    unsure(name, page) {
      const pages = touched.get(name)
      if (pages !== undefined && pages !== ALL && pages.has(page)) pages.set(page, null)
    },
    close: () => closeSync(file),
  }
}

/** Cuts off an entry that a kill left incomplete, which would spoil the next one. Returns the journal's length. */
function cutTorn(path: string, file: number): number {
  const { size } = fstatSync(file)
  if (size === 0) return 0
  const whole = readFileSync(path).lastIndexOf('\n') + 1
  if (whole < size) ftruncateSync(file, whole)
  return whole
}

/** `must`: it has to be there. A last line that is not whole announces a write that never came. */
export function readEntries(path: string, must = true): Touched {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isShortage(error)) throw error
    if (must) throw new Damage(`a journal of accounts-seal is missing (${(error as NodeJS.ErrnoException).code})`)
  }
  return parseEntries(text)
}

export function parseEntries(text: string): Touched {
  const touched = new Map<string, Pages | typeof ALL>()
  for (const entry of text.split('\n').slice(0, -1)) {
    const [, crc, line, what, name] = /^([0-9a-f]+) ((all|\d+) (.+))$/.exec(entry) ?? []
    if (line === undefined || crc !== crc32(line).toString(16))
      throw new Damage('a journal of accounts-seal is damaged')
    const pages = touched.get(name!)
    if (what === ALL) touched.set(name!, ALL)
    else if (pages === undefined) touched.set(name!, new Map([[Number(what), null]]))
    else if (pages !== ALL) (pages as Pages).set(Number(what), null)
  }
  return touched
}

export const printEntries = (touched: Touched): string =>
  [...touched]
    .flatMap(([name, pages]) =>
      pages === ALL ? [`${ALL} ${name}`] : [...pages.keys()].map((page) => `${page} ${name}`),
    )
    .map((line) => `${crc32(line).toString(16)} ${line}\n`)
    .join('')
