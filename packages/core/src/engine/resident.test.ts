import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../test/support/random.ts'
import type { Key } from '../base/ids.ts'
import { emptyBundleBook } from '../model/generated/empty.ts'
import type { Position } from '../model/state.ts'
import { SLOTS } from './constants.ts'
import { newWallet } from './history.ts'
import { PositionMap } from './position-map.ts'
import { openPosition } from './positions.ts'
import { crowdInto, emptyCrowd } from './reading/crowd.ts'
import { noSizes } from './reading/sizes.ts'
import { createResident, createSweep, type Resident } from './resident.ts'
import { newToken } from './tokens.ts'

const wallets = [0, 1, 2].map((id) => newWallet(id, String(id).padEnd(32, '.') as Key, 0))
/** Bought and sold at slot 5. */
const sold = (token: number, wallet: number): Position => ({
  ...openPosition(token, wallets[wallet]!, 5),
  ...{ bought: 40, sold: 40, firstBuySlot: 5, lastBuySlot: 5, lastSellSlot: 5, owner: null },
})
const opened = (token: number): Position[] => wallets.map((wallet) => openPosition(token, wallet, 0))

function scene(count: number) {
  let reads = 0
  const reader = {
    positions(token: number): Position[] {
      reads++
      return opened(token).map((position) => ({ ...position, owner: null }))
    },
    positionOf: (token: number, wallet: number): Position => ({ ...sold(token, wallet), received: 7 }),
  }
  const tokens = new Map<number, Resident>()
  for (let id = 0; id < count; id++) {
    const held = new Map(opened(id).map((position) => [position.wallet, position]))
    tokens.set(id, createResident(reader, newToken(id, `${id}`.padEnd(32, '.') as Key, 0, 0), emptyBundleBook(), held))
  }
  const inMemory = (): number[] => [...tokens.values()].filter((one) => one.hasPositions).map(({ token }) => token.id)
  return { tokens, inMemory, reads: () => reads }
}

const ALL = { slots: 100, large: 10, visits: 1_000 }

test('positions nobody asked for leave, their number stays known, and they come back', () => {
  const { tokens, inMemory, reads } = scene(2)
  const sweep = createSweep(tokens, ALL)
  const [first, second] = [...tokens.values()] as [Resident, Resident]
  sweep(1_000, 0)
  sweep(1_099, 0)
  assert.deepEqual(inMemory(), [0, 1])
  assert.equal(second.positions.size, 3)
  first.sizes = { ...noSizes(), seen: 1 }
  sweep(1_100, 0)
  assert.deepEqual(inMemory(), [1], 'asked for after the last sweep')
  assert.equal(first.positionCount, 3)
  assert.equal(first.sizes, null)
  assert.equal(first.ownersMet, false)
  assert.equal(reads(), 0)
  assert.deepEqual(
    [...first.positions.values()].map(({ wallet }) => wallet),
    [0, 1, 2],
  )
  assert.equal(reads(), 1)
  sweep(1_199, 0)
  assert.deepEqual(inMemory(), [0, 1], 'read back is asked for')
})

test('a token too large to be read back at once keeps its positions', () => {
  const { tokens, inMemory } = scene(2)
  const sweep = createSweep(tokens, { ...ALL, large: 3 })
  for (const slot of [0, 1_000, 2_000]) sweep(slot, 0)
  assert.deepEqual(inMemory(), [0, 1])
})

test('a sweep looks at a piece, a large commit at more, and all have their turn while tokens come and go', () => {
  const { tokens, inMemory } = scene(40)
  const sweep = createSweep(tokens, { ...ALL, slots: 0, visits: 7 })
  sweep(1, 0)
  assert.deepEqual(inMemory().length, 39)
  sweep(2, 14)
  assert.deepEqual(inMemory().length, 30, 'seven, and four for each that was written')
  tokens.delete(12)
  for (let i = 0; i < 40; i++) sweep(3, 0)
  assert.deepEqual(inMemory(), [])
})

test('positions that stay forget the records of wallets that have left', () => {
  const { tokens } = scene(1)
  const sweep = createSweep(tokens, ALL)
  const live = tokens.get(0)!
  live.ownersMet = true
  const gone = { ...wallets[1]!, stale: true }
  live.positions.get(1)!.owner = gone
  sweep(5, 0)
  assert.deepEqual(
    [...live.positions.values()].map(({ owner }) => owner?.id ?? null),
    [0, null, 2],
  )
  assert.equal(live.ownersMet, false)
})

