import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainCopy } from './plain-copy.ts'

const record = {
  text: 'é',
  none: null,
  missing: undefined,
  amount: 10n,
  list: [1, [2, { deep: true }]],
  map: new Map([['a', { n: 1 }]]),
  set: new Set([1, 2]),
  bytes: new Uint8Array([1, 2, 3]),
}

test('a plain copy is what structuredClone makes', () => {
  assert.deepStrictEqual(plainCopy(record), structuredClone(record))
})

test('a plain copy shares nothing with what it was made of', () => {
  const copy = plainCopy(record)
  copy.map.get('a')!.n = 2
  copy.set.add(3)
  copy.bytes[0] = 9
  copy.list.push(4)
  assert.deepStrictEqual(record.map, new Map([['a', { n: 1 }]]))
  assert.deepStrictEqual(record.set, new Set([1, 2]))
  assert.deepStrictEqual([...record.bytes], [1, 2, 3])
  assert.deepStrictEqual(record.list, [1, [2, { deep: true }]])
})
