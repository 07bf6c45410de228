import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../base/metrics.ts'
import { createShared, type KeptName, type ResourceName, type Shared, type Taken, type Taker } from './shared.ts'
import { SHARED, tableFor } from './table.ts'

const NAMES = Object.keys(SHARED) as ResourceName[]
const isKept = (name: ResourceName): name is KeptName => SHARED[name].how === 'kept'

/** An address in a /48 of its own. */
const addressOf = (n: number): string => `2001:db8:${n.toString(16)}:1::/64`
const pro = (id: string): Taker => ({ plan: 'pro', id, address: '192.0.2.1' })
const visitor = (address: string): Taker => ({ plan: 'free', id: '', address })

/** Everything that 1,000 addresses without an account, and then 100 free accounts from addresses of their own, can get. */
function strangersTakeAll(shared: Shared, name: ResourceName): Taken[] {
  const takers = [
    ...Array.from({ length: 1_000 }, (_, n) => visitor(addressOf(n))),
    ...Array.from({ length: 100 }, (_, n): Taker => ({ plan: 'free', id: `acct_${n}`, address: addressOf(2_000 + n) })),
  ]
  const all: Taken[] = []
  for (const taker of takers) {
    for (;;) {
      const taken = shared.take(name, taker)
      if (!taken.ok) break
      all.push(taken)
    }
  }
  return all
}

/** The same for rows, which only accounts have. */
function accountsKeepAll(shared: Shared, name: KeptName): number {
  let rows = 0
  for (let account = 0; account < 100; account++) {
    for (let own = 0; shared.keep(name, { plan: 'free', own }) === null; own++) rows++
  }
  return rows
}

for (const name of NAMES) {
  test(`strangers take all of theirs and nothing of a paying caller's: ${name}`, () => {
    const shared = createShared({ now: () => 0 })
    const { pool, share } = SHARED[name]
    if (isKept(name)) {
      assert.equal(accountsKeepAll(shared, name), Math.min(pool.free, 100 * share.free))
      for (let own = 0; own < share.pro; own++) assert.equal(shared.keep(name, { plan: 'pro', own }), null)
      assert.match(shared.keep(name, { plan: 'pro', own: share.pro }) ?? '', /delete one first/)
      return
    }
    const taken = strangersTakeAll(shared, name)
    assert.equal(taken.length, pool.free)
    assert.equal(shared.take(name, visitor('198.51.100.1')).ok, false)
    for (let n = 0; n < share.pro; n++) assert.equal(shared.take(name, pro('key')).ok, true)
    const more = shared.take(name, pro('key'))
    assert.deepEqual(more.ok || more.full, 'account')
    assert.equal(share.pro === 0 || shared.take(name, pro('another')).ok, true)
    for (const one of taken) if (one.ok) one.release()
    const { free, visitor: visitors } = shared.usage()[name].used
    assert.equal(free + visitors, SHARED[name].how === 'held' ? 0 : pool.free)
  })

  test(`no address, /48 or account takes the pool: ${name}`, () => {
    const { pool, share } = SHARED[name]
    if (pool.pro > 0) assert.ok(share.pro * 3 <= pool.pro, 'three keys on Pro have room')
    assert.ok(share.free * 4 <= pool.free && (share.network ?? 0) * 2 <= pool.free)
    if (isKept(name)) return
    const shared = createShared({ now: () => 0 })
    const takeAll = (taker: Taker): string => {
      for (;;) {
        const taken = shared.take(name, taker)
        if (!taken.ok) return taken.full
      }
    }
    assert.equal(takeAll({ plan: 'free', id: 'acct_1', address: '' }), 'account')
    if (share.network === null) return
    const network = (n: number) => visitor(`2001:db8:7:${n.toString(16)}::/64`)
    assert.equal(takeAll(network(1)), 'address')
    for (let n = 2; n < 20; n++) takeAll(network(n))
    assert.equal(takeAll(network(20)), 'network')
    assert.equal(shared.usage()[name].used.visitor, share.network)
    assert.equal(shared.take(name, visitor('198.51.100.1')).ok, true)
  })
}

test('what is counted for a minute is free again with the next; what is held, once it is given back', () => {
  let ms = 0
  const shared = createShared({ now: () => ms })
  for (let n = 0; n < SHARED.joins.share.address; n++) shared.take('joins', visitor('192.0.2.1')).ok
  ms = 59_001
  assert.deepEqual(shared.take('joins', visitor('192.0.2.1')), { ok: false, full: 'address', retryAfterS: 1 })
  ms = 60_000
  assert.equal(shared.take('joins', visitor('192.0.2.1')).ok, true)
  const places = Array.from({ length: SHARED.filters.share.address }, () =>
    shared.take('filters', visitor('192.0.2.1')),
  )
  ms = 600_000
  assert.equal(shared.fits('filters', visitor('192.0.2.1')), false)
  const [first] = places
  if (first?.ok) {
    first.release()
    first.release()
  }
  assert.equal(shared.take('filters', visitor('192.0.2.1')).ok, true)
  assert.equal(shared.fits('filters', visitor('192.0.2.1')), false, 'given back once')
})

test('units are taken whole or not at all', () => {
  const shared = createShared({ now: () => 0 })
  const { address } = SHARED.documents.share
  assert.equal(shared.take('documents', visitor('192.0.2.1'), address - 1).ok, true)
  assert.equal(shared.take('documents', visitor('192.0.2.1'), 2).ok, false)
  assert.equal(shared.take('documents', visitor('192.0.2.1')).ok, true)
})

test('every resource is in the metrics from the start, by class and without a name', async () => {
  const metrics = createMetrics()
  const shared = createShared({ now: () => 0, metrics })
  shared.take('sockets', { plan: 'free', id: 'acct_secret', address: '203.0.113.9' })
  shared.take('joins', visitor('203.0.113.9'), 10_000)
  const text = await metrics.text()
  for (const name of NAMES) {
    for (const of of ['pro', 'free', 'visitor']) {
      assert.ok(text.includes(`ti_shared_used{resource="${name}",class="${of}"}`), name)
      assert.ok(text.includes(`ti_shared_refused_total{resource="${name}",class="${of}"}`), name)
    }
  }
  assert.ok(text.includes('ti_shared_used{resource="sockets",class="free"} 1'))
  assert.ok(text.includes('ti_shared_refused_total{resource="joins",class="visitor"} 1'))
  assert.ok(!/acct_secret|203\.0\.113/.test(text))
})

test('where connections are few, the pools of sockets keep their proportion', () => {
  assert.deepEqual(tableFor(1_000).sockets.pool, { pro: 800, free: 200 })
  assert.deepEqual(tableFor(1e6), SHARED)
})
