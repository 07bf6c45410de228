import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markOf } from './mark.ts'

const MINT = 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z'

test('a mint has always the same mark, and another one has another', () => {
  assert.deepEqual(markOf(MINT), markOf(MINT))
  const marks = new Set(Array.from({ length: 500 }, (_, i) => JSON.stringify(markOf(`${MINT}${i}`))))
  assert.ok(marks.size > 480, `${marks.size} of 500 differ`)
})

test('every tint occurs, and nothing but squares is drawn', () => {
  const marks = Array.from({ length: 500 }, (_, i) => markOf(`${i}${MINT}`))
  assert.equal(new Set(marks.map(({ tint }) => tint)).size, 8)
  for (const { path, tint } of marks) {
    assert.match(path, /^(M[1-5] [1-5]h1v1h-1z|M3 1h1v5h-1z)+$/)
    assert.equal(tint >= 0 && tint <= 7, true, String(tint))
  }
})
