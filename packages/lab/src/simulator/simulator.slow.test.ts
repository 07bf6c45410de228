import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { QUOTE, VENUE } from '@ti/core/model/events.ts'
import type { Source, SourceCursor, SourceItem } from '@ti/service/source/source.ts'
import { blockBytes } from '@ti/service/source/wire/writer.ts'
import { createMarket } from './market.ts'
import { createSimulator } from './simulator.ts'

const EMPTY: SourceCursor = { slot: -1, time: 0, facts: 0 }
const START = 300_000_000

async function collect(source: Source, cursor = EMPTY): Promise<SourceItem[]> {
  const items: SourceItem[] = []
  for await (const item of source.items(cursor, new AbortController().signal)) items.push(item)
  return items
}

const bytesOf = (item: SourceItem): Buffer =>
  item.kind === 'raw' ? blockBytes(item.block) : Buffer.from(JSON.stringify(item))

const hash = (items: readonly SourceItem[]): string => {
  const sha = createHash('sha256')
  for (const item of items) sha.update(bytesOf(item))
  return sha.digest('hex')
}

test('the same seed gives the same bytes, another seed others', async () => {
  const options = { seed: 5, speed: 0, slots: 300 } as const
  const first = hash(await collect(createSimulator(options)))
  assert.equal(hash(await collect(createSimulator(options))), first)
  assert.notEqual(hash(await collect(createSimulator({ ...options, seed: 6 }))), first)
})

test('after any cursor it goes on exactly as it would have', async () => {
  const simulator = createSimulator({ seed: 3, speed: 0, slots: 400, tps: 20 })
  const whole = await collect(simulator)
  assert.equal(whole[0]!.kind, 'facts', 'the first SOL price stands before the first block')
  let facts = 0
  for (let i = 0; i < whole.length; i++) {
    const item = whole[i]!
    facts = item.kind === 'facts' ? facts + 1 : 0
    if (i % 61 !== 0) continue
    const last = whole.slice(0, i + 1).findLast((it) => it.kind === 'raw')
    const cursor = last?.kind === 'raw' ? { slot: last.block.slot, time: last.block.time, facts } : { ...EMPTY, facts }
    assert.equal(hash(await collect(simulator, cursor)), hash(whole.slice(i + 1)), `after item ${i}`)
  }
})

test('slots and parents: strictly increasing, some are skipped, times never go back', async () => {
  const items = await collect(createSimulator({ seed: 8, speed: 0, slots: 1_000, tps: 5 }))
  let slot = START - 1
  let time = 0
  let skipped = 0
  for (const item of items) {
    assert.ok(item.kind !== 'gap', 'the simulator has no gaps')
    assert.ok((item.kind === 'raw' ? item.block.time : item.time) >= time)
    if (item.kind !== 'raw') continue
    assert.equal(item.block.parent, slot)
    skipped += item.block.slot - slot - 1
    slot = item.block.slot
    time = item.block.time
  }
  assert.ok(skipped > 0)
})

test('a live market: history lies before now, then blocks come at their pace with the time of the clock', async () => {
  const source = createSimulator({ seed: 2, tps: 10, warmup: 200, slots: 203 })
  const before = Date.now() / 1000
  const started = performance.now()
  const items = await collect(source)
  const took = performance.now() - started
  const times = items.flatMap((item) => (item.kind === 'raw' ? [item.block.time] : []))
  assert.ok(times[0]! <= before - 75, `history begins ${before - times[0]!} s before now`)
  assert.ok(times.at(-1)! >= Math.floor(before) && times.at(-1)! <= Date.now() / 1000)
  assert.ok(took >= 790, `three live slots took ${took} ms`)
})

test('an abort ends it, even while it waits', async () => {
  const stop = new AbortController()
  let items = 0
  for await (const _ of createSimulator({ tps: 1, warmup: 0 }).items(EMPTY, stop.signal)) {
    items++
    setImmediate(() => stop.abort())
  }
  assert.ok(items >= 1 && items <= 3)
})

