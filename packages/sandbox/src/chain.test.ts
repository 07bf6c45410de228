import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { SettlementCache, toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme as ExactSvmClient } from '@x402/svm/exact/client'
import { ExactSvmScheme as ExactSvmFacilitator } from '@x402/svm/exact/facilitator'
import { type SandboxChain, startSandboxChain } from './chain.ts'

/** Tests the chain with the official packages, which build, sign, verify and settle. */

const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const AMOUNT = 20_000n
const OPENING = 1_000_000n

let chain: SandboxChain
let buyer: KeyPairSigner
let facilitator: x402Facilitator
const printed = console.error

before(() => {
  // the packages print their answers
  console.error = () => {}
})
after(() => {
  console.error = printed
})

beforeEach(async () => {
  chain = await startSandboxChain({ slotMs: 0 })
  buyer = await generateKeyPairSigner()
  chain.fund(buyer.address, { usdc: OPENING })
  const signer = await createKeyPairSignerFromBytes(chain.feePayerSecret)
  const scheme = new ExactSvmFacilitator(
    toFacilitatorSvmSigner(signer, { defaultRpcUrl: chain.rpcUrl }),
    new SettlementCache(),
    { maxPriorityFeeMicroLamports: 100_000, maxComputeUnits: 60_000, maxRequiredSignatures: 2 },
  )
  facilitator = new x402Facilitator().register(NETWORK, scheme)
})
afterEach(() => chain.close())

const rpc = () => createSolanaRpc(chain.rpcUrl as `http://${string}`)

const requirements = (): PaymentRequirements => ({
  scheme: 'exact',
  network: NETWORK,
  asset: chain.mint,
  amount: AMOUNT.toString(),
  payTo: chain.seller,
  maxTimeoutSeconds: 60,
  extra: { feePayer: chain.feePayer },
})

async function payment(extra: object = {}): Promise<PaymentPayload> {
  const client = new ExactSvmClient(buyer, { rpcUrl: chain.rpcUrl })
  const offer = requirements()
  const wanted = { ...offer, extra: { ...offer.extra, ...extra } }
  return { accepted: offer, ...(await client.createPaymentPayload(2, wanted)) }
}

const wireOf = (paid: PaymentPayload): string => String(paid.payload.transaction)

/** Signed by all parties, as the facilitator would send it. */
const signed = async (paid: PaymentPayload): Promise<string> => {
  const signer = await createKeyPairSignerFromBytes(chain.feePayerSecret)
  return toFacilitatorSvmSigner(signer).signTransaction(wireOf(paid), signer.address, NETWORK)
}

const send = (wire: string, skipPreflight = true): Promise<Signature> =>
  rpc()
    .sendTransaction(wire as never, { encoding: 'base64', skipPreflight })
    .send()

const statusOf = async (signature: Signature) => (await rpc().getSignatureStatuses([signature]).send()).value[0]

const moved = (): bigint => chain.tokens(chain.seller)

/** Also matches the cause, where the packages put the node's message. */
const because = (pattern: RegExp) => (error: Error) => pattern.test(`${error.message} ${String(error.cause)}`)

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'the condition never came true')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a payment is verified and settled, and exactly its amount moves', async () => {
  const paid = await payment()
  const verified = await facilitator.verify(paid, requirements())
  assert.deepEqual([verified.isValid, verified.payer], [true, buyer.address])
  assert.equal(moved(), 0n, 'verifying moves nothing')
  const lamports = chain.lamports(chain.feePayer)

  const settled = await facilitator.settle(paid, requirements())
  assert.equal(settled.success, true)
  assert.equal(moved(), AMOUNT)
  assert.equal(chain.tokens(buyer.address), OPENING - AMOUNT)
  // two signatures, and 20,000 units at one microlamport, rounded up
  assert.equal(lamports - chain.lamports(chain.feePayer), 10_001n)
})

