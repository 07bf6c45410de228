import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { generateKeyPairSigner, getBase58Decoder } from '@solana/kit'
import { PAY_TO, transferTransaction } from '../../../../../test/support/payments-fixtures.ts'
import { createOutbound } from '../../observe/outbound/outbound.ts'
import type { Chain, Landing } from './chain.ts'
import type { OpenOrder, Order } from './facilitator.ts'
import { ANSWER_BYTES, createHttpFacilitator, isRefusedUnsent } from './http-facilitator.ts'
import { MAINNET, requirements } from './network.ts'
import { readTransaction } from './transaction.ts'

interface Said {
  status?: number
  body: unknown
}

async function scene(t: TestContext, chain: Chain | null = null) {
  const signer = await generateKeyPairSigner()
  const supported = {
    kinds: [{ x402Version: 2, scheme: 'exact', network: MAINNET.v2, extra: { feePayer: signer.address } }],
    extensions: [],
    signers: { 'solana:*': [signer.address] },
  }
  const answers: Record<string, Said | 'hang'> = { '/supported': { body: supported } }
  const asked: { path: string; body: unknown }[] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const text = Buffer.concat(chunks).toString()
    asked.push({ path, body: text === '' ? null : JSON.parse(text) })
    const said = answers[path]
    if (said === 'hang') return
    response.statusCode = said?.status ?? (said === undefined ? 404 : 200)
    if (response.statusCode === 307) response.setHeader('location', '/elsewhere')
    response.end(typeof said?.body === 'string' ? said.body : JSON.stringify(said?.body ?? null))
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  t.after(close)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const outbound = createOutbound({ allow: [url] })
  t.after(outbound.close)
  // longer than an answer takes on a busy machine: some of them never come
  const timeoutMs = { verify: 2_000, settle: 2_000 }
  const facilitator = createHttpFacilitator({ url, payTo: PAY_TO, outbound, chain, timeoutMs, confirmMs: 50 })
  const transaction = await transferTransaction({ feePayer: signer.address })
  const read = readTransaction(transaction)
  assert.ok(read.ok)
  const wanted = requirements(PAY_TO, signer.address, 10_000)
  const order: Order = { hash: read.facts.hash, transaction, requirements: wanted }
  const [signed] = await signer.signMessages([{ content: new Uint8Array(read.facts.message), signatures: {} }])
  const signature = getBase58Decoder().decode(signed![signer.address]!)
  const open: OpenOrder = {
    hash: order.hash,
    transaction,
    amount: 10_000,
    signature: null,
    blockhash: read.facts.blockhash,
    since: new Date(),
  }
  const say = (path: string, said: Said | 'hang'): void => {
    answers[path] = said
  }
  return { facilitator, say, asked, order, open, signature, signer, supported, close }
}

const record = async (): Promise<void> => assert.fail('the facilitator signs, not we')

test('the fee payer comes from the facilitator, and stays while it is still one of its signers', async (t) => {
  const { facilitator, say, supported, signer } = await scene(t)
  assert.equal(facilitator.feePayer(), null)
  assert.deepEqual(await facilitator.check(), { ready: true, reason: null })
  assert.equal(facilitator.feePayer(), signer.address)
  const next = (await generateKeyPairSigner()).address
  const kinds = [{ ...supported.kinds[0]!, extra: { feePayer: next } }]
  say('/supported', { body: { kinds, signers: { 'solana:*': [next, signer.address] } } })
  await facilitator.check()
  assert.equal(facilitator.feePayer(), signer.address)
  say('/supported', { body: { kinds, signers: { 'solana:*': [next] } } })
  await facilitator.check()
  assert.equal(facilitator.feePayer(), next)
  const refusals: readonly [Said | 'hang', RegExp][] = [
    [{ body: { kinds: [] } }, /does not accept exact payments/],
    [{ body: 'no JSON' }, /not JSON/],
    [{ body: { other: 1 } }, /unexpected shape/],
    [{ body: `"${'x'.repeat(ANSWER_BYTES)}"` }, /too large/],
    [{ status: 307, body: '' }, /cannot be reached/],
    ['hang', /no answer within/],
  ]
  for (const [said, reason] of refusals) {
    say('/supported', said)
    const { ready, reason: given } = await facilitator.check()
    assert.equal(ready, false)
    assert.match(given!, reason)
    assert.match(given!, /Check FACILITATOR_URL/)
  }
})

