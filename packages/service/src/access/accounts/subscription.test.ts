import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../../../test/support/property.ts'
import { extend, offerTo, SUBSCRIPTION } from './subscription.ts'

const SOL = 1_000_000_000
const PERIOD_MS = 30 * 86_400_000
const NOW = Date.UTC(2026, 0, 1)
const MOST = 1_200

test('a SOL buys thirty days, from now or from the end of what is paid; less waits', () => {
  const none = { balance_lamports: 0, paid_until: null }
  const inAPeriod = new Date(NOW + PERIOD_MS)
  assert.deepEqual(extend(none, SOL - 1, NOW, MOST), { balance_lamports: SOL - 1, paid_until: null })
  assert.deepEqual(extend(none, SOL, NOW, MOST), { balance_lamports: 0, paid_until: inAPeriod })
  assert.deepEqual(extend({ ...none, balance_lamports: SOL - 1 }, 1, NOW, MOST), {
    balance_lamports: 0,
    paid_until: inAPeriod,
  })
  const running = { balance_lamports: 0, paid_until: new Date(NOW + 5) }
  assert.deepEqual(extend(running, 2.5 * SOL, NOW, MOST), {
    balance_lamports: SOL / 2,
    paid_until: new Date(NOW + 5 + 2 * PERIOD_MS),
  })
  const over = { balance_lamports: 0, paid_until: new Date(NOW - 5) }
  assert.deepEqual(extend(over, SOL, NOW, MOST).paid_until, inAPeriod)
})

test('no lamport is lost or counted twice, and nothing reaches further ahead than the bound', () => {
  const lamports = fc.integer({ min: 1, max: 5 * SOL })
  fc.assert(
    fc.property(fc.array(lamports, { maxLength: 20 }), fc.integer({ min: 1, max: 12 }), (deposits, most) => {
      let funds: Parameters<typeof extend>[0] = { balance_lamports: 0, paid_until: null }
      for (const amount of deposits) funds = extend(funds, amount, NOW, most)
      const periods = funds.paid_until === null ? 0 : (funds.paid_until.getTime() - NOW) / PERIOD_MS
      const total = deposits.reduce((sum, amount) => sum + amount, 0)
      assert.equal(periods * SOL + funds.balance_lamports, total)
      assert.equal(periods, Math.min(most, Math.floor(total / SOL)))
    }),
  )
})

test('what a wallet needs is a Solana Pay transfer request', () => {
  const payTo = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const reference = 'So11111111111111111111111111111111111111112'
  const { url, ...rest } = offerTo({ reference }, payTo)
  assert.deepEqual(rest, { pay_to: payTo, ...SUBSCRIPTION, reference })
  assert.deepEqual(rest, { pay_to: payTo, lamports: SOL, days: 30, reference })
  assert.equal(
    url,
    `solana:${payTo}?amount=1&reference=${reference}&label=Token%20Intelligence&message=30%20days%20of%20Pro`,
  )
})
