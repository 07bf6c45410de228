import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step } from '../../test/properties/histories.ts'
import { createMemoryStore } from '../../test/properties/memory-store.ts'
import { LIMITS } from '../config/limits.ts'
import { createEngine } from '../engine/engine.ts'
import { createSpacing } from './spacing.ts'
import { createViews, type TokenView } from './view.ts'

const BLOCK_MS = 400

/** Milliseconds of the event loop that readings took in `forMs`, each token asked for at every block. */
function held(costs: readonly number[], forMs: number): { readonly share: number; readonly oldestMs: number } {
  let now = 0
  let spentMs = 0
  let oldestMs = 0
  const spacing = createSpacing<{ madeMs: number }>(LIMITS, () => now)
  for (const end = forMs; now < end; now += BLOCK_MS) {
    costs.forEach((ms, id) => {
      let value = spacing.kept(id)
      if (value === undefined) {
        now += ms
        spentMs += ms
        value = { madeMs: now }
        spacing.spent(id, value, 20_000, ms)
      }
      oldestMs = Math.max(oldestMs, now - value.madeMs)
    })
  }
  return { share: spentMs / now, oldestMs }
}

test('readings of 60 ms and of 377 ms, asked for at every block, take no more than their share of the loop', (t) => {
  const before = (ms: number): number => ms / (ms + BLOCK_MS)
  for (const ms of [60, 377]) {
    const { share, oldestMs } = held([ms], 600_000)
    t.diagnostic(`${ms} ms: ${(100 * before(ms)).toFixed(1)} % of the loop before, ${(100 * share).toFixed(1)} % now`)
    assert.ok(share <= LIMITS.readingShare * 1.05, `${ms}: ${share}`)
    // as old as its cost asks for, and not older
    assert.ok(oldestMs <= Math.min(ms / LIMITS.readingShare, LIMITS.readingOldMs) + BLOCK_MS + ms)
  }
  // several together wait for each other
  assert.ok(held([60, 60, 60, 60, 60], 600_000).share <= LIMITS.readingShare * 1.05)
})

test('what is kept is never older than its bound, however much is asked', () => {
  const many = Array.from({ length: 40 }, () => 100)
  assert.ok(held(many, 600_000).oldestMs <= LIMITS.readingOldMs + 40 * 100 + BLOCK_MS)
})

test('a token with few holders is never kept, whatever its reading took', () => {
  const spacing = createSpacing<string>(LIMITS, () => 0)
  spacing.spent(1, 'slow machine', LIMITS.readingHoldersMin - 1, 5_000)
  assert.equal(spacing.kept(1), undefined)
})

test('what is kept is bounded in number', () => {
  const spacing = createSpacing<number>({ ...LIMITS, renderedAnswers: 3 }, () => 0)
  for (let id = 0; id < 10; id++) spacing.spent(id, id, 20_000, 10)
  assert.deepEqual(
    Array.from({ length: 10 }, (_, id) => spacing.kept(id)).filter((value) => value !== undefined),
    [7, 8, 9],
  )
})

test('a costly view stands for the blocks after it, of one moment in itself, and is then read anew', () => {
  const step = (action: Step['action'], wallet: number): Step => ({ gap: 1, token: 0, wallet, action, size: 100 })
  const entries = buildHistory([step('create', 0), step('buy', 1), step('buy', 2), step('buy', 3), step('buy', 4)])
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 100 })
  const feed = (more: typeof entries): void => {
    for (const entry of more) engine.apply(engine.globals.seq + 1, entry)
    store.write(engine.changes())
    engine.committed()
  }
  let now = 0
  // every look at the clock takes 30 ms: a reading counts as 30
  const spacing = createSpacing<TokenView>({ ...LIMITS, readingHoldersMin: 1 }, () => (now += 30))
  const views = createViews(engine, store, 100, spacing)
  const holders = (): number => views.find(mintKey(0))!.reading().holders.count
  feed(entries.slice(0, -2))
  assert.equal(holders(), 2)
  feed(entries.slice(-2, -1))
  const again = views.find(mintKey(0))!
  assert.deepEqual([again.reading().holders.count, again.slot], [2, again.market.slot])
  now += 30 / LIMITS.readingShare
  // until the next entry nothing is read twice
  assert.equal(holders(), 2)
  feed(entries.slice(-1))
  assert.equal(holders(), 4)
})