test('verify answers, or throws where nobody can tell', async (t) => {
  const { facilitator, say, order, asked } = await scene(t)
  say('/verify', { body: { isValid: true, payer: null } })
  assert.deepEqual(await facilitator.verify(order), { valid: true })
  assert.deepEqual(asked[0]?.body, {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: order.requirements, payload: { transaction: order.transaction } },
    paymentRequirements: order.requirements,
  })
  say('/verify', { status: 400, body: { isValid: false, invalidReason: 'why' } })
  assert.deepEqual(await facilitator.verify(order), { valid: false, reason: 'why' })
  for (const said of [{ status: 500, body: 'oops' }, { body: { isValid: 'yes' } }, 'hang'] as const) {
    say('/verify', said)
    await assert.rejects(facilitator.verify(order))
  }
})

test('settle: only success is success, only a clear refusal is one, everything else is open', async (t) => {
  const { facilitator, say, order, open, signature, close } = await scene(t)
  const settle = () => facilitator.settle(order, record)
  say('/settle', { body: { success: true, transaction: signature, network: MAINNET.v2 } })
  assert.deepEqual(await settle(), { kind: 'landed', signature })
  const reason = 'invalid_exact_svm_transaction_simulation_failed'
  say('/settle', { body: { success: false, errorReason: reason, transaction: '', network: MAINNET.v2 } })
  assert.deepEqual(await settle(), { kind: 'refused', reason, proof: 'unsent' })
  // the second time the same words may mean that it has landed
  assert.deepEqual(await facilitator.lookup(open), { kind: 'open', reason, signature: null })
  for (const errorReason of ['settlement_pending', 'invalid_exact_svm_transaction_failed', 'duplicate_settlement']) {
    say('/settle', { body: { success: false, errorReason, transaction: signature, network: MAINNET.v2 } })
    assert.deepEqual(await settle(), { kind: 'open', reason: errorReason, signature })
  }
  // a signature that is not the fee payer's over this message is not believed
  const other = getBase58Decoder().decode(new Uint8Array(64).fill(7))
  say('/settle', { body: { success: false, errorReason: 'settlement_pending', transaction: other } })
  assert.deepEqual(await settle(), { kind: 'open', reason: 'settlement_pending', signature: null })
  for (const said of [{ status: 502, body: 'oops' }, { body: [] }, 'hang'] as const) {
    say('/settle', said)
    await assert.rejects(settle())
    await assert.rejects(facilitator.lookup(open))
  }
  close()
  // an old connection that breaks proves nothing; the next one is refused
  await facilitator.check()
  assert.deepEqual(await settle(), { kind: 'refused', reason: 'facilitator_unreachable', proof: 'unsent' })
  await assert.rejects(facilitator.lookup(open))
})

// before: whatever it called settled was handed out and booked as paid
test('with a node, what a facilitator calls settled counts when it is on the chain', async (t) => {
  let landing: Landing | Error = 'landed'
  let found: string | null = null
  const chain = {
    async wait() {
      if (landing instanceof Error) throw landing
      return landing
    },
    find: async () => found,
  } as unknown as Chain
  const { facilitator, say, order, signature } = await scene(t, chain)
  const settle = () => facilitator.settle(order, record)
  const open = { kind: 'open', reason: 'settlement_not_on_chain' }
  say('/settle', { body: { success: true, transaction: signature, network: MAINNET.v2 } })
  assert.deepEqual(await settle(), { kind: 'landed', signature })
  for (const unsure of ['absent', 'unsure', new Error('the node does not answer')] as const) {
    landing = unsure
    assert.deepEqual(await settle(), { ...open, signature })
  }
  landing = 'failed'
  assert.deepEqual(await settle(), { kind: 'refused', reason: 'transaction_failed_on_chain', proof: 'proven' })
  // the signature of another transaction, or none: looked for among the payer's
  landing = 'landed'
  const other = getBase58Decoder().decode(new Uint8Array(64).fill(7))
  for (const transaction of [other, '']) {
    say('/settle', { body: { success: true, transaction, network: MAINNET.v2 } })
    found = null
    assert.deepEqual(await settle(), { ...open, signature: null })
    found = signature
    assert.deepEqual(await settle(), { kind: 'landed', signature })
  }
})

test('the reasons that mean that nothing was sent', () => {
  assert.ok(isRefusedUnsent('invalid_exact_svm_payload_amount_mismatch'))
  assert.ok(isRefusedUnsent('insufficient_funds'))
  for (const reason of ['invalid_exact_svm_transaction_failed', 'settlement_pending', 'unexpected_settle_error', '']) {
    assert.ok(!isRefusedUnsent(reason), reason)
  }
})
