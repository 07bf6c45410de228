import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import type { Token } from '../model/state.ts'
import { CLASS, enterArrival, enterBuyer, enterClass, moveClasses, peakClasses } from './class-memory.ts'
import { newWallet } from './history.ts'
import { openPosition } from './positions.ts'
import { fateOf } from './reading/who.ts'
import { newToken } from './tokens.ts'

const LAUNCH = 100_000
const token = (): Token => ({ ...newToken(0, 'm'.repeat(32) as Key, LAUNCH, 1), createdKnown: true, deployer: 9 })
const wallet = (id: number, firstSlot = 0) => newWallet(id, `w${id}`.padEnd(32, '.') as Key, firstSlot)
const position = (id: number, balance = 0) => ({ ...openPosition(0, wallet(id), LAUNCH), balance, bought: balance })

test('a class keeps what it holds, the most of it, and what it sold, from before it was known too', () => {
  const of = token()
  const one = { ...position(1, 100), sold: 7 }
  enterClass(of, one, CLASS.kols)
  enterClass(of, one, CLASS.kols)
  peakClasses(of)
  one.balance = 40
  one.gotMore += 5
  moveClasses(of, one, -60, 60, 0, 5)
  peakClasses(of)
  assert.deepEqual(of.classes[CLASS.kols], { wallets: 1, held: 40, peak: 100, sold: 67, paid: 0, got: 5 })
  assert.equal(of.classes[CLASS.fresh]!.wallets, 0)
})

test('snipers: the slot of the creation, 7 slots, not the deployer, not an unseen launch', () => {
  const bits = (slot: number, of = token(), id = 1): number => {
    const own = position(id, 5)
    enterBuyer(of, own, slot)
    return own.classes
  }
  const first = 1 << CLASS.firstBlock
  const seconds = 1 << CLASS.firstSeconds
  const early = 1 << CLASS.early
  assert.equal(bits(LAUNCH), first | seconds | early)
  assert.equal(bits(LAUNCH + 1), seconds | early)
  assert.equal(bits(LAUNCH + 7), seconds | early)
  assert.equal(bits(LAUNCH + 8), early)
  assert.equal(bits(LAUNCH + 150), early)
  assert.equal(bits(LAUNCH + 151), 0)
  assert.equal(bits(LAUNCH, token(), 9), early)
  assert.equal(bits(LAUNCH, { ...token(), createdKnown: false }), 0)
})

test('fresh: seen for less than an hour, fewer than 3 buys, not funded before that, in a log that is long enough', () => {
  const isFresh = (given: { seen?: number; buys?: number; funded?: number; log?: number } = {}): boolean => {
    const { seen = LAUNCH - 8_999, buys = 2, funded, log = LAUNCH - 9_000 } = given
    const who = wallet(1, seen)
    if (funded !== undefined) Object.assign(who, { funder: 5, funderSlot: funded })
    const own = position(1, 5)
    enterArrival(token(), own, who, { slot: LAUNCH, firstSlot: log, buysBefore: buys })
    return own.classes === 1 << CLASS.fresh
  }
  assert.equal(isFresh(), true)
  assert.equal(isFresh({ seen: LAUNCH - 9_000 }), false)
  assert.equal(isFresh({ buys: 3 }), false)
  assert.equal(isFresh({ funded: LAUNCH - 8_999 }), true)
  assert.equal(isFresh({ funded: LAUNCH - 9_000 }), false)
  assert.equal(isFresh({ log: LAUNCH - 8_999 }), false)
})

test('the first 70 buyers of a launch that was seen, in order', () => {
  const of = token()
  for (let id = 80; id > 0; id--) enterBuyer(of, position(id, 5), LAUNCH + 50)
  assert.equal(of.firstBuyers.length, 70)
  assert.deepEqual([of.firstBuyers[0], of.firstBuyers[69]], [80, 11])
  const unseen = { ...token(), createdKnown: false }
  enterBuyer(unseen, position(1, 5), LAUNCH)
  assert.deepEqual(unseen.firstBuyers, [])
})

test('what became of a first buyer', () => {
  const fate = (given: object, of = token()): string => fateOf(of, { ...position(1), bought: 1_000, ...given })
  assert.equal(fate({ balance: 11, sold: 989, episodeIn: 5, episodeOut: 9 }), 'holding')
  assert.equal(fate({ balance: 10, sold: 990, episodeIn: 5, episodeOut: 6 }), 'gain')
  assert.equal(fate({ sold: 1_000, episodeIn: 5, episodeOut: 5 }), 'loss')
  assert.equal(fate({ sold: 499 }), 'moved')
  assert.equal(fate({ sold: 500, episodeIn: 5, episodeOut: 2 }), 'loss')
  assert.equal(fate({ sold: 1_000 }, { ...token(), quote: 3 }), 'unpriced')
})
