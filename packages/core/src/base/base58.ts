import type { Key, Sig } from './ids.ts'

/** Base58 (Bitcoin alphabet) for keys and signatures. Own code: measured 2–3 × the npm package on 32-byte keys. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0))
const DIGIT = new Int8Array(128).fill(-1)
for (let i = 0; i < 58; i++) DIGIT[CODES[i]!] = i

/** Encoding: five base58 digits fit one limb, and limb · 2^16 + carry stays far below 2^53. */
const LIMB = 58 ** 5
/** Decoding: three bytes fit one limb, and limb · 58^4 + carry < 2^48. */
const BYTES_LIMB = 2 ** 24

/** The longest value of this service is a signature; instruction data is longer and uses its own room. */
const SCRATCH_BYTES = 64
const scratch = new Float64Array(Math.ceil(SCRATCH_BYTES / 3) + 2)
const digits = Buffer.alloc(scratch.length * 5)

/** Encodes the bytes held in a latin-1 string. Quadratic in its length. */
export function base58Encode(latin1: string): string {
  const length = latin1.length
  const limbs = length <= SCRATCH_BYTES ? scratch : new Float64Array(Math.ceil(length / 3) + 2)
  let zeros = 0
  while (zeros < length && latin1.charCodeAt(zeros) === 0) zeros++
  let used = 0
  let i = zeros
  while (i < length) {
    let carry = latin1.charCodeAt(i++)
    let scale = 256
    if (i < length) {
      carry = carry * 256 + latin1.charCodeAt(i++)
      scale = 65_536
    }
    for (let j = 0; j < used; j++) {
      const value = limbs[j]! * scale + carry
      carry = Math.floor(value / LIMB)
      limbs[j] = value - carry * LIMB
    }
    if (carry > 0) limbs[used++] = carry
  }
  const out = limbs === scratch ? digits : Buffer.alloc(limbs.length * 5)
  let at = used * 5
  for (let j = 0; j < used; j++) {
    let limb = limbs[j]! | 0
    for (let d = 0; d < 5; d++) {
      const next = (limb / 58) | 0
      out[--at] = CODES[limb - next * 58]!
      limb = next
    }
  }
  const end = used * 5
  while (at < end && out[at] === 49) at++
  return '1'.repeat(zeros) + out.toString('latin1', at, end)
}

/** Value of the base58 digits of `s` from `from` as 24-bit limbs, least first; the number used, or -1 for a bad digit. */
function decodeLimbs(s: string, from: number, limbs: Float64Array): number {
  let used = 0
  let i = from
  while (i < s.length) {
    let carry = 0
    let scale = 1
    for (let d = 0; d < 4 && i < s.length; d++) {
      const code = s.charCodeAt(i++)
      const digit = code < 128 ? DIGIT[code]! : -1
      if (digit < 0) return -1
      carry = carry * 58 + digit
      scale *= 58
    }
    for (let j = 0; j < used; j++) {
      const value = limbs[j]! * scale + carry
      carry = Math.floor(value / BYTES_LIMB)
      limbs[j] = value - carry * BYTES_LIMB
    }
    if (carry > 0) limbs[used++] = carry
  }
  return used
}

/** Decodes text of at most `maxBytes` bytes; null when it is not base58 or longer. Quadratic in its length. */
export function base58DecodeBytes(s: string, maxBytes: number): Buffer | null {
  if (s.length > Math.ceil(maxBytes * 1.37) + 1) return null
  let zeros = 0
  while (zeros < s.length && s.charCodeAt(zeros) === 49) zeros++
  const limbs = s.length <= 88 ? scratch : new Float64Array(Math.ceil(s.length / 4) + 1)
  const used = decodeLimbs(s, zeros, limbs)
  if (used < 0) return null
  const top = used === 0 ? 0 : limbs[used - 1]!
  const size = zeros + (used === 0 ? 0 : (used - 1) * 3 + (top > 65_535 ? 3 : top > 255 ? 2 : 1))
  if (size > maxBytes) return null
  const bytes = Buffer.alloc(size)
  let at = size
  for (let j = 0; j < used; j++) {
    const limb = limbs[j]! | 0
    if (at > zeros) bytes[--at] = limb & 255
    if (at > zeros) bytes[--at] = (limb >> 8) & 255
    if (at > zeros) bytes[--at] = limb >> 16
  }
  return bytes
}

/** Decodes to a latin-1 string of exactly `size` bytes, or null when the text is not that. */
export function base58Decode(s: string, size: number): string | null {
  if (s.length === 0) return null
  const bytes = base58DecodeBytes(s, size)
  return bytes !== null && bytes.length === size ? bytes.toString('latin1') : null
}

export const keyToBase58 = (key: Key): string => base58Encode(key)
export const sigToBase58 = (sig: Sig): string => (sig === '' ? '' : base58Encode(sig))
export const keyFromBase58 = (s: string): Key | null => base58Decode(s, 32) as Key | null
export const sigFromBase58 = (s: string): Sig | null => base58Decode(s, 64) as Sig | null

/** For constants in the source: throws where the literal is not a key. */
export function key(literal: string): Key {
  const decoded = keyFromBase58(literal)
  if (decoded === null) throw new Error(`not a base58 public key: ${literal}`)
  return decoded
}
