import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { ASK, type Asking, answering, createAsking, JSON_TYPE } from './observe-asking.ts'

/** What comes back: slow, endless, bloated, broken and lying answers are refused, each with its reason. */
let net: Asking['net']
let outbound: Asking['outbound']
let reasonFor: Asking['reasonFor']

before(async () => {
  ;({ net, outbound, reasonFor } = await createAsking())
})
after(async () => {
  // the scan over everything this file did
  assert.notEqual(net.dialled.length, 0)
  net.assertNothingForbidden()
  await net.close()
})

test('statuses', async () => {
  const cases: [number, string][] = [
    [404, 'missing'],
    [410, 'missing'],
    [429, 'rate'],
    [500, 'server'],
    [503, 'server'],
  ]
  for (const [status, reason] of [
    ...cases,
    [401, 'status'],
    [204, 'status'],
    [206, 'status'],
    [304, 'status'],
  ] as const) {
    net.site('status.example', answering(JSON_TYPE, '', status))
    assert.equal(await reasonFor('http://status.example/'), reason, String(status))
  }
})

test('content types', async () => {
  const cases: [Record<string, string | string[]>, string][] = [
    [{ 'content-type': 'application/json; charset=utf-8' }, 'ok'],
    [{ 'content-type': 'APPLICATION/JSON' }, 'ok'],
    [{ 'content-type': 'image/svg+xml' }, 'ok'],
    [{ 'content-type': 'text/html' }, 'content_type'],
    [{ 'content-type': 'imagery/png' }, 'content_type'],
    [{ 'content-type': 'application/json, text/html' }, 'content_type'],
    [{}, 'content_type'],
  ]
  for (const [headers, reason] of cases) {
    net.site('types.example', answering(headers, '1'))
    assert.equal(await reasonFor('http://types.example/'), reason, JSON.stringify(headers))
  }
  net.site('types.example', answering({}, '1'))
  assert.equal(await reasonFor('http://types.example/', { accept: ['application/octet-stream'] }), 'ok')
})

