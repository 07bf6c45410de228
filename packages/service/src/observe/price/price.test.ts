import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  settled,
} from '../../../../../test/support/observe-scene.ts'
import fc from '../../../../../test/support/property.ts'
import { createBand } from './band.ts'
import { createPriceObserver, SOURCES, STALE_MS } from './price.ts'
import { readPrice } from './sources.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const read = (value: unknown) => readPrice(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

test('the shapes of known endpoints', () => {
  const table: [unknown, number | null][] = [
    [{ data: { amount: '147.485', base: 'SOL', currency: 'USD' } }, 147.485],
    [{ data: { amount: '147.485', base: 'BTC', currency: 'USD' } }, null],
    [{ data: { amount: '147.485', base: 'SOL', currency: 'EUR' } }, null],
    [{ error: [], result: { SOLUSD: { a: ['1', '2', '3'], c: ['147.48000', '0.5'], v: ['1', '2'] } } }, 147.48],
    [{ error: ['EQuery:Unknown asset pair'], result: {} }, null],
    [{ error: [], result: { XXBTZUSD: { c: ['60000', '1'] } } }, null],
    [{ [SOL]: { usdPrice: 147.4789, blockId: 1, decimals: 9, priceChange24h: 1.3 } }, 147.4789],
    [{ data: { [SOL]: { id: SOL, type: 'derivedPrice', price: '133.89' } }, timeTaken: 0.003 }, 133.89],
    [{ solana: { usd: 147.5 } }, 147.5],
    [{ usd: 147.5 }, 147.5],
    [{ usd: -1 }, null],
    [{ usd: 0 }, null],
    [{ usd: 1e9 }, null],
    [{ usd: '1e2' }, null],
    [{ usd: '0x10' }, null],
    [{ usd: null }, null],
    ['{"usd":1e999}', null],
    ['{"usd":NaN}', null],
    ['<html>', null],
    ['', null],
    [[], null],
    [147, null],
  ]
  for (const [value, expected] of table) assert.equal(read(value), expected, JSON.stringify(value))
})

test('two sources have to agree, and the middle counts', () => {
  const table: [prices: number[], expected: number | string][] = [
    [[], 'single'],
    [[150], 'single'],
    [[150, 151], 150.5],
    [[150, 160], 'disagree'],
    [[150, 151, 900], 151],
    [[1, 150, 151], 150],
    [[150, 160, 170], 'disagree'],
    [[151, 149, 150], 150],
  ]
  for (const [prices, expected] of table) {
    const verdict = createBand().look(prices)
    assert.equal(verdict.accepted ? verdict.usd : verdict.reason, expected, String(prices))
  }
})

test('a jump is believed at the third look in a row that sees it', () => {
  const band = createBand()
  const look = (...prices: number[]): number | string => {
    const verdict = band.look(prices)
    return verdict.accepted ? verdict.usd : verdict.reason
  }
  assert.equal(look(100, 100), 100)
  assert.equal(look(120, 120), 120, 'exactly the band')
  assert.equal(look(100, 100), 100, 'and back')
  assert.deepEqual([look(130, 130), look(131, 131), look(132, 132)], ['jump', 'jump', 132])
  assert.deepEqual(
    [look(60, 60), look(61, 61), look(132, 132), look(60, 60), look(60, 60), look(60, 60)],
    ['jump', 'jump', 132, 'jump', 'jump', 60],
  )
  assert.deepEqual(
    [look(90, 90), look(90), look(90, 90), look(90, 90), look(200, 200), look(200, 200)],
    ['jump', 'single', 'jump', 'jump', 'jump', 'jump'],
  )
  assert.equal(band.last, 60)
})

test('one liar among three never moves the price out of what the honest ones say', () => {
  const price = fc.double({ min: 0.1, max: 100_000, noNaN: true })
  fc.assert(
    fc.property(price, fc.double({ min: -0.01, max: 0.01, noNaN: true }), price, (a, drift, lie) => {
      const b = a * (1 + drift)
      const verdict = createBand().look([a, b, lie])
      assert.equal(verdict.accepted, true)
      const usd = verdict.accepted ? verdict.usd : 0
      assert.ok(usd >= Math.min(a, b) && usd <= Math.max(a, b), `${usd} of ${a}, ${b}, ${lie}`)
    }),
  )
})

function scene(prices: () => (number | Answering)[]) {
  const clock = createFakeClock()
  const missing = createFakeMissing()
  const outbound = createFakeOutbound(clock, ({ url }) => {
    const given = prices()[Number(new URL(url).hostname[1])]!
    return typeof given === 'number' ? { usd: given } : given
  })
  const { logger, lines } = createFakeLogger()
  const urls = ['https://p0.example/?key=secret', 'https://p1.example/', 'https://p2.example/', 'https://p3.example/']
  const around = { clock, random: () => 0.5 }
  const observer = createPriceObserver({ urls, report: missing.report, outbound, logger, around })
  const reported = (): number[] => missing.reported.map(({ fact }) => (fact.kind === 'sol_price' ? fact.usd : -1))
  return { clock, missing, outbound, observer, lines, reported }
}

test('reported when it moved, or after a minute', async () => {
  let usd = 150
  const { clock, observer, reported, outbound } = scene(() => [usd, usd, usd])
  observer.start()
  await settled()
  assert.deepEqual(reported(), [150])
  assert.equal(outbound.asked.length, SOURCES, 'a fourth endpoint is not asked')
  usd = 150.1
  await clock.pass(50_000)
  assert.deepEqual(reported(), [150], 'a move of less than a thousandth')
  await clock.pass(10_000)
  assert.deepEqual(reported(), [150, 150.1])
  usd = 150.3
  await clock.pass(10_000)
  assert.deepEqual(reported(), [150, 150.1, 150.3])
  await observer.close()
})

test('with one source left the last price stays, which is counted and said once', async () => {
  let prices: (number | Answering)[] = [150, 150, 150]
  const { clock, observer, reported, lines } = scene(() => prices)
  observer.start()
  await settled()
  prices = [170, { refuse: 'server' }, '<html>']
  await clock.pass(STALE_MS + 60_000)
  assert.deepEqual(reported(), [150])
  const counts = observer.status().counts
  assert.ok(counts.get('single')! > 30, 'each look is counted')
  assert.ok(counts.get('stale')! > 3, 'and that it lasts')
  assert.equal(counts.get('source_2_server'), counts.get('source_3_malformed'))
  assert.equal(lines.length, 1)
  assert.equal(lines.join().includes('secret'), false)
  prices = [160, 160, { refuse: 'timeout' }]
  await clock.pass(10_000)
  assert.deepEqual(reported(), [150, 160])
  assert.equal(lines.length, 2)
  await observer.close()
})
