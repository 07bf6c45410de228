import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listed, originsOf, reuseOf } from './reuse.ts'

const NONE = {
  image: false,
  name: false,
  symbol: false,
  symbol_name: false,
  telegram: false,
  twitter: false,
  website: false,
}
const token = (mint: string) => ({
  mint,
  symbol: 'CAT',
  name: 'The Cat',
  deployed_at: null,
  mcap: 1,
  score: 1,
  colour: 'neutral' as const,
  has_migrated: false,
  first: null,
})

test('what was reused and what is not checked yet, in words', () => {
  const both = { ...NONE, symbol: true, name: true, symbol_name: true, website: true, image: null }
  const earlier = [{ field: 'symbol_name' as const, token: token('first'), copied: true }]
  assert.deepEqual(reuseOf(both, earlier), { reused: ['symbol and name together', 'website'], unchecked: ['image'] })
  assert.deepEqual(reuseOf(NONE, []), { reused: [], unchecked: [] })
  assert.equal(listed(['a', 'b', 'c']), 'a, b and c')
  assert.equal(listed(['a']), 'a')
})

test('a name or symbol is an alarm only where it counts as copied; image and links always are', () => {
  const all = { ...NONE, symbol: true, name: true, twitter: true }
  assert.deepEqual(reuseOf(all, null).reused, ['social link'])
  const first = token('first')
  const earlier = [
    { field: 'symbol' as const, token: first, copied: false },
    { field: 'name' as const, token: first, copied: true },
  ]
  assert.deepEqual(reuseOf(all, earlier).reused, ['name', 'social link'])
  assert.deepEqual(originsOf(earlier), [{ token: first, fields: ['name'] }])
})

test('each earlier token is named once, with what it had first', () => {
  const [first, second] = [token('first'), token('second')]
  assert.deepEqual(
    originsOf([
      { field: 'symbol_name', token: first, copied: true },
      { field: 'symbol', token: first, copied: true },
      { field: 'name', token: second, copied: true },
      { field: 'website', token: first, copied: true },
    ]),
    [
      { token: first, fields: ['symbol and name together', 'website'] },
      { token: second, fields: ['name'] },
    ],
  )
  assert.deepEqual(originsOf([]), [])
})