test('the same message lands once: sent again it answers its signature, simulated it is AlreadyProcessed', async () => {
  const paid = await payment()
  const settled = await facilitator.settle(paid, requirements())
  const wire = await signed(paid)
  assert.equal(await send(wire), settled.transaction)
  await assert.rejects(send(wire, false), because(/already been processed/i))
  const simulated = await rpc()
    .simulateTransaction(wireOf(paid) as never, { encoding: 'base64', sigVerify: false })
    .send()
  assert.equal(simulated.value.err, 'AlreadyProcessed')
  // the fee payer's signature is not part of a transaction's identity
  const altered = getTransactionDecoder().decode(Buffer.from(wire, 'base64'))
  const copy = { ...altered, signatures: { ...altered.signatures, [chain.feePayer]: new Uint8Array(64).fill(7) } }
  await send(getBase64EncodedWireTransaction(copy as never))
  assert.equal(moved(), AMOUNT)
})

test('a forged signature answers a signature and never lands', async () => {
  const decoded = getTransactionDecoder().decode(Buffer.from(await signed(await payment()), 'base64'))
  const forged = { ...decoded, signatures: { ...decoded.signatures, [buyer.address]: new Uint8Array(64).fill(1) } }
  const wire = getBase64EncodedWireTransaction(forged as never)
  const signature = await send(wire)
  assert.equal(await statusOf(signature), null)
  await assert.rejects(send(wire, false), /signature verification failure/i)
  assert.equal(moved(), 0n)
})

test('a blockhash that never was and one that has expired: nothing lands', async () => {
  const paid = await payment()
  chain.advanceSlots(150)
  assert.equal((await facilitator.verify(paid, requirements())).isValid, true, 'alive for 150 slots')
  chain.advanceSlots(1)
  const late = await facilitator.verify(paid, requirements())
  assert.equal(late.isValid, false)
  assert.match(String(late.invalidMessage), /BlockhashNotFound/)
  assert.equal(await statusOf(await send(await signed(paid))), null)

  const invented = await payment({ recentBlockhash: buyer.address })
  const strange = await facilitator.verify(invented, requirements())
  assert.match(String(strange.invalidMessage), /BlockhashNotFound/)
  assert.equal(await statusOf(await send(await signed(invented))), null)

  const { blockhash } = (await rpc().getLatestBlockhash().send()).value
  assert.equal((await rpc().isBlockhashValid(blockhash).send()).value, true)
  assert.equal(
    (
      await rpc()
        .isBlockhashValid(chain.seller as never)
        .send()
    ).value,
    false,
  )
  assert.equal(moved(), 0n)
})

test('too few tokens: refused when simulated, and when they go between verify and settle', async () => {
  chain.drain(buyer.address, { usdc: OPENING - AMOUNT + 1n })
  const poor = await facilitator.verify(await payment(), requirements())
  assert.equal(poor.isValid, false)
  // the third instruction, the token program's error 1
  assert.match(String(poor.invalidMessage), /"InstructionError":\["?2"?,\{"Custom":"?1"?\}\]/)

  chain.fund(buyer.address, { usdc: 1n })
  const paid = await payment()
  assert.equal((await facilitator.verify(paid, requirements())).isValid, true)
  chain.drain(buyer.address)
  const settled = await facilitator.settle(paid, requirements())
  assert.equal(settled.success, false)
  assert.equal(moved(), 0n)

  // sent without preflight it lands, fails, and costs the fee payer
  const before = chain.lamports(chain.feePayer)
  const signature = await send(await signed(paid))
  assert.deepEqual((await statusOf(signature))?.err, { InstructionError: [2n, { Custom: 1n }] })
  assert.equal(before - chain.lamports(chain.feePayer), 10_001n)
})

test('without the seller’s account, or without SOL for the fee, verification fails', async () => {
  chain.closeTokenAccount(chain.seller)
  assert.equal((await facilitator.verify(await payment(), requirements())).isValid, false)
  chain.fund(chain.seller, { usdc: 0n })
  chain.drain(chain.feePayer, { lamports: chain.lamports(chain.feePayer) })
  const poor = await facilitator.verify(await payment(), requirements())
  assert.equal(poor.isValid, false)
})

test('knob: refused, dropped and held sends', async () => {
  const wire = await signed(await payment())
  chain.knobs.sends = 'refuse'
  await assert.rejects(send(wire))
  chain.knobs.sends = 'drop'
  assert.equal(await statusOf(await send(wire)), null)
  chain.knobs.sends = 'hold'
  const signature = await send(wire)
  assert.equal(await statusOf(signature), null)
  assert.equal(moved(), 0n)
  chain.knobs.release()
  assert.equal((await statusOf(signature))?.confirmationStatus, 'confirmed')
  assert.equal(moved(), AMOUNT)

  const late = await signed(await payment())
  const never = await send(late)
  chain.advanceSlots(151)
  chain.knobs.release()
  assert.equal(await statusOf(never), null, 'held for too long')
})

