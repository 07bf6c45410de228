import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { type Answer, exchange, requestText } from '../../../../../test/support/exchange.ts'
import { until } from '../../../../../test/support/live-service.ts'
import { guardConnections } from './connections.ts'
import { routeUpgrades } from './upgrades.ts'

const H2C = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
const WEBSOCKET = { connection: 'Upgrade', upgrade: 'WebSocket' }

/** A server whose WebSockets are answered with the words "taken over". */
async function open(t: { after(fn: () => void): void }, listener: RequestListener, timeoutMs = 0) {
  const server = createServer({ maxHeaderSize: 64 << 10 }, listener)
  server.timeout = timeoutMs
  const taken: { readonly url: string; readonly head: string }[] = []
  const upgrade = ({ url }: { url?: string | undefined }, socket: Socket, head: Buffer): void => {
    taken.push({ url: url!, head: head.toString() })
    socket.end('HTTP/1.1 101 Taken Over\r\n\r\n')
  }
  const connections = guardConnections(server, { descriptors: null, peer: () => null })
  t.after(connections.close)
  server.on('request', connections.heard)
  routeUpgrades(server, (path) => (path === '/socket' ? upgrade : undefined))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`
  const ask = (method: string, path: string, headers = {}, body = ''): Promise<Answer | null> =>
    exchange(baseUrl, requestText(method, path, headers) + body, method !== 'HEAD')
  return { baseUrl, port, ask, taken, sockets, server }
}

const hello: RequestListener = (request, response) => {
  const body = `${request.method} ${request.url}`
  response.writeHead(200, { 'content-length': body.length }).end(body)
}

test('a WebSocket on a path that has them is handed over, with what came behind the request', async (t) => {
  const { ask, taken } = await open(t, hello)
  assert.equal((await ask('GET', '/socket?a=1', WEBSOCKET, 'early'))?.status, 101)
  assert.equal((await ask('POST', '/socket', { ...WEBSOCKET, upgrade: 'websocket' }))?.status, 101)
  assert.deepEqual(taken, [
    { url: '/socket?a=1', head: 'early' },
    { url: '/socket', head: '' },
  ])
})

test('every other upgrade request is ignored: the request is answered as if it had none, and the connection goes on', async (t) => {
  const { ask, taken } = await open(t, hello)
  for (const [method, path, headers] of [
    ['GET', '/', H2C],
    ['HEAD', '/', H2C],
    ['POST', '/other', { ...H2C, 'content-length': '0' }],
    ['GET', '/other', WEBSOCKET],
    ['GET', '/socket', H2C],
    ['GET', '/socket/', WEBSOCKET],
    ['GET', '/constructor', WEBSOCKET],
    ['GET', '/socket', { connection: 'Upgrade', upgrade: 'websocket, h2c' }],
  ] as const) {
    const answer = await ask(method, path, headers)
    assert.equal(answer?.status, 200, path)
    assert.notEqual(answer?.headers.get('connection'), 'close')
    assert.equal(answer?.body.toString(), method === 'HEAD' ? '' : `${method} ${path}`)
  }
  assert.equal(taken.length, 0)
})

const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.end(JSON.stringify({ headers: request.headers, body: Buffer.concat(chunks).toString() }))
  })
}

test('a body beside such a request is read, and every other header is what it was', async (t) => {
  const { baseUrl } = await open(t, echo)
  const upgrade = { ...H2C, 'x-name': 'caf\xe9', cookie: 'a=1' }
  const chunked = `${requestText('POST', '/other', { ...upgrade, 'transfer-encoding': 'chunked' })}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`
  const counted = `${requestText('POST', '/other', { ...upgrade, 'content-length': '5' })}hello`
  const { upgrade: _upgrade, ...rest } = upgrade
  for (const sent of [chunked, counted]) {
    const answer = await exchange(baseUrl, sent)
    const { headers, body } = JSON.parse(answer!.body.toString())
    assert.equal(body, 'hello')
    const { host, 'content-length': _length, 'transfer-encoding': _encoding, ...others } = headers
    assert.equal(host, 'test')
    assert.deepEqual(others, rest)
  }
})

test('a body is never taken for a request, however many headers hide its length', async (t) => {
  const heard: string[] = []
  const { baseUrl } = await open(t, (request, response) => {
    heard.push(request.url!)
    echo(request, response)
  })
  const send = (headers: number) => {
    const many = Array.from({ length: headers }, (_, i) => `a${i}: b\r\n`).join('')
    const head = `POST /real HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n${many}`
    const body = requestText('GET', '/hidden')
    return exchange(baseUrl, `${head}content-length: ${body.length}\r\n\r\n${body}`)
  }
  const answer = await send(90)
  assert.equal(JSON.parse(answer!.body.toString()).body, requestText('GET', '/hidden'))
  for (const headers of [100, 900, 990, 998, 1_000, 1_050, 2_500]) assert.equal(await send(headers), null)
  assert.deepEqual([...new Set(heard)], ['/real'])
})

test('what such a request leaves out is a mistake of its sender, told as ever', async (t) => {
  const { baseUrl } = await open(t, echo)
  const answer = await exchange(
    baseUrl,
    `${requestText('POST', '/', { ...H2C, 'transfer-encoding': 'chunked' })}zz\r\n`,
  )
  assert.equal(answer?.status, 400)
})

test('a connection may ask for an upgrade with each of its requests, which come in pieces', async (t) => {
  const { port, sockets } = await open(t, echo)
  const warnings: Error[] = []
  const hear = (warning: Error): void => void warnings.push(warning)
  process.on('warning', hear)
  t.after(() => process.off('warning', hear))
  const client = connect({ host: '127.0.0.1', port })
  t.after(() => client.destroy())
  let heard = ''
  client.on('data', (chunk) => {
    heard += chunk
  })
  const answers = () => [...heard.matchAll(/"body":"(\d+)"/g)].map(([, body]) => Number(body))
  const numbers = Array.from({ length: 20 }, (_, i) => i + 100)
  for (const n of numbers) {
    const head = requestText('POST', '/', { ...H2C, 'content-length': '3' })
    const half = 20 + 3 * (n % 20)
    client.write(head.slice(0, half))
    await new Promise((resolve) => setImmediate(resolve))
    client.write(`${head.slice(half)}${n}`)
    await until(`${n} is answered`, () => answers().at(-1) === n)
  }
  assert.deepEqual(answers(), numbers)
  assert.equal(sockets.size, 1)
  assert.deepEqual(warnings, [])
})

test('an upgrade request behind a request whose answer is still to come ends the connection, nothing else', async (t) => {
  const waiting: (() => void)[] = []
  const { baseUrl, ask, taken, sockets } = await open(t, (request, response) => {
    if (request.url === '/now') hello(request, response)
    else waiting.push(() => hello(request, response))
  })
  for (const upgrade of [requestText('GET', '/now', H2C), requestText('GET', '/socket', WEBSOCKET)]) {
    for (const first of ['/later', '/now']) {
      const answer = await exchange(baseUrl, requestText('GET', first) + upgrade)
      assert.ok(answer === null || answer.body.toString() === `GET ${first}`, `${answer?.status} ${answer?.body}`)
    }
  }
  for (const answer of waiting) answer()
  assert.equal(waiting.length, 2)
  assert.equal(taken.length, 0)
  await until('all connections have ended', () => sockets.size === 0)
  assert.equal((await ask('GET', '/now'))?.status, 200)
})

test('after such a request a connection is watched as any other: an idle one is cut', async (t) => {
  const { port, sockets } = await open(t, (_request, response) => void response.end(Buffer.alloc(32 << 20)), 200)
  const client = connect({ host: '127.0.0.1', port })
  t.after(() => client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write(requestText('GET', '/', H2C))
  await until('it is connected', () => sockets.size === 1)
  await until('it is cut', () => sockets.size === 0)
})

test('after such a request a connection is known to the server, which cuts it when it stops', async (t) => {
  const { port, sockets, server } = await open(t, (_request, response) => void response.end(Buffer.alloc(32 << 20)))
  const client = connect({ host: '127.0.0.1', port })
  t.after(() => client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write(requestText('GET', '/', H2C))
  await until('it is answered', () => [...sockets].some((socket) => socket.bytesWritten > 0))
  server.closeAllConnections()
  await until('it is gone', () => sockets.size === 0)
})
