import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from './title.ts'

const MINT = 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z'

test('symbol and score, or the name, or the mint', () => {
  assert.equal(titleOf(MINT, { symbol: 'CAT', name: 'The Cat' }, 5.25), 'CAT 5.3 · Token Intelligence')
  assert.equal(titleOf(MINT, { symbol: '', name: 'The Cat' }, null), 'The Cat · Token Intelligence')
  assert.equal(titleOf(MINT, null, null), 'FxtVmS… · Token Intelligence')
})

test('words of strangers are clipped and cannot turn the line around', () => {
  const title = titleOf(MINT, { symbol: `\u202E\n${'🐈'.repeat(500)}`, name: null }, 1)
  assert.equal(title, `${'🐈'.repeat(23)}… 1.0 · Token Intelligence`)
  assert.equal(titleOf(MINT, { symbol: '\u200B\u202E', name: null }, null), 'FxtVmS… · Token Intelligence')
})
