import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { isSmallOrder } from './small-order.ts'

/** Arithmetic of edwards25519 of its own (RFC 8032, 5.1), to find the points of small order without taking them from a list. */
const P = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const mod = (value: bigint): bigint => ((value % P) + P) % P
function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n
  const half = power((base * base) % P, exponent >> 1n)
  return (exponent & 1n) === 1n ? (half * base) % P : half
}
const inverse = (value: bigint): bigint => power(mod(value), P - 2n)
const D = mod(-121665n * inverse(121666n))

type Point = readonly [bigint, bigint]
const NEUTRAL: Point = [0n, 1n]

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const k = mod(D * x1 * x2 * y1 * y2)
  return [mod((x1 * y2 + x2 * y1) * inverse(1n + k)), mod((y1 * y2 + x1 * x2) * inverse(1n - k))]
}

function times(point: Point, factor: bigint): Point {
  let result = NEUTRAL
  for (let double = point, rest = factor; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = add(result, double)
    double = add(double, double)
  }
  return result
}

/** The point with that y; null where there is none. */
function lift(y: bigint): Point | null {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n))
  const root = power(square, (P + 3n) / 8n)
  for (const x of [root, mod(root * power(2n, (P - 1n) / 4n))]) if (mod(x * x) === square) return [x, y]
  return null
}

function encode(x: bigint, y: bigint): Buffer {
  const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse()
  bytes[31]! |= Number(x & 1n) << 7
  return bytes
}

/** Every point times L has an order that divides 8; enough of them give all eight. */
function smallPoints(): Map<string, Point> {
  const found = new Map<string, Point>()
  for (let y = 2n; found.size < 8 && y < 200n; y++) {
    const point = lift(y)
    if (point === null) continue
    const small = times(point, L)
    for (let k = 0n; k < 8n; k++) {
      const multiple = times(small, k)
      found.set(encode(...multiple).toString('hex'), multiple)
    }
  }
  return found
}

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')
const keyOf = (bytes: Buffer) =>
  createPublicKey({ key: Buffer.concat([SPKI_ED25519, bytes]), format: 'der', type: 'spki' })

/** R neutral and S zero: valid under a key of order d for one message in d. */
const FORGED = Buffer.concat([encode(...NEUTRAL), Buffer.alloc(32)])
const forgeries = (bytes: Buffer): number =>
  Array.from({ length: 200 }, (_, i) => verify(null, Buffer.from(`message ${i}`), keyOf(bytes), FORGED)).filter(Boolean)
    .length

test('all keys of small order, also in forms that are not canonical, are told; signatures under them can be made up', () => {
  const points = smallPoints()
  assert.equal(points.size, 8)
  let forged = 0
  for (const [hex, [, y]] of points) {
    const bytes = Buffer.from(hex, 'hex')
    assert.equal(isSmallOrder(bytes), true, hex)
    if (forgeries(bytes) > 0) forged++
    const otherSign = Buffer.from(bytes)
    otherSign[31]! ^= 0x80
    assert.equal(isSmallOrder(otherSign), true, `${hex}, other sign`)
    if (y + P < 2n ** 255n) assert.equal(isSmallOrder(encode(0n, y + P)), true, `${hex} beyond the field`)
  }
  assert.equal(forged, 8, 'what this test calls small is small')
})

test('keys of wallets are none', () => {
  for (let i = 0; i < 200; i++) {
    const { publicKey } = generateKeyPairSync('ed25519')
    const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    assert.equal(isSmallOrder(bytes), false, bytes.toString('hex'))
  }
})
