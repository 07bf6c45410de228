import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { generateKeyPairSigner } from '@solana/kit'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { startSandboxChain } from '@ti/sandbox/chain.ts'
import { createCashier } from '@ti/service/access/x402/cashier.ts'
import { createChain } from '@ti/service/access/x402/chain.ts'
import { createLedger } from '@ti/service/access/x402/ledger.ts'
import { MAINNET } from '@ti/service/access/x402/network.ts'
import { readPaymentObject } from '@ti/service/access/x402/payment.ts'
import { createSelfFacilitator } from '@ti/service/access/x402/self.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { emptyDatabase } from '../../support/database.ts'
import { CLIENTS, type ToolResult } from './client.ts'
import { startMcp } from './service.ts'

/** The whole way of a payment: the real cashier over a chain of its own, so that what is checked is the money. */
const { mint } = EXAMPLE_ADDRESSES
const SNAPSHOT = 20_000
const OTHER = 10_000
const FUNDS = 1_000_000

/** What was opened last is closed first; the database, which closes itself, after all of it. */
function closing(t: TestContext): (() => Promise<void>)[] {
  const closers: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const close of closers.reverse()) await close()
  })
  return closers
}

async function open(t: TestContext) {
  const closers = closing(t)
  const database = await emptyDatabase(t)
  const sandbox = await startSandboxChain()
  closers.push(sandbox.close)
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line: string) => void logged.push(line) })
  const now = Date.now
  const ledger = createLedger({ database, now })
  const chain = createChain({ rpcUrl: sandbox.rpcUrl, now })
  const { feePayerSecret, seller: payTo, rpcUrl } = sandbox
  const facilitator = await createSelfFacilitator({ feePayerSecret, payTo, chain, ledger, logger, now, mainnet: false })
  const cashier = await createCashier({ ledger, facilitator, mode: 'sandbox', payTo, logger, now, roundMs: null })
  closers.push(() => cashier.close())
  await cashier.started
  assert.equal(cashier.status().reason, null)
  const service = await startMcp({ cashier })
  closers.push(service.close)

  const buyer = await generateKeyPairSigner()
  sandbox.fund(buyer.address, { usdc: BigInt(FUNDS) })
  const wallet = x402Client.fromConfig({
    schemes: [{ network: MAINNET.v2, client: new ExactSvmScheme(buyer, { rpcUrl }) }],
  })
  type Offer = Parameters<typeof wallet.createPaymentPayload>[0]
  /** pays what a result offers, as a paying MCP client does */
  const pay = (offered: ToolResult) => wallet.createPaymentPayload(offered.structuredContent as unknown as Offer)
  const spent = (): number => FUNDS - Number(sandbox.tokens(buyer.address))
  const earned = (): number => Number(sandbox.tokens(payTo))
  return { sandbox, service, ledger, buyer, pay, spent, earned, logged, closers }
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const isPaid = (result: ToolResult): boolean =>
  result.isError !== true && result._meta?.['x402/payment-response'] !== undefined

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: call, pay the offer, call again`, async (t) => {
    const { service, buyer, pay, spent, earned, logged, closers } = await open(t)
    const client = await connect(service.url, {})
    closers.push(client.close)
    await client.listTools()

    const offered = await client.callTool('scan_token', { mint })
    const payload = await pay(offered)
    const paid = await client.callTool('scan_token', { mint }, { 'x402/payment': payload })
    assert.ok(isPaid(paid), JSON.stringify(paid).slice(0, 500))
    const receipt = paid._meta!['x402/payment-response'] as Record<string, unknown>
    assert.equal(receipt.success, true)
    assert.equal(receipt.network, MAINNET.v2)
    assert.equal(receipt.payer, buyer.address)
    assert.match(String(receipt.transaction), /^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    assert.deepEqual([spent(), earned()], [SNAPSHOT, SNAPSHOT])

    // the same payment again: the same answer here, nothing elsewhere
    const again = await client.callTool('scan_token', { mint, x_payment: base64(payload) })
    assert.deepEqual(again.content, paid.content)
    assert.equal((await client.callTool('token_trades', { mint, x_payment: base64(payload) })).isError, true)
    // V1, in the argument: the envelope is another, the transfer the same kind
    const second = await pay(await client.callTool('token_trades', { mint }))
    const v1 = { x402Version: 1, scheme: 'exact', network: 'solana', payload: second.payload }
    const trades = await client.callTool('token_trades', { mint, x_payment: base64(v1) })
    assert.ok(isPaid(trades), JSON.stringify(trades).slice(0, 500))
    assert.equal((trades._meta!['x402/payment-response'] as { network: string }).network, 'solana')
    assert.deepEqual([spent(), earned()], [SNAPSHOT + OTHER, SNAPSHOT + OTHER])
    const transactions = [payload, second].map((made) => String(made.payload.transaction))
    for (const secret of transactions) assert.ok(!`${logged.join()}${service.logged.join()}`.includes(secret))
  })
}

describe('the money', () => {
  // the tool of the same page over REST is in test/attacks/payments-answers.slow.test.ts
  test('a page beyond the last launch still carries the whole summary, so it is charged; an empty list is not', async (t) => {
    const { client, pay, spent } = await connected(t)
    const beyond = { address: EXAMPLE_ADDRESSES.deployer, offset: 100_000 }
    const payload = await pay(await client.callTool('deployer_history', beyond))
    const paid = await client.callTool('deployer_history', beyond, { 'x402/payment': payload })
    assert.ok(isPaid(paid), JSON.stringify(paid).slice(0, 500))
    const { data, summary } = JSON.parse(paid.content[0]!.text!) as { data: unknown[]; summary: object }
    assert.deepEqual([data.length, Object.keys(summary).length > 0], [0, true])
    assert.equal(spent(), OTHER)
  })

  async function connected(t: TestContext) {
    const opened = await open(t)
    const client = await CLIENTS['client 2, 2026 era']!(opened.service.url, {})
    opened.closers.push(client.close)
    return { ...opened, client }
  }

  test('an error is not paid for, and the payment stays good', async (t) => {
    const { client, pay, spent } = await connected(t)
    const payload = await pay(await client.callTool('token_trades', { mint }))
    const nowhere = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
    for (const args of [{ mint: nowhere }, { mint: 'x' }, {}]) {
      assert.equal((await client.callTool('token_trades', args, { 'x402/payment': payload })).isError, true)
    }
    assert.equal(spent(), 0)
    assert.ok(isPaid(await client.callTool('token_trades', { mint }, { 'x402/payment': payload })))
    assert.equal(spent(), OTHER)
  })

  test('the cheaper payment does not buy the dearer call', async (t) => {
    const { client, pay, spent } = await connected(t)
    const payload = await pay(await client.callTool('token_trades', { mint }))
    const v1 = { x402Version: 1, scheme: 'exact', network: 'solana', payload: payload.payload }
    for (const x_payment of [base64(payload), base64(v1)]) {
      const refused = await client.callTool('scan_token', { mint, x_payment })
      assert.equal(refused.isError, true)
      assert.equal(refused.structuredContent?.x402Version, 2)
    }
    assert.equal(spent(), 0)
  })

  test('a payer without money: refused with the offer, nothing given', async (t) => {
    const { client, pay, spent, sandbox, buyer } = await connected(t)
    const payload = await pay(await client.callTool('token_trades', { mint }))
    sandbox.drain(buyer.address)
    const refused = await client.callTool('token_trades', { mint }, { 'x402/payment': payload })
    assert.equal(refused.isError, true)
    assert.equal(refused.structuredContent?.x402Version, 2)
    sandbox.fund(buyer.address, { usdc: BigInt(FUNDS) })
    assert.equal(spent(), 0)
  })

  test('20 copies of one payment at once, in both places: one answer, one transfer', async (t) => {
    const { client, pay, spent, earned } = await connected(t)
    const payload = await pay(await client.callTool('token_trades', { mint }))
    const copies = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? client.callTool('token_trades', { mint }, { 'x402/payment': payload })
        : client.callTool('token_trades', { mint, x_payment: base64(payload) }),
    )
    const paid = (await Promise.all(copies)).filter(isPaid)
    assert.ok(paid.length > 0)
    assert.equal(new Set(paid.map(({ content }) => JSON.stringify(content))).size, 1)
    assert.deepEqual([spent(), earned()], [OTHER, OTHER])
  })

  test('a payment for this call is in the ledger as what REST would write', async (t) => {
    const { client, pay, ledger } = await connected(t)
    const payload = await pay(await client.callTool('scan_token', { mint, fields: 'score,meta' }))
    assert.ok(
      isPaid(await client.callTool('scan_token', { mint, fields: ' meta,score,' }, { 'x402/payment': payload })),
    )
    const read = readPaymentObject(payload)
    assert.ok(read.ok)
    const row = await ledger.find(read.payment.hash)
    assert.equal(row?.operation, 'snapshot')
    assert.equal(row?.request, `snapshot mint=${mint} fields=meta,score`)
    assert.equal(row?.state, 'answered')
  })
})
