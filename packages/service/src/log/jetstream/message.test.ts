import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { createJoiner, cut, type LogMessage } from './message.ts'

const message = (sequence: number, id: string, part: number, parts: number, text: string): LogMessage => ({
  sequence,
  id,
  seq: 0,
  part,
  parts,
  bytes: Buffer.from(text),
  chain: '',
})

test('whatever is cut is joined again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (content, most) => {
      const pieces = cut(Buffer.from(content), most)
      assert.ok(pieces.every(({ length }) => length <= most))
      const joiner = createJoiner()
      const joined = pieces.map((bytes, part) =>
        joiner.take({ sequence: part + 1, id: 'a', seq: 0, part, parts: pieces.length, bytes, chain: '' }),
      )
      assert.deepEqual(joined.slice(0, -1), Array(pieces.length - 1).fill(null))
      assert.deepEqual(joined.at(-1), Buffer.from(content))
    }),
  )
})

test('parts that another message interrupts are nothing, and the next attempt is whole', () => {
  const joiner = createJoiner()
  const taken = [
    message(1, 'a', 0, 3, 'one '),
    message(2, 'a', 1, 3, 'two '),
    message(3, 'b', 0, 1, 'other'),
    message(4, 'a', 2, 3, 'three'),
    message(5, 'c', 0, 2, 'one '),
    message(6, 'd', 0, 2, 'first '),
    message(7, 'd', 1, 2, 'second'),
    message(8, 'c', 1, 2, 'two'),
  ].map((one) => joiner.take(one)?.toString() ?? null)
  assert.deepEqual(taken, [null, null, 'other', null, null, null, 'first second', null])
})

test('parts with a message between them that was not read, or of another count, do not join', () => {
  const joiner = createJoiner()
  assert.equal(joiner.take(message(1, 'a', 0, 2, 'x')), null)
  assert.equal(joiner.take(message(3, 'a', 1, 2, 'y')), null)
  assert.equal(joiner.take(message(4, 'e', 0, 2, 'x')), null)
  assert.equal(joiner.take(message(5, 'e', 1, 3, 'y')), null)
})
