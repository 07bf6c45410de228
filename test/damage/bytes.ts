import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/** Whole numbers from 0 to below a bound. */
export type Random = (below: number) => number

/** Damages the bytes of a file in place and says how. */
export type ByteDamage = (path: string, random: Random) => string

const SECTOR = 512
const PAGE = 4_096

/** `work` is given the open file and its size. */
function within(path: string, work: (file: number, size: number) => string): string {
  const file = openSync(path, 'r+')
  try {
    return work(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

const flips =
  (count: (random: Random) => number): ByteDamage =>
  (path, random) =>
    within(path, (file, size) => {
      const places: string[] = []
      const byte = Buffer.alloc(1)
      for (let left = count(random); left > 0; left--) {
        const at = random(size)
        const bit = random(8)
        readSync(file, byte, 0, 1, at)
        byte[0] = byte[0]! ^ (1 << bit)
        writeSync(file, byte, 0, 1, at)
        places.push(`${at}.${bit}`)
      }
      return `bits ${places.slice(0, 8).join(' ')} of ${size} bytes flipped (${places.length})`
    })

const zeros =
  (unit: number): ByteDamage =>
  (path, random) =>
    within(path, (file, size) => {
      const at = random(Math.ceil(size / unit)) * unit
      const length = Math.min(unit, size - at)
      writeSync(file, Buffer.alloc(length), 0, length, at)
      return `${length} bytes at ${at} of ${size} are zero`
    })

/** Pages, or in a small file sectors, over others of the same file. */
const misplaced: ByteDamage = (path, random) =>
  within(path, (file, size) => {
    const unit = size >= 4 * PAGE ? PAGE : SECTOR
    const units = Math.max(1, Math.floor(size / unit))
    const count = 1 + random(Math.min(3, units))
    const [from, to] = [random(units - count + 1) * unit, random(units - count + 1) * unit]
    const bytes = Buffer.alloc(Math.min(count * unit, size))
    const read = readSync(file, bytes, 0, bytes.length, from)
    writeSync(file, bytes, 0, read, to)
    return `${read} bytes at ${to} are those from ${from}`
  })

const noise: ByteDamage = (path, random) =>
  within(path, (file, size) => {
    const at = random(size)
    const length = Math.min(1 + random(2 * PAGE), size - at)
    writeSync(file, Buffer.from(Array.from({ length }, () => random(256))), 0, length, at)
    return `${length} bytes at ${at} of ${size} are noise`
  })

const truncated: ByteDamage = (path, random) =>
  within(path, (file, size) => {
    const length = random(size)
    ftruncateSync(file, length)
    return `${length} of ${size} bytes are left`
  })

const extended: ByteDamage = (path, random) =>
  within(path, (file, size) => {
    const bytes = readFileSync(path).subarray(0, 1 + random(3 * PAGE))
    writeSync(file, bytes, 0, bytes.length, size)
    return `${bytes.length} bytes are behind its ${size}`
  })

export const BYTE_DAMAGES: Readonly<Record<string, ByteDamage>> = {
  'one bit flipped': flips(() => 1),
  'bits flipped': flips((random) => 2 + random(60)),
  'sector of zeros': zeros(SECTOR),
  'page of zeros': zeros(PAGE),
  'pages of elsewhere': misplaced,
  noise,
  truncated,
  extended,
}
