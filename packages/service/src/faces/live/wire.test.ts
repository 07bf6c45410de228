import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTexts } from '../../../../../test/support/live-frames.ts'
import fc from '../../../../../test/support/property.ts'
import { frameTexts } from './wire.ts'

test('texts become whole text frames, one behind the other', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('é'.repeat(63), '😀'.repeat(40)))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      assert.deepEqual(readTexts(frameTexts(texts)), texts)
    }),
  )
})

test('lengths around the three forms of the head', () => {
  for (const [length, head] of [
    [0, '8100'],
    [125, '817d'],
    [126, '817e007e'],
    [65_535, '817effff'],
    [65_536, '817f0000000000010000'],
    [70_000, '817f0000000000011170'],
  ] as const) {
    const bytes = frameTexts(['x'.repeat(length), 'next'])
    assert.equal(bytes.toString('hex', 0, head.length / 2), head)
    assert.equal(bytes.length, head.length / 2 + length + 6)
    assert.deepEqual(readTexts(bytes), ['x'.repeat(length), 'next'])
  }
  // a length in bytes, not in characters
  assert.equal(frameTexts(['ü'.repeat(63)]).toString('hex', 0, 4), '817e007e')
})

test('no texts are no bytes, and no two results share memory', () => {
  assert.equal(frameTexts([]).length, 0)
  const [one, other] = [frameTexts(['a']), frameTexts(['a'])]
  assert.notEqual(one.buffer, other.buffer)
  assert.equal(one.buffer.byteLength, one.length)
})
