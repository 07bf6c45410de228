import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { SOMEWHERE, until } from '../../support/observe-internet.ts'
import { ASK, type Asking, answering, createAsking, JSON_TYPE } from './observe-asking.ts'

const HOUSE = '10.0.0.5'

/** Where requests go: whatever names, addresses and redirects say, never into the house. */
let net: Asking['net']
let outbound: Asking['outbound']
let reasonFor: Asking['reasonFor']

before(async () => {
  ;({ net, outbound, reasonFor } = await createAsking())
})
after(async () => {
  // the scan over everything this file did
  assert.notEqual(net.dialled.length, 0)
  net.assertNothingForbidden([HOUSE])
  await net.close()
})

test('a plain answer, and what is asked with', async () => {
  let asked: IncomingMessage | undefined
  net.site('plain.example', (request, response) => {
    asked = request
    response.setHeader('set-cookie', 'id=1')
    answering(JSON_TYPE, '{"a":1}')(request, response)
  })
  const through = outbound()
  for (let time = 0; time < 2; time++) {
    const result = await through.get({ ...ASK, url: 'http://plain.example/x?y=1#z' })
    assert.deepEqual(result, { ok: true, status: 200, contentType: 'application/json', bytes: Buffer.from('{"a":1}') })
    assert.equal(asked?.url, '/x?y=1')
    assert.deepEqual(Object.keys(asked!.headers).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
    assert.equal(asked?.headers['accept-encoding'], 'identity')
    assert.match(asked!.headers['user-agent']!, /^token-intelligence\//)
  }
  assert.equal(through.counts.get('metadata:ok'), 2)
})

test('no proxy of the environment', async () => {
  const saved = { ...process.env }
  Object.assign(process.env, {
    http_proxy: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NODE_USE_ENV_PROXY: '1',
  })
  try {
    net.site('unproxied.example', answering(JSON_TYPE, '1'))
    assert.equal(await reasonFor('http://unproxied.example/'), 'ok')
  } finally {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'NODE_USE_ENV_PROXY']) delete process.env[name]
    Object.assign(process.env, saved)
  }
})

test('a certificate has to be for the name in the URL', async () => {
  net.site('secure.example', answering(JSON_TYPE, '1'))
  net.site('insecure.example', answering(JSON_TYPE, '1'))
  assert.equal(await reasonFor('https://secure.example/'), 'ok')
  assert.equal(await reasonFor('https://insecure.example/'), 'tls')
  assert.equal(await reasonFor(`https://${SOMEWHERE}/`), 'tls')
})

test('names that lead into the house are never dialled', async () => {
  const addresses = [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
  ]
  const more = [
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '224.0.0.1',
    'nonsense',
  ]
  for (const [i, address] of [...addresses, ...more].entries()) {
    net.name(`inner${i}.example`, [address])
    net.name(`mixed${i}.example`, [SOMEWHERE, address])
    const dialled = net.dialled.length
    assert.equal(await reasonFor(`http://inner${i}.example/`), 'address', address)
    assert.equal(await reasonFor(`http://mixed${i}.example/`), 'address', `${address} among others`)
    assert.equal(net.dialled.length, dialled)
  }
  const literals = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'metadata.google.internal',
  ]
  for (const host of literals) {
    const resolved = net.resolved.length
    assert.equal(await reasonFor(`http://${host}/`), 'address', host)
    assert.equal(net.resolved.length, resolved, 'not even asked for')
  }
})

test('this machine’s own public address is in the house too', async (t) => {
  const interfaces = { ...os.networkInterfaces(), eth9: [{ address: '193.0.0.9' }] }
  t.mock.method(os, 'networkInterfaces', () => interfaces)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  net.name('self.example', ['193.0.0.9'])
  assert.equal(await reasonFor('http://self.example/'), 'address')
  assert.equal(await reasonFor('http://193.0.0.9/'), 'address')
})

