import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import type { SandboxChain } from '@ti/sandbox/chain.ts'
import { createChain } from '@ti/service/access/x402/chain.ts'
import { createHttpFacilitator } from '@ti/service/access/x402/http-facilitator.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { createOutbound } from '@ti/service/observe/outbound/outbound.ts'
import { x402Facilitator } from '@x402/core/facilitator'
import { SettlementCache, toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { kindsOf, openScene } from './payments-sandbox-scene.ts'

/** The official facilitator behind its official paths; `lose` makes it do everything and never answer. */
async function official(t: TestContext, chain: SandboxChain) {
  const signer = await createKeyPairSignerFromBytes(chain.feePayerSecret)
  const scheme = new ExactSvmScheme(
    toFacilitatorSvmSigner(signer, { defaultRpcUrl: chain.rpcUrl }),
    new SettlementCache(),
  )
  const facilitator = new x402Facilitator().register(MAINNET.v2, scheme)
  const faults = { lose: false, settled: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url === '/supported') return response.end(JSON.stringify(facilitator.getSupported()))
    const { paymentPayload, paymentRequirements } = JSON.parse(Buffer.concat(chunks).toString())
    const asked = [paymentPayload, paymentRequirements] as const
    if (request.url === '/verify') return response.end(JSON.stringify(await facilitator.verify(...asked)))
    const answer = await facilitator.settle(...asked)
    faults.settled++
    if (!faults.lose) response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, faults }
}

test('the official facilitator over HTTP settles both versions, and what it leaves open is never free', async (t) => {
  const scene = await openScene(t)
  const { url, faults } = await official(t, scene.chain)
  const timeoutMs = { verify: 5_000, settle: 2_000 }
  const outbound = createOutbound({ allow: [url] })
  t.after(outbound.close)
  const facilitator = createHttpFacilitator({ url, payTo: scene.chain.seller, outbound, chain: null, timeoutMs })
  const { cashier } = await scene.restart({ facilitator, mode: 'facilitator' })
  assert.equal(cashier.status().fee_payer, scene.chain.feePayer)
  const buyer = await scene.buyer()
  for (const version of [2, 1] as const) {
    const payment = await scene.sign(buyer, undefined, version)
    const outcome = await scene.pay(payment, { by: cashier })
    assert.ok(outcome.kind === 'paid')
    assert.match(outcome.receipt.transaction, /^\w{80,90}$/)
    assert.deepEqual(await scene.pay(payment, { by: cashier }), outcome, 'one payment has one answer')
  }
  const poor = await scene.sign(await scene.buyer(1n))
  assert.equal((await scene.pay(poor, { by: cashier })).kind, 'refused')
  assert.equal(await scene.state(poor), 'released')
  // settled, and the answer is lost: it stays open, whatever happens
  faults.lose = true
  const lost = await scene.sign(buyer)
  assert.equal((await scene.pay(lost, { by: cashier })).kind, 'uncertain')
  faults.lose = false
  assert.equal(scene.earned(), 30_000)
  const next = await scene.restart({ facilitator, mode: 'facilitator' })
  await next.cashier.tick()
  assert.equal(await scene.state(lost), 'settling')
  assert.equal(next.cashier.status().open, 1)
  assert.equal((await scene.pay(lost, { by: next.cashier })).kind, 'uncertain')
  // with a node of our own it is found on the chain
  const chain = createChain({ rpcUrl: scene.chain.rpcUrl, now: Date.now, confirmMs: 100, pollMs: 10 })
  const knowing = createHttpFacilitator({ url, payTo: scene.chain.seller, outbound, chain, timeoutMs })
  const last = await scene.restart({ facilitator: knowing, mode: 'facilitator' })
  assert.equal((await scene.pay(lost, { by: last.cashier })).kind, 'paid')
  assert.equal(scene.earned(), 30_000)
})

test('two processes over one ledger give one answer', async (t) => {
  const scene = await openScene(t, {}, { shared: true })
  const other = await scene.restart()
  const payment = await scene.sign(await scene.buyer())
  const both = [scene.cashier, other.cashier]
  const outcomes = await Promise.all(Array.from({ length: 12 }, (_, i) => scene.pay(payment, { by: both[i % 2]! })))
  assert.equal(kindsOf(outcomes).filter((kind) => kind === 'paid').length, 1)
  assert.equal(scene.earned(), 10_000)
})
