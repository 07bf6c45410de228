/**
 * Reads borsh payloads at fixed offsets. No function checks bounds: the caller compares offsets with the payload's size
 * once, so unknown tails and short old layouts are the same normal case.
 */
export interface Tag {
  readonly lo: number
  readonly hi: number
}

/** An 8-byte discriminator as two little-endian words. */
export function tag(hex: string): Tag {
  const bytes = Buffer.from(hex, 'hex')
  return { lo: bytes.readUInt32LE(0), hi: bytes.readUInt32LE(4) }
}

const TWO_32 = 0x1_0000_0000
const TWO_64 = TWO_32 * TWO_32

export const u32 = (b: Buffer, o: number): number =>
  (b[o]! | (b[o + 1]! << 8) | (b[o + 2]! << 16) | (b[o + 3]! << 24)) >>> 0

/** Exact up to 2^53 − 1, the nearest number beyond. */
export const u64 = (b: Buffer, o: number): number => u32(b, o + 4) * TWO_32 + u32(b, o)

/** The u64 at `o` minus the one at `p`, exact even if both exceed 2^53. */
export function difference(b: Buffer, o: number, p: number): number {
  const from = u64(b, o)
  const less = u64(b, p)
  if (from <= Number.MAX_SAFE_INTEGER && less <= Number.MAX_SAFE_INTEGER) return from - less
  return Number(b.readBigUInt64LE(o) - b.readBigUInt64LE(p))
}

/** Unsigned 128 bits, rounded beyond 2^53. */
export const u128 = (b: Buffer, o: number): number => u64(b, o + 8) * TWO_64 + u64(b, o)

/** Signed 128 bits, exact up to ±(2^53 − 1); beyond that the result is not a safe integer. */
export function i128(b: Buffer, o: number): number {
  const high = u64(b, o + 8)
  if (b[o + 15]! < 128) return high * TWO_64 + u64(b, o)
  // two's complement: −1 − (the inverted bits)
  const inverted = (at: number): number => (~u32(b, at + 4) >>> 0) * TWO_32 + (~u32(b, at) >>> 0)
  return -1 - (inverted(o + 8) * TWO_64 + inverted(o))
}

export const tagged = (b: Buffer, o: number, t: Tag): boolean => u32(b, o) === t.lo && u32(b, o + 4) === t.hi

export function isZeroKey(b: Buffer, o: number): boolean {
  for (let i = o; i < o + 32; i++) if (b[i] !== 0) return false
  return true
}

/** The offset after the borsh string at `o`, or -1 if it does not fit before `end`. */
export function stringEnd(b: Buffer, o: number, end: number): number {
  if (o + 4 > end) return -1
  const length = u32(b, o)
  return length > end - o - 4 ? -1 : o + 4 + length
}

export const exact = (value: number): boolean => value <= Number.MAX_SAFE_INTEGER && value >= 0
