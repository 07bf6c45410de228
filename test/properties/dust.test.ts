import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import type { Ratings } from '@ti/core/contract/resources.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { TradeEvent } from '@ti/core/model/events.ts'
import { ratingsOf } from '@ti/core/query/ratings.ts'
import { createViews, type TokenView } from '@ti/core/query/view.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, mintKey, type Step, TRADERS } from '../support/histories.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import fc from '../support/property.ts'

/** What a token's score is worth to somebody who appends dust: methodology, section 4. */
const RUNS = runs(100)
const DUST = 150

function verdictOf(entries: readonly LogEntry[]): Verdict | null {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  entries.forEach((entry, seq) => {
    engine.apply(seq, entry)
    store.write(engine.changes())
    engine.committed()
  })
  const view = createViews(engine, store, 1).find(mintKey(0))!
  const reading = view.reading()
  const isRead = reading.score.hasReading && reading.holders.owned > 0
  return isRead
    ? { score: reading.score.value, ratings: ratingsOf(reading, view.conditions()), counts: countsOf(view) }
    : null
}

interface Verdict {
  readonly score: number
  readonly ratings: Ratings
  readonly counts: ReturnType<typeof countsOf>
}

/** The conditions that count trades, wallets or holders, or take the middle one. */
const COUNTING = ['buys_to_sells_1m', 'buyers_to_sellers_1m', 'holder_change_1m', 'median_buy_to_sell_5m']
const countsOf = (view: TokenView): string[] =>
  (view.conditions() ?? []).flatMap(({ name, pump }) => (pump && COUNTING.includes(name) ? [name] : []))

/** Neutral is no pass. */
const RANK = { neutral: 0, red: 0, yellow: 1, green: 2 } as const

/** The same market with more wallets that buy for `lamports` each, one a slot, and nothing else. */
function withBuyers(entries: readonly LogEntry[], name: string, count: number, lamports: number): LogEntry[] {
  const trades = entries.flatMap((entry) =>
    entry.kind === 'block' ? entry.events.filter((event): event is TradeEvent => event.kind === 'trade') : [],
  )
  const last = trades.at(-1)!
  const end = entries.findLast((entry) => entry.kind === 'block')!
  assert.ok(end.kind === 'block')
  let [quoteReserve, baseReserve] = [last.quoteReserve, last.baseReserve]
  const bought = Array.from({ length: count }, (_, n): LogEntry => {
    const tokenAmount = baseReserve - Math.ceil((quoteReserve * baseReserve) / (quoteReserve + lamports))
    quoteReserve += lamports
    baseReserve -= tokenAmount
    const user = `${name}-${n}`.padEnd(32, '.') as Key
    const slot = end.slot + 1 + n
    const event: TradeEvent = {
      ...{ ...last, user, payer: user, tipper: null, isBuy: true, tokenAmount, quoteReserve, baseReserve },
      ...{ quoteAmount: lamports, userQuote: lamports, sig: `${name}-${n}`.padEnd(64, '.') as TradeEvent['sig'] },
    }
    return { kind: 'block', slot, parent: slot - 1, time: end.time + n, events: [event] }
  })
  return [...entries, ...bought]
}

/** The market without them: as many slots pass. */
const waited = (entries: readonly LogEntry[]): LogEntry[] => {
  const end = entries.findLast((entry) => entry.kind === 'block')!
  assert.ok(end.kind === 'block')
  return [...entries, { kind: 'gap', from: end.slot + 1, to: end.slot + DUST }]
}

const buy = (wallet: number, size: number, gap: number): Step => ({ gap, token: 0, wallet, action: 'buy', size })

/** Everybody buys something, so that there are holders at all; then anything may happen. */
const market = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 6, max: 400 }),
      wallet: fc.integer({ min: 0, max: TRADERS - 1 }),
      action: fc.constantFrom<Step['action'][]>('buy', 'buy', 'sell'),
      size: fc.integer({ min: 10, max: 700 }),
    }),
    { minLength: 0, maxLength: 30, size: 'max' },
  )
  .map((list): Step[] => [
    { ...buy(0, 1, 0), action: 'create' },
    ...Array.from({ length: TRADERS }, (_, wallet) => buy(wallet, 100, 20)),
    ...list.map((step): Step => ({ ...step, token: 0 })),
  ])

/** people with a stake that counts, or nearly */
const crowd = fc.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 60_000_000, max: 500_000_000 }))

test('150 more wallets that buy dust move the score by a tenth at most, no count of the signals, and no colour up', () => {
  let read = 0
  fc.assert(
    fc.property(market, crowd, fc.integer({ min: 8_400, max: 1_000_000 }), (steps, [people, stake], lamports) => {
      const entries = withBuyers(buildHistory(steps), 'holder', people, stake)
      const before = verdictOf(waited(entries))
      const after = verdictOf(withBuyers(entries, 'dust', DUST, lamports))
      if (before === null || after === null) return
      read++
      assert.ok(Math.abs(after.score - before.score) < 0.1001, `${before.score} → ${after.score}`)
      assert.deepEqual(after.counts, before.counts)
      for (const [name, rating] of Object.entries(after.ratings)) {
        const was = before.ratings[name as keyof Ratings]
        assert.ok(RANK[rating] <= RANK[was], `${name}: ${was} → ${rating}`)
      }
    }),
    { numRuns: RUNS },
  )
  assert.ok(read > RUNS / 2, `${read} markets had a reading`)
})
