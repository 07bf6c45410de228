import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { generateKeyPairSigner } from '@solana/kit'
import { ANSWERS_KEPT_MS, LEASE_MS } from '@ti/service/access/x402/ledger.ts'
import { readPaymentObject } from '@ti/service/access/x402/payment.ts'
import {
  anyAddress,
  callOf,
  envelopeV1,
  envelopeV2,
  read,
  type Transfer,
  withSignatureByte,
} from '../support/payments-fixtures.ts'
import { data, kindsOf, openScene, type Scene } from './payments-sandbox-scene.ts'

/** Payments over the sandbox chain: real signatures, the real token program; what moved is read from the chain. */

/** A payment made by hand, as the service reads it in both envelopes. */
async function handMade(scene: Scene, transfer: Transfer) {
  const { v1, v2, transaction } = await scene.byHand(transfer)
  return { v1: read(v1), v2: read(v2), transaction }
}

const another = () => ({ answer: 'another answer', charge: true })

const settleCalls = (scene: Scene): number => scene.chain.knobs.calls.sendTransaction ?? 0

test('the official clients of both versions pay, and each payment buys one answer', async (t: TestContext) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const call = callOf('FxtV', 20_000)
  for (const version of [2, 1] as const) {
    const before = scene.earned()
    const payment = await scene.sign(buyer, call, version)
    const outcome = await scene.pay(payment, { call })
    assert.ok(outcome.kind === 'paid')
    assert.equal(outcome.answer, 'data')
    const { success, transaction, payer, network } = outcome.receipt
    assert.deepEqual([success, payer, network], [true, buyer.address, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    assert.match(transaction, /^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    assert.equal(scene.earned() - before, 20_000)
    assert.equal(await scene.state(payment), 'answered')
    // the same payment, for the same request and for another one
    assert.deepEqual(await scene.pay(payment, { call, work: another }), outcome)
    const other = await scene.pay(await scene.sign(buyer, callOf('new'), version), { call })
    assert.ok(other.kind === 'refused' && /amount_mismatch|not match the offer/.test(other.message))
    assert.equal(scene.earned() - before, 20_000)
  }
  const cheap = await scene.sign(buyer)
  assert.equal((await scene.pay(cheap, { call: callOf('pumps') })).kind, 'paid')
  const elsewhere = await scene.pay(cheap, { call: callOf('new') })
  assert.ok(elsewhere.kind === 'refused' && /another request/.test(elsewhere.message))
  await scene.booksAgree()
})

test('what is not exactly what was asked for is refused, and nothing is written', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const cases: readonly [Transfer, RegExp][] = [
    [{ amount: 9_999 }, /amount_mismatch/],
    [{ amount: 10_001 }, /amount_mismatch/],
    [{ mint: anyAddress() }, /mint_mismatch/],
    [{ payTo: anyAddress() }, /recipient_mismatch/],
    [{ feePayer: anyAddress() }, /fee_payer_mismatch/],
    [{ units: 1_400_000 }, /limit_instruction_too_high/],
    [{ price: 5_000_000 }, /price_instruction_too_high/],
  ]
  for (const [transfer, reason] of cases) {
    const { v1, v2 } = await handMade(scene, { buyer, ...transfer })
    for (const payment of [v1, v2]) {
      const outcome = await scene.pay(payment)
      assert.ok(outcome.kind === 'refused')
      assert.match(outcome.message, reason)
      assert.equal(await scene.state(payment), undefined)
    }
  }
  // what the client says it accepted is compared, never used
  const { transaction } = await handMade(scene, { buyer, amount: 1 })
  const tampered = read(envelopeV2(transaction, 1, scene.chain.seller, scene.chain.feePayer))
  const outcome = await scene.pay(tampered)
  assert.ok(outcome.kind === 'refused' && /accepted/.test(outcome.message))
  assert.equal(settleCalls(scene), 0)
  assert.equal(scene.earned(), 0)
  const feePayerHas = scene.chain.lamports(scene.chain.feePayer)
  assert.equal(feePayerHas, 10_000_000_000n)
})

test('a forged signature of the buyer, and a transfer smuggled in at the fee payer’s cost', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const { transaction } = await handMade(scene, { buyer })
  const byte = Buffer.from(transaction, 'base64')[65]!
  const forged = await scene.pay(read(envelopeV1(withSignatureByte(transaction, 1, byte ^ 1))))
  assert.ok(forged.kind === 'refused' && /signature_invalid/.test(forged.message))
  const thief = await generateKeyPairSigner()
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(1_000_000n, 4)
  const stealFrom = async (wallet: string): Promise<string> => {
    const steal = {
      programAddress: '11111111111111111111111111111111' as typeof thief.address,
      accounts: [
        { address: wallet as typeof thief.address, role: 3 as const },
        { address: thief.address, role: 1 as const },
      ],
      data: new Uint8Array(data),
    }
    return (await scene.byHand({ buyer, rest: [steal] })).transaction
  }
  const smuggled = readPaymentObject(envelopeV1(await stealFrom(scene.chain.feePayer)))
  assert.ok(!smuggled.ok && /fee payer is used/.test(smuggled.reason))
  // a program beside those allowed, without the fee payer: the package refuses it
  const { v1 } = await handMade(scene, { buyer, rest: [unknownProgram()] })
  const unknown = await scene.pay(v1)
  assert.ok(unknown.kind === 'refused' && /unknown_fourth_instruction/.test(unknown.message))
  assert.equal(await scene.state(v1), 'released')
  assert.equal(settleCalls(scene), 0)
  assert.equal(scene.chain.lamports(scene.chain.feePayer), 10_000_000_000n)
})