test('a name is resolved once for a connection: the address that was judged is the one that is dialled', async () => {
  let time = 0
  net.name('rebinding.example', () => (time++ % 2 === 0 ? [SOMEWHERE] : ['127.0.0.1']))
  net.site('rebinding.example', answering(JSON_TYPE, '1'))
  const resolved = net.resolved.length
  assert.equal(await reasonFor('http://rebinding.example/'), 'ok')
  assert.equal(net.resolved.length, resolved + 1)
  assert.deepEqual(net.dialled.at(-1), { address: SOMEWHERE, port: 80 })
  assert.equal(await reasonFor('http://rebinding.example/'), 'address', 'and the next request judges anew')
  // the same name again behind a redirect to itself
  net.site('rebinding.example', (request, response) =>
    request.url === '/again' ? void response.end('1') : void response.writeHead(302, { location: '/again' }).end(),
  )
  assert.equal(await reasonFor('http://rebinding.example/'), 'address')
})

test('addresses are tried in turn, and a name with too many of them is none', async () => {
  net.route('198.41.0.4', 80, 0)
  net.name('twice.example', ['198.41.0.4', SOMEWHERE])
  net.site('twice.example', answering(JSON_TYPE, '1'))
  assert.equal(await reasonFor('http://twice.example/'), 'ok')
  net.name('dead.example', ['198.41.0.4'])
  assert.equal(await reasonFor('http://dead.example/'), 'connect')
  assert.equal(await reasonFor('http://nobody.example/'), 'dns')
  net.name('failing.example', () => Promise.reject(new Error('SERVFAIL')))
  assert.equal(await reasonFor('http://failing.example/'), 'dns')
  net.name('many.example', Array(65).fill(SOMEWHERE))
  assert.equal(await reasonFor('http://many.example/'), 'dns')
})

test('redirects are judged like the first URL', async () => {
  const targets: Record<string, [location: string, reason: string]> = {
    '/loopback': ['http://127.0.0.1/', 'address'],
    '/decimal': ['http://2130706433/', 'address'],
    '/cloud': ['//169.254.169.254/latest/meta-data/', 'address'],
    '/name': ['http://inner0.example/', 'address'],
    '/port': ['http://plain.example:6379/', 'port'],
    '/file': ['file:///etc/passwd', 'url'],
    '/user': ['http://a:b@plain.example/', 'url'],
    '/circle': ['/circle', 'redirects'],
    '/long': [`/${'x'.repeat(4_000)}`, 'url'],
    '/nowhere': ['http://[', 'redirect'],
    '/fine': ['http://plain.example/', 'ok'],
  }
  net.name('inner0.example', ['127.0.0.1'])
  net.site('plain.example', answering(JSON_TYPE, '1'))
  for (const status of [301, 302, 303, 307, 308]) {
    net.site('moving.example', (request, response) => {
      response.writeHead(status, { location: targets[request.url!]![0] }).end()
    })
    for (const [path, [, reason]] of Object.entries(targets)) {
      assert.equal(await reasonFor(`http://moving.example${path}`), reason, `${status} ${path}`)
    }
  }
  net.site('moving.example', answering({}, '', 302))
  assert.equal(await reasonFor('http://moving.example/'), 'redirect', 'without a location')
  net.site('secure.example', answering({ location: 'http://plain.example/' }, '', 302))
  assert.equal(await reasonFor('https://secure.example/'), 'redirect', 'down from https')
})

