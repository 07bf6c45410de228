import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { type ObserveOptions, readOptions } from '@ti/service/config/options.ts'
import { allowedOrigins, createObservers, type Observers } from '@ti/service/observe/observers.ts'
import { createOutboundOn } from '@ti/service/observe/outbound/outbound.ts'
import { createInternet, type Internet, until } from '../../support/observe-internet.ts'
import { createFakeLogger, createFakeMissing, type FakeMissing, keyOf } from '../../support/observe-scene.ts'

/** All observers with the way out they really have, against an internet that is partly useful and mostly hostile. */
let net: Internet
let folder = ''
const V0 = `Qm${'a1'.repeat(22)}`
const HOUSE = '10.0.0.5'

before(async () => {
  net = await createInternet()
  folder = await mkdtemp(join(tmpdir(), 'observers-'))
  sites()
})
after(async () => {
  assert.notEqual(net.dialled.length, 0)
  net.assertNothingForbidden([HOUSE])
  await net.close()
  await rm(folder, { recursive: true })
})

const send =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body)

/** What is asked of the internet's useful part, and what its other part does instead. */
function sites(): void {
  net.json('gateway.example', ({ url }: IncomingMessage) =>
    url === `/ipfs/${V0}` ? { description: 'by its id', image: 'https://pictures.example/1.png' } : [],
  )
  net.site('pictures.example', send('image/png', 'pixels', { 'content-encoding': 'identity' }))
  net.site('bomb.example', send('application/json', gzipSync(Buffer.alloc(32 << 20)), { 'content-encoding': 'gzip' }))
  net.site('html.example', send('text/html', '<script>alert(1)</script>'))
  net.site('broken.example', send('application/json', '{"description":'))
  net.site('deep.example', send('application/json', '['.repeat(200_000)))
  net.site('failing.example', (_, response) => void response.writeHead(500).end())
  net.site(
    'inwards.example',
    (_, response) => void response.writeHead(302, { location: `http://${HOUSE}:8899/` }).end(),
  )
  net.name('rebound.example', ['127.0.0.1'])
  net.json('dex.example', ({ url }: IncomingMessage) =>
    url?.endsWith(keyToBase58(keyOf(1))) === true
      ? { orders: [{ status: 'approved', paymentTimestamp: 1_787_792_547_218 }] }
      : [],
  )
  net.json('price-a.example', { data: { amount: '150.2', base: 'SOL', currency: 'USD' } })
  net.json('price-b.example', { error: [], result: { SOLUSD: { c: ['150.4', '1'] } } })
  net.site('price-c.example', send('text/html', 'maintenance'))
  net.json('lists.example', [{ wallet: keyToBase58(keyOf(9)), name: 'An exchange' }])
  net.site(HOUSE, (request, response) => {
    let text = ''
    request.on('data', (piece) => {
      text += piece
    })
    request.on('end', () => {
      const { method, params, id } = JSON.parse(text)
      const wallet = keyToBase58(keyOf(3))
      const transfer = { type: 'transfer', info: { source: keyToBase58(keyOf(9)), destination: wallet, lamports: 5 } }
      const found = {
        slot: 50,
        meta: { err: null, preBalances: [9, 0], postBalances: [4, 5], innerInstructions: [] },
        transaction: {
          message: {
            accountKeys: [{ pubkey: keyToBase58(keyOf(9)) }, { pubkey: wallet }],
            instructions: [{ program: 'system', parsed: transfer }],
          },
        },
      }
      const result =
        method === 'getTransaction' ? found : params[0] === wallet ? [{ signature: 's', slot: 50, err: null }] : []
      send('application/json', JSON.stringify({ jsonrpc: '2.0', id, result }))(request, response)
    })
  })
}

const OBSERVE_DEFAULTS = readOptions({ SOURCE: 'capture:x', OBSERVE: 'on' }).observe!

function open(missing: FakeMissing, more: Partial<ObserveOptions> = {}) {
  const options: ObserveOptions = {
    ...OBSERVE_DEFAULTS,
    ipfsGateways: ['https://gateway.example'],
    dexOrdersUrl: 'http://dex.example',
    priceUrls: ['http://price-a.example/', 'http://price-b.example/', 'http://price-c.example/'],
    kols: join(folder, 'kols.json'),
    exchanges: 'http://lists.example/exchanges.json',
    rpcUrl: `http://${HOUSE}:8899/?api-key=secret`,
    ...more,
  }
  const { logger, lines } = createFakeLogger()
  const outbound = createOutboundOn(net.network, { allow: allowedOrigins(options) })
  return {
    observers: createObservers({
      options,
      missing,
      report: missing.report,
      readCreation: () => null,
      logger,
      outbound,
    }),
    outbound,
    lines,
  }
}
const kinds = (missing: FakeMissing): string[] => [...new Set(missing.reported.map(({ fact }) => fact.kind))].sort()
const only = <K extends Fact['kind']>(missing: FakeMissing, kind: K) =>
  missing.reported.flatMap(({ fact }) => (fact.kind === kind ? [fact as Extract<Fact, { kind: K }>] : []))
const countsOf = (observers: Observers, name: string) => observers.status().find((one) => one.name === name)!.counts

