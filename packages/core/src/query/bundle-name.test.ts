import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { key } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { bundleName } from './bundle-name.ts'

const MINT = key('So11111111111111111111111111111111111111112')
const FOUNDER = key('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg')

test('a name is the same on every node: a worked example', () => {
  assert.deepEqual(bundleName(MINT, 250_000_000, FOUNDER), { id: 'bdl_33yWXUVZhNYZ', name: 'fierce-canyon-156' })
})

test('the id is the hash of mint, slot and founder in base58', () => {
  const slot = Buffer.from([0x80, 0xb2, 0xe6, 0x0e, 0, 0, 0, 0])
  const bytes = Buffer.concat([Buffer.from(MINT, 'latin1'), slot, Buffer.from(FOUNDER, 'latin1')])
  assert.equal(bytes.length, 72)
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let rest = BigInt(`0x${createHash('sha256').update(bytes).digest('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabet[Number(rest % 58n)]! + text
  assert.equal(bundleName(MINT, 250_000_000, FOUNDER).id, `bdl_${text.slice(0, 12)}`)
})

test('any other mint, slot or founder is another bundle', () => {
  const all = [
    bundleName(MINT, 1, FOUNDER),
    bundleName(MINT, 2, FOUNDER),
    bundleName(FOUNDER, 1, MINT),
    bundleName(MINT, 1, MINT),
    bundleName(MINT, 4_294_967_297, FOUNDER),
  ]
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
})

test('the form of ids and names', () => {
  const anyKey = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('latin1') as Key)
  fc.assert(
    fc.property(anyKey, fc.nat({ max: 1e9 }), anyKey, (mint, slot, founder) => {
      const { id, name } = bundleName(mint, slot, founder)
      assert.match(id, /^bdl_[1-9A-HJ-NP-Za-km-z]{12}$/)
      assert.match(name, /^[a-z]+-[a-z]+-\d{1,3}$/)
    }),
  )
})
