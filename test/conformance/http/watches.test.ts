import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { MIN_SOL_MAX } from '@ti/core/contract/account.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import type { KeyCheck } from '@ti/service/access/keys.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows } from '@ti/service/access/rate-limits/windows.ts'
import type { Draft } from '@ti/service/alerts/events.ts'
import { createAlertStore, createWatchBook } from '@ti/service/alerts/watches.ts'
import { createWorkerStore } from '@ti/service/alerts/worker-store.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { emptyDatabase } from '../../support/database.ts'
import { fakeOperations, READY } from '../../support/fake-service.ts'
import { fetchAs } from '../../support/fetch-as.ts'

const ADDRESS = base58Encode('w'.repeat(32))
const now = (): number => Date.UTC(2026, 0, 1)

/** The account's interface over a real database; a cookie is the wallet that signed in, `gone` one whose session has ended. */
async function start(t: TestContext) {
  const database = await emptyDatabase(t)
  const accounts = createAccounts(database, { now })
  const windows = createMemoryWindows(now)
  const ann = await accounts.ofWallet('ann')
  /** a key of ann's; others are refused for what they are called */
  const check = (authorization?: string): KeyCheck => {
    const key = authorization?.replace('Bearer ', '')
    if (key === 'ann-key') return { ok: true, id: 'key_1', account: ann.id, plan: 'free' }
    return { ok: false, reason: key as 'revoked' | 'unknown' | 'expired' | 'unreadable' }
  }
  const face = createHttpFace({
    operations: fakeOperations(),
    keys: { refresh: async () => {}, check } as never,
    windows: { take: (subject) => windows.take(subject, 1e9) },
    clientAddress: createClientAddress([]),
    cashier: null,
    account: {
      accounts,
      signIn: {
        session: async (cookie?: string) =>
          cookie === undefined || cookie === 'gone' ? null : accounts.ofWallet(cookie),
      } as never,
      work: null as never,
      subscriptions: null,
      watches: { book: createWatchBook(database, { now }), alertStore: createAlertStore(database) },
      now,
    },
    status: () => READY,
    logger: createLogger('silent'),
    metrics: createMetrics(),
    publicUrl: 'https://api.example.com',
    openApi: '{}',
  })
  const { port } = await face.listen('127.0.0.1', 0)
  t.after(() => face.close())
  async function call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    cookie = 'ann',
    key = '',
  ) {
    const headers = {
      ...(cookie !== '' && { cookie }),
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
    }
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const answer = await fetchAs('api.example.com')(`http://127.0.0.1:${port}${path}`, { method, headers, ...text })
    const json = JSON.parse(await answer.text())
    return { status: answer.status, data: json.data, message: json.error?.message as string | undefined }
  }
  return { call, database, accounts }
}

const wallet = { kind: 'wallet', target: ADDRESS, name: 'whale' }

test('a watch is made, listed, named, paused and deleted', async (t) => {
  const { call, database } = await start(t)
  const { status, data } = await call('POST', '/account/watches', { ...wallet, min_sol: 1.5 })
  assert.equal(status, 200)
  assert.match(data.id, /^watch_/)
  assert.deepEqual(data, {
    ...{ ...wallet, id: data.id, min_sol: 1.5, paused: false, state: 'starting' },
    created_at: '2026-01-01T00:00:00.000000Z',
  })
  const ledger = createWorkerStore(database, 'w')
  await ledger.take()
  await ledger.load(null, { trade: 0, event: 1, slot: 0, condition: 0 })
  assert.equal((await call('GET', '/account/watches')).data[0].state, 'watching')
  const path = `/account/watches/${data.id}`
  assert.equal((await call('PATCH', path, { name: ' big ' })).data.name, 'big')
  assert.equal((await call('PATCH', path, { min_sol: 2 })).data.min_sol, 2)
  assert.equal((await call('PATCH', path, { target: ADDRESS })).status, 400)
  assert.equal((await call('PATCH', path, { min_sol: -1 })).status, 400)
  assert.equal((await call('PATCH', path, { paused: true })).data.state, 'paused')
  assert.equal((await call('PATCH', path, { paused: false })).data.state, 'starting')
  assert.deepEqual((await call('DELETE', path)).data, { deleted: true })
  assert.equal((await call('DELETE', path)).status, 404)
  assert.deepEqual((await call('GET', '/account/watches')).data, [])
})

test('what is wrong is refused and said', async (t) => {
  const { call } = await start(t)
  for (const [body, status, message] of [
    [{ ...wallet, target: 'x' }, 400, 'target: not an address (base58 of 32 bytes)'],
    [{ ...wallet, kind: 'friend' }, 400, /^kind: /],
    [{ ...wallet, name: ' ' }, 400, /^name: /],
    [{ ...wallet, min_sol: -1 }, 400, /^min_sol: /],
    [{ ...wallet, min_sol: MIN_SOL_MAX * 2 }, 400, /^min_sol: /],
    [{ ...wallet, more: 1 }, 400, /^the body: /],
    [{ ...wallet, kind: 'condition', target: 'hue == 1' }, 400, /^target: at character 1: expected one of the fields/],
    [{ ...wallet, kind: 'condition', target: 'm'.repeat(2_000) }, 400, /^target: /],
    [{ ...wallet, name: 'n'.repeat(1 << 20) }, 413, /larger than/],
    ['{', 400, 'the body is not JSON'],
    [undefined, 400, /^the body: /],
  ] as const) {
    const answer = await call('POST', '/account/watches', body)
    assert.equal(answer.status, status, JSON.stringify(body)?.slice(0, 80))
    if (typeof message === 'string') assert.equal(answer.message, message)
    else assert.match(answer.message!, message)
  }
  assert.equal((await call('PATCH', '/account/watches/watch_x', {})).status, 400)
  assert.equal((await call('PATCH', '/account/watches/watch_x', { paused: true })).status, 404)
  assert.deepEqual((await call('GET', '/account/watches')).data, [])
})

