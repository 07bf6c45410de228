import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { type Answer, exchange, requestText } from '../../../test/conformance/exchange.ts'
import { until } from '../../../test/conformance/live-service.ts'
import { routeUpgrades } from './upgrades.ts'

const H2C = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
const WEBSOCKET = { connection: 'Upgrade', upgrade: 'WebSocket' }

/** A server whose WebSockets are answered with the words "taken over". */
async function open(t: { after(fn: () => void): void }, listener: RequestListener, timeoutMs = 0) {
  const server = createServer(listener)
  server.timeout = timeoutMs
  const taken: { readonly url: string; readonly head: string }[] = []
  const upgrade = ({ url }: { url?: string | undefined }, socket: Socket, head: Buffer): void => {
    taken.push({ url: url!, head: head.toString() })
    socket.end('HTTP/1.1 101 Taken Over\r\n\r\n')
  }
  const { cut } = routeUpgrades(server, { '/socket': upgrade }, listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
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
  return { baseUrl, port, ask, taken, sockets, cut }
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

test('every other wish is ignored: the request is answered once, and the connection ends', async (t) => {
  const { ask, taken, sockets } = await open(t, hello)
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
    assert.equal(answer?.headers.get('connection'), 'close')
    assert.equal(answer?.body.toString(), method === 'HEAD' ? '' : `${method} ${path}`)
  }
  assert.equal(taken.length, 0)
  await until('all connections have ended', () => sockets.size === 0)
})

test('a body beside such a wish is refused', async (t) => {
  const { ask, sockets } = await open(t, hello)
  assert.equal((await ask('POST', '/other', { ...H2C, 'content-length': '5' }, 'hello'))?.status, 400)
  assert.equal((await ask('POST', '/other', { ...H2C, 'transfer-encoding': 'chunked' }, '0\r\n\r\n'))?.status, 400)
  await until('all connections have ended', () => sockets.size === 0)
})

test('a wish behind a request whose answer is still to come ends the connection, nothing else', async (t) => {
  const waiting: (() => void)[] = []
  const { baseUrl, ask, taken, sockets } = await open(t, (request, response) => {
    if (request.url === '/now') hello(request, response)
    else waiting.push(() => hello(request, response))
  })
  for (const wish of [requestText('GET', '/now', H2C), requestText('GET', '/socket', WEBSOCKET)]) {
    for (const first of ['/later', '/now']) {
      const answer = await exchange(baseUrl, requestText('GET', first) + wish)
      assert.ok(answer === null || answer.body.toString() === `GET ${first}`, `${answer?.status} ${answer?.body}`)
    }
  }
  for (const answer of waiting) answer()
  assert.equal(waiting.length, 2)
  assert.equal(taken.length, 0)
  await until('all connections have ended', () => sockets.size === 0)
  assert.equal((await ask('GET', '/now'))?.status, 200)
})

test('a client that does not read its answer is cut when the connection has been idle for too long', async (t) => {
  const { port, sockets } = await open(t, (_request, response) => void response.end(Buffer.alloc(32 << 20)), 200)
  const client = connect({ host: '127.0.0.1', port })
  t.after(() => client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write(requestText('GET', '/', H2C))
  await until('it is connected', () => sockets.size === 1)
  await until('it is cut', () => sockets.size === 0)
})

test('a client that does not read its answer is cut when the server stops', async (t) => {
  const { port, sockets, cut } = await open(t, (_request, response) => void response.end(Buffer.alloc(32 << 20)))
  const client = connect({ host: '127.0.0.1', port })
  t.after(() => client.destroy())
  client.on('error', () => {})
  client.pause()
  client.write(requestText('GET', '/', H2C))
  await until('it is answered', () => [...sockets].some((socket) => socket.bytesWritten > 0))
  cut()
  await until('it is gone', () => sockets.size === 0)
})
