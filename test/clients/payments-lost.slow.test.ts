import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { KeyPairSigner } from '@solana/kit'
import type { SandboxChain } from '@ti/sandbox/chain.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { createClient } from '../../clients/typescript/src/index.ts'
import { payingFetch } from '../../clients/typescript/src/payments.ts'
import { CLIENTS, type TestClient, type ToolResult } from '../conformance/mcp/client.ts'
import { makeMarket, startProgram } from '../conformance/x402/program.ts'
import { checkHistories, readBooks } from '../simulation/payments-books.ts'
import { createFaults, MOMENTS } from '../simulation/payments-faults.ts'
import { openWorld } from '../simulation/payments-world.ts'
import { runs, seed } from '../support/chance.ts'
import { seededRandom } from '../support/random.ts'
import { type LosingProxy, startLosingProxy } from './losing-proxy.ts'

/**
 * Clients buy over x402 while answers are lost on their way, the chain is slow, and the service is killed. Each call is
 * paid for once, and has the one answer that was made for its payment.
 */
const SEED = seed()
const LOSSES = runs(1_000)
const KILLS = 5
const PRICE = 10_000
const PATIENCE_MS = 50

/** A client with a wallet of its own. `buy` makes one call until it has an answer, and returns the id in it. */
interface Shopper {
  readonly name: string
  readonly wallet: KeyPairSigner
  buy(): Promise<string>
}

const again = async (): Promise<void> => pause(Math.random() * PATIENCE_MS)

/** A transport that repeats a request that was lost, with whatever it carries. */
const repeating: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  for (;;) {
    const response = await readWhole(request.clone()).catch(() => null)
    if (response !== null && response.status < 500) return response
    await again()
  }
}

async function readWhole(request: Request): Promise<Response> {
  const response = await fetch(request)
  const { status, headers } = response
  return new Response(await response.arrayBuffer(), { status, headers })
}

/** A client of version 1 does not know the offer of version 2. */
const withoutOfferOfV2: typeof fetch = async (input, init) => {
  const response = await repeating(input, init)
  response.headers.delete('payment-required')
  return response
}

interface Sold {
  readonly meta: { readonly request_id: string }
}

/** Until it is sold: a settlement that failed is not paid for, and another payment is signed. */
async function until(buy: () => Promise<Sold | null>): Promise<string> {
  for (;;) {
    const sold = await buy().catch(() => null)
    if (sold !== null) return sold.meta.request_id
    await again()
  }
}

function schemeOf(wallet: KeyPairSigner, version: 1 | 2, { rpcUrl }: SandboxChain) {
  return version === 2
    ? { network: MAINNET.v2, client: new ExactSvmScheme(wallet, { rpcUrl }) }
    : { network: MAINNET.v1 as typeof MAINNET.v2, client: new ExactSvmSchemeV1(wallet, { rpcUrl }), x402Version: 1 }
}

const ours = (version: 1 | 2, wallet: KeyPairSigner, url: string, { rpcUrl }: SandboxChain): Shopper => {
  const paying = payingFetch({ wallet, version, network: MAINNET.v2, rpcUrl })
  const client = createClient({ baseUrl: url, retries: 1_000, maxWaitMs: PATIENCE_MS, fetch: paying })
  return { name: `ours, V${version}`, wallet, buy: () => until(() => client.new_tokens()) }
}

const official = (version: 1 | 2, wallet: KeyPairSigner, url: string, chain: SandboxChain): Shopper => {
  const client = x402Client.fromConfig({ schemes: [schemeOf(wallet, version, chain)] })
  const paying = wrapFetchWithPayment(version === 2 ? repeating : withoutOfferOfV2, client)
  const buy = async (): Promise<Sold | null> => {
    const response = await paying(`${url}/v1/tokens/new`)
    return response.ok ? ((await response.json()) as Sold) : null
  }
  return { name: `official, V${version}`, wallet, buy: () => until(buy) }
}

const overMcp = (place: 'argument' | '_meta', wallet: KeyPairSigner, url: string, chain: SandboxChain): Shopper => {
  const payer = x402Client.fromConfig({ schemes: [schemeOf(wallet, 2, chain)] })
  let client: TestClient | null = null
  async function call(payment: object | null): Promise<ToolResult> {
    for (;;) {
      try {
        client ??= await CLIENTS['client 1']!(new URL(`${url}/mcp`), {})
        const text = Buffer.from(JSON.stringify(payment)).toString('base64')
        if (payment === null) return await client.callTool('list_new_tokens', {})
        if (place === 'argument') return await client.callTool('list_new_tokens', { x_payment: text })
        return await client.callTool('list_new_tokens', {}, { 'x402/payment': payment })
      } catch {
        await again()
      }
    }
  }
  async function buy(): Promise<Sold | null> {
    const offer = (await call(null)).structuredContent as unknown as Parameters<typeof payer.createPaymentPayload>[0]
    const payment = await payer.createPaymentPayload(offer)
    for (;;) {
      const { isError, structuredContent, content } = await call(payment)
      if (isError !== true) return JSON.parse(content[0]!.text!) as Sold
      if (structuredContent?.x402Version !== undefined) return null
      await again()
    }
  }
  return { name: `MCP, ${place}`, wallet, buy: () => until(buy) }
}