test('who is not signed in, or signed in elsewhere, reaches nothing', async (t) => {
  const { call } = await start(t)
  const { data } = await call('POST', '/account/watches', wallet)
  for (const cookie of ['', 'gone']) {
    assert.equal((await call('GET', '/account/watches', undefined, cookie)).status, 404)
    assert.equal((await call('POST', '/account/watches', wallet, cookie)).status, 404)
    assert.equal((await call('GET', '/account/alerts', undefined, cookie)).status, 404)
  }
  assert.deepEqual((await call('GET', '/account/watches', undefined, 'bob')).data, [])
  assert.equal((await call('PATCH', `/account/watches/${data.id}`, { paused: true }, 'bob')).status, 404)
  assert.equal((await call('DELETE', `/account/watches/${data.id}`, undefined, 'bob')).status, 404)
  assert.equal((await call('GET', '/account/watches')).data[0].paused, false)
})

test('alerts: the newest first, or those after a seq in order', async (t) => {
  const { call, database, accounts } = await start(t)
  const { id: account } = await accounts.ofWallet('ann')
  const ledger = createWorkerStore(database, 'w')
  await ledger.take()
  const draft = (id: string): Draft => ({
    ...{ account, id, watch: { id: 'watch_1', name: 'w' }, event: 'sold', title: 't', text: 'x', why: { mcap: 1 } },
    ...{ mint: ADDRESS, wallet: null, slot: 7, at: 1, links: [{ label: 'token', url: 'https://x.example/' }] },
  })
  await ledger.write(['a', 'b', 'c'].map(draft), new Map(), { trade: 1, event: 1, slot: 7, condition: 1 })
  const { account: _, ...first } = draft('a')
  assert.deepEqual((await call('GET', '/account/alerts?after_seq=0')).data[0], { ...first, seq: 1 })
  const seqs = async (query: string) =>
    (await call('GET', `/account/alerts${query}`)).data.map((one: { seq: number }) => one.seq)
  assert.deepEqual(await seqs(''), [3, 2, 1])
  assert.deepEqual(await seqs('?after_seq=1'), [2, 3])
  assert.deepEqual(await seqs('?before_seq=3'), [2, 1])
  for (const seq of ['-1', 'x', '1e3', '9'.repeat(16)]) {
    for (const name of ['after_seq', 'before_seq'])
      assert.equal((await call('GET', `/account/alerts?${name}=${seq}`)).status, 400)
  }
  assert.deepEqual((await call('GET', '/account/alerts', undefined, 'bob')).data, [])
})

test('with a key of the account: the same watches and alerts, without a session', async (t) => {
  const { call } = await start(t)
  const keyed = (method: Parameters<typeof call>[0], path: string, body?: unknown, key = 'ann-key', cookie = '') =>
    call(method, path, body, cookie, key)
  const { status, data } = await keyed('POST', '/account/watches', wallet)
  assert.equal(status, 200)
  const path = `/account/watches/${data.id}`
  assert.equal((await call('GET', '/account/watches')).data[0].id, data.id, 'the account’s own')
  assert.equal((await keyed('PATCH', path, { min_sol: 3 })).data.min_sol, 3)
  assert.deepEqual((await keyed('GET', '/account/alerts')).data, [])
  const bobs = (await call('POST', '/account/watches', wallet, 'bob')).data.id
  for (const method of ['PATCH', 'DELETE'] as const)
    assert.equal((await keyed(method, `/account/watches/${bobs}`, { paused: true })).status, 404)
  assert.equal((await keyed('DELETE', path)).status, 200)
})

test('a key that is refused opens nothing, not even beside a session', async (t) => {
  const { call } = await start(t)
  for (const [key, status, message] of [
    ['revoked', 402, 'The API key was revoked.'],
    ['unknown', 402, 'The API key is unknown.'],
    ['expired', 402, 'The API key has expired.'],
    ['unreadable', 503, /cannot be read right now/],
  ] as const) {
    for (const path of ['/account/watches', '/account/alerts']) {
      const answer = await call('GET', path, undefined, 'ann', key)
      assert.equal(answer.status, status)
      if (typeof message === 'string') assert.equal(answer.message, message)
      else assert.match(answer.message!, message)
    }
    assert.equal((await call('POST', '/account/watches', wallet, 'ann', key)).status, status)
  }
  assert.deepEqual((await call('GET', '/account/watches')).data, [])
  assert.equal(
    (await call('GET', '/account/keys', undefined, '', 'ann-key')).status,
    404,
    'keys are of the session only',
  )
})
