import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { base64Decode } from './base64.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

test('what was encoded is decoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.deepEqual(base64Decode(text(bytes)), Buffer.from(bytes))
    }),
  )
})

test('a text that encodes nothing is refused: exactly what encoding again would change', () => {
  const alphabet = 'ABab01+/=-_@ \n\u00e4\u0141\u{1f600}'
  const near = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), fc.constantFrom(...alphabet))
    .map(([bytes, at, char]) => {
      const whole = text(bytes)
      return whole.slice(0, at % whole.length) + char + whole.slice((at % whole.length) + 1)
    })
  const any = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })
  fc.assert(
    fc.property(fc.oneof(near, any), (candidate) => {
      const again = Buffer.from(candidate, 'base64').toString('base64')
      assert.equal(base64Decode(candidate) !== null, again === candidate, JSON.stringify(candidate))
    }),
    { numRuns: 2_000 },
  )
})
