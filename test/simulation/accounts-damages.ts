import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** What may happen to one file. `older`: the same database some time ago, `other`: another one of the same tables. */
export interface Sources {
  readonly older: string
  readonly other: string
}

export interface Injury {
  readonly kind: string
  readonly path: string
}

const PAGE = 4_096
type Random = () => number
const below = (random: Random, n: number): number => Math.floor(random() * n)

/** which files: most damages go where the money is */
const FILES: readonly string[] = ['', '', '', '-wal', '-wal', '-acknowledged']

const usedBytes = (path: string): number => statSync(path).size

const at = (path: string, work: (file: number, size: number) => void): void => {
  const file = openSync(path, 'r+')
  work(file, fstatSync(file).size)
  closeSync(file)
}

/** later bytes more often: there lies what was written last */
const place = (random: Random, used: number): number => Math.min(used - 1, Math.floor((1 - random() ** 2) * used))

const KINDS: Readonly<Record<string, (path: string, random: Random, from: string) => boolean>> = {
  'bit flip'(path, random) {
    const used = usedBytes(path)
    if (used === 0) return false
    at(path, (file) => {
      const byte = Buffer.alloc(1)
      const where = place(random, used)
      readSync(file, byte, 0, 1, where)
      byte[0]! ^= 1 << below(random, 8)
      writeSync(file, byte, 0, 1, where)
    })
    return true
  },
  'zeroed page'(path, random) {
    const used = usedBytes(path)
    if (used === 0) return false
    const where = place(random, used)
    at(path, (file, size) => {
      const begin = where - (where % PAGE)
      writeSync(file, Buffer.alloc(Math.min(PAGE, size - begin)), 0, undefined, begin)
    })
    return true
  },
  'random page'(path, random) {
    const used = usedBytes(path)
    if (used === 0) return false
    const where = place(random, used)
    at(path, (file, size) => {
      const begin = where - (where % PAGE)
      const page = Buffer.from(Array.from({ length: Math.min(PAGE, size - begin) }, () => below(random, 256)))
      writeSync(file, page, 0, page.length, begin)
    })
    return true
  },
  truncated(path, random) {
    const used = usedBytes(path)
    if (used === 0) return false
    const where = place(random, used)
    truncateSync(path, random() < 0.5 ? where : where - (where % PAGE))
    return true
  },
  lengthened(path, random) {
    appendFileSync(path, Buffer.alloc(PAGE, below(random, 256)))
    return true
  },
  missing(path) {
    rmSync(path)
    return true
  },
  'other file'(path, _random, from) {
    if (!existsSync(from)) return false
    copyFileSync(from, path)
    return true
  },
  'other page'(path, random, from) {
    if (!existsSync(from) || statSync(from).size < PAGE) return false
    const used = Math.min(usedBytes(path), statSync(from).size)
    const begin = Math.floor(place(random, Math.max(1, used)) / PAGE) * PAGE
    const page = Buffer.alloc(PAGE)
    const source = openSync(from, 'r')
    const got = readSync(source, page, 0, PAGE, begin)
    closeSync(source)
    at(path, (file) => void writeSync(file, page, 0, got, begin))
    return true
  },
}

/** Damages one file of the accounts; what would change nothing is drawn again. */
export function injure(dataDir: string, random: Random, { older, other }: Sources): Injury {
  const kinds = Object.keys(KINDS)
  for (;;) {
    const name = `accounts.sqlite${FILES[below(random, FILES.length)]!}`
    const path = join(dataDir, name)
    if (!existsSync(path)) continue
    const kind = kinds[below(random, kinds.length)]!
    const [whose, root] = random() < 0.5 ? ['older', older] : ['other', other]
    const before = readFileSync(path)
    if (!KINDS[kind]!(path, random, join(root, name)) || (existsSync(path) && readFileSync(path).equals(before)))
      continue
    return { kind: kind.startsWith('other') ? `${whose}'s ${kind.slice(6)}` : kind, path: name }
  }
}
