import type { Key, Sig } from '../base/ids.ts'

/**
 * Compact encoding for log entries and records of the store: text, and exact numbers in 1 to 9 bytes. Each value has
 * one encoding, so equal records are equal bytes.
 *
 * The first byte of a number is the value itself (0–223) or a tag: −1; a positive or negative integer of 1–7 bytes,
 * little endian; a double; null.
 */
const SMALL_MAX = 223
const TAG_MINUS_ONE = 224
/** plus the number of bytes (1–7) that follow */
const TAG_POSITIVE = 224
const TAG_NEGATIVE = 231
const TAG_DOUBLE = 239
const TAG_NULL = 240
const NUMBER_BYTES_MAX = 9
const TWO_32 = 0x1_0000_0000
const KEY_BYTES = 32
const SIG_BYTES = 64

/** Thrown for bytes that the matching writer cannot have written. */
export class MalformedBytes extends Error {
  override readonly name = 'MalformedBytes'
}

export interface Writer {
  u8(value: number): void
  /** Any finite number. NaN and infinities are programming errors. */
  num(value: number): void
  numOrNull(value: number | null): void
  /** UTF-8. A lone surrogate becomes U+FFFD. */
  text(value: string): void
  textOrNull(value: string | null): void
  /** Exactly `size` bytes from a latin-1 string, without a length. */
  raw(value: string, size: number): void
  key(key: Key): void
  sig(sig: Sig): void
  /** The bytes written since the last call. They are never written again. */
  take(): Buffer
}

/** bytes of a piece of memory in which records are written one after the other: some hundreds of them */
const PIECE_BYTES = 64 << 10

export function createWriter(): Writer {
  let bytes = Buffer.alloc(0)
  let view = new DataView(bytes.buffer)
  let start = 0
  let at = 0

  /** Makes room for `size` more bytes: in the next piece of memory, to which what was begun moves. */
  function room(size: number): void {
    if (at + size <= bytes.length) return
    const begun = at - start
    const next = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, 2 * (begun + size)))
    bytes.copy(next, 0, start, at)
    bytes = next
    view = new DataView(bytes.buffer)
    start = 0
    at = begun
  }

  function num(value: number): void {
    if (at + NUMBER_BYTES_MAX > bytes.length) room(NUMBER_BYTES_MAX)
    if (value >= 0 ? value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value : value === Math.ceil(value)) {
      if (value === 0) {
        if (1 / value > 0) bytes[at++] = 0
        else double(value)
      } else if (value > 0) {
        if (value <= SMALL_MAX) bytes[at++] = value
        else integer(value, TAG_POSITIVE)
      } else if (value === -1) bytes[at++] = TAG_MINUS_ONE
      else if (value >= Number.MIN_SAFE_INTEGER) integer(-value, TAG_NEGATIVE)
      else double(value)
    } else double(value)
  }

  function integer(value: number, tag: number): void {
    const start = at++
    let low = value >>> 0
    if (value >= TWO_32) {
      bytes[at++] = low & 255
      bytes[at++] = (low >>> 8) & 255
      bytes[at++] = (low >>> 16) & 255
      bytes[at++] = low >>> 24
      low = (value - low) / TWO_32
    }
    while (low > 0) {
      bytes[at++] = low & 255
      low >>>= 8
    }
    bytes[start] = tag + at - start - 1
  }

  function double(value: number): void {
    if (!Number.isFinite(value)) throw new Error(`not a number that can be kept: ${value}`)
    bytes[at] = TAG_DOUBLE
    view.setFloat64(at + 1, value, true)
    at += 9
  }

  function text(value: string): void {
    room(value.length * 3 + NUMBER_BYTES_MAX)
    const size = Buffer.byteLength(value)
    num(size)
    at += bytes.write(value, at)
  }

  function raw(value: string, size: number): void {
    if (value.length !== size) throw new Error(`${size} bytes expected, got ${value.length}`)
    room(size)
    at += bytes.write(value, at, 'latin1')
  }

  return {
    num,
    text,
    raw,
    key: (key) => raw(key, KEY_BYTES),
    sig: (sig) => raw(sig, SIG_BYTES),
    u8(value) {
      if (at === bytes.length) room(1)
      bytes[at++] = value
    },
    numOrNull(value) {
      if (value !== null) num(value)
      else {
        room(1)
        bytes[at++] = TAG_NULL
      }
    },
    textOrNull(value) {
      if (value !== null) text(value)
      else {
        room(1)
        bytes[at++] = TAG_NULL
      }
    },
    take() {
      const taken = bytes.subarray(start, at)
      start = at
      return taken
    },
  }
}

