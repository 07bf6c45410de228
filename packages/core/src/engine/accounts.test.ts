import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import type { Position } from '../model/state.ts'
import { place, reconcile } from './accounts.ts'
import { newWallet } from './history.ts'
import { openPosition } from './positions.ts'

const [A, B] = [11, 22]
const SLOT = 100
const open = (balance = 0): Position => ({
  ...openPosition(0, newWallet(0, 'w'.repeat(32) as Key, 0), SLOT),
  balance,
})
/** A trade of `tokens` by way of an account, -1 if only its log is known. */
function trade(position: Position, account: number, tokens: number): void {
  position.balance += tokens
  place(position, account, tokens)
}

test('an account first seen with a balance adds it once, and one that is absent keeps what it has', () => {
  const position = open()
  assert.equal(reconcile(position, A, 10, SLOT, false), 10)
  assert.equal(reconcile(position, A, 10, SLOT, false), 0)
  assert.equal(reconcile(position, B, 5, SLOT, false), 5)
  trade(position, B, 1)
  assert.deepEqual([position.balance, position.received, position.unpriced], [16, 0, 15])
  assert.equal(reconcile(position, A, 10, SLOT, false), 0)
  assert.equal(reconcile(position, B, 6, SLOT, false), 0)
})

test('trades known from their log find their account later', () => {
  const position = open()
  trade(position, -1, 8)
  assert.equal(reconcile(position, A, 8, SLOT, true), 0)
  trade(position, -1, -3)
  assert.equal(reconcile(position, A, 5, SLOT, true), 0)
  assert.deepEqual([position.balance, position.unplaced], [5, 0])
})

test('a difference is a gift where every movement was seen, and tokens that are gone leave', () => {
  const position = open()
  reconcile(position, A, 0, SLOT, true)
  trade(position, A, 4)
  assert.equal(reconcile(position, A, 9, SLOT, true), 5)
  assert.deepEqual([position.balance, position.received], [9, 5])
  assert.equal(reconcile(position, A, 2, SLOT, true), -7)
  assert.equal(position.balance, 2)
})

test('above 2^53 a difference of the last bits is rounding, no movement', () => {
  const position = open()
  reconcile(position, A, 1e18, SLOT, true)
  const received = position.received
  assert.equal(reconcile(position, A, 1e18 + 256, SLOT, true), 256)
  assert.deepEqual([position.balance, position.received], [1e18 + 256, received])
})

test('accounts beyond the bound are known as a whole', () => {
  const position = open()
  for (let account = 1; account <= 9; account++) reconcile(position, account, 1, SLOT, false)
  assert.equal(reconcile(position, 10, 7, SLOT, false), 0)
  assert.deepEqual([position.balance, position.others.length], [9, 16])
})