test('encodings: one of three is taken off within the bound, bombs and stacks are not', async () => {
  const small = Buffer.from('{"a":1}')
  const bomb = Buffer.alloc(64 << 20)
  const cases: [string, string, Buffer, string][] = [
    ['gzip', 'gzip', gzipSync(small), 'ok'],
    ['x-gzip', 'x-gzip', gzipSync(small), 'ok'],
    ['br', 'br', brotliCompressSync(small), 'ok'],
    ['deflate', 'deflate', deflateSync(small), 'ok'],
    ['identity', 'identity', small, 'ok'],
    ['bomb', 'gzip', gzipSync(bomb, { level: 9 }), 'too_large'],
    ['bomb', 'br', brotliCompressSync(bomb, { params: { 1: 1 } }), 'too_large'],
    ['bomb', 'deflate', deflateSync(bomb), 'too_large'],
    ['small bomb', 'gzip', gzipSync(Buffer.alloc(10_001)), 'too_large'],
    ['just fits', 'gzip', gzipSync(Buffer.alloc(10_000)), 'ok'],
    ['much of nothing', 'gzip', Buffer.concat(Array(1_000).fill(gzipSync(''))), 'too_large'],
    ['stacked', 'gzip, gzip', gzipSync(gzipSync(small)), 'encoding'],
    ['unknown', 'zstd', small, 'encoding'],
    ['not gzip', 'gzip', small, 'encoding'],
    ['not brotli', 'br', Buffer.alloc(100, 0xff), 'encoding'],
    ['cut', 'gzip', gzipSync(small).subarray(0, 15), 'encoding'],
    ['empty', 'gzip', Buffer.alloc(0), 'encoding'],
  ]
  for (const [what, encoding, body, reason] of cases) {
    net.site('encoded.example', answering({ ...JSON_TYPE, 'content-encoding': encoding }, body))
    assert.equal(await reasonFor('http://encoded.example/', { bytesMax: 10_000 }), reason, `${what} ${encoding}`)
  }
  net.site(
    'encoded.example',
    answering({ ...JSON_TYPE, 'content-encoding': ['gzip', 'gzip'] }, gzipSync(gzipSync(small))),
  )
  assert.equal(await reasonFor('http://encoded.example/'), 'encoding', 'stacked in two headers')
  net.site('encoded.example', answering({ ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(small)))
  const result = await outbound().get({ ...ASK, url: 'http://encoded.example/' })
  assert.equal(result.ok && result.bytes.toString(), '{"a":1}')
})

test('lies about the length, and bodies over the bound', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  const said: [string, string, string][] = [
    ['announced too much', `${head}content-length: 10001\r\n\r\n`, 'too_large'],
    ['announced absurdly much', `${head}content-length: 99999999999999\r\n\r\n`, 'too_large'],
    ['fewer bytes than announced', `${head}content-length: 100\r\n\r\n12345`, 'broken'],
    ['a cut chunk', `${head}transfer-encoding: chunked\r\n\r\n64\r\n12345`, 'broken'],
    ['no last chunk', `${head}transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n`, 'broken'],
    ['a negative length', `${head}content-length: -1\r\n\r\n12345`, 'broken'],
    ['two lengths', `${head}content-length: 5\r\ncontent-length: 6\r\n\r\n123456`, 'broken'],
    [
      'length and chunks',
      `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n`,
      'broken',
    ],
    ['a chunk of no size', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'broken'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'broken'],
    ['nothing', '', 'broken'],
    ['large headers', `${head}x: ${'y'.repeat(40_000)}\r\n\r\n`, 'headers'],
    ['many headers', `${head}${'x: y\r\n'.repeat(10_000)}\r\n`, 'headers'],
    ['two types', `${head}content-type: text/html\r\ncontent-length: 1\r\n\r\n1`, 'headers'],
    ['two places', 'HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n', 'headers'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'broken'],
  ]
  let bytes = ''
  await net.raw('193.0.0.1', (socket) => void socket.once('data', () => socket.end(bytes)))
  net.name('raw.example', ['193.0.0.1'])
  for (const [what, text, reason] of said) {
    bytes = text
    assert.equal(await reasonFor('http://raw.example/'), reason, what)
  }
  bytes = `${head}content-length: 5\r\n\r\n12345 and more than that`
  const result = await outbound().get({ ...ASK, url: 'http://raw.example/' })
  assert.equal(
    result.ok ? result.bytes.toString() : result.reason,
    '12345',
    'what follows the announced bytes is not read',
  )
})

test('endless and slow answers end at a bound', async () => {
  const slow = { timeoutMs: 300 }
  net.site('silent.example', () => {})
  assert.equal(await reasonFor('http://silent.example/', slow), 'timeout')
  net.site('drip.example', (_, response) => {
    response.writeHead(200, JSON_TYPE)
    const timer = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(timer))
  })
  assert.equal(await reasonFor('http://drip.example/', slow), 'timeout')
  await net.raw('193.0.0.2', (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    const timer = setInterval(() => socket.write('y'), 10)
    socket.on('close', () => clearInterval(timer))
  })
  net.name('dripping-head.example', ['193.0.0.2'])
  assert.equal(await reasonFor('http://dripping-head.example/', slow), 'timeout')
  net.name('slow-name.example', () => new Promise(() => {}))
  assert.equal(await reasonFor('http://slow-name.example/', slow), 'timeout')
  net.site('slow-steps.example', (_, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 110)
  })
  assert.equal(await reasonFor('http://slow-steps.example/', slow), 'timeout', 'one deadline for all hops')
  net.site('endless.example', (_, response) => {
    response.writeHead(200, JSON_TYPE)
    const more = (): void => {
      while (response.write(Buffer.alloc(4_096, 0x20))) if (response.destroyed) return
      response.once('drain', more)
    }
    more()
  })
  assert.equal(await reasonFor('http://endless.example/'), 'too_large')
})