const unknownProgram = () => ({ programAddress: anyAddress(), data: new Uint8Array([1]) })

test('twenty copies at once, in both envelopes and with altered bytes, are one answer', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const { v1, v2, transaction } = await handMade(scene, { buyer })
  const { seller, feePayer } = scene.chain
  const copies = Array.from({ length: 20 }, (_, i) => {
    if (i % 3 === 0) return v1
    if (i % 3 === 1) return v2
    return read(envelopeV2(withSignatureByte(transaction, 0, i), 10_000, seller, feePayer))
  })
  const outcomes = await Promise.all(copies.map((payment) => scene.pay(payment)))
  const kinds = kindsOf(outcomes)
  assert.ok(kinds.includes('paid'))
  assert.ok(
    kinds.every((kind) => kind === 'paid' || kind === 'uncertain'),
    kinds.join(),
  )
  assert.equal(scene.earned(), 10_000)
  assert.equal(settleCalls(scene), 1)
  await scene.booksAgree()
})

test('a balance that is gone before the settlement, and a blockhash that dies during the work', async (t) => {
  const scene = await openScene(t)
  const poor = await scene.buyer(10_000n)
  const drained = await scene.sign(poor)
  const first = await scene.pay(drained, {
    work() {
      scene.chain.drain(poor.address)
      return data()
    },
  })
  assert.ok(first.kind === 'refused')
  assert.match(first.message, /simulation_failed/)
  assert.deepEqual([first.receipt?.success, first.receipt?.transaction], [false, ''])
  assert.equal(await scene.state(drained), 'released')
  // one balance, two payments: both verify, one settles
  const twice = await scene.buyer(15_000n)
  const both = await Promise.all([scene.sign(twice), scene.sign(twice)])
  let waiting = 0
  let go = (): void => {}
  const together = new Promise<void>((resolve) => {
    go = resolve
  })
  const outcomes = await Promise.all(
    both.map((payment) =>
      scene.pay(payment, {
        async work() {
          if (++waiting === 2) go()
          await together
          return data()
        },
      }),
    ),
  )
  assert.equal(kindsOf(outcomes).filter((kind) => kind === 'paid').length, 1)
  const late = await scene.sign(await scene.buyer())
  const dead = await scene.pay(late, {
    work() {
      scene.chain.advanceSlots(200)
      return data()
    },
  })
  assert.ok(dead.kind === 'refused' && dead.receipt?.success === false)
  assert.equal(await scene.state(late), 'released')
  await scene.booksAgree()
})