test('every kind of fact comes in, and the hostile part brings nothing but counts', async () => {
  const hostile = ['bomb', 'html', 'broken', 'deep', 'failing', 'inwards', 'rebound'].map(
    (name) => `http://${name}.example/`,
  )
  const literals = [
    'http://127.0.0.1/',
    `http://${HOUSE}:8899/`,
    'http://[::1]/',
    'http://2130706433/',
    'http://localhost/',
  ]
  const missing = createFakeMissing()
  await writeFile(join(folder, 'kols.json'), JSON.stringify([{ wallet: keyToBase58(keyOf(7)), name: 'seven' }]))
  missing.metadata = [
    { mint: keyOf(1), uri: `https://elsewhere.example/ipfs/${V0}` },
    ...[...hostile, ...literals].map((uri, n) => ({ mint: keyOf(100 + n), uri })),
  ]
  missing.images = [
    { mint: keyOf(1), image: 'http://pictures.example/1.png' },
    ...[...hostile, ...literals].map((image, n) => ({ mint: keyOf(100 + n), image })),
  ]
  missing.unpaid = [{ mint: keyOf(1) }, { mint: keyOf(2) }]
  missing.buyers = [
    { wallet: keyOf(3), before: 60 },
    { wallet: keyOf(4), before: 60 },
  ]
  const { observers, lines } = open(missing)
  observers.start()
  const subjects = hostile.length + literals.length
  const looked = (name: string): number => [...countsOf(observers, name)].reduce((sum, [, n]) => sum + n, 0)
  await until('all kinds of facts', () => kinds(missing).length === 6)
  await until('a look at everyone', () => looked('metadata') > subjects && looked('image') > subjects)
  await until('no history for the other buyer', () => countsOf(observers, 'funder').has('no_history'))

  assert.deepEqual(kinds(missing), ['dex_paid', 'funding', 'image_hash', 'kol', 'metadata', 'sol_price'])
  assert.deepEqual(
    only(missing, 'metadata').map(({ mint, description }) => [mint, description]),
    [[keyOf(1), 'by its id']],
  )
  const sha256 = createHash('sha256').update('pixels').digest('hex')
  assert.deepEqual(only(missing, 'image_hash'), [{ kind: 'image_hash', mint: keyOf(1), sha256 }])
  assert.deepEqual(
    only(missing, 'dex_paid').map(({ mint }) => mint),
    [keyOf(1)],
  )
  assert.equal(only(missing, 'sol_price')[0]?.usd, (150.2 + 150.4) / 2)
  assert.deepEqual(only(missing, 'kol'), [{ kind: 'kol', wallet: keyOf(7), name: 'seven' }])
  assert.deepEqual(only(missing, 'funding'), [
    { kind: 'funding', wallet: keyOf(3), funder: keyOf(9), slot: 50, exchange: true, lamports: 5 },
  ])
  const refused = countsOf(observers, 'outbound')
  const expected = ['too_large', 'content_type', 'server', 'address', 'port']
  for (const reason of expected) assert.notEqual(refused.get(`metadata:${reason}`) ?? 0, 0, reason)
  assert.equal(countsOf(observers, 'metadata').get('malformed'), 2, 'broken and deep JSON')
  assert.notEqual(refused.get('price:content_type') ?? 0, 0)
  assert.equal(lines.join('').includes('secret'), false, 'no key in the log')
  assert.equal(JSON.stringify(observers.status().map(({ counts }) => [...counts])).includes('secret'), false)
  await observers.close()
})

test('closing ends what is on its way at once', async () => {
  let held = 0
  net.site('held.example', () => void held++)
  const missing = createFakeMissing()
  missing.metadata = [1, 2, 3].map((n) => ({ mint: keyOf(n), uri: `http://held.example/${n}` }))
  const { observers, outbound } = open(missing, { priceUrls: [], kols: null, exchanges: null, rpcUrl: null })
  observers.start()
  await until('requests are held', () => held === 3)
  assert.deepEqual(
    observers.status().map(({ name, inFlight }) => [name, inFlight]),
    [
      ['metadata', 3],
      ['image', 0],
      ['dex_paid', 0],
      ['outbound', 3],
    ],
  )
  const from = Date.now()
  await observers.close()
  assert.ok(Date.now() - from < 4_000, 'long before their time is up')
  assert.equal(observers.status().at(-1)?.inFlight, 0)
  const late = {
    url: 'http://pictures.example/1.png',
    purpose: 'image',
    namedBy: 'stranger',
    accept: ['image/*'],
  } as const
  assert.deepEqual(await outbound.get({ ...late, bytesMax: 10, timeoutMs: 1_000 }), { ok: false, reason: 'closed' })
  assert.deepEqual(missing.reported, [])
})

test('a new one asks again for all the world does not know', async () => {
  const missing = createFakeMissing()
  missing.metadata = [{ mint: keyOf(1), uri: `ipfs://${V0}` }]
  const forgetful = { ...missing, report: () => {} }
  const first = open(forgetful as FakeMissing, { priceUrls: [], kols: null, exchanges: null, rpcUrl: null })
  first.observers.start()
  await until('the first has reported', () => countsOf(first.observers, 'metadata').get('reported') === 1)
  await first.observers.close()
  const second = open(missing, { priceUrls: [], kols: null, exchanges: null, rpcUrl: null })
  second.observers.start()
  await until('the second reports it again', () => missing.reported.length === 1)
  await second.observers.close()
})

test('what is not chosen stays off', async () => {
  const off = { ...OBSERVE_DEFAULTS, dexOrdersUrl: null, priceUrls: [] }
  const missing = createFakeMissing()
  const observers = createObservers({
    options: off,
    missing,
    report: missing.report,
    readCreation: () => null,
    logger: createFakeLogger().logger,
  })
  assert.deepEqual(
    observers.status().map(({ name }) => name),
    ['metadata', 'image', 'outbound'],
  )
  await observers.close()
})
