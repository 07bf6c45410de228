import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoMicros, isoMicrosOrNull } from './time.ts'

test('microseconds, UTC', () => {
  assert.equal(isoMicros(1_790_817_800.6698), '2026-10-01T01:23:20.669800Z')
  assert.equal(isoMicros(0.9999996), '1970-01-01T00:00:01.000000Z')
  assert.equal(isoMicrosOrNull(0), null)
})