test('within every transaction lamports and tokens add up', async () => {
  const items = await collect(createSimulator({ seed: 4, speed: 0, slots: 400 }))
  let checked = 0
  for (const item of items) {
    if (item.kind !== 'raw') continue
    for (const tx of item.block.transactions) {
      const fee = sum(Array.from(tx.preBalances)) - sum(Array.from(tx.postBalances))
      assert.ok(fee >= 5_000 && fee < 500_000_000, `fee ${fee}`)
      assert.equal(tx.preBalances.length, tx.keys.length)
      assert.ok(Array.from(tx.postBalances).every((it) => it >= 0))
      assert.ok(tx.preTokens.concat(tx.postTokens).every((it) => it.amount >= 0 && it.account < tx.keys.length))
      const created = tx.logs!.some((line) => line.endsWith('CreateV2'))
      for (const mint of new Set(tx.preTokens.map((it) => it.mint))) {
        const of = (rows: typeof tx.preTokens) => sum(rows.filter((it) => it.mint === mint).map((it) => it.amount))
        // wrapped SOL is converted to and from lamports; a creation mints its supply
        if (!created && tx.preTokens.find((it) => it.mint === mint)!.decimals === 6)
          assert.equal(of(tx.preTokens), of(tx.postTokens))
      }
      checked++
    }
  }
  assert.ok(checked > 5_000)
})

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

test('the curve: k never shrinks, virtual and real differ by a constant, reserves chain', () => {
  const market = createMarket({ seed: 7, tps: 60, start: 1 })
  const last = new Map<object, { quote: number; base: number }>()
  let trades = 0
  let graduated = 0
  for (let slot = 1; slot <= 4_000; slot++) {
    for (const planned of market.step(slot).transactions) {
      for (const action of planned.failed ? [] : planned.actions) {
        if (action.token.venue === VENUE.launchlab) continue
        if (action.kind === 'migrate') graduated++
        if (action.kind === 'migrate') last.delete(action.token)
        if (action.kind !== 'trade') continue
        trades++
        const { token } = action
        const before = last.get(token)
        if (before !== undefined && !token.mayhem)
          assert.deepEqual({ quote: action.quoteBefore, base: action.baseBefore }, before)
        last.set(token, { quote: action.quoteAfter, base: action.baseAfter })
        const k = BigInt(action.quoteBefore) * BigInt(action.baseBefore)
        assert.ok(BigInt(action.quoteAfter) * BigInt(action.baseAfter) >= k || action.lpFee > 0)
        if (action.realToken < 0) continue
        assert.equal(action.baseAfter - action.realToken, 279_900_000_000_000)
        if (!token.mayhem) {
          const start = token.quote === QUOTE.SOL ? 30_000_000_000 : 4_500_000_000
          assert.equal(action.quoteAfter - action.realQuote, start)
        }
        assert.ok(action.realQuote >= 0 && action.realToken >= 0)
        assert.equal(action.completes, action.realToken === 0)
      }
    }
  }
  assert.ok(trades > 80_000 && graduated > 0)
})

test('about one launch in a hundred graduates, about 175 trades a launch', (t) => {
  let launches = 0
  let graduated = 0
  let trades = 0
  for (const seed of [1, 2]) {
    const market = createMarket({ seed, tps: 60, start: 1 })
    for (let slot = 1; slot <= 9_000; slot++) {
      for (const planned of market.step(slot).transactions) {
        for (const action of planned.failed ? [] : planned.actions) {
          if (action.kind === 'create') launches++
          if (action.kind === 'migrate') graduated++
          if (action.kind === 'trade') trades++
        }
      }
    }
  }
  const share = (100 * graduated) / launches
  t.diagnostic(`${launches} launches, ${share.toFixed(2)} % graduated, ${(trades / launches).toFixed(0)} trades each`)
  assert.ok(share > 0.2 && share < 2, `${share} %`)
  assert.ok(trades / launches > 120 && trades / launches < 230)
})
