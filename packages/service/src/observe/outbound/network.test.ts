import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createSystemNetwork, SYSTEM_NETWORK } from './network.ts'
import { createOutbound, createOutboundOn } from './outbound.ts'

/** A name server on loopback: one question, its answers by type; a name that is not known gets no answer at all. */
async function nameServer(known: Record<string, { a?: string[]; aaaa?: string[] }>) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    const [name, type] = [labels.join('.'), query.readUInt16BE(at + 1)]
    asked.push(`${name} ${type === 1 ? 'A' : type === 28 ? 'AAAA' : type}`)
    const entry = known[name]
    if (entry === undefined) return
    const values = (type === 1 ? entry.a : entry.aaaa) ?? []
    const answers = values.map((value) => {
      const data =
        type === 1 ? Buffer.from(value.split('.').map(Number)) : Buffer.from(value.replaceAll(':', ''), 'hex')
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
      return Buffer.concat([head, data])
    })
    const head = Buffer.from(query.subarray(0, at + 5))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, ...answers]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return { server: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}

const ASK = { purpose: 'metadata', accept: ['text/plain'], bytesMax: 100, timeoutMs: 2_000 } as const

test('names are asked of name servers, both kinds of addresses, and never completed', async () => {
  const dns = await nameServer({
    'both.example': { a: ['93.184.216.34', '93.184.216.35'], aaaa: ['2606:4700:0000:0000:0000:0000:0000:1111'] },
    'inner.example': { a: ['127.0.0.1'] },
    'none.example': {},
  })
  const network = createSystemNetwork([dns.server])
  const { signal } = new AbortController()
  assert.deepEqual((await network.resolve('both.example', false, signal)).toSorted(), [
    '2606:4700::1111',
    '93.184.216.34',
    '93.184.216.35',
  ])
  assert.deepEqual(await network.resolve('none.example', false, signal), [])
  assert.deepEqual(dns.asked.toSorted(), ['both.example A', 'both.example AAAA', 'none.example A', 'none.example AAAA'])
  const through = createOutboundOn(network, {})
  const inner = await through.get({ ...ASK, url: 'http://inner.example/', namedBy: 'stranger' })
  assert.deepEqual(inner, { ok: false, reason: 'address' })
  const silent = await through.get({ ...ASK, url: 'http://silent.example/', namedBy: 'stranger', timeoutMs: 100 })
  assert.deepEqual(silent, { ok: false, reason: 'timeout' })
  dns.close()
})

test('what is dialled is the address itself', () => {
  assert.deepEqual(SYSTEM_NETWORK.dial('93.184.216.34', 443), { host: '93.184.216.34', port: 443 })
})

test('the real way out reaches the house for an allowed origin of the operator, and for nothing else', async () => {
  let served = 0
  const server = createServer((_, response) => {
    served++
    response.writeHead(200, { 'content-type': 'text/plain' }).end('in the house')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const allow = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  const through = createOutbound({ allow })
  for (const origin of allow) {
    const found = await through.get({ ...ASK, url: `${origin}/`, namedBy: 'operator' })
    assert.equal(found.ok && found.bytes.toString(), 'in the house', origin)
    const refused = await through.get({ ...ASK, url: `${origin}/`, namedBy: 'stranger' })
    assert.deepEqual(refused, { ok: false, reason: 'port' })
    assert.deepEqual(await createOutbound().get({ ...ASK, url: `${origin}/`, namedBy: 'operator' }), {
      ok: false,
      reason: 'port',
    })
  }
  assert.equal(served, 2)
  await new Promise((done) => server.close(done))
})