/** Every method throws `MalformedBytes` if the bytes do not hold the requested value. */
export interface Reader {
  /** Starts reading [start, end) of `source`. */
  open(source: Buffer, start: number, end: number): void
  u8(): number
  /** A byte of at most `max`. */
  upTo(max: number): number
  bool(): boolean
  num(): number
  /** A safe integer. */
  int(): number
  numOrNull(): number | null
  /** The number of items that follow, each of at least one byte. */
  count(): number
  text(): string
  textOrNull(): string | null
  raw(size: number): string
  key(): Key
  sig(): Sig
  /** Checks that everything has been read. */
  done(): void
}

export function createReader(): Reader {
  let bytes: Buffer = Buffer.alloc(0)
  let view = new DataView(bytes.buffer, bytes.byteOffset, 0)
  let at = 0
  let end = 0

  function fail(what: string): never {
    throw new MalformedBytes(`${what} at byte ${at}`)
  }

  function u8(): number {
    if (at >= end) fail('cut short')
    return bytes[at++]!
  }

  function integer(size: number): number {
    if (at + size > end) fail('cut short')
    let value = 0
    let scale = 1
    for (let i = 0; i < size; i++) {
      value += bytes[at++]! * scale
      scale *= 256
    }
    return value
  }

  function tagged(tag: number): number {
    if (tag <= SMALL_MAX) return tag
    if (tag === TAG_MINUS_ONE) return -1
    if (tag <= TAG_POSITIVE + 7) return integer(tag - TAG_POSITIVE)
    if (tag <= TAG_NEGATIVE + 7) return -integer(tag - TAG_NEGATIVE)
    if (tag !== TAG_DOUBLE) fail('not a number')
    if (at + 8 > end) fail('cut short')
    const value = view.getFloat64(at, true)
    if (!Number.isFinite(value)) fail('not a finite number')
    at += 8
    return value
  }

  const num = (): number => tagged(u8())

  function int(): number {
    const value = num()
    if (!Number.isSafeInteger(value)) fail('not a safe integer')
    return value
  }

  function size(): number {
    const value = num()
    if (!(value >= 0 && value <= end - at) || !Number.isInteger(value)) fail('a length past the end')
    return value
  }

  function text(): string {
    const length = size()
    at += length
    return length === 0 ? '' : bytes.toString('utf8', at - length, at)
  }

  function raw(length: number): string {
    if (at + length > end) fail('cut short')
    at += length
    return bytes.toString('latin1', at - length, at)
  }

  return {
    u8,
    num,
    int,
    text,
    raw,
    key: () => raw(KEY_BYTES) as Key,
    sig: () => raw(SIG_BYTES) as Sig,
    count: size,
    open(source, start, stop) {
      if (source.buffer !== bytes.buffer || source.byteOffset !== bytes.byteOffset) {
        view = new DataView(source.buffer, source.byteOffset)
      }
      bytes = source
      at = start
      end = stop
    },
    upTo(max) {
      const value = u8()
      if (value > max) fail('out of range')
      return value
    },
    bool() {
      const value = u8()
      if (value > 1) fail('not a boolean')
      return value === 1
    },
    numOrNull() {
      const tag = u8()
      return tag === TAG_NULL ? null : tagged(tag)
    },
    textOrNull() {
      if (at < end && bytes[at] === TAG_NULL) {
        at++
        return null
      }
      return text()
    },
    done() {
      if (at !== end) fail('bytes left over')
    },
  }
}

/** One pair for all state records, so that hot loops always call the same functions. */
export const recordWriter = createWriter()
export const recordReader = createReader()

/** Writes a list of numbers after its length. */
export function writeNumbers(w: Writer, numbers: readonly number[]): void {
  w.num(numbers.length)
  for (const value of numbers) w.num(value)
}

export function readNumbers(r: Reader): number[] {
  const numbers: number[] = []
  for (let left = r.count(); left > 0; left--) numbers.push(r.num())
  return numbers
}

/** `read` receives the index of the item. */
export function readList<T>(r: Reader, read: (r: Reader, place: number) => T): T[] {
  const count = r.count()
  const list: T[] = []
  for (let i = 0; i < count; i++) list.push(read(r, i))
  return list
}
