/**
 * SHA-256 of one block, in the language: finding the key of a request is the hottest cryptography here, and the way into
 * the native one and back costs three times as much as these 64 rounds (FIPS 180-4, sections 5 and 6.2). Tests hold it
 * against node:crypto. No branch and no index depends on the text.
 */
const ROUND = new Int32Array(64)
const START = new Int32Array(8)

/** The constants are the first 32 bits of the fractional parts of cube and square roots of the first primes. */
for (let candidate = 2, found = 0; found < 64; candidate++) {
  let prime = true
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) prime = false
  if (!prime) continue
  if (found < 8) START[found] = fraction(Math.sqrt(candidate))
  ROUND[found++] = fraction(Math.cbrt(candidate))
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0
}

/** characters of one block: 64 bytes without the end mark and the length */
export const SHA256_TEXT_MAX = 55

const w = new Int32Array(64)

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

function schedule(text: string): void {
  const { length } = text
  w.fill(0, 0, 16)
  for (let i = 0; i < length; i++) w[i >> 2]! |= (text.charCodeAt(i) & 255) << (24 - ((i & 3) << 3))
  w[length >> 2]! |= 0x80 << (24 - ((length & 3) << 3))
  w[15] = length << 3
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!
    const y = w[i - 2]!
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
  }
}

/** Writes the digest of at most SHA256_TEXT_MAX latin-1 characters into `digest` as eight 32-bit words. */
export function sha256Block(text: string, digest: Int32Array): void {
  if (text.length > SHA256_TEXT_MAX) throw new RangeError('more than one block')
  schedule(text)
  let a = START[0]!
  let b = START[1]!
  let c = START[2]!
  let d = START[3]!
  let e = START[4]!
  let f = START[5]!
  let g = START[6]!
  let h = START[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  digest[0] = START[0]! + a
  digest[1] = START[1]! + b
  digest[2] = START[2]! + c
  digest[3] = START[3]! + d
  digest[4] = START[4]! + e
  digest[5] = START[5]! + f
  digest[6] = START[6]! + g
  digest[7] = START[7]! + h
  w.fill(0)
}
