import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { base58Encode, keyFromBase58 } from '../base/base58.ts'
import { PAGE, PARAMETERS } from './parameters.ts'
import { SNAPSHOT_GROUPS } from './resources.ts'

const { mint, fields, limit, offset } = PARAMETERS

const value = (parsed: { ok: boolean; value?: unknown }) => (parsed.ok ? parsed.value : 'refused')

test('a mint is base58 of exactly 32 bytes, however its bytes begin', () => {
  const bytes = fc.tuple(fc.nat({ max: 3 }), fc.uint8Array({ minLength: 32, maxLength: 32 })).map(([zeros, key]) => {
    key.fill(0, 0, zeros)
    return Buffer.from(key).toString('latin1')
  })
  fc.assert(fc.property(bytes, (key) => mint.parse(base58Encode(key)).ok))
})

test('the check without decoding agrees with decoding', () => {
  const digits = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
  const bounds = ['JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG', '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM']
  const near = fc
    .tuple(fc.constantFrom(...bounds), fc.nat({ max: 43 }), fc.constantFrom(...digits))
    .map(([bound, at, digit]) => bound.slice(0, at) + digit + bound.slice(at + 1))
  const any = fc.string({ unit: fc.constantFrom(...digits, '0', 'O', 'l', 'é'), minLength: 40, maxLength: 46 })
  const free = fc.string({ unit: fc.constantFrom(...digits), minLength: 43, maxLength: 44 })
  fc.assert(
    fc.property(fc.oneof(near, free, any), (text) => {
      assert.equal(mint.parse(text).ok, keyFromBase58(text) !== null, text)
    }),
    { numRuns: 5000 },
  )
  for (const bound of bounds) assert.ok(mint.parse(bound).ok)
})

test('anything else is no mint', () => {
  for (const bad of ['', 'new', '0'.repeat(44), `${'1'.repeat(33)}`, 'x'.repeat(5000), ['a', 'b'], undefined]) {
    const parsed = mint.parse(bad)
    assert.equal(parsed.ok, false)
    assert.match(parsed.ok ? '' : parsed.message, /mint must be a token mint address: base58 of 32 bytes/)
  }
})

test('fields: all by default, blanks ignored, repeats collapse, order is the snapshot’s', () => {
  for (const all of [undefined, '', ' ', ',,', ' , ']) assert.deepEqual(value(fields.parse(all)), SNAPSHOT_GROUPS)
  assert.deepEqual(value(fields.parse('score, meta,,score')), ['meta', 'score'])
  assert.deepEqual(value(fields.parse([...SNAPSHOT_GROUPS].reverse().join(','))), SNAPSHOT_GROUPS)
})

test('fields: unknown groups are named together with the ten valid ones', () => {
  const parsed = fields.parse('meta,prices,Score')
  assert.equal(parsed.ok, false)
  const message = parsed.ok ? '' : parsed.message
  assert.ok(message.includes('prices, Score'))
  for (const group of SNAPSHOT_GROUPS) assert.ok(message.includes(group))
  const flood = fields.parse(Array.from({ length: 500 }, (_, i) => `${'x'.repeat(200)}${i}`).join(','))
  assert.ok(!flood.ok && flood.message.length < 1_000)
  assert.equal(fields.parse(['meta', 'score']).ok, false)
  assert.equal(fields.parse('__proto__').ok, false)
})

test('limit is clamped, offset is not', () => {
  assert.equal(value(limit.parse(undefined)), 50)
  assert.equal(value(limit.parse('1')), 1)
  assert.equal(value(limit.parse('100')), 100)
  assert.equal(value(limit.parse('101')), 100)
  assert.equal(value(limit.parse('9'.repeat(400))), 100)
  assert.equal(value(offset.parse(undefined)), 0)
  assert.equal(value(offset.parse('007')), 7)
  assert.equal(value(offset.parse(String(PAGE.offsetMax))), PAGE.offsetMax)
  for (const bad of ['0', '-1', '', ' 5', '1.0', '1e2', '0x10', 'ten', '٣', ['1', '2']]) {
    assert.equal(limit.parse(bad).ok, false, `limit=${bad}`)
  }
  for (const bad of ['-1', '', '1.5', String(PAGE.offsetMax + 1), '9'.repeat(400), ['1', '1']]) {
    assert.equal(offset.parse(bad).ok, false, `offset=${bad}`)
  }
})
