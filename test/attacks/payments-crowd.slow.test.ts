import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RATES } from '@ti/service/access/rate-limits/windows.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { PATHS } from '../conformance/x402/door.ts'
import { OTHER, openScene } from '../conformance/x402/scene.ts'
import { inV2 } from '../support/payments-fixtures.ts'

// before: 60 paid calls, the 61st unpaid one was answered with 429
test('the official client in a loop pays 600 times in one minute from one address', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer(RATES.paid * OTHER)
  const config = { rpcUrl: scene.chain.rpcUrl }
  const client = x402Client.fromConfig({
    schemes: [{ network: MAINNET.v2, client: new ExactSvmScheme(buyer, config) }],
  })
  const paid = wrapFetchWithPayment(fetch, client)
  const start = performance.now()
  for (let i = 0; i < RATES.paid; i++) {
    const answer = await paid(`${scene.baseUrl}${PATHS.new}`)
    assert.equal(answer.status, 200, `call ${i}: ${(await answer.text()).slice(0, 200)}`)
    scene.sales.units += OTHER
  }
  t.diagnostic(`${RATES.paid} calls paid in one window, in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  assert.equal(scene.earned(), RATES.paid * OTHER)
  // the window of the paid is full, and paying does not open the one of the unpaid any further
  assert.equal((await fetch(`${scene.baseUrl}${PATHS.new}`)).status, 402)
  assert.equal((await scene.ask(PATHS.new, inV2(await scene.byHand({ buyer })))).status, 429)
})
