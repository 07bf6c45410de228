import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  type Answering,
  createFakeClock,
  createFakeLogger,
  createFakeMissing,
  createFakeOutbound,
  keyOf,
  settled,
} from '../../../../../test/support/observe-scene.ts'
import type { OutboundRequest } from '../outbound/outbound.ts'
import { createCache } from './cache.ts'
import { FAILURES, WEB_CACHED_MS } from './fetch.ts'
import { createImageObserver, IMAGE_BYTES } from './image.ts'
import { createMetadataObserver, METADATA_BYTES } from './metadata.ts'

const V0 = `Qm${'a1'.repeat(22)}`
const GATEWAYS = { ipfs: ['https://g1.example', 'https://g2.example/'], arweave: ['https://ar.example'] }

function scene(answer: (request: OutboundRequest) => Answering | Promise<Answering>, create = createMetadataObserver) {
  const clock = createFakeClock()
  const missing = createFakeMissing()
  const outbound = createFakeOutbound(clock, answer)
  const { logger, lines } = createFakeLogger()
  const make = () =>
    create({
      missing,
      report: missing.report,
      outbound,
      gateways: GATEWAYS,
      logger,
      around: { clock, random: () => 1 },
    })
  return { clock, missing, outbound, lines, make, observer: make() }
}
const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host

test('a page is reported once it is read, with the time it was seen', async () => {
  const { missing, outbound, observer, clock } = scene(() => ({ description: 'a coin', twitter: 'https://x.com/a' }))
  missing.metadata = [{ mint: keyOf(1), uri: 'https://pages.example/1.json' }]
  observer.start()
  await settled()
  assert.equal(missing.reported.length, 1)
  const [{ fact, at }] = missing.reported as [(typeof missing.reported)[number]]
  assert.equal(at, clock.seconds())
  assert.deepEqual(fact.kind === 'metadata' && [fact.mint, fact.description, fact.twitterNorm], [
    keyOf(1),
    'a coin',
    'twitter.com/a',
  ])
  const [request] = outbound.asked
  assert.deepEqual([request?.namedBy, request?.purpose, request?.bytesMax], ['stranger', 'metadata', METADATA_BYTES])
  await observer.close()
})

test('gateways in turn, and the link’s own host last, as a stranger’s', async () => {
  const { missing, outbound, observer, clock } = scene((request) =>
    hostOf(request) === 'own.example' ? { description: 'own' } : { refuse: 'missing' },
  )
  missing.metadata = [{ mint: keyOf(1), uri: `https://own.example/ipfs/${V0}/1.json` }]
  observer.start()
  await settled()
  assert.deepEqual(
    outbound.asked.map(({ url, namedBy }) => [url, namedBy]),
    [
      [`https://g1.example/ipfs/${V0}/1.json`, 'operator'],
      [`https://g2.example/ipfs/${V0}/1.json`, 'operator'],
      [`https://own.example/ipfs/${V0}/1.json`, 'stranger'],
    ],
  )
  // what a stranger served is not believed for others who name the same content
  missing.metadata = [{ mint: keyOf(2), uri: `ipfs://${V0}/1.json` }]
  await clock.pass(1_000)
  assert.equal(missing.reported.length, 1)
  assert.deepEqual(outbound.asked.slice(3).map(hostOf).sort(), ['g1.example', 'g2.example'])
  await observer.close()
})

test('content is fetched once for all who name it, web pages for some minutes', async () => {
  const { missing, outbound, observer, clock } = scene(() => ({ description: 'copied' }))
  const link = (n: number) => [`ipfs://${V0}`, `https://any.example/ipfs/${V0}`, 'https://web.example/1'][n % 3]!
  for (let n = 0; n < 9; n++) {
    missing.metadata = [{ mint: keyOf(n), uri: link(n) }]
    if (n === 0) observer.start()
    await clock.pass(1_000)
  }
  assert.equal(missing.reported.length, 9)
  assert.deepEqual(outbound.asked.map(hostOf), ['g1.example', 'web.example'])
  await clock.pass(WEB_CACHED_MS)
  missing.metadata = [
    { mint: keyOf(20), uri: link(0) },
    { mint: keyOf(21), uri: link(2) },
  ]
  await clock.pass(1_000)
  assert.deepEqual(outbound.asked.slice(2).map(hostOf), ['web.example'])
  await observer.close()
})

