import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSfc32 } from '@ti/core/base/sfc32.ts'
import { createClient } from '../../clients/typescript/src/index.ts'
import { payingFetch } from '../../clients/typescript/src/payments.ts'
import { type Market, makeMarket, type Program, startProgram } from '../conformance/x402/program.ts'

/** Requests that carry a payment get lost on their way, and everything is paid for once. */
let market: Market
let program: Program
const ends: (() => unknown)[] = []
before(async () => {
  market = await makeMarket()
  program = await startProgram({ after: (end) => void ends.push(end as () => unknown) }, market)
})
after(async () => {
  for (const end of ends) await end()
  market?.remove()
})

const PRICE = 10_000
const isPaid = (request: Request): boolean =>
  request.headers.has('payment-signature') || request.headers.has('x-payment')

/** Loses 40 % of the requests that carry a payment before they are sent. */
function losing(seed: number, secrets: Set<string>) {
  const { float } = createSfc32(seed, 0, 0, 12)
  const lost = { requests: 0 }
  const lose: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!isPaid(request)) return fetch(request)
    for (const name of ['payment-signature', 'x-payment']) secrets.add(request.headers.get(name) ?? 'no payment')
    if (float() >= 0.4) return fetch(request)
    lost.requests++
    throw new TypeError('the request was lost')
  }
  return { lose, lost }
}

for (const version of [1, 2] as const) {
  test(`version ${version}: 60 calls are paid 60 times, whatever is lost`, async (t) => {
    const wallet = await program.buyer()
    const { payments } = (await (await fetch(`${program.url}/.well-known/x402`)).json()) as {
      payments: { rpc_url: string; network: `${string}:${string}` }
    }
    const { rpc_url: rpcUrl, network } = payments
    const seed = 402 + version
    const { lose, lost } = losing(seed, program.secrets)
    const client = createClient({
      baseUrl: program.url,
      retries: 40,
      maxWaitMs: 20,
      fetch: payingFetch({ wallet, version, network, rpcUrl, maxTotal: '$0.60', fetch: lose }),
    })
    const had = await program.tokens(wallet.address)
    for (let call = 0; call < 60; call++) assert.ok(Array.isArray((await client.new_tokens()).data))
    t.diagnostic(`seed ${seed}: lost ${lost.requests} requests`)
    assert.ok(lost.requests >= 20)
    assert.equal(had - (await program.tokens(wallet.address)), 60 * PRICE)
    await assert.rejects(client.new_tokens(), /of the total is spent/)
  })
}

test('an answer that was sent whole and lost: the next call says so and pays nothing', async () => {
  const wallet = await program.buyer()
  const { payments } = (await (await fetch(`${program.url}/.well-known/x402`)).json()) as {
    payments: { rpc_url: string; network: `${string}:${string}` }
  }
  let lost = 0
  const lose: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const response = await fetch(request)
    if (!isPaid(request)) return response
    program.secrets.add(request.headers.get('payment-signature')!)
    if (lost++ > 0) return response
    await response.arrayBuffer()
    throw new TypeError('the answer was lost')
  }
  const { rpc_url: rpcUrl, network } = payments
  const client = createClient({ baseUrl: program.url, fetch: payingFetch({ wallet, network, rpcUrl, fetch: lose }) })
  const paid = async () => 1_000_000 - (await program.tokens(wallet.address))
  await assert.rejects(client.new_tokens(), TypeError)
  await assert.rejects(client.new_tokens(), { name: 'ApiError', status: 402, message: /its answer was sent/ })
  assert.equal(await paid(), PRICE)
  await client.new_tokens()
  assert.equal(await paid(), 2 * PRICE, 'whoever asks once more pays once more')
})

test('a call with a key that is refused is an error, and nothing is paid', async () => {
  const wallet = await program.buyer()
  const apiKey = market.key.replace(/.{8}$/, 'revoked_')
  const client = createClient({ baseUrl: program.url, apiKey, fetch: payingFetch({ wallet }) })
  const had = await program.tokens(wallet.address)
  await assert.rejects(client.new_tokens(), { status: 402 })
  assert.equal(await program.tokens(wallet.address), had)
})