test('three redirects are followed, four are not', async () => {
  net.site('steps.example', (request, response) => {
    const left = Number(request.url!.slice(1))
    if (left === 0) answering(JSON_TYPE, '1')(request, response)
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  assert.equal(await reasonFor('http://steps.example/3'), 'ok')
  assert.equal(await reasonFor('http://steps.example/4'), 'redirects')
})

test('an origin that the operator allowed is open to the operator’s requests alone', async () => {
  const allow = [`http://${HOUSE}:8899`, 'http://db.internal']
  net.name('db.internal', [HOUSE])
  net.site('db.internal', answering(JSON_TYPE, '1'))
  net.site(HOUSE, (request, response) =>
    request.url === '/out'
      ? void response.writeHead(302, { location: 'http://back.example/' }).end()
      : request.url === '/within'
        ? void response.writeHead(302, { location: '/there' }).end()
        : answering(JSON_TYPE, '1')(request, response),
  )
  net.site('back.example', answering({ location: `http://${HOUSE}:8899/admin` }, '', 302))
  const ask = (url: string, namedBy: string): Promise<string> => reasonFor(url, { namedBy }, outbound({ allow }))
  assert.equal(await ask(`http://${HOUSE}:8899/`, 'operator'), 'ok')
  assert.equal(await ask(`http://${HOUSE}:8899/within`, 'operator'), 'ok')
  assert.equal(await ask('http://db.internal/', 'operator'), 'ok')
  assert.equal(await ask(`http://${HOUSE}:8899/`, 'stranger'), 'port')
  assert.equal(await ask('http://db.internal/', 'stranger'), 'address')
  assert.equal(await ask('http://back.example/', 'stranger'), 'port')
  assert.equal(
    await ask(`http://${HOUSE}:8899/out`, 'operator'),
    'port',
    'what comes back from outside is a stranger’s',
  )
  assert.equal(await ask(`http://${HOUSE}/`, 'operator'), 'address', 'another port of the same machine')
})

test('places: so many in all, so many at one host, also where a redirect leads', async () => {
  const open: ServerResponse[] = []
  const hold = (_: IncomingMessage, response: ServerResponse): void => void open.push(response)
  for (const host of ['hold-a.example', 'hold-b.example']) net.site(host, hold)
  net.site('to-a.example', answering({ location: 'http://hold-a.example/' }, '', 302))
  const through = outbound({ inAll: 4, perHost: 2 })
  const get = (host: string) => through.get({ ...ASK, url: `http://${host}/` })
  const waiting = [get('hold-a.example'), get('hold-a.example')]
  await until('two held', () => open.length === 2)
  assert.deepEqual(await get('hold-a.example'), { ok: false, reason: 'busy' })
  assert.deepEqual(await get('to-a.example'), { ok: false, reason: 'busy' }, 'redirected to a host that is full')
  waiting.push(get('hold-b.example'), get('hold-b.example'))
  await until('four held', () => open.length === 4)
  assert.equal(through.inFlight, 4)
  assert.deepEqual(await get('plain.example'), { ok: false, reason: 'busy' })
  for (const response of open) response.writeHead(200, JSON_TYPE).end('1')
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ ok }) => ok),
    [true, true, true, true],
  )
  assert.equal(through.inFlight, 0)
  assert.equal((await get('plain.example')).ok, true)
  const again = [get('hold-a.example'), get('hold-a.example')]
  await until('both places at the host are free again', () => open.length === 6)
  for (const response of open.slice(4)) response.writeHead(200, JSON_TYPE).end('1')
  assert.deepEqual(
    (await Promise.all(again)).map(({ ok }) => ok),
    [true, true],
  )
  assert.equal(through.counts.get('metadata:busy'), 3)
})

test('the end of the service, or of whoever asked, ends what is on its way', async () => {
  let held = 0
  net.site('held.example', () => void held++)
  const through = outbound()
  const asked = new AbortController()
  const first = through.get({ ...ASK, url: 'http://held.example/', signal: asked.signal })
  const second = through.get({ ...ASK, url: 'http://held.example/' })
  await until('both held', () => held === 2)
  asked.abort()
  assert.deepEqual(await first, { ok: false, reason: 'closed' })
  assert.equal(through.inFlight, 1)
  through.close()
  assert.deepEqual(await second, { ok: false, reason: 'closed' })
  assert.deepEqual(await through.get({ ...ASK, url: 'http://plain.example/' }), { ok: false, reason: 'closed' })
})

test('JSON is posted, and a redirect of it is refused', async () => {
  let body = ''
  net.site('rpc.example', (request, response) => {
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () =>
      answering(JSON_TYPE, `"${request.method} ${request.headers['content-type']}"`)(request, response),
    )
  })
  const result = await outbound().get({ ...ASK, url: 'http://rpc.example/', json: '{"q":1}' })
  assert.equal(result.ok && result.bytes.toString(), '"POST application/json"')
  assert.equal(body, '{"q":1}')
  net.site('rpc.example', answering({ location: 'http://plain.example/' }, '', 307))
  assert.equal(await reasonFor('http://rpc.example/', { json: '{}' }), 'redirects')
})

test('the service itself has no other network than the system’s', () => {
  const root = join(import.meta.dirname, '../../../packages/service/src')
  const users = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /createOutboundOn\b/.test(readFileSync(join(root, name), 'utf8')))
  assert.deepEqual(users, ['observe/outbound/outbound.ts'])
})
