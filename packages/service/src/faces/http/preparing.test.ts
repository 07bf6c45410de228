import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { NOT_READY_RETRY_S } from '../../access/refusals.ts'
import { createMetrics, type Metrics } from '../../base/metrics.ts'
import { createPreparingFace, inWords, type Preparing } from './preparing.ts'

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address() as { port: number }
  await new Promise((done) => probe.close(done))
  return port
}

async function listening(t: TestContext, preparing: () => Preparing, metrics?: Metrics) {
  const face = createPreparingFace(preparing, metrics && { metrics })
  const port = await freePort()
  await face.listen('127.0.0.1', port)
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => {
    closed ??= face.close()
    return closed
  }
  t.after(close)
  const get = (path: string, accept = '*/*') => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } })
  return { get, close, port }
}

const STATE: Preparing = { what: 'folding the log', share: 0.42372, leftS: 61.4 }

test('it is alive and not ready, and tells monitors each time how far it is', async (t) => {
  let state = STATE
  const { get } = await listening(t, () => state, createMetrics())
  const alive = await get('/healthz')
  assert.deepEqual([alive.status, await alive.json()], [200, { status: 'ok' }])
  const ready = async () => {
    const answer = await get('/readyz?from=monitor')
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), String(NOT_READY_RETRY_S))
    return answer.json()
  }
  assert.deepEqual(await ready(), {
    ready: false,
    starting: true,
    reason: 'folding the log: 42%, about 61 s left',
    what: 'folding the log',
    progress: { share: 0.424, seconds_left: 61.4 },
  })
  state = { ...STATE, share: 0, leftS: null }
  const { reason, progress } = (await ready()) as { reason: string; progress: object }
  assert.deepEqual([reason, progress], ['folding the log: 0%', { share: 0, seconds_left: null }])
  state = { what: 'the disk takes no writes', share: null, leftS: null }
  const waiting = (await ready()) as object
  assert.deepEqual(waiting, { ready: false, starting: true, reason: state.what, what: state.what })
  assert.equal((await get('/metrics')).status, 200, 'alarms see it meanwhile')
})

test('readers hear only that it is not ready', async (t) => {
  const { get } = await listening(t, () => STATE)
  const answer = await get('/readyz')
  assert.deepEqual([answer.status, await answer.json()], [503, { ready: false }])
})

test('a browser is shown a page that looks again by itself and loads nothing', async (t) => {
  const { get } = await listening(t, () => STATE)
  const answer = await get('/tokens', 'text/html,application/xhtml+xml')
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [503, 'text/html; charset=utf-8'])
  assert.deepEqual([answer.headers.get('refresh'), answer.headers.get('retry-after')], ['2', String(NOT_READY_RETRY_S)])
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  const page = await answer.text()
  assert.match(page, /<progress max="1" value="0\.424">/)
  assert.match(page, /folding the log: 42%, about 61 s left/)
  assert.doesNotMatch(page, /<script|<link|src=/)
})

test('everything else is told to come back, in the shape of every error', async (t) => {
  const { get, close, port } = await listening(t, () => STATE)
  for (const path of ['/v1/tokens/new', '/mcp', '/', '/readyz/']) {
    const answer = await get(path, 'application/json')
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, String(NOT_READY_RETRY_S)], path)
    assert.match(JSON.stringify(await answer.json()), /the service is not ready: folding the log: 42%/)
  }
  await close()
  await assert.rejects(get('/healthz'))
  // the port is free for the service
  const next = createServer()
  await new Promise<void>((done, fail) => {
    next.once('error', fail)
    next.listen(port, '127.0.0.1', done)
  })
  await new Promise((done) => next.close(done))
})

test('the time left is said in what a person counts in', () => {
  const words = [119, 120, 7_199, 7_200].map((leftS) => inWords({ what: 'x', share: 0.999, leftS }))
  assert.deepEqual(words, [
    'x: 99%, about 2 min left',
    'x: 99%, about 2 min left',
    'x: 99%, about 2 h left',
    'x: 99%, about 2 h left',
  ])
})
