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
import { filesBelow } from '../../src/access/embedded/manifest.ts'

/** What may happen to one file. `older`: the same database some time ago, `other`: another one of the same tables. */
export interface Sources {
  readonly older: string
  readonly other: string
}

export interface Injury {
  readonly kind: string
  readonly path: string
}

const PAGE = 8_192
type Random = () => number
const below = (random: Random, n: number): number => Math.floor(random() * n)

/** which files: most damages go where the money is */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['table or index', /^accounts\/base\/5\/(1[6-9]|[2-9]\d)\d{3}$/],
  ['catalog', /^accounts\/(base\/5|global)\/\d{4}$/],
  ['map of pages', /^accounts\/base\/5\/\d+_(fsm|vm)$/],
  ['WAL', /^accounts\/pg_wal\/[0-9A-F]{24}$/],
  ['transactions', /^accounts\/pg_(xact|multixact|subtrans)\//],
  [
    'control',
    /^accounts\/(global\/pg_control|global\/pg_filenode.map|base\/5\/pg_filenode.map|PG_VERSION|postgresql.*conf|base\/5\/PG_VERSION)$/,
  ],
  ['seal', /^accounts-seal\//],
  ['any', /^accounts/],
]

/** bytes of the file that are in use: a WAL file is mostly zeros */
function usedBytes(path: string): number {
  const { size } = statSync(path)
  if (!/pg_wal\/[0-9A-F]{24}$/.test(path)) return size
  const file = openSync(path, 'r')
  const page = Buffer.alloc(PAGE)
  let used = 0
  for (let at = 0; at < size; at += PAGE)
    if (readSync(file, page, 0, PAGE, at) > 0 && page.some((byte) => byte !== 0)) used = at + PAGE
  closeSync(file)
  return used
}

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

/** Damages one file below `dataDir`; what would change nothing, as in an empty file, is drawn again. */
export function injure(dataDir: string, random: Random, { older, other }: Sources): Injury {
  const files = [...filesBelow(dataDir)].filter((path) => /^accounts(-seal)?\//.test(path))
  const kinds = Object.keys(KINDS)
  for (;;) {
    const [group, pattern] = GROUPS[below(random, GROUPS.length)]!
    const fits = files.filter((path) => pattern.test(path)).sort()
    const path = fits[below(random, fits.length)]!
    const kind = kinds[below(random, kinds.length)]!
    const [name, root] = random() < 0.5 ? ['older', older] : ['other', other]
    // another file of the same kind now and then, as a disk that mixes its sectors up would have it
    const source = random() < 0.7 ? path : fits[below(random, fits.length)]!
    const full = join(dataDir, path)
    const before = readFileSync(full)
    const from = join(root, source)
    if (!KINDS[kind]!(full, random, from) || (existsSync(full) && readFileSync(full).equals(before))) continue
    return { kind: kind.startsWith('other') ? `${name}'s ${kind.slice(6)}` : kind, path: `${group}: ${path}` }
  }
}
