import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { runs } from '../../support/chance.ts'
import { KEYS } from '../../support/fake-service.ts'
import { encode, inV1, inV2, mutants, type SignedPayment } from '../../support/payments-fixtures.ts'
import fc from '../../support/property.ts'
import { nextClient, PATHS } from './door.ts'
import { OTHER, openScene } from './scene.ts'

/** Payments made at random, and what may be read in the log of all of it. */
const { mint } = EXAMPLE_ADDRESSES
const RUNS = runs(1_200)

/** Texts near a payment: bytes and fields changed, cut, repeated, of another kind altogether. */
function texts(payments: readonly SignedPayment[]): fc.Arbitrary<string> {
  const good = fc.constantFrom(...payments.flatMap(({ v1Text, v2Text }) => [v1Text, v2Text]))
  const alphabet = fc.constantFrom(...'ABCXYZabcxyz0189+/=-_ ,"')
  const flipped = fc
    .tuple(good, fc.array(fc.tuple(fc.nat(1_400), alphabet), { minLength: 1, maxLength: 4 }))
    .map(([text, flips]) =>
      flips.reduce(
        (was, [at, letter]) => was.slice(0, at % was.length) + letter + was.slice((at % was.length) + 1),
        text,
      ),
    )
  const bytes = fc
    .tuple(fc.constantFrom(...payments), fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { minLength: 1, maxLength: 3 }))
    .chain(([payment, changes]) => {
      const transaction = Buffer.from(payment.transaction, 'base64')
      for (const [at, value] of changes) transaction[at % transaction.length] = value
      const payload = { transaction: transaction.toString('base64') }
      return fc.constantFrom(encode({ ...payment.v1, payload }), encode({ ...payment.v2, payload }))
    })
  const fields = fc.tuple(fc.constantFrom(...payments), fc.jsonValue(), fc.nat(60)).chain(([{ v1, v2 }, other, at]) =>
    fc.constantFrom(v1, v2).map((envelope) => {
      const all = [...mutants(envelope, other)]
      return encode(all[at % all.length])
    }),
  )
  return fc.oneof(
    { weight: 2, arbitrary: good },
    { weight: 4, arbitrary: flipped },
    { weight: 6, arbitrary: bytes },
    { weight: 4, arbitrary: fields },
    fc.tuple(good, fc.nat(1_400)).map(([text, length]) => text.slice(0, length - (length % 4))),
    fc.tuple(good, good).map(([a, b]) => `${a}, ${b}`),
    fc.jsonValue().map(encode),
    fc.base64String({ maxLength: 2_000 }),
    fc.string({ unit: fc.constantFrom(...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\u00e9\u00ff'), maxLength: 300 }),
    fc.nat(12_000).map((length) => 'A'.repeat(length)),
  )
}

test('fuzz: whatever stands in both headers, an empty purse buys nothing and the service is not to blame', {
  timeout: 600_000,
}, async (t) => {
  const scene = await openScene(t)
  // signed as they should be, by somebody without a cent: even what is decoded whole cannot be paid
  const poor = await scene.buyer(0)
  const payments = await Promise.all([scene.sign(poor), scene.sign(poor, OTHER, 1), scene.sign(poor, 20_000)])
  const seen = new Map<string, number>()
  const text = texts(payments)
  const path = fc.constantFrom(PATHS.new, PATHS.snapshot, PATHS.deployer, `${PATHS.new}?payment=x`)
  await fc.assert(
    fc.asyncProperty(fc.option(text), fc.option(text), path, async (v2, v1, asked) => {
      const headers = {
        ...(v2 === null ? {} : { 'PAYMENT-SIGNATURE': v2 }),
        ...(v1 === null ? {} : { 'X-PAYMENT': v1 }),
      }
      for (const sent of [v2, v1]) if (sent !== null && sent.length > 40) scene.secrets.add(sent)
      const answer = await scene.ask(asked, headers, { from: nextClient() })
      assert.ok([400, 402, 413].includes(answer.status), `${answer.status} ${answer.body}`)
      const { message } = (JSON.parse(answer.body.toString()) as { error: { message: string } }).error
      assert.ok(message.length > 20, message)
      const kind = /signature_invalid|insufficient_funds|decoded|base64|JSON|accepted|x402Version|different/.exec(
        message,
      )
      const name = `${answer.status} ${kind?.[0] ?? 'other'}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
    }),
    { numRuns: RUNS, includeErrorInReport: true },
  )
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
  assert.deepEqual([scene.calls.settle, scene.earned()], [0, 0])
  // a fuzzer that only ever meets the outermost check proves nothing
  for (const name of [
    '402 insufficient_funds',
    '402 signature_invalid',
    '402 decoded',
    '402 base64',
    '400 different',
  ]) {
    assert.ok((seen.get(name) ?? 0) > 0, `${name} never came: ${JSON.stringify([...seen])}`)
  }
})

test('the log at level debug tells hash, payer and amount, and holds no key, payment, transaction or cookie', async (t) => {
  const scene = await openScene(t, { errors: true })
  const buyer = await scene.buyer()
  const cookie = `session=${'c'.repeat(43)}`
  scene.secrets.add(cookie.slice(8))
  const beside = { cookie, origin: 'https://api.example.com' }
  const paid = await scene.sign(buyer)
  assert.equal((await scene.ask(`${PATHS.new}?api_key=${KEYS.pro}`, { ...inV2(paid), ...beside })).status, 200)
  const failing = await scene.sign(buyer)
  scene.atWork = () => {
    throw new Error('on purpose')
  }
  assert.equal((await scene.ask(PATHS.new, { ...inV1(failing), ...beside })).status, 500)
  const { v2Text: x_payment, v2 } = failing
  assert.match((await scene.call('token_trades', { mint, x_payment }, {}, beside)).message, /internal error/)
  scene.atWork = () => scene.chain.drain(buyer.address)
  assert.equal((await scene.ask(PATHS.new, { ...inV2(failing), ...beside })).status, 402)
  scene.atWork = () => {}
  scene.chain.fund(buyer.address, { usdc: 1_000_000n })
  scene.chain.knobs.hideStatuses = true
  assert.equal((await scene.call('token_trades', { mint }, { 'x402/payment': v2 }, beside)).isError, true)
  scene.chain.knobs.hideStatuses = false
  const keys = { ...beside, authorization: `Bearer ${KEYS.pro}`, ...inV1(paid) }
  assert.equal((await scene.ask(PATHS.new, keys)).status, 200)
  assert.equal((await scene.ask(PATHS.trades, { ...inV2(failing), ...beside })).status, 200)
  const text = scene.logged.join('')
  for (const told of [paid.hash, failing.hash, buyer.address, '"amount":10000', 'on purpose', '"level":"debug"']) {
    assert.ok(text.includes(told), told)
  }
  for (const secret of [...scene.secrets, 'Bearer', 'api_key', 'session=']) assert.ok(!text.includes(secret), secret)
  assert.ok(scene.secrets.size > 10)
})
