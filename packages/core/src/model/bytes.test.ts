import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { createReader, createWriter, MalformedBytes } from './bytes.ts'

const w = createWriter()
const r = createReader()

function roundTrip(value: number): number {
  w.num(value)
  const bytes = w.take()
  r.open(bytes, 0, bytes.length)
  const back = r.num()
  r.done()
  return back
}

test('numbers come back exactly, the sign of zero included', () => {
  const edges = [0, -0, -1, 1, 223, 224, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 48, 2 ** 53 - 1]
  for (const edge of [...edges, 2 ** 53, 2 ** 80, 0.1, Number.MIN_VALUE, Number.MAX_VALUE]) {
    assert.ok(Object.is(roundTrip(edge), edge), String(edge))
    assert.ok(Object.is(roundTrip(-edge), -edge), String(-edge))
  }
  const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  fc.assert(fc.property(number, (value) => assert.ok(Object.is(roundTrip(value), value))))
})

test('small numbers take one byte, lamports five', () => {
  const size = (value: number): number => {
    w.num(value)
    return w.take().length
  }
  assert.deepEqual([0, 223, 224, -1, 1e9, 1e15, 2 ** 53 - 1, 0.5].map(size), [1, 1, 2, 1, 5, 8, 8, 9])
})

test('text longer than the buffer grows it and comes back', () => {
  const long = 'é🙂x'.repeat(20_000)
  w.text('before')
  w.textOrNull(null)
  w.text(long)
  w.raw('ÿ'.repeat(5), 5)
  const bytes = w.take()
  r.open(bytes, 0, bytes.length)
  assert.deepEqual([r.text(), r.textOrNull(), r.textOrNull(), r.raw(5)], ['before', null, long, 'ÿ'.repeat(5)])
  r.done()
})

test('a lone surrogate becomes U+FFFD, once and for all', () => {
  w.text('a\ud800b')
  const bytes = Buffer.from(w.take())
  r.open(bytes, 0, bytes.length)
  const text = r.text()
  assert.equal(text, 'a\ufffdb')
  w.text(text)
  assert.deepEqual(Buffer.from(w.take()), bytes)
})

test('asking for what is not there is refused', () => {
  const refused = (bytes: number[], ask: () => unknown): void => {
    r.open(Buffer.from(bytes), 0, bytes.length)
    assert.throws(ask, MalformedBytes)
  }
  refused([], () => r.u8())
  refused([], () => r.num())
  refused([225], () => r.num())
  refused([241], () => r.num())
  refused([240], () => r.num())
  refused([239, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f], () => r.num())
  refused([239, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f], () => r.int())
  refused([231, 255, 255, 255, 255, 255, 255, 255], () => r.int())
  refused([5, 1, 2], () => r.text())
  refused([5, 1, 2], () => r.count())
  refused([224], () => r.count())
  refused([1, 2], () => r.raw(3))
  refused([3], () => r.upTo(2))
  refused([2], () => r.bool())
  refused([0], () => r.done())
})