test('knob: accepted, but the caller gets an error', async () => {
  const paid = await payment()
  chain.knobs.sends = 'accept-then-fail'
  await assert.rejects(send(await signed(paid)), /accepted/)
  assert.equal(moved(), AMOUNT)
  const settled = await facilitator.settle(paid, requirements())
  assert.equal(settled.success, false, 'to the facilitator it looks unpaid: the chain must be asked')
})

test('knob: sends that hang before and after they are accepted', async () => {
  for (const [fault, landed] of [
    ['hang', 0n],
    ['accept-then-hang', AMOUNT],
  ] as const) {
    chain.knobs.sends = fault
    const start = moved()
    const open = send(await signed(await payment()))
    await until(() => chain.knobs.waiting === 1)
    assert.equal(moved() - start, landed, fault)
    chain.knobs.release()
    assert.equal((await statusOf(await open))?.err, null)
    assert.equal(moved() - start, AMOUNT, fault)
  }
})

test('closing answers sends that still hang', async () => {
  const other = await startSandboxChain({ slotMs: 0 })
  other.knobs.sends = 'hang'
  const open = createSolanaRpc(other.rpcUrl as `http://${string}`)
    .requestAirdrop(buyer.address, 1_000_000n as never)
    .send()
  await until(() => other.knobs.waiting === 1)
  await Promise.all([other.close(), assert.rejects(open)])
})

test('knob: confirmations held, delayed, and hidden statuses', async () => {
  chain.knobs.confirmations = 'held'
  const paid = await payment()
  const settling = facilitator.settle(paid, requirements())
  await until(() => (chain.knobs.calls.getSignatureStatuses ?? 0) > 0)
  assert.equal(moved(), AMOUNT, 'landed, only nobody is sure yet')
  chain.knobs.release()
  assert.equal((await settling).success, true)

  chain.knobs.confirmations = 40
  const signature = await send(await signed(await payment()))
  await until(async () => (await statusOf(signature))?.confirmationStatus === 'confirmed')

  chain.knobs.hideStatuses = true
  assert.equal(await statusOf(signature), null)
})

test('knobs: counting, rejecting, and code between two calls', async () => {
  const signature = await send(await signed(await payment()))
  const look = () =>
    rpc()
      .getTransaction(signature, { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
  assert.ok(await look())
  chain.knobs.reject.add('getTransaction')
  await assert.rejects(look(), /rejects getTransaction/)
  assert.equal(chain.knobs.calls.getTransaction, 2)

  // the buyer spends everything between verification and settlement
  const paid = await payment()
  chain.knobs.before = (method) => {
    if (method === 'sendTransaction') chain.drain(buyer.address)
  }
  assert.equal((await facilitator.settle(paid, requirements())).success, false)
  assert.equal(moved(), AMOUNT, 'only the first one')
})

test('finality takes 32 slots; history is asked for what is final by default', async () => {
  const signature = await send(await signed(await payment()))
  const final = () =>
    rpc()
      .getTransaction(signature, { commitment: 'finalized', encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
  chain.advanceSlots(31)
  assert.equal(await final(), null)
  chain.advanceSlots(1)
  assert.equal((await statusOf(signature))?.confirmationStatus, 'finalized')
  const found = await final()
  const held = (key: 'preTokenBalances' | 'postTokenBalances') =>
    Object.fromEntries(found!.meta![key]!.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]))
  assert.deepEqual(held('preTokenBalances'), { [buyer.address]: String(OPENING), [chain.seller]: '0' })
  assert.deepEqual(held('postTokenBalances'), {
    [buyer.address]: String(OPENING - AMOUNT),
    [chain.seller]: String(AMOUNT),
  })
})

test('twenty copies at once land once; a full block ends its slot', async () => {
  const wire = await signed(await payment())
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(wire)))
  assert.equal(new Set(answers).size, 1)
  assert.equal(moved(), AMOUNT)
  const slot = chain.slot()
  for (let i = 0; i < 64; i++)
    await rpc()
      .requestAirdrop(buyer.address, 1_000_000n as never)
      .send()
  assert.equal(chain.slot(), slot + 1)
})