test('what cannot be had stays unknown: nothing is reported, and it is counted', async () => {
  const { missing, outbound, observer, clock } = scene(({ url }) =>
    url.endsWith('html') ? '<html>' : { refuse: 'server' },
  )
  missing.metadata = [
    { mint: keyOf(1), uri: 'https://pages.example/500' },
    { mint: keyOf(2), uri: 'https://pages.example/html' },
    { mint: keyOf(3), uri: 'data:application/json,{}' },
    { mint: keyOf(4), uri: '' },
    { mint: keyOf(5), uri: `https://pages.example/${'x'.repeat(5_000)}` },
  ]
  observer.start()
  await clock.pass(2 * 3_600_000)
  assert.deepEqual(missing.reported, [])
  const counts = observer.status().counts
  assert.deepEqual([...counts].sort(), [
    ['given_up', 2],
    ['malformed', FAILURES],
    ['server', FAILURES],
    ['unsupported', 3],
  ])
  assert.equal(outbound.asked.length, 2 * FAILURES)
  const last = outbound.asked.at(-1)!.at
  assert.ok(last > 3_600_000, `tried for ${last} ms: an outage of an hour is survived`)
  await observer.close()
})

test('a full place is no failure, and a forbidden one is final', async () => {
  let refuse: 'busy' | 'address' = 'busy'
  const { missing, observer, clock, outbound } = scene(() => ({ refuse }))
  missing.metadata = [{ mint: keyOf(1), uri: 'https://pages.example/1' }]
  observer.start()
  await clock.pass(120_000)
  assert.ok(observer.status().counts.get('busy')! > 20, 'asked again soon')
  assert.equal(observer.status().counts.get('given_up'), undefined)
  refuse = 'address'
  await clock.pass(10_000)
  const asked = outbound.asked.length
  await clock.pass(1_800_000)
  assert.equal(outbound.asked.length, asked)
  assert.equal(observer.status().counts.get('address'), 1)
  await observer.close()
})

test('patience with one subject ends, however many places there are', async () => {
  const { missing, observer, clock, outbound } = scene(
    () => new Promise((done) => void clock.after(8_001, () => done({ refuse: 'timeout' }))),
  )
  missing.metadata = [{ mint: keyOf(1), uri: `https://own.example/ipfs/${V0}` }]
  observer.start()
  await clock.pass(8_500)
  assert.equal(outbound.asked.length, 1)
  assert.equal(observer.status().counts.get('timeout'), 1)
  await clock.pass(6_000)
  assert.deepEqual(outbound.asked.map(hostOf), ['g1.example', 'g2.example'], 'the next look starts elsewhere')
  await observer.close()
})

test('a new one asks again for what the world does not know', async () => {
  let open = false
  const { missing, observer, clock, make } = scene(() => (open ? {} : { refuse: 'server' }))
  missing.metadata = [{ mint: keyOf(1), uri: 'https://pages.example/1' }]
  observer.start()
  await clock.pass(2 * 3_600_000)
  await observer.close()
  open = true
  const second = make()
  second.start()
  await settled()
  assert.equal(missing.reported.length, 1)
  await second.close()
})

test('closing ends requests, and what comes after is not reported', async () => {
  let answer = (_: Answering): void => {}
  const { missing, observer, outbound } = scene(() => new Promise((done) => (answer = done)))
  missing.metadata = [{ mint: keyOf(1), uri: 'https://pages.example/1' }]
  observer.start()
  assert.equal(outbound.inFlight, 1)
  await observer.close()
  answer({ description: 'late' })
  await settled()
  assert.equal(outbound.inFlight, 0)
  assert.deepEqual(missing.reported, [])
})

test('an image is known by the hash of its bytes', async () => {
  const { missing, observer, outbound, clock } = scene(
    ({ url }) => (url.endsWith('empty') ? '' : url.endsWith('huge') ? { refuse: 'too_large' } : '<svg onload="x()"/>'),
    createImageObserver,
  )
  missing.images = ['a.svg', 'empty', 'huge'].map((name, n) => ({ mint: keyOf(n), image: `https://i.example/${name}` }))
  observer.start()
  await clock.pass(1_000)
  const sha256 = createHash('sha256').update('<svg onload="x()"/>').digest('hex')
  assert.deepEqual(
    missing.reported.map(({ fact }) => fact),
    [{ kind: 'image_hash', mint: keyOf(0), sha256 }],
  )
  assert.deepEqual(Object.fromEntries(observer.status().counts), { reported: 1, empty: 1, too_large: 1 })
  assert.ok(
    outbound.asked.every(({ purpose, bytesMax }) => purpose === 'image' && bytesMax === IMAGE_BYTES),
    'asked as images',
  )
  await observer.close()
})

test('the cache is bounded and forgets what is old', async () => {
  const clock = createFakeClock()
  const cache = createCache<number>(2, clock)
  cache.set('a', 1, Infinity)
  cache.set('b', 2, 1_000)
  assert.equal(cache.get('a'), 1)
  cache.set('c', 3, Infinity)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [1, undefined, 3, 2])
  cache.set('d', 4, 1_000)
  await clock.pass(1_000)
  assert.equal(cache.get('d'), undefined)
})
