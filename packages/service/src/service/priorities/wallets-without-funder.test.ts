import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { openPosition } from '@ti/core/engine/positions.ts'
import { createResident, type LiveToken } from '@ti/core/engine/resident.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import type { Position, Token, Wallet } from '@ti/core/model/state.ts'
import fc from '../../../../../test/support/property.ts'
import { FUNDER_PAGES } from '../../observe/funder/funder.ts'
import { HISTORY_PAGE } from '../../observe/funder/history.ts'
import { HOLDERS, QUIET_SLOTS } from './large-holdings.ts'
import { deployersAtRisk, EARLY_BUYERS, earlyBuyers, largestHolders } from './wallets-without-funder.ts'

const SLOT = 10_000
const SUPPLY = 1e15

/** Wallets that are made when they are first asked for. */
function people() {
  const wallets = new Map<number, Wallet>()
  const wallet = (id: number): Wallet => {
    const known = wallets.get(id) ?? newWallet(id, `w${id}`.padEnd(32, '.') as Key, 0)
    wallets.set(id, known)
    return known
  }
  return { wallet, name: (key: Key): number => Number(key.slice(1).replaceAll('.', '')) }
}

const NO_READER = {
  positionOf: () => undefined,
  positions: (): Position[] => {
    throw new Error('a token that is not in memory is not read for this')
  },
}

/** A token in which wallets hold these parts per 10,000 of supply. */
function tokenOf(
  id: number,
  held: Readonly<Record<number, number>>,
  wallet: (id: number) => Wallet,
  given: Partial<Token> = {},
): LiveToken {
  const positions = new Map(
    Object.entries(held).map(([who, part]) => {
      const position = openPosition(id, wallet(Number(who)), SLOT - 100)
      Object.assign(position, { balance: (part * SUPPLY) / 10_000, firstBuySlot: SLOT - 100 })
      return [Number(who), position] as const
    }),
  )
  const owned = [...positions.values()].reduce((sum, { balance }) => sum + balance, 0)
  const token: Token = {
    ...newToken(id, `m${id}`.padEnd(32, '.') as Key, SLOT - 200, 1),
    ...{ supply: SUPPLY, owned, holders: HOLDERS, lastTradeSlot: SLOT - 1, quoteReserve: 16e9 },
    ...given,
  }
  return createResident(NO_READER, token, emptyBundleBook(), positions)
}

test('by the share that is held, over all tokens, and by their size', () => {
  const { wallet, name } = people()
  const order = (...tokens: LiveToken[]) => largestHolders(tokens, SLOT, wallet).map(({ wallet: key }) => name(key))
  const small = tokenOf(1, { 1: 500, 2: 300, 3: 200 }, wallet)
  assert.deepEqual(order(small), [1, 2, 3])
  // 16 times the size counts double
  const large = tokenOf(2, { 3: 200, 4: 400, 5: 400 }, wallet, { quoteReserve: 256e9 })
  assert.deepEqual(order(large), [4, 5, 3])
  // 3 holds 20 % of both, and no more than 4 and 5 with their 40 % of the larger one: 0.2 + 0.4 < 0.8
  assert.deepEqual(order(small, large), [4, 5, 3, 1, 2])
})

test('deployers of tokens that trade and have holders, newest launch first, each once with its first launch', () => {
  const { wallet, name } = people()
  const launched = (id: number, deployer: number, given: Partial<Token> = {}) =>
    tokenOf(id, { 50: 100 }, wallet, { deployer, createdSlot: SLOT - 1_000 + id, ...given })
  wallet(3).funder = 9
  const found = deployersAtRisk(
    [
      ...[launched(1, 1), launched(2, 2), launched(3, 3), launched(4, 1)],
      launched(5, 4, { holders: HOLDERS - 1 }),
      launched(6, 5, { lastTradeSlot: SLOT - QUIET_SLOTS - 1 }),
      launched(7, -1),
    ],
    SLOT,
    wallet,
  )
  assert.deepEqual(
    found.map(({ wallet: key, before }) => [name(key), before]),
    [
      [2, SLOT - 998],
      [1, SLOT - 999],
    ],
  )
})

