import '../register.ts'
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createKeyPairSignerFromBytes, generateKeyPairSigner } from '@solana/kit'
import { PLAY } from '@ti/service/access/x402/network.ts'
import { DEFINITIONS } from '@ti/service/cli/definitions.ts'
import { SILENT } from '@ti/service/cli/io.ts'
import { parse } from '@ti/service/cli/parse.ts'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { SettlementCache, toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { type SandboxChain, startSandboxChain } from '../chain.ts'
import { demoPay, payInSandbox } from './pay.ts'
import { lamportsOf, subscribeInSandbox } from './subscribe.ts'

/** A minimal service that sells for play money with the official facilitator, and the demo as its customer. */

const NETWORK = PLAY.v2
const MINT = 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z'
const CARDS = [{ mint: MINT, symbol: 'MOTH\u001b[31m' }]
const SNAPSHOT = { meta: { symbol: 'MOTH', name: 'Ultra Moth' }, score: { value: 1.6 }, ratings: { score: 'red' } }

let chain: SandboxChain
let facilitator: x402Facilitator
let url: string
/** The service's answers and prices, which tests change. */
let shop: { payments: object; price: string; cards: object[]; paidBy: string[] }
const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
})

before(async () => {
  chain = await startSandboxChain({ slotMs: 0, mint: PLAY.asset })
  const signer = await createKeyPairSignerFromBytes(chain.feePayerSecret)
  const scheme = new ExactSvmScheme(
    toFacilitatorSvmSigner(signer, { defaultRpcUrl: chain.rpcUrl }),
    new SettlementCache(),
    { maxPriorityFeeMicroLamports: 100_000, maxComputeUnits: 60_000, maxRequiredSignatures: 2 },
  )
  facilitator = new x402Facilitator().register(NETWORK, scheme)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
  await chain.close()
})

const open = () => {
  shop = {
    payments: { mode: 'sandbox', rpc_url: chain.rpcUrl, pay_to: chain.seller, network: PLAY.v2, asset: PLAY.asset },
    price: '20000',
    cards: CARDS,
    paidBy: [],
  }
}

