import assert from 'node:assert/strict'
import { generateKeyPairSync, hash } from 'node:crypto'
import { test } from 'node:test'
import { isOffCurveAddress } from '@solana/kit'
import { keyToBase58 } from './base58.ts'
import { isOnCurve } from './curve.ts'
import { type Key, keyAt, ZERO_KEY } from './ids.ts'

const isOnByKit = (key: Key): boolean => !isOffCurveAddress(keyToBase58(key) as never)

test('public keys are points', () => {
  for (let i = 0; i < 20; i++) {
    const der = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' })
    assert.ok(isOnCurve(keyAt(der, der.length - 32)))
  }
})

test("agrees with Solana's own client on any 32 bytes", () => {
  let on = 0
  for (let i = 0; i < 300; i++) {
    const key = hash('sha256', `key ${i}`, 'binary') as Key
    assert.equal(isOnCurve(key), isOnByKit(key), keyToBase58(key))
    if (isOnCurve(key)) on++
  }
  // half of all values are points
  assert.ok(on > 100 && on < 200, String(on))
})

test('the edges of the field', () => {
  assert.ok(isOnCurve(ZERO_KEY))
  assert.ok(isOnCurve(`\x01${'\0'.repeat(31)}` as Key), 'x = 0')
  assert.ok(!isOnCurve(`\x02${'\0'.repeat(31)}` as Key))
})
