import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'

/** the field of curve 25519 */
const P = 2n ** 255n - 19n
const { privateKey: ANY_SECRET } = generateKeyPairSync('x25519')

/**
 * Detects an ed25519 public key (32 bytes) of order 1, 2, 4 or 8. Anyone can make signatures that verify under it, so they
 * prove nothing. A key agreement with the same point in Montgomery form, u = (1 + y) / (1 - y) (RFC 7748, 4.1), yields zero and
 * is refused (RFC 7748, 6.1).
 */
export function isSmallOrder(publicKey: Uint8Array): boolean {
  const y = numberOf(publicKey) % 2n ** 255n
  const below = mod(1n - y)
  // the neutral element has no u
  if (below === 0n) return true
  const u = bytesOf(mod((1n + y) * power(below, P - 2n)))
  try {
    const jwk = { kty: 'OKP', crv: 'X25519', x: u.toString('base64url') }
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    diffieHellman({ privateKey: ANY_SECRET, publicKey: key })
    return false
  } catch {
    return true
  }
}

const mod = (value: bigint): bigint => ((value % P) + P) % P

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % P
    square = (square * square) % P
  }
  return result
}

const numberOf = (littleEndian: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`)
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
