import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import {
  base58Decode,
  base58DecodeBytes,
  base58Encode,
  key,
  keyFromBase58,
  keyToBase58,
  sigFromBase58,
  sigToBase58,
} from './base58.ts'
import { type Key, NO_SIG, ZERO_KEY } from './ids.ts'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The definition, in bigints. */
function slowEncode(bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let out = ''
  for (; value > 0n; value /= 58n) out = ALPHABET[Number(value % 58n)]! + out
  for (const byte of bytes) {
    if (byte !== 0) break
    out = `1${out}`
  }
  return out
}

const latin1 = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1')
const anyBytes = fc.uint8Array({ maxLength: 64 })
const manyZeros = fc.array(fc.constantFrom(0, 0, 0, 1, 57, 58, 255), { maxLength: 64 }).map((a) => Uint8Array.from(a))

describe('base58', () => {
  test('vectors of the draft (draft-msporny-base58)', () => {
    assert.equal(base58Encode('Hello World!'), '2NEpo7TZRRrLZSi2U')
    assert.equal(
      base58Encode('The quick brown fox jumps over the lazy dog.'),
      'USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z',
    )
    assert.equal(base58Encode(latin1('0000287fb4cd')), '11233QC4')
    assert.equal(base58Encode(''), '')
  })

  test('known keys', () => {
    assert.equal(keyToBase58(ZERO_KEY), '1'.repeat(32))
    assert.equal(keyFromBase58('1'.repeat(32)), ZERO_KEY)
    const wrappedSol = '069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000001'
    assert.equal(
      keyToBase58(key('So11111111111111111111111111111111111111112')),
      'So11111111111111111111111111111111111111112',
    )
    assert.equal(key('So11111111111111111111111111111111111111112'), latin1(wrappedSol))
  })

  test('agrees with the definition and comes back', () => {
    fc.assert(
      fc.property(fc.oneof(anyBytes, manyZeros), (bytes) => {
        const raw = Buffer.from(bytes).toString('latin1')
        const text = base58Encode(raw)
        assert.equal(text, slowEncode(bytes))
        assert.equal(base58DecodeBytes(text, 64)?.toString('latin1'), raw)
        if (bytes.length > 0) assert.equal(base58Decode(text, bytes.length), raw)
        assert.equal(base58Decode(text, bytes.length + 1), null)
      }),
      { numRuns: 3_000 },
    )
  })

  test('long data comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 65, maxLength: 1_500 }), (bytes) => {
        const raw = Buffer.from(bytes)
        const text = base58Encode(raw.toString('latin1'))
        assert.deepEqual(base58DecodeBytes(text, 1_500), raw)
        assert.equal(base58DecodeBytes(text, 64), null)
      }),
      { numRuns: 50 },
    )
  })

  test('any text decodes to null or to what encodes to it again', () => {
    const near = fc.string({ unit: fc.constantFrom(...ALPHABET, '0', 'O', 'l', 'é'), maxLength: 95 })
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary', maxLength: 95 })), (text) => {
        for (const decoded of [base58Decode(text, 32), base58Decode(text, 64)])
          if (decoded !== null) assert.equal(base58Encode(decoded), text)
        const bytes = base58DecodeBytes(text, 70)
        if (bytes !== null) assert.equal(base58Encode(bytes.toString('latin1')), text)
      }),
      { numRuns: 3_000 },
    )
  })

  test('refuses bad digits, wrong sizes and nonsense lengths', () => {
    assert.equal(keyFromBase58(''), null)
    assert.equal(keyFromBase58('0OIl'), null)
    assert.equal(keyFromBase58('z'.repeat(44)), null)
    assert.equal(keyFromBase58('1'.repeat(31)), null)
    assert.equal(keyFromBase58('1'.repeat(33)), null)
    assert.equal(base58DecodeBytes('1'.repeat(1_000_000), 64), null)
    assert.throws(() => key('not a key'), /not a base58 public key/)
  })

  test('signatures', () => {
    const sig = Buffer.alloc(64, 0xab).toString('latin1')
    assert.equal(sigFromBase58(base58Encode(sig)), sig)
    assert.equal(sigToBase58(NO_SIG), '')
  })
})

describe('one text for each key', () => {
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const zeros = fc.nat(32).map((n) => Uint8Array.from({ length: 32 }, (_, i) => (i < n ? 0 : 200)))
  // damage that other decoders let pass: ones more or fewer, spaces, other alphabets, case, signs that look alike
  const damages: ((text: string, at: number) => string)[] = [
    (text) => `1${text}`,
    (text) => text.replace(/^1/, ''),
    (text) => ` ${text}`,
    (text) => `${text}\n`,
    (text) => `${text}=`,
    (text, at) => `${text.slice(0, at)}0${text.slice(at + 1)}`,
    (text, at) => `${text.slice(0, at)}l${text.slice(at + 1)}`,
    (text, at) => `${text.slice(0, at)}\u0131${text.slice(at + 1)}`,
    (text, at) => `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) + 256)}${text.slice(at + 1)}`,
  ]

  test('no other text is taken for it', () => {
    fc.assert(
      fc.property(fc.oneof(keys, zeros), fc.nat(31), fc.constantFrom(...damages), (bytes, at, damage) => {
        const text = keyToBase58(Buffer.from(bytes).toString('latin1') as Key)
        const other = damage(text, at)
        if (other === text) return
        assert.equal(keyFromBase58(other), null, other)
      }),
      { numRuns: 2_000 },
    )
  })

  test('what is taken is what would be written', () => {
    const digits = fc.array(fc.constantFrom(...ALPHABET, '1', '1'), { minLength: 30, maxLength: 46 })
    let taken = 0
    fc.assert(
      fc.property(digits, (text) => {
        const found = keyFromBase58(text.join(''))
        if (found === null) return
        taken++
        assert.equal(found.length, 32)
        assert.equal(keyToBase58(found), text.join(''))
      }),
      { numRuns: 2_000 },
    )
    assert.ok(taken > 50, `${taken} taken`)
  })
})
