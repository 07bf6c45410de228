import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_ENDPOINTS, PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { BATCH_EXAMPLES } from '@ti/core/contract/examples-who.ts'
import type { PaymentRequiredV2 } from '@ti/core/contract/resources.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { createOffers } from '@ti/service/access/x402/offer.ts'
import { callOf, post, resultOf } from '../conformance/mcp/raw.ts'
import { createFakeCashier, startMcp } from '../conformance/mcp/service.ts'
import { PATHS } from '../conformance/x402/door.ts'
import { startFake } from '../support/fake-service.ts'

/** The package that catalogues of x402 read offers with, over the offers that the faces make. */
interface Verdict {
  readonly valid: boolean
  readonly errors?: readonly string[]
}
interface Bazaar {
  validateDiscoveryExtension(extension: unknown): Verdict
  validateDiscoveryExtensionSpec(extension: unknown): Verdict
  extractDiscoveryInfo(payload: object, requirements: object): Record<string, unknown> | null
}
const bazaar = (await import('@x402/extensions/bazaar' as string)) as Bazaar

const { quote } = createOffers({
  network: MAINNET,
  payTo: EXAMPLE_ADDRESSES.holder,
  feePayer: () => EXAMPLE_ADDRESSES.trader,
})
const cashier = { ...createFakeCashier(), quote }

/** As a catalogue finds it in a payment for the offer. */
function found(offer: PaymentRequiredV2) {
  const { resource, accepts } = offer
  const extensions = offer.extensions as { bazaar: unknown }
  for (const verdict of [
    bazaar.validateDiscoveryExtension(extensions.bazaar),
    bazaar.validateDiscoveryExtensionSpec(extensions.bazaar),
  ]) {
    assert.ok(verdict.valid, `${resource.url}: ${verdict.errors?.join()}`)
  }
  const info = bazaar.extractDiscoveryInfo({ x402Version: 2, resource, extensions }, accepts[0]!)
  assert.ok(info !== null, resource.url)
  return info
}

test('offers over REST are listed by their route and method', async (t) => {
  const service = await startFake({ cashier, unlimited: true })
  t.after(service.close)
  const offered = async (path: string, init?: RequestInit) => {
    const answer = await fetch(service.baseUrl + path, init)
    assert.equal(answer.status, 402, path)
    return JSON.parse(Buffer.from(answer.headers.get('payment-required')!, 'base64').toString()) as PaymentRequiredV2
  }
  for (const { id, path } of PRICED_ENDPOINTS) {
    const info = found(await offered(PATHS[id]))
    const route = path.replace(/\{(\w+)\}/, ':$1')
    assert.deepEqual([info.resourceUrl, info.method], [`https://api.example.com${route}`, 'GET'], id)
  }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(BATCH_EXAMPLES.batch.asked)
  assert.equal(found(await offered('/v1/tokens/batch', { method: 'POST', headers, body })).method, 'POST')
})

test('offers of tools are listed by their names', async (t) => {
  const service = await startMcp({ cashier })
  t.after(service.close)
  const { mint, trader, deployer } = EXAMPLE_ADDRESSES
  const values = { mint, wallet: trader, id: '41', mints: [mint] }
  for (const { id, tool, parameters } of [...PRICED_ENDPOINTS, ...BATCH_ENDPOINTS]) {
    if (tool === null) continue
    const given = { ...values, address: id.startsWith('deployer') ? deployer : trader }
    const args = Object.fromEntries(
      parameters.filter((name) => name in given).map((name) => [name, given[name as keyof typeof given]]),
    )
    const result = resultOf(await post(service, callOf(tool, args)))
    assert.equal(found(result.structuredContent as unknown as PaymentRequiredV2).toolName, tool)
  }
})

test('it would say so: an extension that breaks its own schema', () => {
  const broken = { info: { input: { type: 'http' } }, schema: { type: 'object', required: ['output'] } }
  assert.equal(bazaar.validateDiscoveryExtension(broken).valid, false)
})
