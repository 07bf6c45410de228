import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { SHA256_TEXT_MAX, sha256Block } from './sha256.ts'

function hex(text: string): string {
  const words = new Int32Array(8)
  sha256Block(text, words)
  return [...words].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

test('agrees with node:crypto on every length of one block', () => {
  for (let length = 0; length <= SHA256_TEXT_MAX; length++) {
    const text = 'ÿ'.repeat(length)
    assert.equal(hex(text), createHash('sha256').update(text, 'latin1').digest('hex'), `${length} characters`)
  }
})

test('agrees with node:crypto on random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: SHA256_TEXT_MAX }), (bytes) => {
      assert.equal(hex(Buffer.from(bytes).toString('latin1')), createHash('sha256').update(bytes).digest('hex'))
    }),
    { numRuns: 2000 },
  )
})

test('more than one block is refused', () => {
  assert.throws(() => hex('a'.repeat(SHA256_TEXT_MAX + 1)), RangeError)
})
