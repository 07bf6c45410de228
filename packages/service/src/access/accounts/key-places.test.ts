import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyPlaces } from './key-places.ts'

const BOUNDS = { places: 4, keyMs: 1_000, keys: 5, networkKeys: 20, extraBits: 3 }

function setUp() {
  let ms = 0
  const places = createKeyPlaces(() => ms, BOUNDS)
  return {
    places,
    pass: (by: number) => {
      ms += by
    },
    take(address: string, keys: number) {
      for (let i = 0; i < keys; i++) places.take(address, 1)
    },
  }
}

test('every five keys of an address double the work, up to a bound, and are forgotten one by one', () => {
  const { places, pass, take } = setUp()
  const bits: number[] = []
  for (let key = 0; key < 22; key++) {
    bits.push(places.extraBits('192.0.2.1'))
    take('192.0.2.1', 1)
  }
  assert.deepEqual(bits, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3])
  assert.equal(places.extraBits('192.0.2.2'), 0, 'another address')
  pass(12_001)
  assert.equal(places.extraBits('192.0.2.1'), 1, 'under ten are left')
  pass(100_000)
  assert.equal(places.extraBits('192.0.2.1'), 0)
  take('192.0.2.1', 5)
  assert.equal(places.extraBits('192.0.2.1'), 1, 'what was forgotten is not owed back')
})

test('a clock that is set back forgets nothing and adds nothing', () => {
  const { places, pass, take } = setUp()
  pass(10_000)
  take('192.0.2.1', 5)
  pass(-9_000)
  assert.equal(places.extraBits('192.0.2.1'), 1)
})

test('the networks of a /48 count together, as four addresses', () => {
  const { places, take } = setUp()
  for (let net = 0; net < 20; net++) take(`2001:db8:7:${net}::/64`, 1)
  assert.equal(places.extraBits('2001:db8:7:99::/64'), 1)
  assert.equal(places.extraBits('2001:db8:8:99::/64'), 0)
})

test('what is given back was never taken', () => {
  const { places, take } = setUp()
  take('192.0.2.1', 5)
  places.take('192.0.2.1', -1)
  assert.equal(places.extraBits('192.0.2.1'), 0)
  for (let i = 0; i < 9; i++) places.take('192.0.2.1', -1)
  take('192.0.2.1', 5)
  assert.equal(places.extraBits('192.0.2.1'), 1)
})

test('the table is bounded; the place longest without a key goes', () => {
  const { places, take } = setUp()
  take('192.0.2.1', 5)
  take('192.0.2.2', 5)
  for (const address of ['192.0.2.3', '192.0.2.4', '192.0.2.1', '192.0.2.5']) take(address, 1)
  assert.equal(places.size, BOUNDS.places)
  assert.equal(places.extraBits('192.0.2.1'), 1, 'kept')
  assert.equal(places.extraBits('192.0.2.2'), 0, 'gone')
  for (let i = 0; i < 1_000; i++) take(`198.51.100.${i}`, 1)
  assert.equal(places.size, BOUNDS.places)
})
