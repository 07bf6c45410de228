import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createPeerAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { CONNECTIONS, connectionsMost } from '@ti/service/faces/http/connections.ts'
import { createListener } from '@ti/service/faces/http/listener.ts'
import type { Route } from '@ti/service/faces/router.ts'
import { readiness } from '@ti/service/faces/status.ts'
import { READY, startFake } from '../support/fake-service.ts'
import { startCrowd } from './crowd.ts'

/** descriptors the attacked face believes to have, and the connections it takes with them */
const FILES = 512
const MOST = connectionsMost(FILES)
/** milliseconds until a condition counts as never met: only there to end a test that has failed */
const PATIENCE_MS = 120_000

/** The real face at a real listener, for a process of few descriptors. */
async function openFace(t: TestContext, trustedProxies: readonly string[] = []) {
  const listener = createListener({ peer: createPeerAddress(trustedProxies), descriptors: FILES })
  // sockets of a test that has failed hold up no close
  t.after(() => listener.close())
  const service = await startFake({ listener, routes: [waiting, stuck] })
  const port = Number(new URL(service.baseUrl).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  /** status of a call with a Pro key, on a connection that is kept or on a new one; 0 where there is no answer */
  const pro = (from?: string): Promise<number> =>
    new Promise((done) => {
      const headers = { authorization: `Bearer ${service.key}` }
      const where = from === undefined ? { agent } : { agent: false as const, localAddress: from }
      const asking = request({ host: '127.0.0.1', port, path: '/v1/tokens/new', headers, ...where }, (response) => {
        response.resume().on('end', () => done(response.statusCode!))
      })
      asking.on('error', () => done(0)).end()
    })
  return { ...listener, port, pro, readyz: () => readiness(READY, null, null, null) }
}

const waiting: Route = {
  method: '*',
  path: '/mcp',
  readsBody: true,
  handle: (request, response) => void request.resume().on('end', () => response.end()),
}
const stuck: Route = { method: '*', path: '/stuck', upgrade: () => {}, handle: (_, response) => void response.end() }

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await condition()); await pause(10))
    assert.ok(performance.now() < end, `waited in vain until ${what}`)
}

const addresses = (net: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `127.0.${net}.${i + 1}`)

test('silent connections of one address, twice as many as descriptors: calls go on, few stay, and none for long', async (t) => {
  const { port, pro, connections } = await openFace(t)
  const statuses = [await pro()]
  const crowd = startCrowd({ port, manner: 'idle', count: 2 * FILES, from: ['127.0.0.1'], again: false })
  t.after(crowd.stop)
  await until('all have come', async () => {
    // from somewhere else, and on a connection that was there before
    statuses.push(await pro('127.0.0.2'), await pro())
    assert.ok(connections.unheard <= MOST / 2 + 1, `${connections.unheard} unheard`)
    return crowd.state().opened >= 2 * FILES
  })
  // those that came at once keep a new one of their address out until the oldest has had its turn
  await until('one of the same address is let in', async () => (await pro('127.0.0.1')) === 200)
  for (let i = 0; i < 10; i++) statuses.push(await pro('127.0.0.1'))
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  )
  await until('few are left', () => connections.unheard <= MOST / 4)
  await until('none is left', () => connections.unheard === 0)
  // which of the two depends on how fast they come
  const turnedAway = (connections.closed.get('address') ?? 0) + (connections.closed.get('refused') ?? 0)
  assert.ok(turnedAway > 2 * FILES - MOST, `${turnedAway} turned away`)
  assert.ok(connections.closed.get('silent')! > 0)
})