test('positions emptied ten minutes ago leave one by one, count in every sum as before, and come back when asked for', () => {
  const { tokens } = scene(1)
  const live = tokens.get(0)!
  live.positions.set(1, sold(0, 1))
  for (const wallet of [0, 2]) live.positions.get(wallet)!.balance = 3
  // however large the token is
  const sweep = createSweep(tokens, { ...ALL, large: 0 })
  const crowd = (slot: number) => crowdInto(emptyCrowd(), emptyBundleBook(), slot, live.positions.passing()).traders1h
  sweep(5 + 2 * SLOTS.fiveMinutes, 0)
  assert.equal(live.heldCount, 3, 'within ten minutes it is looked at')
  sweep(6 + 2 * SLOTS.fiveMinutes, 0)
  sweep(7 + 2 * SLOTS.fiveMinutes, 0)
  assert.deepEqual(
    [crowd(5 + SLOTS.hour), crowd(6 + SLOTS.hour)],
    [1, 0],
    'within the hour it counts among those who traded',
  )
  assert.deepEqual([live.heldCount, live.positionCount, live.positions.size], [2, 3, 3])
  assert.ok(live.positions.has(1))
  const sums = [...live.positions.values()].map(({ wallet, bought, sold, balance }) => [wallet, bought + sold, balance])
  assert.deepEqual(sums.sort(), [
    [0, 0, 3],
    [1, 80, 0],
    [2, 0, 3],
  ])
  assert.equal(live.heldCount, 2, 'looking at all of them reads none')
  assert.equal(live.positions.get(1)!.received, 7, 'as the store has it')
  assert.deepEqual([live.heldCount, live.positions.size], [3, 3])
})

test('nobody leaves alone who holds, is in a group, launched it or was among the first; nor while it is read in pieces', () => {
  const { tokens } = scene(1)
  const live = tokens.get(0)!
  const late = 100 + SLOTS.hour
  const look = (slot = late): number => {
    live.shed(slot, 1_000)
    return live.heldCount
  }
  for (const wallet of [0, 1, 2]) live.positions.set(wallet, sold(0, wallet))
  live.positions.get(0)!.group = 0
  live.token.deployer = 1
  live.token.firstBuyers.push(2)
  assert.equal(look(), 3)
  live.positions.get(0)!.group = -1
  live.positions.get(0)!.balance = 1
  assert.equal(look(), 3)
  live.positions.get(0)!.balance = 0
  live.positions.pin()
  assert.equal(look(), 3)
  live.positions.unpin()
  // the current round is finished first
  look()
  assert.equal(look(), 2)
})

test('who left and comes back takes nobody else along', () => {
  const wallets = Array.from({ length: 40 }, (_, id) => newWallet(id, String(id).padEnd(32, '.') as Key, 0))
  const traded = (id: number): Position => ({
    ...openPosition(0, wallets[id]!, 0),
    bought: id,
    sold: id,
    lastSellSlot: id,
  })
  const map = new PositionMap(0, new Map(wallets.map(({ id }) => [id, traded(id)])), traded)
  map.shed(100, ({ wallet }) => wallet % 2 === 1)
  const random = seededRandom(1)
  for (let i = 0; i < 200; i++) {
    const id = Math.floor(random() * 40)
    assert.equal(map.get(id)!.bought, id)
    if (random() < 0.3) for (let round = 0; round < 2; round++) map.shed(100, ({ wallet }) => wallet % 3 === i % 3)
    const kept = [...map.values()].map((one) => [one.wallet, one.bought + one.sold, one.lastSellSlot])
    const passed = Array.from(map.passing(), (one) => [one.wallet, one.bought + one.sold, one.lastSellSlot])
    assert.deepEqual(kept, passed)
    const all = kept.map(([wallet, turned]) => [wallet, turned]).sort(([a], [b]) => a! - b!)
    assert.deepEqual(
      all,
      wallets.map(({ id }) => [id, 2 * id]),
    )
    for (const [wallet, , slot] of kept) assert.equal(slot, wallet)
  }
})

test('who is read back while all are looked at is seen, and so is everybody else', () => {
  const random = seededRandom(2)
  for (let round = 0; round < 200; round++) {
    const ids = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, id) => id)
    const traded = (id: number): Position => openPosition(0, newWallet(id, String(id).padEnd(32, '.') as Key, 0), 0)
    const map = new PositionMap(0, new Map(ids.map((id) => [id, traded(id)])), traded)
    map.shed(100, () => random() < 0.8)
    const seen = new Set<number>()
    for (const { wallet } of map.values()) {
      seen.add(wallet)
      while (random() < 0.4) map.get(Math.floor(random() * ids.length))
    }
    assert.deepEqual(
      [...seen].sort((a, b) => a - b),
      ids,
    )
  }
})
