import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { CLASS } from '../class-memory.ts'
import { newGlobals } from '../globals.ts'
import { newWallet } from '../history.ts'
import { buy, openPosition, sell } from '../positions.ts'
import { newToken } from '../tokens.ts'
import { DIRTY, dirtyReasons, hasHistory, isAlphaHands, isDirty, isJeet } from './classes.ts'
import type { Market } from './market.ts'

const NOW = 100_000
const person = (changes: Partial<Wallet> = {}, id = 1): Wallet => ({
  ...newWallet(id, `wallet ${id}`.padEnd(32, '.') as Key, 0),
  ...changes,
})
const token = (changes: Partial<Token> = {}): Token => ({
  ...newToken(0, 'm'.repeat(32) as Key, 50_000, 1),
  createdKnown: true,
  deployer: 9,
  ...changes,
})
const market = (changes: Partial<Market> = {}): Market => ({
  slot: NOW,
  firstSlot: 0,
  solUsd: 150,
  population: newGlobals().population,
  wallet: (id) => person({}, id),
  ...changes,
})
/** Bought long after the launch. */
const held = (owner: Wallet, changes: Partial<Position> = {}): Position => ({
  ...openPosition(0, owner, NOW - 10),
  ...{ balance: 1e12, bought: 1e12, firstBuySlot: 60_000, lastBuySlot: 60_000 },
  ...changes,
})

/** The reasons; checks that `isDirty` agrees. */
function reasons(
  owner: Wallet,
  position: Partial<Position>,
  of = token(),
  bundled = false,
  around = market(),
): string[] {
  const holding = held(owner, position)
  const bits = dirtyReasons(of, holding, owner, bundled, around)
  assert.equal(isDirty(of, holding, owner, bundled || (bits & DIRTY.insider) !== 0, around), bits !== 0)
  return Object.entries(DIRTY).flatMap(([name, bit]) => ((bits & bit) !== 0 ? [name] : []))
}

test('history begins with the first closed position', () => {
  assert.equal(hasHistory(person()), false)
  assert.equal(hasHistory(person({ closed: 1 })), true)
})

test('alpha hands: picks, rate, profit, and neither wash nor serial rugger', () => {
  // 5 picks, 4 healthy, population rate 0.1: (4 + 0.5) / 10 = 0.45
  const alpha = { picksResolved: 5, picksHealthy: 4, realised: 1 }
  assert.equal(isAlphaHands(person(alpha), 0.1), true)
  assert.equal(isAlphaHands(person(alpha), 0.0999), false)
  assert.equal(isAlphaHands(person({ ...alpha, picksHealthy: 3 }), 0.1), false)
  assert.equal(isAlphaHands(person({ ...alpha, picksResolved: 4 }), 0.1), false)
  assert.equal(isAlphaHands(person({ ...alpha, realised: 0 }), 0.1), false)
  assert.equal(isAlphaHands(person({ ...alpha, wash: true }), 0.1), false)
  assert.equal(isAlphaHands(person({ ...alpha, rugs: 2 }), 0.1), true)
  assert.equal(isAlphaHands(person({ ...alpha, rugs: 3 }), 0.1), false)
})

test('jeet: five sells and a median below 150 slots', () => {
  // all holds are in one bin, so the median is the bin's middle
  const seller = (bin: number, sells = 5): Wallet => person({ sells, holdBins: [bin], holdBinCosts: [1] })
  const bin = (slots: number): number => Math.floor(4 * Math.log2(slots))
  assert.equal(isJeet(seller(bin(20))), true)
  assert.equal(isJeet(seller(bin(20), 4)), false)
  assert.equal(isJeet(seller(bin(400))), false)
  assert.equal(isJeet(person({ sells: 5 })), false)
  // bin 28 is [128, 152.2): the median moves through it with the cost in lower bins
  const half = (below: number): Wallet => person({ sells: 5, holdBins: [0, 28], holdBinCosts: [below, 100] })
  assert.equal(isJeet(half(0)), true)
  const above = person({ sells: 5, holdBins: [28, 40], holdBinCosts: [100, 82] })
  assert.equal(isJeet(above), false)
})

test('clean: nothing speaks against a wallet that bought late', () => {
  assert.deepEqual(reasons(person(), {}), [])
})

test('bundle: member of a confirmed group', () => {
  assert.deepEqual(reasons(person(), {}, token(), true), ['bundle'])
})

test('sniper: first buy at most 12 slots after a creation that was seen', () => {
  assert.deepEqual(reasons(person(), { firstBuySlot: 50_012 }), ['sniper'])
  assert.deepEqual(reasons(person(), { firstBuySlot: 50_000 }), ['sniper'])
  assert.deepEqual(reasons(person(), { firstBuySlot: 50_013 }), [])
  assert.deepEqual(reasons(person(), { firstBuySlot: 50_012 }, token({ createdKnown: false })), [])
  assert.deepEqual(reasons(person(), { firstBuySlot: -1 }), [])
})

test('fresh: young, few buys, and a log long enough to tell', () => {
  const young = person({ firstSlot: NOW - 8_999, buys: 2 })
  assert.deepEqual(reasons(young, {}), ['fresh'])
  assert.deepEqual(reasons({ ...young, firstSlot: NOW - 9_000 }, {}), [])
  assert.deepEqual(reasons({ ...young, buys: 3 }, {}), [])
  assert.deepEqual(reasons(young, {}, token(), false, market({ firstSlot: NOW - 9_000 })), ['fresh'])
  assert.deepEqual(reasons(young, {}, token(), false, market({ firstSlot: NOW - 8_999 })), [])
})

test('serial rugger: three rugged mints', () => {
  assert.deepEqual(reasons(person({ rugs: 2 }), {}), [])
  assert.deepEqual(reasons(person({ rugs: 3 }), {}), ['serialRugger'])
})

test('insider: who was once found to be one, not who was given tokens', () => {
  assert.deepEqual(reasons(person(), { classes: 1 << CLASS.insiders }), ['insider'])
  assert.deepEqual(reasons(person(), { bought: 0, received: 1 }), [])
})

test('wash: three sells of one mint within 25 slots of a buy, each buy counting once', () => {
  const trips = (slots: readonly number[], sellsEach = 1): { owner: Wallet; position: Position } => {
    const owner = person()
    const position = openPosition(0, owner, 0)
    const { population } = newGlobals()
    let slot = 1_000
    for (const gap of slots) {
      buy(position, 1_000, 10, slot)
      for (let n = 0; n < sellsEach; n++) sell(position, owner, 1_000 / sellsEach, 5, slot + gap, population)
      slot += 100
    }
    return { owner, position }
  }
  assert.equal(trips([25, 25, 25]).owner.wash, true)
  assert.equal(trips([25, 25, 26]).owner.wash, false)
  assert.equal(trips([25, 25]).owner.wash, false)
  assert.equal(trips([25, 25], 2).owner.wash, false)
  assert.equal(trips([26, 25, 25, 25]).owner.wash, true)
  assert.deepEqual(reasons(person({ wash: true }), {}), ['wash'])
})

test('several reasons are all given', () => {
  const owner = person({ rugs: 3, wash: true, firstSlot: NOW - 1, buys: 0 })
  const found = reasons(owner, { firstBuySlot: 50_000 }, token(), true)
  assert.deepEqual(found.sort(), ['bundle', 'fresh', 'serialRugger', 'sniper', 'wash'])
})
