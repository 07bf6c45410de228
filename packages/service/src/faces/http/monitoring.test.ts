import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMetrics } from '../../base/metrics.ts'
import type { ServiceStatus } from '../status.ts'
import { createOperatorFace } from './monitoring.ts'

const READY: ServiceStatus = {
  ready: true,
  starting: false,
  reason: null,
  lagSlots: 2,
  chain: null,
  seq: 10,
  slot: 500,
}
const BEHIND: ServiceStatus = { ...READY, ready: false, reason: 'no block from the source for too long' }
const PAYMENTS = { mode: 'off', ready: false, reason: 'calls need a key', open: 0 } as const

async function operator(t: TestContext, status: () => ServiceStatus) {
  const metrics = createMetrics()
  metrics.gauge('ti_slot', 'newest chain slot', [], () => status().slot)
  const accountsStatus = () => ({ answering: true, since: null, writable: true })
  const face = createOperatorFace({ status, metrics, accountsStatus, payments: () => PAYMENTS })
  const { port } = await face.listen('127.0.0.1', 0)
  t.after(face.close)
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
}

test('the operator’s port has the details and the metrics', async (t) => {
  let now = READY
  const ask = await operator(t, () => now)
  const ready = await ask('/readyz?from=monitor')
  assert.equal(ready.status, 200)
  const accounts = { answering: true, since: null, writable: true }
  const rest = { lag_slots: 2, chain: null, seq: 10, slot: 500, accounts, payments: PAYMENTS }
  assert.deepEqual(await ready.json(), { ready: true, starting: false, reason: null, ...rest })
  now = BEHIND
  const behind = await ask('/readyz')
  assert.equal(behind.status, 503)
  assert.ok(Number(behind.headers.get('retry-after')) > 0)
  assert.equal(((await behind.json()) as { reason: string }).reason, BEHIND.reason)
  assert.match(await (await ask('/metrics')).text(), /^ti_slot 500$/m)
  assert.deepEqual(await (await ask('/healthz')).json(), { status: 'ok' })
})

test('it has nothing else, and a page in the operator’s browser reads nothing there', async (t) => {
  const ask = await operator(t, () => READY)
  for (const path of ['/', '/v1/tokens/new', '/metrics/', '/docs']) assert.equal((await ask(path)).status, 404, path)
  assert.equal((await ask('/metrics', { method: 'POST' })).status, 404)
  const fromPage = await ask('/metrics', { headers: { origin: 'https://page.example' } })
  assert.equal(fromPage.status, 404)
  assert.doesNotMatch(await fromPage.text(), /ti_slot/)
})