test('left out: small holders, known funders, small and quiet tokens, and who has traded too often', () => {
  const { wallet, name } = people()
  const order = (given: Partial<Token> = {}) =>
    largestHolders([tokenOf(1, { 1: 500, 2: 25, 3: 24, 4: 100, 5: 100 }, wallet, given)], SLOT, wallet).map(
      ({ wallet: key }) => name(key),
    )
  wallet(4).funder = 9
  wallet(5).trades = FUNDER_PAGES * HISTORY_PAGE
  assert.deepEqual(order(), [1, 2])
  assert.deepEqual(order({ holders: HOLDERS - 1 }), [])
  assert.deepEqual(order({ lastTradeSlot: SLOT - QUIET_SLOTS }), [1, 2])
  assert.deepEqual(order({ lastTradeSlot: SLOT - QUIET_SLOTS - 1 }), [])
})

test('a slot by which it had tokens: its first buy, or when it was given them', () => {
  const { wallet } = people()
  const live = tokenOf(1, { 1: 500, 2: 300 }, wallet)
  Object.assign(live.positions.get(2)!, { firstBuySlot: -1, acquiredSlot: SLOT - 49.5 })
  assert.deepEqual(
    largestHolders([live], SLOT, wallet).map(({ before }) => before),
    [SLOT - 100, SLOT - 49],
  )
})

test('the order is that of a plain sum over everything, whatever order the tokens come in', () => {
  const holdings = fc.dictionary(fc.nat({ max: 9 }).map(String), fc.integer({ min: 1, max: 900 }), { maxKeys: 8 })
  const given = fc.array(fc.record({ holdings, quoteReserve: fc.integer({ min: 0, max: 500e9 }) }), { maxLength: 6 })
  fc.assert(
    fc.property(given, (list) => {
      const { wallet, name } = people()
      const tokens = list.map((one, id) => tokenOf(id, one.holdings, wallet, { quoteReserve: one.quoteReserve }))
      const found = largestHolders(tokens, SLOT, wallet).map(({ wallet: key }) => name(key))
      const worth = (who: number): number =>
        list.reduce((sum, { holdings, quoteReserve }) => {
          const parts = holdings[who] ?? 0
          const all = Object.values(holdings).reduce((a, b) => a + b, 0)
          return sum + (parts >= 25 ? (parts / all) * quoteReserve ** 0.25 : 0)
        }, 0)
      const expected = [...Array(10).keys()].filter((who) => list.some(({ holdings }) => (holdings[who] ?? 0) >= 25))
      assert.deepEqual([...found].sort(), expected.sort())
      for (const [i, who] of found.entries()) {
        if (i > 0) assert.ok(worth(found[i - 1]!) >= worth(who) * (1 - 1e-9), `${found[i - 1]} before ${who}`)
      }
      const backwards = largestHolders([...tokens].reverse(), SLOT, wallet).map(({ wallet: key }) => name(key))
      const worths = (order: readonly number[]) => order.map((who) => worth(who).toPrecision(9))
      assert.deepEqual(worths(backwards), worths(found))
    }),
  )
})

test('early buyers: the first of each token, in order, without those whose funder is known', () => {
  const { wallet, name } = people()
  const many = Object.fromEntries(Array.from({ length: EARLY_BUYERS + 5 }, (_, i) => [i, 10]))
  wallet(3).funder = 1
  const found = [...earlyBuyers([tokenOf(1, many, wallet)], wallet)].map(({ wallet: key }) => name(key))
  assert.deepEqual(
    found,
    Array.from({ length: EARLY_BUYERS }, (_, i) => i).filter((i) => i !== 3),
  )
})
