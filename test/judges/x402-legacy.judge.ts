import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { PRICED_ENDPOINTS } from '@ti/core/contract/endpoints.ts'
import { readPaymentHeader } from '@ti/service/access/x402/payment.ts'
import { readTransaction, TRANSACTION_COST } from '@ti/service/access/x402/transaction.ts'
import { PATHS } from '../conformance/x402/door.ts'
import { OTHER, openScene, type Scene, SNAPSHOT } from '../conformance/x402/scene.ts'

/** A client of the first version, from before there was a second one: the strictest reader of offers. */
interface Legacy {
  wrapFetchWithPayment(
    fetch: typeof globalThis.fetch,
    signer: unknown,
    maxValue?: bigint,
    select?: (offers: readonly Offer[]) => Offer,
    config?: { svmConfig: { rpcUrl: string } },
  ): (url: string) => Promise<Response>
  createSigner(network: string, secret: string): Promise<{ readonly address: string }>
  decodeXPaymentResponse(header: string): Record<string, unknown>
}
type Offer = Readonly<Record<string, unknown>>

const legacy = (await import('x402-fetch' as string)) as Legacy

/** 64 bytes of a new keypair in base58, as wallets export it */
function newSecret(): string {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const bytes = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')])
  return base58Encode(bytes.toString('latin1'))
}

async function openClient(scene: Scene) {
  const signer = await legacy.createSigner('solana', newSecret())
  scene.chain.fund(signer.address, { usdc: 1_000_000n })
  /** offers as the client has read them, as they were sent, and the payments it answered with */
  const [read, offered, sent]: [Offer[], Offer[], string[]] = [[], [], []]
  const watching: typeof fetch = async (input, init) => {
    const payment = new Headers(init?.headers).get('x-payment')
    if (payment !== null) {
      sent.push(payment)
      scene.secrets.add(payment)
    }
    const response = await fetch(input, init)
    if (response.status === 402 && payment === null) {
      offered.push(...((await response.clone().json()) as { accepts: Offer[] }).accepts)
    }
    return response
  }
  const select = (offers: readonly Offer[]): Offer => {
    read.push(...offers)
    return offers[0]!
  }
  const config = { svmConfig: { rpcUrl: scene.chain.rpcUrl } }
  const paid = legacy.wrapFetchWithPayment(watching, signer, undefined, select, config)
  const get = (path: string): Promise<Response> => paid(`${scene.baseUrl}${path}`)
  return { address: signer.address, get, read, offered, sent }
}

test('the legacy client reads every offer whole, and buys each priced operation', async (t) => {
  const scene = await openScene(t)
  const { address, get, read, offered, sent } = await openClient(scene)
  let expected = 0
  for (const { id, priceUnits } of PRICED_ENDPOINTS) {
    const answer = await get(PATHS[id])
    assert.equal(answer.status, 200, id)
    assert.ok(((await answer.json()) as { data: unknown }).data)
    const receipt = legacy.decodeXPaymentResponse(answer.headers.get('x-payment-response')!)
    assert.deepEqual([receipt.success, receipt.payer, receipt.network], [true, address, 'solana'])
    assert.equal(answer.headers.get('payment-response'), null)
    expected += priceUnits
    assert.equal(scene.earned(), expected, id)
    // without a memo, two equal payments under one blockhash are one and the same
    scene.chain.advanceSlots(1)
  }
  assert.equal(read.length, PRICED_ENDPOINTS.length)
  assert.deepEqual(read, offered, 'no field was dropped or changed in reading')
  assert.equal(Number(scene.chain.tokens(address)), 1_000_000 - expected)
  for (const header of sent) {
    const payment = readPaymentHeader(header)
    assert.ok(payment.ok)
    const transaction = readTransaction(payment.payment.transaction)
    assert.ok(transaction.ok)
    const { computeUnits, microLamports, signers } = transaction.facts
    t.diagnostic(
      `${computeUnits} compute units at ${microLamports}, ${signers} signatures, ${header.length} characters`,
    )
    assert.ok(computeUnits * 2 <= TRANSACTION_COST.computeUnits, 'far below the cap')
    assert.ok(Number(microLamports) <= TRANSACTION_COST.microLamports)
  }
})

test('two equal payments under one blockhash are one: the same answer, or 402 for another call; a newer blockhash helps', async (t) => {
  const scene = await openScene(t)
  const { get, sent } = await openClient(scene)
  const first = await (await get(PATHS.new)).text()
  assert.equal(await (await get(PATHS.new)).text(), first)
  const other = await get(PATHS.trades)
  assert.equal(other.status, 402)
  const { error } = (await other.json()) as { error: { code: string; message: string } }
  assert.equal(error.code, 'payment_required')
  assert.match(error.message, /already used/)
  assert.equal(new Set(sent).size, 1)
  assert.deepEqual([scene.earned(), scene.calls.settle], [OTHER, 1])
  assert.equal((await get(PATHS.snapshot)).status, 200, 'another amount is another payment')
  scene.chain.advanceSlots(1)
  assert.equal((await get(PATHS.new)).status, 200)
  assert.deepEqual([scene.earned(), scene.calls.settle], [2 * OTHER + SNAPSHOT, 3])
})
