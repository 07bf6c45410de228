import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../base/ids.ts'
import type { Position, Token, Wallet } from '../model/state.ts'
import { newWallet } from './history.ts'
import { isInsider } from './insiders.ts'
import { openPosition } from './positions.ts'
import { newToken } from './tokens.ts'

const LAUNCH = 500_000
const DEPLOYER = 0
const token = (deployer = DEPLOYER): Token => ({ ...newToken(0, 'm'.repeat(32) as Key, LAUNCH, 1), deployer })

/** True if wallet 1 is an insider with these funders: wallet → [funder, slot of the transfer]. */
function asked(
  funders: Record<number, readonly [number, number]>,
  of = token(),
  changes: Partial<Position> = {},
): boolean {
  const wallets = [0, 1, 2, 3].map((id): Wallet => {
    const [funder, funderSlot] = funders[id] ?? [-1, -1]
    return { ...newWallet(id, `w${id}`.padEnd(32, '.') as Key, 0), funder, funderSlot }
  })
  const byId = (id: number): Wallet => wallets[id]!
  const position = { ...openPosition(0, byId(1), LAUNCH), bought: 1, balance: 1, ...changes }
  const answer = isInsider(of, position, byId)
  assert.equal(isInsider(of, { ...position, owner: null }, byId), answer, 'with the owner looked up')
  return answer
}

test('nobody knows where the money came from: no insider', () => {
  assert.equal(asked({}), false)
  assert.equal(asked({ 1: [2, LAUNCH] }), false)
})

test('one hop: funded by the deployer within 24 h of the launch, before or after', () => {
  for (const slot of [LAUNCH, LAUNCH - 216_000, LAUNCH + 216_000]) assert.equal(asked({ 1: [DEPLOYER, slot] }), true)
  for (const slot of [LAUNCH - 216_001, LAUNCH + 216_001]) assert.equal(asked({ 1: [DEPLOYER, slot] }), false)
})

test('two hops, each within 24 h; three are too many', () => {
  assert.equal(asked({ 1: [2, LAUNCH], 2: [DEPLOYER, LAUNCH - 216_000] }), true)
  assert.equal(asked({ 1: [2, LAUNCH], 2: [DEPLOYER, LAUNCH - 216_001] }), false)
  assert.equal(asked({ 1: [2, LAUNCH - 216_001], 2: [DEPLOYER, LAUNCH] }), false)
  assert.equal(asked({ 1: [2, LAUNCH], 2: [3, LAUNCH], 3: [DEPLOYER, LAUNCH] }), false)
})

test('who funds the deployer is not thereby an insider, nor anybody where the deployer is unknown', () => {
  assert.equal(asked({ 0: [1, LAUNCH] }), false)
  assert.equal(asked({ 1: [2, LAUNCH] }, token(-1)), false)
})

test('the deployer itself, and a wallet that passed on what it was given', () => {
  assert.equal(asked({}, token(1)), true)
  const given = (changes: Partial<Position>): boolean =>
    asked({}, { ...token(), supply: 10_000 }, { bought: 0, balance: 0, ...changes })
  assert.equal(given({ received: 10 }), true)
  assert.equal(given({ received: 10, balance: 9 }), true)
  assert.equal(given({ bought: 9, received: 10 }), true)
  // it has not touched it, bought as much itself, or was given dust, or something by strangers
  assert.equal(given({ received: 10, balance: 10 }), false)
  assert.equal(given({ bought: 10, received: 10 }), false)
  assert.equal(given({ received: 9 }), false)
  assert.equal(given({ received: 10, fromOthers: 1 }), false)
})
