import type { Key } from './ids.ts'

/**
 * Whether a key is a point of Ed25519 (RFC 8032, section 5.1.3). Only a point can have a private key that signs; an address that a
 * program derives is never one ("Program derived addresses", Solana documentation).
 */
const P = (1n << 255n) - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const Y_BITS = (1n << 255n) - 1n
const WORD = 0xffff_ffffn

/** x² = (y² − 1) / (dy² + 1) has a root if and only if the product of both is a square. The divisor is never 0. */
export function isOnCurve(key: Key): boolean {
  const y = readY(key)
  const square = (y * y) % P
  return jacobi(((square + P - 1n) * (D * square + 1n)) % P) >= 0
}

/** The low 255 bits, little endian. A value above the prime counts as its remainder, as the runtime reads it. */
function readY(key: Key): bigint {
  const bytes = Buffer.from(key, 'latin1')
  let y = 0n
  for (let o = 24; o >= 0; o -= 8) y = (y << 64n) | bytes.readBigUInt64LE(o)
  return (y & Y_BITS) % P
}

/** The Jacobi symbol (a / P): 1 for squares, 0 for 0, else -1. Three times as fast as raising to (P − 1) / 2. */
function jacobi(number: bigint): number {
  let a = number
  let n = P
  let sign = 1
  while (a !== 0n) {
    for (;;) {
      const low = Number(a & WORD)
      const zeros = low === 0 ? 32 : 31 - Math.clz32(low & -low)
      if (zeros === 0) break
      a >>= BigInt(zeros)
      const rest = Number(n & 7n)
      if ((zeros & 1) === 1 && (rest === 3 || rest === 5)) sign = -sign
    }
    if ((a & 3n) === 3n && (n & 3n) === 3n) sign = -sign
    ;[a, n] = [n % a, a]
  }
  return n === 1n ? sign : 0
}
