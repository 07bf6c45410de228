import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { createPaymentBook, type SeenPayment } from './payment-book.ts'

const named = (name: string): Key => name.padEnd(32, '.') as Key
const pay = (wallet: string, funder = 'x', lamports = 5): SeenPayment => ({
  ...{ wallet: named(wallet), funder: named(funder), lamports, slot: 1 },
})
const waitingIn = (book: { has(wallet: Key): boolean }, names: string): string =>
  [...names].filter((name) => book.has(named(name))).join('')

test('a payment waits for its wallet and is given once', () => {
  const book = createPaymentBook({ most: 10, mostOfOne: 10, mostOfBlock: 10 })
  assert.equal(book.add([pay('a'), pay('b')]), 0)
  assert.deepEqual(book.take(named('a')), pay('a'))
  assert.equal(book.take(named('a')), undefined)
  assert.deepEqual([book.size, book.forgotten, waitingIn(book, 'ab')], [1, 0, 'b'])
})

test('the oldest are forgotten for newer ones', () => {
  const book = createPaymentBook({ most: 3, mostOfOne: 10, mostOfBlock: 10 })
  for (const name of 'abcde') book.add([pay(name)])
  assert.deepEqual([book.size, book.forgotten, waitingIn(book, 'abcde')], [3, 2, 'cde'])
})

test('of a block the largest are kept', () => {
  const book = createPaymentBook({ most: 10, mostOfOne: 10, mostOfBlock: 2 })
  assert.equal(book.add([pay('a', 'x', 1), pay('b', 'x', 9), pay('c', 'x', 5), pay('d', 'x', 7)]), 2)
  assert.equal(waitingIn(book, 'abcd'), 'bd')
})

test('one sender has no more than its part, and has it again when its wallets have come', () => {
  const book = createPaymentBook({ most: 4, mostOfOne: 2, mostOfBlock: 10 })
  assert.equal(book.add([pay('a'), pay('b'), pay('c'), pay('d', 'y')]), 1)
  assert.equal(waitingIn(book, 'abcd'), 'abd')
  book.take(named('a'))
  assert.equal(book.add([pay('e'), pay('f')]), 1)
  assert.equal(waitingIn(book, 'bdef'), 'bde')
  // the count of a sender follows what is forgotten for others
  for (const name of 'ghij') book.add([pay(name, name)])
  assert.equal(book.add([pay('k'), pay('l'), pay('m')]), 1)
  assert.equal(waitingIn(book, 'abcdefghijklm'), 'ijkl')
})
