import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverJson } from '@ti/core/contract/discovery.ts'
import { BATCH_ENDPOINTS, PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { createOffers } from '@ti/service/access/x402/offer.ts'
import type { Cashier } from '@ti/service/access/x402/types.ts'
import { startFake } from '../../support/fake-service.ts'
import { createFakeCashier } from '../mcp/service.ts'
import { PATHS } from '../x402/door.ts'

/** What catalogues fetch. */
test('/.well-known/x402: every address in it answers with an offer, every operation has its price', async (t) => {
  const service = await startFake({ cashier: createFakeCashier(), unlimited: true })
  t.after(service.close)
  const answer = await fetch(`${service.baseUrl}/.well-known/x402`)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  const { version, resources, operations } = (await answer.json()) as {
    version: number
    resources: string[]
    operations: { method: string; url: string; price: { amount: string }; per: string }[]
  }
  assert.equal(version, 1)
  assert.equal(resources.length, PRICED_ENDPOINTS.length)
  for (const resource of resources) {
    const { pathname } = new URL(resource)
    assert.equal((await fetch(service.baseUrl + pathname)).status, 402, pathname)
  }
  assert.deepEqual(
    operations.map(({ url, price }) => [url, Number(price.amount)]),
    [...PRICED_ENDPOINTS, ...BATCH_ENDPOINTS].map(({ path, priceUnits }) => [
      `https://api.example.com${path}`,
      priceUnits,
    ]),
  )
  assert.deepEqual(
    operations.filter(({ method }) => method === 'POST').map(({ per }) => per),
    ['token found'],
  )
})

test('an answer’s example is in the offer where a proxy’s 4 kB of headers have room, and always in the catalogue', async (t) => {
  const { quote } = createOffers({
    ...{ network: MAINNET, payTo: EXAMPLE_ADDRESSES.holder, feePayer: () => EXAMPLE_ADDRESSES.trader },
  })
  const service = await startFake({ cashier: { ...createFakeCashier(), quote }, unlimited: true })
  t.after(service.close)
  const { operations } = (await (await fetch(`${service.baseUrl}/.well-known/x402`)).json()) as {
    operations: { url: string; example: unknown }[]
  }
  const shown: string[] = []
  for (const { id, path, response } of PRICED_ENDPOINTS) {
    const { headers } = await fetch(service.baseUrl + PATHS[id])
    const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
    assert.ok(bytes < 3_900, `${id}: ${bytes}`)
    const { extensions } = JSON.parse(Buffer.from(headers.get('payment-required')!, 'base64').toString())
    const { example } = operations.find(({ url }) => url.endsWith(path))!
    assert.ok(response.safeParse(example).success, id)
    const { output } = extensions.bazaar.info
    if (output !== undefined) shown.push(id)
    if (output !== undefined) assert.deepEqual(output.example, example)
  }
  const lists = ['new', 'pumps', 'graduated', 'agents', 'survivors']
  assert.deepEqual(shown, [...lists, 'trader', 'check', 'trader_windows'])
})

test('an offer names the scheme that the client used, as a trusted proxy says, and never another host', async (t) => {
  const offered: string[] = []
  const fake = createFakeCashier()
  const cashier: Cashier = {
    ...fake,
    quote(call, problem) {
      offered.push(call.resource)
      return fake.quote(call, problem)
    },
  }
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example', host: 'evil.example' }
  const offerOf = async (trustedProxies: string[], publicUrl: string, headers: Record<string, string>) => {
    const service = await startFake({ cashier, trustedProxies, publicUrl })
    t.after(service.close)
    assert.equal((await fetch(`${service.baseUrl}/v1/tokens/new`, { headers })).status, 402)
    return offered.pop()
  }
  const [plain, tls] = ['http://api.example.com', 'https://api.example.com']
  assert.equal(await offerOf(['127.0.0.1'], plain, forwarded), `${tls}/v1/tokens/new`)
  assert.equal(await offerOf(['127.0.0.1'], plain, { 'x-forwarded-proto': 'http' }), `${plain}/v1/tokens/new`)
  assert.equal(await offerOf(['10.0.0.1'], plain, forwarded), `${plain}/v1/tokens/new`, 'anybody can say so')
  assert.equal(await offerOf([], tls, {}), `${tls}/v1/tokens/new`)
})

test('/robots.txt keeps crawlers from what has a price; /.well-known/security.txt is there with a contact', async (t) => {
  const service = await startFake({ contact: 'mailto:security@example.com' })
  t.after(service.close)
  const robots = await (await fetch(`${service.baseUrl}/robots.txt`)).text()
  for (const path of ['/v1/', '/app/', '/account']) assert.ok(robots.includes(`\nDisallow: ${path}\n`), path)
  const answer = await fetch(`${service.baseUrl}/.well-known/security.txt`)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  const fields = Object.fromEntries(
    (await answer.text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  )
  assert.equal(fields.Contact, 'mailto:security@example.com')
  assert.equal(fields.Canonical, 'https://api.example.com/.well-known/security.txt')
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
  // RFC 9116, section 2.5.5: less than a year
  assert.ok(days > 30 && days < 365, fields.Expires)
  const without = await startFake()
  t.after(without.close)
  assert.equal((await fetch(`${without.baseUrl}/.well-known/security.txt`)).status, 404)
})

test('/server.json: what the registry’s schema asks of a remote server', async (t) => {
  const service = await startFake()
  t.after(service.close)
  const entry = (await (await fetch(`${service.baseUrl}/server.json`)).json()) as Record<string, never>
  assert.equal(entry.name, 'com.example.api/token-intelligence')
  assert.match(entry.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  const { name, title, description, version, remotes } = entry as unknown as Record<string, string> & {
    remotes: { type: string; url: string; headers: { name: string; isSecret: boolean }[] }[]
  }
  // lengths of the schema of 2025-12-11
  assert.ok(name!.length >= 3 && name!.length <= 200 && title!.length <= 100 && description!.length <= 100)
  assert.match(version!, /^\d+\.\d+\.\d+$/)
  assert.deepEqual(
    remotes.map(({ type, url, headers }) => [type, url, headers[0]!.name, headers[0]!.isSecret]),
    [['streamable-http', 'https://api.example.com/mcp', 'Authorization', true]],
  )
  for (const url of ['http://127.0.0.1:4000', 'http://[::1]:4000', '']) {
    assert.equal((serverJson(url) as { name: string }).name, 'localhost/token-intelligence', url)
  }
})
