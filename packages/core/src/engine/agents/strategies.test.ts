import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import type { WatchedTrade } from '../../model/buckets.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Token, Wallet } from '../../model/state.ts'
import { newWallet } from '../history.ts'
import { type LiveToken, readLiveToken } from '../resident.ts'
import type { StateReader } from '../state.ts'
import { newToken } from '../tokens.ts'
import { bucketFor } from '../windows.ts'
import { STRATEGIES, type Strategy } from './strategies.ts'

const BORN = 1_000
const nothing = { positions: () => [], bundles: () => undefined } as unknown as StateReader

const live = (changes: Partial<Token> = {}): LiveToken =>
  readLiveToken(nothing, {
    ...newToken(0, 'm'.repeat(32) as Key, BORN, 1),
    ...{ createdKnown: true, supply: 1e15, quoteReserve: 60e9, baseReserve: 5e14, buyers: 20 },
    ...changes,
  })

const named = (name: string): Strategy => STRATEGIES.find((strategy) => strategy.name === name)!
const person = (changes: Partial<Wallet> = {}): Wallet => ({ ...newWallet(0, 'w'.repeat(32) as Key, 0), ...changes })
const buys = (name: string, of: LiveToken, row: Partial<TradeRow>, wallet: Partial<Wallet> = {}): boolean =>
  named(name).onBuy!(of, person(wallet), { isBuy: true, smart: false, slot: BORN, ...row } as TradeRow)
const watch = (wallet: number, changes: Partial<WatchedTrade> = {}): WatchedTrade => ({
  ...{ wallet, slot: BORN, lamports: 1, smart: true, kol: false },
  ...changes,
})

test('at least five strategies of different names and ideas', () => {
  assert.ok(STRATEGIES.length >= 5)
  assert.equal(new Set(STRATEGIES.map(({ name }) => name)).size, STRATEGIES.length)
  for (const { takeProfit, stop, timeSlots, onBuy, atAge } of STRATEGIES) {
    assert.ok(takeProfit > 1 && stop < 1 && stop > 0 && timeSlots > 0)
    assert.notEqual(onBuy === undefined, atAge === undefined)
  }
})

test('each strategy’s exits: take profit, stop, slots', () => {
  const exits = STRATEGIES.map(({ name, takeProfit, stop, timeSlots }) => [name, takeProfit, stop, timeSlots])
  assert.deepEqual(exits, [
    ['young-quality', 2, 0.6, 2_250],
    ['second-wave', 1.6, 0.7, 1_500],
    ['graduation-run', 1.5, 0.75, 2_250],
    ['smart-follow', 2, 0.7, 1_500],
    ['kol-echo', 1.5, 0.75, 375],
  ])
})

test('young quality: twenty buyers, a score of five, no dump and no rug; the score is asked for last', () => {
  const { atAge } = named('young-quality')
  assert.equal(
    atAge!(live(), () => 5),
    true,
  )
  assert.equal(
    atAge!(live(), () => 4.9),
    false,
  )
  const never = (): number => assert.fail('asked for the score')
  assert.equal(atAge!(live({ buyers: 19 }), never), false)
  assert.equal(atAge!(live({ deployerDumped: true }), never), false)
  assert.equal(atAge!(live({ ruggedSlot: 5 }), never), false)
})

test('second wave: old enough, far below its peak, rising with ten buys in 5 minutes', () => {
  const slot = BORN + 1_500
  /** `times`: the current price over that before the last 5 minutes; `earlier`: buys in an earlier bucket of them. */
  function wave(changes: Partial<Token> = {}, times = 1.3001, earlier = 9, running = 1): LiveToken {
    const found = live({ mcap: 5_000, ath: 10_000, ...changes })
    const { buckets } = found.token
    const price = 60e9 / 5e14
    bucketFor(buckets, slot - 100, price / times, 0).buys = earlier
    bucketFor(buckets, slot, price, 0).buys = running
    return found
  }
  assert.equal(buys('second-wave', wave(), { slot }), true)
  assert.equal(buys('second-wave', wave({ createdSlot: BORN + 1 }), { slot }), false)
  assert.equal(buys('second-wave', wave({ mcap: 5_001 }), { slot }), false)
  assert.equal(buys('second-wave', wave({}, 1.2999), { slot }), false)
  assert.equal(buys('second-wave', wave({}, 1.3001, 8), { slot }), false)
  assert.equal(buys('second-wave', wave({}, 1.3001, 9, 2), { slot }), false, 'looked at once a bucket')
})

test('graduation run: a quarter of the curve left, not in the first minute, not yet graduated', () => {
  const quarter = 793_100_000_000_000 / 4
  const slot = BORN + 150
  assert.equal(buys('graduation-run', live({ realToken: quarter }), { slot }), true)
  assert.equal(buys('graduation-run', live({ realToken: quarter + 1 }), { slot }), false)
  assert.equal(buys('graduation-run', live({ realToken: 0 }), { slot }), false)
  assert.equal(buys('graduation-run', live({ realToken: -1 }), { slot }), false)
  assert.equal(buys('graduation-run', live({ realToken: 1 }), { slot: slot - 1 }), false)
  assert.equal(buys('graduation-run', live({ realToken: 1, migratedSlot: 5 }), { slot }), false)
})

test('smart follow: two smart wallets have bought, one of them now', () => {
  const two = [watch(1), watch(2)]
  assert.equal(buys('smart-follow', live({ watched: two }), { smart: true }), true)
  assert.equal(buys('smart-follow', live({ watched: two }), { smart: false }), false)
  assert.equal(buys('smart-follow', live({ watched: [watch(1), watch(1)] }), { smart: true }), false)
  assert.equal(buys('smart-follow', live({ watched: [watch(1), watch(2, { lamports: -1 })] }), { smart: true }), false)
  assert.equal(buys('smart-follow', live({ watched: [watch(1), watch(2, { smart: false })] }), { smart: true }), false)
  assert.equal(buys('smart-follow', live({ watched: two, ruggedSlot: 3 }), { smart: true }), false)
})

test('KOL echo: a KOL buys within an hour of the launch', () => {
  assert.equal(buys('kol-echo', live(), { slot: BORN + 9_000 }, { kol: true }), true)
  assert.equal(buys('kol-echo', live(), { slot: BORN + 9_001 }, { kol: true }), false)
  assert.equal(buys('kol-echo', live(), { slot: BORN }, { kol: false }), false)
})

test('followers flee when those they follow sell after them', () => {
  const since = 5_000
  const flees = (name: string, trade: WatchedTrade): boolean =>
    named(name).flees!(live({ watched: [trade] }).token, since)
  const sold = { lamports: -1, slot: since + 1 }
  const kol = { smart: false, kol: true }
  assert.equal(flees('smart-follow', watch(1, sold)), true)
  assert.equal(flees('smart-follow', watch(1, { ...sold, slot: since })), false)
  assert.equal(flees('smart-follow', watch(1, { ...sold, lamports: 1 })), false)
  assert.equal(flees('smart-follow', watch(1, { ...sold, ...kol })), false)
  assert.equal(flees('kol-echo', watch(1, { ...sold, ...kol })), true)
  assert.equal(flees('kol-echo', watch(1, sold)), false)
})