const lossesOf = (proxies: readonly LosingProxy[]): number =>
  proxies.reduce((sum, { losses }) => sum + [...losses.values()].reduce((one, n) => one + n, 0), 0)

test(`${LOSSES} losses: each call is paid once and answered once`, async (t) => {
  t.diagnostic(`seed ${SEED}`)
  const { chain, dataDir, program, scene, reconciled } = await openWorld(t, async ({ rpcUrl, feePayerSecret }) => ({
    PAYMENTS: 'self',
    SOLANA_RPC_URL: rpcUrl,
    FEE_PAYER_KEYPAIR: JSON.stringify([...feePayerSecret]),
  }))
  const random = seededRandom(SEED)
  const kinds = [ours, official].flatMap((kind) =>
    ([1, 2] as const).map((version) => (wallet: KeyPairSigner, url: string) => kind(version, wallet, url, chain)),
  )
  const tools = (['argument', '_meta'] as const).map(
    (place) => (wallet: KeyPairSigner, url: string) => overMcp(place, wallet, url, chain),
  )
  const proxies: LosingProxy[] = []
  const shoppers: Shopper[] = []
  for (const [i, open] of [...kinds, ...tools].entries()) {
    const proxy = await startLosingProxy({ service: program.up, random: seededRandom(SEED + i), share: 0.7 })
    t.after(proxy.close)
    proxies.push(proxy)
    shoppers.push(open(await scene.market.poorBuyer(100_000_000), proxy.url))
  }
  const bought = new Map(shoppers.map((shopper) => [shopper, [] as string[]]))
  const faults = createFaults(chain, program)
  faults.start(seededRandom(SEED - 1))
  const shop = async (shopper: Shopper): Promise<void> => {
    while (lossesOf(proxies) < LOSSES) bought.get(shopper)!.push(await shopper.buy())
  }
  const killAll = async (): Promise<void> => {
    for (let kill = 1; kill <= KILLS; kill++) {
      while (lossesOf(proxies) < (kill * LOSSES) / (KILLS + 1)) await pause(10)
      await faults.kill(MOMENTS[kill % MOMENTS.length]!, random)
      await program.start()
    }
    while (lossesOf(proxies) < LOSSES) await pause(10)
    for (const { calm } of proxies) calm()
    await faults.calm()
  }
  await Promise.all([...shoppers.map(shop), killAll()])
  await reconciled()
  const calls = [...bought.values()].flat()
  const losses = proxies.flatMap((proxy) => [...proxy.losses])
  const byKind = Object.fromEntries(losses.map(([kind]) => [kind, 0]))
  for (const [kind, n] of losses) byKind[kind]! += n
  t.diagnostic(`${calls.length} calls, ${lossesOf(proxies)} losses: ${JSON.stringify(byKind)}`)
  t.diagnostic(JSON.stringify(shoppers.map((one) => `${one.name}: ${bought.get(one)!.length}`)))
  t.diagnostic(`faults: ${JSON.stringify(Object.fromEntries(faults.seen))}`)
  assert.equal(new Set(calls).size, calls.length, 'each call has an answer of its own')
  for (const shopper of shoppers) {
    const { address } = shopper.wallet
    const spent = Number(scene.market.wallets.get(address)! - chain.tokens(address))
    assert.equal(spent, bought.get(shopper)!.length * PRICE, `${shopper.name}: paid for what it got`)
  }
  assert.equal(await program.stop(), 0)
  const books = await readBooks(dataDir)
  checkHistories(books)
  const paid = books.rows.filter(({ state }) => state === 'answered')
  assert.deepEqual([paid.length, Number(chain.tokens(chain.seller))], [calls.length, calls.length * PRICE])
})

test('a call with a key that is refused is an error, and nothing is paid; nor is anything beyond a total', async (t) => {
  const market = await makeMarket()
  const program = await startProgram(t, market)
  t.after(market.remove)
  const wallet = await program.buyer()
  const apiKey = market.key.replace(/.{8}$/, 'revoked_')
  const client = createClient({ baseUrl: program.url, apiKey, fetch: payingFetch({ wallet }) })
  const had = await program.tokens(wallet.address)
  await assert.rejects(client.new_tokens(), { status: 402 })
  assert.equal(await program.tokens(wallet.address), had)
  const { payments } = (await (await fetch(`${program.url}/.well-known/x402`)).json()) as {
    payments: { rpc_url: string; network: `${string}:${string}` }
  }
  const { rpc_url: rpcUrl, network } = payments
  const limited = createClient({
    baseUrl: program.url,
    fetch: payingFetch({ wallet, network, rpcUrl, maxTotal: '$0.02' }),
  })
  for (let call = 0; call < 2; call++) assert.ok(Array.isArray((await limited.new_tokens()).data))
  await assert.rejects(limited.new_tokens(), /of the total is spent/)
  assert.equal(had - (await program.tokens(wallet.address)), 2 * PRICE)
})