const decode = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64')

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const json = (status: number, body: object, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (request.url === '/.well-known/x402') return void json(200, { payments: shop.payments })
  // a node of mainnet
  if (request.url === '/rpc')
    return void json(200, { jsonrpc: '2.0', id: 1, result: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' })
  const list = request.url === '/v1/tokens/new'
  const amount = list ? '10000' : shop.price
  const common = { scheme: 'exact', asset: chain.mint, payTo: chain.seller, maxTimeoutSeconds: 60 }
  const extra = { feePayer: chain.feePayer }
  const offer: PaymentRequirements = { ...common, network: NETWORK, amount, extra }
  const resource = { url: `${url}${request.url}`, description: '', mimeType: 'application/json' }
  const [v2, v1] = [request.headers['payment-signature'], request.headers['x-payment']]
  const header = v2 ?? v1
  if (typeof header !== 'string') {
    const { url: address, ...rest } = resource
    const old = { ...common, ...rest, resource: address, network: PLAY.v1, maxAmountRequired: amount, extra }
    const body = { x402Version: 1, error: { code: 'payment_required', message: 'pay' }, accepts: [old] }
    const required = { x402Version: 2, error: 'Payment required', resource, accepts: [offer] }
    return void json(402, body, { 'payment-required': encode(required) })
  }
  const { payload } = decode(header) as PaymentPayload
  const receipt = await facilitator.settle({ x402Version: 2, accepted: offer, payload }, offer)
  const name = v2 === undefined ? 'x-payment-response' : 'payment-response'
  if (!receipt.success) return void json(402, { error: { message: 'not settled' } }, { [name]: encode(receipt) })
  shop.paidBy.push(name)
  json(200, { data: list ? shop.cards : SNAPSHOT, meta: {} }, { [name]: encode(receipt) })
}

async function run(version: 1 | 2, mint: string | null): Promise<string> {
  const lines: string[] = []
  await payInSandbox({ url, mint, version, print: (line) => lines.push(line) })
  return lines.join('\n')
}

test('buys a snapshot with the official client, in both versions, and says what it cost', async () => {
  for (const [version, header] of [
    [2, 'payment-response'],
    [1, 'x-payment-response'],
  ] as const) {
    open()
    const start = chain.tokens(chain.seller)
    const printed = await run(version, MINT)
    assert.equal(chain.tokens(chain.seller) - start, 20_000n)
    assert.deepEqual(shop.paidBy, [header])
    assert.match(printed, /No real money moves/)
    assert.match(
      printed,
      new RegExp(`asks 0\\.02 USDC on the sandbox \\(x402 version ${version}\\), paid to ${chain.seller}`),
    )
    assert.match(
      printed,
      /receipt {2}paid after \d+ ms, payer [1-9A-HJ-NP-Za-km-z]{32,44}\n +transaction [1-9A-HJ-NP-Za-km-z]{80,}/,
    )
    assert.match(printed, /score 1\.6 of 10, red: “MOTH” \(“Ultra Moth”\)/)
    assert.match(printed, /before {3}buyer 1 USDC, seller [\d.]+ USDC/)
    assert.match(printed, /after {4}buyer 0\.98 USDC/)
    assert.match(printed, /spent {4}0\.02 USDC; the seller received 0\.02 USDC/)
  }
})

test('without a mint it buys the list first, and nothing from outside steers the terminal', async () => {
  open()
  const printed = await run(2, null)
  assert.match(printed, /asks 0\.01 USDC[\s\S]*asks 0\.02 USDC/)
  assert.match(printed, /the newest is “MOTH\[31m”/)
  assert.match(printed, /spent {4}0\.03 USDC/)
  shop.cards = []
  await assert.rejects(run(2, null), /the list of new tokens is empty/)
})

test('never pays more than five cents', async () => {
  for (const version of [1, 2] as const) {
    open()
    shop.price = '50001'
    const start = chain.tokens(chain.seller)
    await assert.rejects(run(version, MINT), /could not be bought/)
    assert.equal(chain.tokens(chain.seller), start)
  }
})

const demo = (args: readonly string[]) => demoPay(parse(DEFINITION, args), SILENT)
const DEFINITION = DEFINITIONS.find(({ name }) => name === 'demo-pay')!

test('refuses where there is no sandbox to pay in', async () => {
  open()
  shop.payments = { ...shop.payments, mode: 'self' }
  await assert.rejects(run(2, MINT), /takes payments in mode self; demo-pay pays only in a sandbox/)
  shop.payments = { ...shop.payments, mode: 'sandbox', rpc_url: `${url}/rpc` }
  await assert.rejects(run(2, MINT), /is not a sandbox chain/)
  shop.payments = { mode: 'sandbox', pay_to: chain.seller, network: PLAY.v2, asset: PLAY.asset }
  await assert.rejects(run(2, MINT), /does not say where its sandbox chain is/)
  await assert.rejects(demo(['--url', 'http://127.0.0.1:1']), /no service answers at/)
  await assert.rejects(demo(['notamint']), /is no mint/)
  await assert.rejects(demo(['--url', 'ftp://x']), /--url or TI_URL takes/)
})

test('an account is paid for by a transfer that names its reference', async () => {
  open()
  const reference = (await generateKeyPairSigner()).address
  const before = chain.lamports(chain.seller)
  const lines: string[] = []
  await subscribeInSandbox({ url, reference, lamports: 750_000_000n, print: (line) => void lines.push(line) })
  assert.equal(chain.lamports(chain.seller) - before, 750_000_000n)
  assert.match(lines.join('\n'), /^pays {7}0\.75 SOL to /m)
  const listed = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getSignaturesForAddress',
      params: [reference, { commitment: 'confirmed' }],
    }),
  })
  const { result } = (await listed.json()) as { result: { signature: string }[] }
  assert.equal(result.length, 1)
  assert.ok(lines.join('\n').includes(result[0]!.signature), 'the transaction is named')
})

test('amounts of SOL', async () => {
  const cases: [string, bigint | null][] = [
    ['1', 1_000_000_000n],
    ['0.75', 750_000_000n],
    ['0.000000001', 1n],
    ['0', null],
    ['-1', null],
    ['1e3', null],
    ['0.0000000001', null],
    ['99', null],
    ['', null],
  ]
  for (const [text, lamports] of cases) assert.equal(lamportsOf(text, 10_000_000_000n), lamports, text)
  await assert.rejects(demo(['--subscribe', 'x']), /reference/)
  await assert.rejects(demo(['--subscribe', chain.seller, '--sol', 'x']), /amount/)
  await assert.rejects(demo([MINT, '--subscribe', chain.seller]), /no MINT/)
})
