import assert from 'node:assert/strict'
import { test } from 'node:test'
import { earlierToken, listed, reuseOf, searchFor } from './reuse.ts'

const NONE = {
  image: false,
  name: false,
  symbol: false,
  symbol_name: false,
  telegram: false,
  twitter: false,
  website: false,
}
const found = (mint: string, symbol: string, name: string, deployed_at: string | null) => ({
  mint,
  symbol,
  name,
  deployed_at,
  mcap: 1,
  score: 1,
  rating: 'neutral' as const,
  has_migrated: false,
})
const ME = { mint: 'me', symbol: 'CAT', name: 'The Cat', deployed_at: '2026-02-02T00:00:00.000000Z' }

test('what was reused and what is not checked yet, in words', () => {
  const both = { ...NONE, symbol: true, name: true, symbol_name: true, website: true, image: null }
  assert.deepEqual(reuseOf(both), { reused: ['symbol and name together', 'website'], unchecked: ['image'] })
  assert.deepEqual(reuseOf(NONE), { reused: [], unchecked: [] })
  assert.equal(listed(['a', 'b', 'c']), 'a, b and c')
  assert.equal(listed(['a']), 'a')
})

test('the earlier token is the oldest with the reused words that was launched before', () => {
  const others = [
    found('later', 'CAT', 'x', '2026-03-02T00:00:00.000000Z'),
    found('second', 'cat', 'x', '2026-01-02T00:00:00.000000Z'),
    found('first', 'C at', 'x', '2026-01-01T00:00:00.000000Z'),
    found('unknown', 'CAT', 'x', null),
    found('other', 'CATS', 'The Cat', '2025-01-01T00:00:00.000000Z'),
    found('me', 'CAT', 'The Cat', '2024-01-01T00:00:00.000000Z'),
  ]
  assert.equal(earlierToken(ME, { ...NONE, symbol: true }, others)?.mint, 'first')
  assert.equal(earlierToken(ME, { ...NONE, name: true }, others)?.mint, 'other')
  assert.equal(earlierToken(ME, { ...NONE, symbol_name: true }, others), null)
  assert.equal(earlierToken({ ...ME, deployed_at: null }, { ...NONE, symbol: true }, others), null)
})

test('nothing is searched for where only links or the image were reused', () => {
  assert.equal(searchFor(ME, { ...NONE, website: true }), null)
  assert.equal(searchFor(ME, { ...NONE, symbol: true }), 'CAT')
  assert.equal(searchFor(ME, { ...NONE, name: true }), 'The Cat')
})
