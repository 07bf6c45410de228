import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_SIZE, pageOf, pagingOf } from './paging.ts'

test('pages of launches', () => {
  assert.deepEqual(pagingOf(null, 60), { page: 1, pages: 3, offset: 0, first: 1, last: PAGE_SIZE })
  assert.deepEqual(pagingOf('3', 60), { page: 3, pages: 3, offset: 50, first: 51, last: 60 })
  assert.deepEqual(pagingOf('1', 0), { page: 1, pages: 1, offset: 0, first: 0, last: 0 })
})

test('an odd page in the address is the first', () => {
  for (const odd of ['0', '-1', 'x', '1.5', '', '99999999', 'NaN']) assert.equal(pageOf(odd), 1, odd)
})
