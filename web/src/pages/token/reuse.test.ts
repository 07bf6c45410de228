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
  rating: 'neutral' as const,
  has_migrated: false,
})

test('what was reused and what is not checked yet, in words', () => {
  const both = { ...NONE, symbol: true, name: true, symbol_name: true, website: true, image: null }
  assert.deepEqual(reuseOf(both), { reused: ['symbol and name together', 'website'], unchecked: ['image'] })
  assert.deepEqual(reuseOf(NONE), { reused: [], unchecked: [] })
  assert.equal(listed(['a', 'b', 'c']), 'a, b and c')
  assert.equal(listed(['a']), 'a')
})

test('each earlier token is named once, with what it had first', () => {
  const [first, second] = [token('first'), token('second')]
  assert.deepEqual(
    originsOf([
      { field: 'symbol_name', token: first },
      { field: 'symbol', token: first },
      { field: 'name', token: second },
      { field: 'website', token: first },
    ]),
    [
      { token: first, fields: ['symbol and name together', 'website'] },
      { token: second, fields: ['name'] },
    ],
  )
  assert.deepEqual(originsOf([]), [])
})
