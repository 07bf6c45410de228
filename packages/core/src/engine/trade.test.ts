import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { createEngine, type Engine } from './engine.ts'

/** Wallet 0 launches and trades token 0. Sizes up to 800 sell that many eight-hundredths of the balance. */
const step = (action: Step['action'], size: number, gap: number, wallet = 0): Step => ({
  gap,
  token: 0,
  wallet,
  action,
  size,
})

function fold(steps: readonly Step[]): Engine {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  buildHistory(steps).forEach((entry, seq) => void engine.apply(seq, entry))
  return engine
}

test('a deployer dumps by selling 80 % of its bag within 750 slots of the launch', () => {
  const dumped = (part: number, after: number, wallet = 0): boolean => {
    const steps = [step('create', 1, 1), step('buy', 800, 1, wallet), step('sell', part, after - 1, wallet)]
    return fold(steps).tokens.peek(mintKey(0))!.token.deployerDumped
  }
  assert.equal(dumped(641, 750), true)
  assert.equal(dumped(639, 750), false)
  assert.equal(dumped(641, 751), false)
  assert.equal(dumped(800, 100, 1), false, 'somebody else')
})

test('a launch counts against its deployer while its peak is below 7,000 USD', () => {
  // at 150 USD per SOL the curve starts at 4,194 USD and passes 7,000 with 8.76 SOL; a step of size 1 buys 0.01 SOL
  const aboveFloor = (size: number): number => {
    const engine = fold([step('create', 1, 1), step('buy', size, 1, 1)])
    const { token } = engine.tokens.peek(mintKey(0))!
    assert.equal(token.ath >= 7_000, engine.wallet(token.deployer).launchesAboveFloor === 1, `${token.ath}`)
    return engine.wallet(token.deployer).launchesAboveFloor
  }
  assert.equal(aboveFloor(870), 0)
  assert.equal(aboveFloor(885), 1)
})
