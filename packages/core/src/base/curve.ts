import type { Key } from './ids.ts'

/**
 * Whether a key is a point of Ed25519 (RFC 8032, section 5.1.3). Only a point can have a private key that signs; an address that a
 * program derives is never one ("Program derived addresses", Solana documentation).
 */
const P = (1n << 255n) - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const Y_BITS = (1n << 255n) - 1n

/** x² = (y² − 1) / (dy² + 1) has a root if and only if the product of both is a square. The divisor is never 0. */
export function isOnCurve(key: Key): boolean {
  const y = readY(key)
  const square = (y * y) % P
  return isSquare(((square + P - 1n) * (D * square + 1n)) % P)
}

/** The low 255 bits, little endian. A value above the prime counts as its remainder, as the runtime reads it. */
function readY(key: Key): bigint {
  const bytes = Buffer.from(key, 'latin1')
  let y = 0n
  for (let o = 24; o >= 0; o -= 8) y = (y << 64n) | bytes.readBigUInt64LE(o)
  return (y & Y_BITS) % P
}

/** Numbers of 255 bits in limbs, least first, which small integers can hold: several times as fast as the engine's big integers. */
const LIMB_BITS = 30
const LIMB_MAX = 2 ** LIMB_BITS - 1
const LIMBS = 9
/** The limb after the last is 0. */
const createLimbs = (): Int32Array => new Int32Array(LIMBS + 1)
const rooms = [createLimbs(), createLimbs()] as const

function putLimbs(limbs: Int32Array, number: bigint): void {
  let rest = number
  for (let i = 0; i < LIMBS; i++) {
    limbs[i] = Number(BigInt.asUintN(LIMB_BITS, rest))
    rest >>= BigInt(LIMB_BITS)
  }
}
const P_LIMBS = createLimbs()
putLimbs(P_LIMBS, P)

/** The Jacobi symbol (number / P) is not −1. Subtracts and halves; each step may turn the sign. */
function isSquare(number: bigint): boolean {
  let [a, n] = rooms
  putLimbs(a, number)
  n.set(P_LIMBS)
  let sign = 1
  let size = LIMBS
  for (;;) {
    const zeros = stripZeros(a, size)
    // 0 is its own root; later the two were equal, and 1, because P is a prime
    if (zeros < 0) return sign > 0
    if ((zeros & 1) === 1 && ((n[0]! & 7) === 3 || (n[0]! & 7) === 5)) sign = -sign
    if (isLess(a, n, size)) {
      ;[a, n] = [n, a]
      if ((a[0]! & n[0]! & 3) === 3) sign = -sign
    }
    while (a[size - 1] === 0) size--
    subtract(a, n, size)
  }
}

/** Removes the zero bits at the end; returns their number, or -1 if there is no other bit. */
function stripZeros(a: Int32Array, size: number): number {
  let empty = 0
  while (a[empty] === 0) if (++empty === size) return -1
  if (empty > 0) a.copyWithin(0, empty, size).fill(0, size - empty, size)
  const zeros = 31 - Math.clz32(a[0]! & -a[0]!)
  for (let i = 0; i < size; i++) a[i] = (a[i]! >> zeros) | ((a[i + 1]! << (LIMB_BITS - zeros)) & LIMB_MAX)
  // a limb has an even number of bits
  return zeros
}

function isLess(a: Int32Array, n: Int32Array, size: number): boolean {
  let i = size - 1
  while (i > 0 && a[i] === n[i]) i--
  return a[i]! < n[i]!
}

function subtract(a: Int32Array, n: Int32Array, size: number): void {
  let borrow = 0
  for (let i = 0; i < size; i++) {
    const rest = a[i]! - n[i]! + borrow
    a[i] = rest & LIMB_MAX
    borrow = rest >> LIMB_BITS
  }
}
