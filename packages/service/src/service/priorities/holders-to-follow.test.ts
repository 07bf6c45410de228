import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { CLASS } from '@ti/core/engine/class-memory.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { openPosition } from '@ti/core/engine/positions.ts'
import { createResident, type LiveToken } from '@ti/core/engine/resident.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import type { Position, Wallet } from '@ti/core/model/state.ts'
import type { Holding } from '../../source/followed-holders.ts'
import { holdersToFollow, VISITS } from './holders-to-follow.ts'
import { HOLDERS } from './large-holdings.ts'

const SLOT = 10_000
const SUPPLY = 1e15
const nobody = { positionOf: () => undefined, positions: (): Position[] => [] }
const wallet = (id: number): Wallet => newWallet(id, `w${id}`.padEnd(32, '.') as Key, 0)

/** A token in which wallets hold these parts per 10,000 of supply. */
function tokenOf(id: number, held: Readonly<Record<number, number>>, quoteReserve: number, deployer = -1): LiveToken {
  const positions = new Map<number, Position>()
  for (const [who, part] of Object.entries(held)) {
    const position = openPosition(id, wallet(Number(who)), SLOT - 100)
    positions.set(Number(who), Object.assign(position, { balance: (part * SUPPLY) / 10_000 }))
  }
  const owned = [...positions.values()].reduce((sum, { balance }) => sum + balance, 0)
  const token = newToken(id, `m${id}`.padEnd(32, '.') as Key, SLOT - 200, 1)
  const rest = { supply: SUPPLY, owned, holders: HOLDERS, lastTradeSlot: SLOT - 1, quoteReserve, deployer }
  return createResident(nobody, Object.assign(token, rest), emptyBundleBook(), positions)
}

const name = ({ mint, owner }: Holding): string => `${mint} ${owner}`.replaceAll('.', '')
const order = async (tokens: readonly LiveToken[], most = 100) =>
  (await holdersToFollow(tokens, SLOT, wallet, most)).map(name)

test('deployers and insiders first, then by share and size; small holders are left out', async () => {
  const small = tokenOf(1, { 1: 500, 2: 300, 3: 200, 4: 24 }, 16e9, 3)
  const large = tokenOf(2, { 1: 600, 5: 400 }, 256e9)
  large.positions.get(5)!.classes = 1 << CLASS.insiders
  assert.deepEqual(await order([small, large]), ['m2 w5', 'm1 w3', 'm2 w1', 'm1 w1', 'm1 w2'])
  assert.deepEqual(await order([large, small], 3), ['m2 w5', 'm1 w3', 'm2 w1'])
})

test('however many are looked through, the most important are kept', async () => {
  const held = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [i, 25 + i]))
  const tokens = Array.from({ length: 40 }, (_, id) => tokenOf(id, held, 16e9 + id))
  assert.ok(40 * 300 > VISITS * 2)
  const found = await order(tokens, 50)
  const all = await holdersToFollow(tokens, SLOT, wallet, 1e6)
  assert.deepEqual(found, all.slice(0, 50).map(name))
  assert.equal(all.length, 40 * 300)
})
