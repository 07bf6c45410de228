import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import { DUP, type DupFlags } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { isCopy, isTextCopied } from './duplication.ts'
import { newToken } from './tokens.ts'

const token = (createdSlot: number, changes: Partial<Token> = {}): Token => ({
  ...newToken(0, 'm'.repeat(32) as Key, createdSlot, 1),
  ...changes,
})

test('image and links are copies, names and symbols are not', () => {
  const having = (field: keyof DupFlags): boolean => {
    const one = token(0)
    one.dup = { ...one.dup, [field]: DUP.yes }
    return isCopy(one)
  }
  for (const field of ['image', 'twitter', 'telegram', 'website'] as const) assert.equal(having(field), true, field)
  for (const field of ['name', 'symbol', 'symbolName'] as const) assert.equal(having(field), false, field)
})

test('text counts as copied for a day, or while the first token is worth more', () => {
  const first = token(1_000, { mcap: 50 })
  assert.equal(isTextCopied(token(1_000 + 215_999, { mcap: 60 }), first), true)
  assert.equal(isTextCopied(token(1_000 + 216_000, { mcap: 60 }), first), false)
  assert.equal(isTextCopied(token(1_000 + 216_000, { mcap: 50 }), first), false)
  assert.equal(isTextCopied(token(1_000 + 216_000, { mcap: 49 }), first), true)
})
