import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createInternet, type Internet, until } from '../../../../../test/support/observe-internet.ts'
import { createOutboundOn, type OutboundPost, type Poster } from './outbound.ts'

const ASK = { purpose: 'webhook', namedBy: 'stranger', json: '{"a":"ü"}', bytesMax: 0, timeoutMs: 5_000 } as const

let net: Internet
before(async () => {
  net = await createInternet()
})
after(() => net.close())

const post = (url: string, more: Partial<OutboundPost> = {}) =>
  createOutboundOn(net.network, {}).post({ ...ASK, url, ...more })

test('a message arrives as it is, with its headers, over HTTPS too', async () => {
  const seen: { method: string; headers: Record<string, unknown>; body: string }[] = []
  net.site('secure.example', (request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      seen.push({ method: request.method!, headers: request.headers, body })
      response.writeHead(202, { 'retry-after': '7' }).end('taken')
    })
  })
  const answer = await post('https://secure.example/hook?x=1', { headers: { 'webhook-id': 'm1' }, bytesMax: 100 })
  assert.equal(answer.ok && answer.status, 202)
  assert.equal(answer.ok && answer.text, 'taken')
  assert.equal(answer.ok && answer.headers['retry-after'], '7')
  const [request] = seen
  assert.equal(request?.method, 'POST')
  assert.equal(request?.body, ASK.json)
  assert.equal(request?.headers['webhook-id'], 'm1')
  assert.equal(request?.headers['content-type'], 'application/json')
})

test('a redirect is an answer: nothing goes where it points', async () => {
  net.site('moved.example', (_, response) => response.writeHead(301, { location: 'http://10.0.0.1/' }).end())
  const dialled = net.dialled.length
  const answer = await post('http://moved.example/')
  assert.equal(answer.ok && answer.status, 301)
  assert.equal(net.dialled.length, dialled + 1)
  net.assertNothingForbidden()
})

test('the status counts where the body is long, breaks off or never ends', async () => {
  net.site('long.example', (_, response) => response.writeHead(200).end(Buffer.alloc(2 << 20, 'x')))
  net.site('broken.example', (_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    setImmediate(() => response.destroy())
  })
  net.site('endless.example', (_, response) => void response.writeHead(200).write('on and on'))
  for (const host of ['long', 'broken', 'endless']) {
    for (const bytesMax of [0, 1_000]) {
      const answer = await post(`http://${host}.example/`, { bytesMax, timeoutMs: host === 'endless' ? 300 : 5_000 })
      assert.deepEqual([answer.ok && answer.status, answer.ok && answer.text], [200, null], `${host} ${bytesMax}`)
    }
  }
})

test('one that hangs ends at its deadline, one that resets at once, and neither keeps a place', async () => {
  net.site('hangs.example', () => {})
  await net.raw('93.184.216.99', (socket) => socket.once('data', () => socket.resetAndDestroy()))
  net.name('resets.example', ['93.184.216.99'])
  const out = createOutboundOn(net.network, {})
  const hung = await out.post({ ...ASK, url: 'http://hangs.example/', timeoutMs: 100 })
  assert.deepEqual(hung, { ok: false, reason: 'timeout' })
  assert.deepEqual(await out.post({ ...ASK, url: 'http://resets.example/' }), { ok: false, reason: 'broken' })
  await until('no request is held', () => out.inFlight === 0)
  assert.deepEqual([...out.counts].sort(), [
    ['webhook:broken', 1],
    ['webhook:timeout', 1],
  ])
})

test('an address inside is refused before a byte is sent, and said in advance', async () => {
  net.name('inside.example', ['10.1.2.3'])
  net.name('mixed.example', ['93.184.216.34', '::1'])
  net.name('fine.example', ['93.184.216.34'])
  const out = createOutboundOn(net.network, { allow: ['http://127.0.0.1'] })
  const rows = [
    ['https://127.0.0.1/', 'address'],
    ['https://10.0.0.8/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://[::ffff:10.0.0.1]/', 'address'],
    ['https://169.254.169.254/latest', 'address'],
    ['https://inside.example/', 'address'],
    ['https://mixed.example/', 'address'],
    ['https://localhost/', 'address'],
    ['https://fine.example:8443/', 'port'],
    ['ftp://fine.example/', 'url'],
    ['https://user:pass@fine.example/', 'url'],
    ['https://nowhere.example/', 'dns'],
  ] as const
  const dialled = net.dialled.length
  for (const [url, reason] of rows) {
    assert.deepEqual(await out.post({ ...ASK, url }), { ok: false, reason }, url)
    assert.equal(await out.refusalOf(url), reason, url)
  }
  assert.equal(net.dialled.length, dialled)
  assert.equal(await out.refusalOf('https://fine.example/'), null)
})

test('where strangers may name this machine, they may name nothing else that they may not', async () => {
  const own: Poster = createOutboundOn(net.network, { loopback: true })
  const other: Poster = createOutboundOn(net.network, {})
  for (const url of ['http://localhost:8080/', 'http://127.0.0.1:1/', 'http://[::1]:8080/']) {
    assert.equal(await own.refusalOf(url), null, url)
    assert.notEqual(await other.refusalOf(url), null, `${url} elsewhere`)
  }
  for (const url of ['https://10.0.0.8/', 'https://169.254.169.254/', 'https://inside.example/', 'http://127.0.0.2/']) {
    assert.equal(await own.refusalOf(url), 'address', url)
  }
  for (const one of [own, other]) one.close()
})
