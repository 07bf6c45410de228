import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createInternet, type Internet } from '../../../../../test/support/observe-internet.ts'
import { createOutboundOn, type OutboundQuestion } from './outbound.ts'

const QUESTION = { purpose: 'facilitator', json: '{"a":1}', bytesMax: 1_000, timeoutMs: 5_000 } as const

let net: Internet
before(async () => {
  net = await createInternet()
})
after(() => net.close())

/** A service of the operator's in the house, and how often it was dialled. */
function house(name: string) {
  net.name(name, ['10.1.2.3'])
  const out = createOutboundOn(net.network, { allow: [`http://${name}`] })
  const dialled = net.dialled.length
  return {
    out,
    ask: (more: Partial<OutboundQuestion> = {}) => out.ask({ ...QUESTION, url: `http://${name}/x?y=1`, ...more }),
    dialled: () => net.dialled.length - dialled,
  }
}

test("connections to an operator's own service are kept, and few are dialled", async () => {
  net.site('kept.example', (request, response) => request.resume().on('end', () => response.end(request.method)))
  const { out, ask, dialled } = house('kept.example')
  for (let n = 0; n < 20; n++) assert.deepEqual(textOf(await ask()), 'POST')
  assert.deepEqual(textOf(await ask({ json: null })), 'GET')
  await Promise.all([ask(), ask(), ask()])
  // one more than are used at once: a client is free a turn after its answer has ended
  assert.ok(dialled() <= 4, `${dialled()} connections for 24 questions`)
  out.close()
  assert.deepEqual(await ask(), { ok: false, reason: 'closed' })
})

test('a host that is not allowed is judged, and dialled for each question', async () => {
  net.site('public.example', (request, response) => request.resume().on('end', () => response.end('fine')))
  const out = createOutboundOn(net.network, {})
  const dialled = net.dialled.length
  for (let n = 0; n < 2; n++) {
    assert.equal(textOf(await out.ask({ ...QUESTION, url: 'http://public.example/' })), 'fine')
  }
  assert.equal(net.dialled.length, dialled + 2)
  net.name('inside.example', ['10.1.2.3'])
  assert.deepEqual(await out.ask({ ...QUESTION, url: 'http://inside.example/' }), { ok: false, reason: 'address' })
  out.close()
})

test('an answer that is too long, broken or late ends its connection, and the next one gets another', async () => {
  let kind = 'long'
  net.site('odd.example', (request, response) => {
    request.resume()
    if (kind === 'long') response.end('x'.repeat(2_000))
    if (kind === 'broken') response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy())
    if (kind === 'br') response.writeHead(200, { 'content-encoding': 'br' }).end('no brotli')
    if (kind === 'fine') response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('whole'))
  })
  const { out, ask } = house('odd.example')
  for (const [next, reason] of [
    ['long', 'too_large'],
    ['broken', 'broken'],
    ['br', 'encoding'],
    ['late', 'timeout'],
  ] as const) {
    kind = next
    const answer = await ask({ timeoutMs: next === 'late' ? 200 : 5_000 })
    assert.deepEqual(answer, { ok: false, reason }, next)
    kind = 'fine'
    const after = await ask({ gzip: true })
    assert.deepEqual([after.ok && after.status, textOf(after)], [500, 'whole'], `after ${next}`)
  }
  out.close()
})

test('where nothing listens, nothing was sent: that is said apart from a connection that breaks', async () => {
  net.name('nobody.example', ['10.9.9.9'])
  net.route('10.9.9.9', 80, 0)
  const out = createOutboundOn(net.network, { allow: ['http://nobody.example'] })
  assert.deepEqual(await out.ask({ ...QUESTION, url: 'http://nobody.example/' }), { ok: false, reason: 'connect' })
  out.close()
})

const textOf = (answer: Awaited<ReturnType<ReturnType<typeof house>['ask']>>): string | null =>
  answer.ok ? answer.text : answer.reason

// before: undici's dispatcher served it, which refuses this header
test("Node's own fetch is as it is without this module", async (t) => {
  const server = createServer((request, response) => request.pipe(response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const response = await fetch(url, { method: 'POST', headers: { 'content-length': '4' }, body: 'body' })
  assert.equal(await response.text(), 'body')
})
