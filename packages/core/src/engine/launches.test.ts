import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step, walletKey } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import type { Key } from '../base/ids.ts'
import type { Token, Wallet } from '../model/state.ts'
import { recentDeeds } from './deployers.ts'
import { createEngine } from './engine.ts'
import { newWallet } from './history.ts'
import { addLaunch } from './launches.ts'
import { newToken } from './tokens.ts'

const step = (action: Step['action'], size: number, gap: number, wallet = 0): Step => ({
  ...{ gap, token: 0, wallet, action, size },
})

function deployerAfter(steps: readonly Step[]): Wallet {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  buildHistory(steps).forEach((entry, seq) => void engine.apply(seq, entry))
  const { token } = engine.tokens.peek(mintKey(0))!
  const deployer = engine.wallet(token.deployer)
  assert.equal(deployer.address, walletKey(0))
  return deployer
}

test('what is bought in the slot of the creation, and how long until the first sale', () => {
  const { deployer } = deployerAfter([
    ...[step('create', 1, 1), step('buy', 300, 0), step('buy', 300, 1)],
    ...[step('sell', 400, 30), step('sell', 400, 30)],
  ])
  const [launch] = deployer!.recent
  // 3 SOL at the curve's start buy 3 / 33 of its 107.3 % of supply
  assert.equal(launch!.bought, 97_545)
  assert.equal(launch!.firstSale, 31)
  assert.deepEqual([deployer!.seen, deployer!.bought, deployer!.sales, deployer!.saleSlots], [1, 97_545, 1, 31])
  // with a fee of 1/80 each way every round trip loses
  assert.ok(launch!.taken < 0 && deployer!.taken === launch!.taken)
})

test('an own launch that is drained is counted once, and is no rug if nobody else lost', () => {
  const { deployer } = deployerAfter([
    ...[step('create', 1, 1), step('buy', 900, 0), step('sell', 800, 100), step('buy', 900, 5), step('sell', 800, 5)],
  ])
  assert.deepEqual([deployer!.drained, deployer!.rugged], [1, 0])
  assert.deepEqual([deployer!.recent[0]!.drained, deployer!.recent[0]!.rugged], [true, false])
})

test('confirmed groups are measured a minute after the creation, not before', () => {
  const until = (gap: number): Wallet =>
    deployerAfter([step('create', 1, 1), step('joint', 500, 2, 1), step('buy', 1, gap, 3)])
  assert.equal(until(148).deployer!.minutes, 0)
  const { deployer } = until(149)
  assert.equal(deployer!.minutes, 1)
  assert.ok(deployer!.bundled > 200_000 && deployer!.bundled < 300_000, `${deployer!.bundled}`)
  assert.equal(deployer!.recent[0]!.bundled, deployer!.bundled)
})

test('of many launches the newest 20 are kept one by one', () => {
  const deployer = newWallet(0, 'd'.repeat(32) as Key, 0)
  const wallets = { byId: () => deployer, touch: () => {} }
  for (let id = 0; id < 25; id++) {
    const token: Token = { ...newToken(id, 'm'.repeat(32) as Key, 1, 1), deployer: 0, createdKnown: true }
    addLaunch(wallets, token)
  }
  const { recent, seen } = deployer.deployer!
  assert.deepEqual(
    recent.map(({ token }) => token),
    Array.from({ length: 20 }, (_, i) => i + 5),
  )
  assert.equal(seen, 25)
  assert.equal(recentDeeds(deployer.deployer!).launches, 20)
})
