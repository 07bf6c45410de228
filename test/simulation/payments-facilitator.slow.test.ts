import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxChain } from '@ti/sandbox/chain.ts'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { settleUp } from './payments-calls.ts'
import { startFakeFacilitator } from './payments-fake-facilitator.ts'
import type { Random } from './payments-market.ts'
import { openWorld, type World } from './payments-world.ts'

/** The same books where somebody else settles, over HTTP, and does not always say so. */
const SEED = seed()
const CALLS = runs(500)
const KILLS = Math.max(3, Math.floor(CALLS / 300))
/**
 * With a node of our own, what the facilitator does not tell is looked up there. Without one nobody can tell a transfer
 * that failed on the chain, for want of money, from one that came through: it would stay open for ever.
 */
const WITH_NODE = SEED % 2 === 0

async function killAll({ scene, program }: World, random: Random): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    while (scene.market.calls < (kill * CALLS) / (KILLS + 1)) await pause(10)
    await pause(random() * 60)
    await program.kill()
    await program.start()
  }
}

test(`${CALLS} calls, ${KILLS} kills, a bad facilitator${WITH_NODE ? ' and a node' : ''}: no charge without an answer`, async (t) => {
  t.diagnostic(`seed ${SEED}, calls ${CALLS}`)
  let calm = (): void => {}
  const start = async (chain: SandboxChain): Promise<Record<string, string>> => {
    const fake = await startFakeFacilitator(chain, seededRandom(SEED + 1))
    t.after(fake.close)
    calm = () => {
      fake.calm()
      t.diagnostic(`the facilitator: ${JSON.stringify(Object.fromEntries(fake.seen))}`)
    }
    const node = WITH_NODE ? { SOLANA_RPC_URL: chain.rpcUrl } : {}
    return { PAYMENTS: 'facilitator', FACILITATOR_URL: fake.url, ...node }
  }
  const world = await openWorld(t, start, { poor: WITH_NODE })
  const { program, scene } = world
  const random = seededRandom(SEED)
  await Promise.all([world.trade(SEED, CALLS), killAll(world, random)])
  calm()

  // what the facilitator was asked for once, it may settle whenever it is asked again: now it can, and everybody has money
  await program.kill()
  for (const wallet of scene.market.wallets.keys()) scene.market.fund(wallet, 1_000_000)
  await program.start()
  await world.reconciled()
  await settleUp(scene, random)
  await world.reconciled()
  const { payments } = await world.judge()
  assert.ok(payments > CALLS / 20, 'too little has happened to prove anything')
})
