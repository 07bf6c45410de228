import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  keyOf,
  settled,
} from '../../../../test/support/observe-scene.ts'
import fc from '../../../../test/support/property.ts'
import { AT_ONCE, createDexPaidObserver, ORDERS_MAX, PAUSE_MS, REQUESTS_PER_MINUTE, readOrders } from './dex-paid.ts'

const NOW = 1_800_000_000
const MS = 1_787_792_547_218
const ADDRESS = keyToBase58(keyOf(1))
const read = (value: unknown) =>
  readOrders(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), ADDRESS, NOW)

test('what an answer says', () => {
  const order = (status: string, paymentTimestamp: unknown = MS) => ({ type: 'tokenProfile', status, paymentTimestamp })
  const table: [unknown, number | 'unpaid' | null][] = [
    [[], 'unpaid'],
    [{ orders: [] }, 'unpaid'],
    [{ orders: [], boosts: [{ amount: 500, paymentTimestamp: MS }] }, 'unpaid'],
    [[order('approved')], MS / 1_000],
    [{ orders: [order('approved')], boosts: [] }, MS / 1_000],
    [[order('processing'), order('cancelled'), order('on-hold'), order('rejected'), order('new')], 'unpaid'],
    [[order('rejected', MS - 5), order('approved', MS + 5), order('approved', MS)], MS / 1_000],
    [[{ ...order('approved'), tokenAddress: ADDRESS }], MS / 1_000],
    [[{ ...order('approved'), tokenAddress: keyToBase58(keyOf(2)) }], null],
    [[order('approved', 'yesterday')], null],
    [[order('approved', MS / 1_000)], null],
    [[order('approved', (NOW + 7_200) * 1_000)], null],
    [[order('approved', null), order('approved')], MS / 1_000],
    [[{ paymentTimestamp: MS }], null],
    [{}, null],
    [{ orders: null }, null],
    [{ error: 'rate limited' }, null],
    ['', null],
    ['<html>', null],
    [null, null],
    [Array(ORDERS_MAX + 1).fill(order('rejected')), null],
  ]
  for (const [value, expected] of table) assert.equal(read(value), expected, JSON.stringify(value)?.slice(0, 200))
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const found = read(value)
      assert.ok(found === null || found === 'unpaid' || (found > 1.5e9 && found < NOW + 3_601), String(found))
    }),
  )
})

function scene(answer: (address: string) => Answering) {
  const clock = createFakeClock(NOW)
  const missing = createFakeMissing()
  const outbound = createFakeOutbound(clock, ({ url }) => answer(url.split('/').at(-1)!))
  const { logger } = createFakeLogger()
  const around = { clock, random: () => 1 }
  const baseUrl = 'https://dex.example/'
  const observer = createDexPaidObserver({ baseUrl, missing, report: missing.report, outbound, logger, around })
  return { clock, missing, outbound, observer }
}

test('a paid token is reported with the time of its payment, and not asked for again', async () => {
  const { clock, missing, outbound, observer } = scene(() => [{ status: 'approved', paymentTimestamp: MS }])
  missing.unpaid = [{ mint: keyOf(1) }]
  observer.start()
  await settled()
  assert.deepEqual(missing.reported, [{ fact: { kind: 'dex_paid', mint: keyOf(1), time: MS / 1_000 }, at: NOW }])
  await clock.pass(600_000)
  assert.deepEqual(
    outbound.asked.map(({ url, namedBy }) => [url, namedBy]),
    [[`https://dex.example/orders/v1/solana/${ADDRESS}`, 'operator']],
  )
  await observer.close()
})

test('unpaid is asked again less and less often; failures tell nothing and never give up', async () => {
  let answer: Answering = []
  const { clock, missing, outbound, observer } = scene(() => answer)
  missing.unpaid = [{ mint: keyOf(1) }]
  observer.start()
  await clock.pass(3_600_000)
  const pauses = outbound.asked.slice(1).map(({ at }, i) => Math.round((at - outbound.asked[i]!.at) / 60_000))
  assert.deepEqual(pauses, [2, 4, 8, 16])
  answer = '<html>'
  await clock.pass(3_600_000)
  answer = { refuse: 'server' }
  await clock.pass(4 * 3_600_000)
  assert.deepEqual(missing.reported, [])
  assert.equal(observer.status().counts.get('given_up'), undefined)
  answer = [{ status: 'approved', paymentTimestamp: MS }]
  await clock.pass(3_700_000)
  assert.equal(missing.reported.length, 1)
  await observer.close()
})

test('sixty requests a minute, the newest first, and every second one to who waits for another look', async () => {
  const { clock, missing, outbound, observer } = scene(() => [])
  let launched = 0
  observer.start()
  // a launch a second, more than there is budget for together with the looks that follow
  for (let second = 0; second < 1_200; second++) {
    missing.unpaid.unshift({ mint: keyOf(++launched) })
    await clock.pass(1_000)
  }
  const times = outbound.asked.map(({ at }) => at)
  for (const [i, at] of times.entries()) {
    const within = times.slice(i, i + 70).filter((other) => other < at + 60_000).length
    assert.ok(within <= REQUESTS_PER_MINUTE, `${within} requests within a minute`)
  }
  assert.ok(times.length > 1_000, `${times.length} requests in twenty minutes: the budget is used`)
  const asked = outbound.asked.map(({ url }) => url)
  const first = new Set(asked).size
  assert.ok(first > 500, `${first} tokens got a look`)
  assert.ok(asked.length - first > 300, `${asked.length - first} got another one`)
  // the newest is looked at at once, whatever waits
  missing.unpaid.unshift({ mint: keyOf(60_000) })
  await clock.pass(4_000)
  assert.ok(
    outbound.asked.slice(-5).some(({ url }) => url.endsWith(keyToBase58(keyOf(60_000)))),
    'the newest',
  )
  assert.ok(observer.status().waiting > 0, 'who waits is counted')
  await observer.close()
})

test('an endpoint that has enough is left alone for a minute', async () => {
  let answer: Answering = { refuse: 'rate' }
  const { clock, missing, outbound, observer } = scene(() => answer)
  missing.unpaid = Array.from({ length: 50 }, (_, n) => ({ mint: keyOf(n) }))
  observer.start()
  await settled()
  const asked = outbound.asked.length
  assert.ok(asked <= AT_ONCE, `${asked} were on their way`)
  await clock.pass(PAUSE_MS - 1_000)
  assert.equal(outbound.asked.length, asked)
  answer = []
  await clock.pass(20_000)
  assert.ok(outbound.asked.length > asked + 5, 'then it goes on')
  await observer.close()
})
