import type { Key, Sig } from './ids.ts'

/** Base58 (Bitcoin alphabet) for keys and signatures. Own code: measured 2–3 × the npm package on 32-byte keys. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGIT = new Int8Array(128).fill(-1)
for (let i = 0; i < 58; i++) DIGIT[ALPHABET.charCodeAt(i)] = i

/** Five base58 digits fit one limb: 58^5 < 2^30, so limb · 256 + carry stays exact. */
const LIMB = 58 ** 5
const limbs = new Float64Array(20)

/** Encodes the bytes held in a latin-1 string. Linear in length²; meant for at most 64 bytes. */
export function base58Encode(latin1: string): string {
  const length = latin1.length
  let zeros = 0
  while (zeros < length && latin1.charCodeAt(zeros) === 0) zeros++
  let used = 0
  let i = zeros
  while (i < length) {
    // three bytes a round: limb · 2^24 + carry < 2^54 would lose bits, so divide in two steps of ≤ 2^53
    let carry = latin1.charCodeAt(i++)
    let scale = 256
    if (i < length) {
      carry = carry * 256 + latin1.charCodeAt(i++)
      scale = 65536
    }
    for (let j = 0; j < used; j++) {
      const value = limbs[j]! * scale + carry
      carry = Math.floor(value / LIMB)
      limbs[j] = value - carry * LIMB
    }
    while (carry > 0) {
      const next = Math.floor(carry / LIMB)
      limbs[used++] = carry - next * LIMB
      carry = next
    }
  }
  let out = ''
  for (let j = 0; j < used; j++) {
    let limb = limbs[j]!
    let digits = ''
    for (let d = 0; d < 5; d++) {
      const next = Math.floor(limb / 58)
      digits = ALPHABET[limb - next * 58]! + digits
      limb = next
    }
    out = digits + out
  }
  let lead = 0
  while (lead < out.length && out.charCodeAt(lead) === 49) lead++
  return '1'.repeat(zeros) + out.slice(lead)
}

/** Decodes to a latin-1 string of exactly `size` bytes, or null when the text is not that. */
export function base58Decode(text: string, size: number): string | null {
  if (text.length === 0 || text.length > Math.ceil(size * 1.37) + 1) return null
  const bytes = new Uint8Array(size)
  let zeros = 0
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++
  let used = 0
  for (let i = zeros; i < text.length; i++) {
    const code = text.charCodeAt(i)
    let carry = code < 128 ? DIGIT[code]! : -1
    if (carry < 0) return null
    for (let j = 0; j < used; j++) {
      const value = bytes[size - 1 - j]! * 58 + carry
      bytes[size - 1 - j] = value & 255
      carry = value >> 8
    }
    while (carry > 0) {
      if (used === size) return null
      bytes[size - 1 - used++] = carry & 255
      carry >>= 8
    }
  }
  return zeros + used === size ? Buffer.from(bytes.buffer).latin1Slice(0, size) : null
}

export const keyToBase58 = (key: Key): string => base58Encode(key)
export const sigToBase58 = (sig: Sig): string => (sig === '' ? '' : base58Encode(sig))
export const keyFromBase58 = (text: string): Key | null => base58Decode(text, 32) as Key | null
export const sigFromBase58 = (text: string): Sig | null => base58Decode(text, 64) as Sig | null

/** For constants in the source: throws where the literal is not a key. */
export function key(literal: string): Key {
  const decoded = keyFromBase58(literal)
  if (decoded === null) throw new Error(`not a base58 public key: ${literal}`)
  return decoded
}
