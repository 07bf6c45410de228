import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXPIRY_MS } from '@ti/service/access/x402/facilitator.ts'
import { LEASE_MS, RELEASED_MS } from '@ti/service/access/x402/ledger.ts'
import { CHECK_MS } from '@ti/service/access/x402/readiness.ts'
import { openScene } from './payments-sandbox-scene.ts'

/** Nodes that fail, answers that get lost, processes that end: over the sandbox chain. */

test('ways a send can go wrong: each ends with one payment or none', async (t) => {
  const scene = await openScene(t, { times: { settle: 3_000 } })
  const { knobs } = scene.chain
  const pay = async () => {
    const payment = await scene.sign(await scene.buyer())
    return { payment, outcome: await scene.pay(payment) }
  }
  // landed, the caller got an error: the chain is asked, the answer goes out
  knobs.sends = 'accept-then-fail'
  assert.equal((await pay()).outcome.kind, 'paid')
  // never reached the chain, and is sent again: once the node takes it, it lands
  knobs.sends = 'refuse'
  const refused = await pay()
  assert.equal(refused.outcome.kind, 'uncertain')
  assert.ok(refused.outcome.kind === 'uncertain' && refused.outcome.receipt.transaction !== '')
  assert.equal(await scene.state(refused.payment), 'settling')
  knobs.sends = 'none'
  assert.equal((await scene.pay(refused.payment)).kind, 'paid')
  // accepted and never seen again: uncertain, then it expires and is free
  knobs.sends = 'drop'
  const dropped = await pay()
  assert.equal(dropped.outcome.kind, 'uncertain')
  scene.chain.advanceSlots(200)
  assert.equal((await scene.pay(dropped.payment)).kind, 'uncertain', 'a young blockhash may only be new to the node')
  scene.clock.offsetMs += EXPIRY_MS + 1_000
  const expired = await scene.pay(dropped.payment)
  assert.ok(expired.kind === 'refused' && /expired/.test(expired.message))
  assert.equal(await scene.state(dropped.payment), 'released')
  // landed, and nobody is told for a while
  knobs.sends = 'none'
  knobs.hideStatuses = true
  const hidden = await pay()
  assert.equal(hidden.outcome.kind, 'uncertain')
  const meanwhile = await scene.pay(hidden.payment)
  assert.equal(meanwhile.kind, 'uncertain')
  knobs.hideStatuses = false
  const found = await scene.pay(hidden.payment)
  assert.equal(found.kind, 'paid')
  // landed, the answer never comes
  knobs.sends = 'accept-then-hang'
  const hung = await pay()
  assert.equal(hung.outcome.kind, 'paid')
  knobs.sends = 'none'
  knobs.release()
  await scene.booksAgree()
})

test('the round finishes what nobody asks for any more', async (t) => {
  const scene = await openScene(t)
  const { knobs } = scene.chain
  const payment = await scene.sign(await scene.buyer())
  knobs.hideStatuses = true
  assert.equal((await scene.pay(payment)).kind, 'uncertain')
  await scene.cashier.tick()
  assert.equal(scene.cashier.status().open, 1)
  knobs.hideStatuses = false
  scene.clock.offsetMs += LEASE_MS + 1_000
  await scene.cashier.tick()
  assert.equal(await scene.state(payment), 'settled')
  assert.equal(scene.cashier.status().open, 0)
  assert.equal((await scene.pay(payment)).kind, 'paid')
  scene.clock.offsetMs += RELEASED_MS + 1_000
  await scene.cashier.tick()
  assert.equal(await scene.state(payment), 'answered', 'what was paid is never forgotten')
  await scene.booksAgree()
})

test('restarts between any two steps', async (t) => {
  const scene = await openScene(t, { times: { settle: 1_500 } })
  const { knobs } = scene.chain
  const never = new Promise<never>(() => {})
  // between reserve and settle
  const working = await scene.sign(await scene.buyer())
  let atWork = (): void => {}
  const reached = new Promise<void>((resolve) => {
    atWork = resolve
  })
  const work = (): Promise<never> => {
    atWork()
    return never
  }
  scene.pay(working, { work }).catch(() => {})
  await reached
  const second = await scene.restart()
  assert.equal(await scene.state(working), 'released')
  assert.equal((await scene.pay(working, { by: second.cashier })).kind, 'paid')
  // signed, landed, not told
  const open = await scene.sign(await scene.buyer())
  knobs.hideStatuses = true
  assert.equal((await scene.pay(open, { by: second.cashier })).kind, 'uncertain')
  knobs.hideStatuses = false
  const third = await scene.restart()
  await third.cashier.tick()
  assert.equal(await scene.state(open), 'settled')
  assert.equal((await scene.pay(open, { by: third.cashier })).kind, 'paid')
  // between settlement and answer
  const unheard = await scene.sign(await scene.buyer())
  const answer = await scene.pay(unheard, { by: third.cashier })
  const fourth = await scene.restart()
  assert.deepEqual(await scene.pay(unheard, { by: fourth.cashier, work: never as never }), answer)
  await scene.booksAgree()
})

test('payments wait where they cannot be settled, keys need not', async (t) => {
  const scene = await openScene(t)
  const { chain, cashier } = scene
  assert.deepEqual([cashier.status().ready, cashier.status().reason], [true, null])
  const payment = await scene.sign(await scene.buyer())
  const check = async (): Promise<string> => {
    scene.clock.offsetMs += CHECK_MS + 1
    await cashier.tick()
    return cashier.status().reason ?? 'ready'
  }
  chain.drain(chain.feePayer, { lamports: chain.lamports(chain.feePayer) - 1_000_000n })
  assert.match(await check(), /fee payer .* holds 1000000 lamports/)
  const outcome = await scene.pay(payment)
  assert.ok(outcome.kind === 'unavailable' && /fee payer/.test(outcome.message))
  chain.fund(chain.feePayer, { lamports: 10_000_000n })
  assert.equal(await check(), 'ready')
  chain.closeTokenAccount(chain.seller)
  assert.match(await check(), /does not exist: create it by sending any amount of USDC/)
  chain.fund(chain.seller, { usdc: 0n })
  chain.knobs.reject.add('getBalance')
  assert.match(await check(), /does not answer/)
  chain.knobs.reject.clear()
  assert.equal(await check(), 'ready')
  // the node fails while it verifies: not the payer's fault
  chain.knobs.reject.add('simulateTransaction')
  assert.equal((await scene.pay(payment)).kind, 'unavailable')
  chain.knobs.reject.clear()
  assert.equal((await scene.pay(payment)).kind, 'paid')
  assert.equal(scene.earned(), 10_000)
})