test('work without data settles nothing, and the payment can be used afterwards', async (t) => {
  const scene = await openScene(t, { times: { work: 100 } })
  const payment = await scene.sign(await scene.buyer())
  const nothing = await scene.pay(payment, { work: () => ({ answer: 'not found', charge: false }) })
  assert.ok(nothing.kind === 'free' && nothing.answer === 'not found')
  await assert.rejects(
    scene.pay(payment, {
      work() {
        throw new Error('on purpose')
      },
    }),
    /on purpose/,
  )
  let aborted = false
  const slow = await scene.pay(payment, {
    work: (signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  })
  assert.equal(slow.kind, 'unavailable')
  assert.equal(aborted, true)
  let gone = false
  const client = { address: '192.0.2.1', gone: () => gone }
  const left = await scene.pay(payment, {
    client,
    work() {
      gone = true
      return data()
    },
  })
  assert.equal(left.kind, 'gone')
  assert.equal(settleCalls(scene), 0)
  assert.equal(await scene.state(payment), 'released')
  assert.equal((await scene.pay(payment)).kind, 'paid')
  assert.equal(scene.earned(), 10_000)
  await scene.booksAgree()
})

test('what a payment bought is had again with it, and is never made anew', async (t) => {
  const scene = await openScene(t)
  const payment = await scene.sign(await scene.buyer())
  // paid, and its answer not made yet
  scene.chain.knobs.hideStatuses = true
  assert.equal((await scene.pay(payment)).kind, 'uncertain')
  scene.chain.knobs.hideStatuses = false
  scene.clock.offsetMs += LEASE_MS + 1_000
  await scene.cashier.tick()
  assert.equal(await scene.state(payment), 'settled')
  const other = await scene.pay(payment, { call: callOf('pumps') })
  assert.ok(other.kind === 'refused' && /another request/.test(other.message))
  // without data now: still due
  assert.equal((await scene.pay(payment, { work: () => ({ answer: 'empty', charge: false }) })).kind, 'free')
  assert.equal(await scene.state(payment), 'settled')
  let made = 0
  const work = () => ({ answer: `answer ${++made}`, charge: true })
  const copies = await Promise.all(Array.from({ length: 8 }, () => scene.pay(payment, { work })))
  const later = await scene.pay(payment, { work })
  assert.equal(later.kind, 'paid')
  const bought = [...copies, later].flatMap((outcome) => (outcome.kind === 'paid' ? [outcome.answer] : []))
  assert.equal(new Set(bought).size, 1, bought.join())
  assert.equal(await scene.state(payment), 'answered')
  scene.clock.offsetMs += ANSWERS_KEPT_MS + 1_000
  await scene.cashier.tick()
  const late = await scene.pay(payment, { work })
  assert.ok(late.kind === 'refused' && /no longer kept/.test(late.message))
  assert.equal(scene.earned(), 10_000)
  await scene.booksAgree()
})

test('steps take milliseconds', async (t) => {
  const scene = await openScene(t)
  const buyer = await scene.buyer()
  const times: Record<string, number[]> = { reserve: [], verify: [], settle: [], whole: [] }
  let before = new Map<string, number>()
  for (let i = 0; i < 40; i++) {
    const payment = await scene.sign(buyer)
    const start = performance.now()
    assert.equal((await scene.pay(payment)).kind, 'paid')
    times.whole!.push(performance.now() - start)
    const sums = new Map(scene.cashier.meters.steps().map(({ labels, sum }) => [String(labels.step), sum]))
    for (const step of ['reserve', 'verify', 'settle']) times[step]!.push(sums.get(step)! - (before.get(step) ?? 0))
    before = sums
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!
  for (const [step, values] of Object.entries(times)) t.diagnostic(`${step}: median ${median(values).toFixed(2)} ms`)
  assert.equal(scene.earned(), 400_000)
})