test('silent connections of fifty addresses fill the process: it says so, and lets others in', async (t) => {
  const { port, pro, connections, readyz } = await openFace(t)
  assert.equal(await pro(), 200)
  const crowd = startCrowd({ port, manner: 'idle', count: 2 * MOST, from: addresses(1, 50), again: true })
  t.after(crowd.stop)
  await until('it is full', () => connections.open >= MOST * 0.9)
  assert.equal(await pro(), 200)
  await until('it says so', async () => {
    const { ready, troubles = [] } = readyz() as {
      ready?: boolean
      troubles?: { what: string }[]
    }
    // an attacker must not be able to take it out of a balancer
    assert.notEqual(ready, false)
    return troubles.some(({ what }) => what === 'connections')
  })
  await until('somebody new is let in', async () => (await pro('127.0.0.2')) === 200)
  assert.equal(await pro(), 200)
  assert.ok(connections.open <= MOST)
  crowd.stop()
  const ended = performance.now()
  await until('nothing is said any more', () => !('troubles' in readyz()))
  // on an idle machine 3 s
  t.diagnostic(`itself again after ${Math.round(performance.now() - ended)} ms`)
  assert.ok(connections.open < 10)
})

test('connections that have asked once and are silent since make room for those who ask', async (t) => {
  const { port, pro, connections } = await openFace(t)
  assert.equal(await pro(), 200)
  const idle: Socket[] = []
  t.after(() => {
    for (const socket of idle) socket.destroy()
  })
  let answered = 0
  for (let i = 0; i < MOST; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: addresses(2, 200)[i % 200]! })
    socket.on('error', () => {}).once('data', () => answered++)
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    idle.push(socket)
    if (i % 20 === 19) await until('they are answered', () => answered > i - 20)
  }
  await until('all have asked', () => connections.unheard === 0)
  for (let i = 0; i < 20; i++) assert.equal(await pro('127.0.0.2'), 200)
  assert.ok(connections.closed.get('room')! > 0)
  assert.ok(connections.open < MOST)
})

/** Most of their time they wait. */
describe('connections that ask too slowly', { concurrency: true }, () => {
  for (const manner of ['half-open', 'slow-body'] as const) {
    test(`${manner} connections of one address are few after a second, and gone after ten`, async (t) => {
      const { port, pro, connections } = await openFace(t)
      const crowd = startCrowd({ port, manner, count: 120, from: ['127.0.0.3'], again: false })
      t.after(crowd.stop)
      await until('they have come', () => crowd.state().opened >= 120)
      await until('few are left', () => connections.unheard <= MOST / 4)
      assert.equal(await pro('127.0.0.3'), 200)
      await until('none is left', () => connections.unheard === 0)
    })
  }

  test('a trusted proxy has as many connections as it wants, and its clients none of the blame', async (t) => {
    const { port, pro, connections } = await openFace(t, ['127.0.0.9'])
    const crowd = startCrowd({ port, manner: 'half-open', count: 200, from: ['127.0.0.9'], again: false })
    t.after(crowd.stop)
    await until('they have come', () => crowd.state().opened >= 200)
    const began = performance.now()
    await until('a grace has passed', () => performance.now() - began > 2 * CONNECTIONS.unheardGraceMs)
    assert.equal(connections.closed.get('address'), 0)
    assert.equal(await pro('127.0.0.9'), 200)
  })

  test('an upgrade that nobody answers is closed as well', async (t) => {
    const { port, connections } = await openFace(t)
    const socket = connect({ port, host: '127.0.0.1' })
    const closed = new Promise((done) => socket.on('error', () => {}).once('close', done))
    socket.write('GET /stuck HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await closed
    assert.deepEqual([connections.open, connections.closed.get('silent')], [0, 1])
  })
})

test('two Host headers are refused, on every path and beside every upgrade request', async (t) => {
  const { port } = await openFace(t)
  const heads = [
    'GET /v1/tokens/new',
    'GET /healthz',
    'POST /account/challenge',
    'GET /stuck',
    'OPTIONS /v1/tokens/new',
  ]
  for (const head of heads) {
    for (const upgrade of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nhOST: evil.example\r\n${upgrade}\r\n`)
      const answer = await new Promise<string>((done) => socket.once('data', (chunk) => done(chunk.toString())))
      socket.destroy()
      assert.match(answer, /^HTTP\/1\.1 400 .*one Host header/s, head + upgrade)
    }
  }
})

test('what is data says that it is not to be guessed at', async (t) => {
  const { port } = await openFace(t)
  for (const path of ['/v1/tokens/new', '/v1/nothing', '/readyz']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path)
  }
})
