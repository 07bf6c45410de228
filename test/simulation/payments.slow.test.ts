import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { settleUp } from './payments-calls.ts'
import { createFaults, type Faults, MOMENTS } from './payments-faults.ts'
import type { Random } from './payments-market.ts'
import { openWorld, type World } from './payments-world.ts'

/**
 * Clients buy from the real service on the sandbox chain, in every way there is, while chain, clients and service fail at
 * random. Whatever happens: what the seller has received is what the books say and what clients have got data for. The
 * seed decides what is done and what fails, not which of two comes first.
 */
const SEED = seed()
const CALLS = runs(2_100)
const KILLS = Math.max(9, Math.floor(CALLS / 300))
/** slots a second, and how long the service seems to be down at most; a blockhash lives 60 s */
const SLOTS = 2.5
const MOST_DOWN_S = 90
/** longer than any unknown transaction is believed to be still on its way */
const LONG_AFTER_MS = 600_000

/** Kills the service again and again while clients are at work, and lets time pass while it is down. */
async function killAll({ scene, program, chain }: World, faults: Faults, random: Random): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    while (scene.market.calls < (kill * CALLS) / (KILLS + 1)) await pause(10)
    await faults.kill(MOMENTS[kill % MOMENTS.length]!, random)
    const downS = random() < 0.5 ? 0 : random() * MOST_DOWN_S
    program.aheadMs += Math.round(downS * 1000)
    chain.advanceSlots(Math.round(downS * SLOTS))
    await program.start()
  }
}

test(`${CALLS} calls, ${KILLS} kills: no charge without an answer, no answer without a charge`, async (t) => {
  t.diagnostic(`seed ${SEED}, calls ${CALLS}`)
  const world = await openWorld(t, async ({ rpcUrl, feePayerSecret }) => ({
    PAYMENTS: 'self',
    SOLANA_RPC_URL: rpcUrl,
    FEE_PAYER_KEYPAIR: JSON.stringify([...feePayerSecret]),
  }))
  const { chain, program, scene } = world
  const random = seededRandom(SEED)
  const faults = createFaults(chain, program)
  faults.start(seededRandom(SEED + 1))
  await Promise.all([world.trade(SEED, CALLS), killAll(world, faults, random)])
  await faults.calm()
  t.diagnostic(`faults: ${JSON.stringify(Object.fromEntries(faults.seen))}`)

  // nothing that was signed so far can land any more, and the service comes back long after
  await program.kill()
  chain.advanceSlots(200)
  program.aheadMs += LONG_AFTER_MS
  await program.start()
  await world.reconciled()
  await settleUp(scene, random)
  await world.reconciled()
  const { payments } = await world.judge()
  assert.ok(program.kills.length > KILLS && payments > CALLS / 20, 'too little has happened to prove anything')
})
