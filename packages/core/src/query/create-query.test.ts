import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildHistory, mintKey, type Step, walletKey } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import { keyToBase58 } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { SNAPSHOT_GROUPS, TokenSnapshot, Trade, Trader } from '../contract/resources.ts'
import { createEngine } from '../engine/engine.ts'
import type { LogEntry } from '../model/entries.ts'
import type { ChainEvent } from '../model/events.ts'
import { QUERY_BOUNDS } from './bounds.ts'
import { createQuery } from './create-query.ts'

const step = (action: Step['action'], wallet: number, size: number, gap = 1, token = 0): Step => ({
  gap,
  token,
  wallet,
  action,
  size,
})

function serve(entries: readonly LogEntry[]) {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 100 })
  const bounds = { ...QUERY_BOUNDS, listItems: 50, tokenTrades: 100, renderedAnswers: 1_000, launchesSummed: 1_000 }
  const query = createQuery({ engine, store, bounds })
  const feed = (more: readonly LogEntry[]): void => {
    for (const entry of more) engine.apply(engine.globals.seq + 1, entry)
    store.write(engine.changes())
    engine.committed()
  }
  feed(entries)
  return { query, store, engine, feed }
}

const mint = keyToBase58(mintKey(0))
const json = (answer: { bytes: Buffer } | null) => JSON.parse(answer!.bytes.toString())
const history = [
  step('create', 0, 1),
  step('buy', 1, 500),
  step('buy', 2, 300),
  step('sell', 1, 400),
  step('buy', 3, 9),
]

test('a snapshot has the ten groups in the shapes of the contract; without history nothing is judged by it', () => {
  const { query } = serve(buildHistory(history))
  const snapshot = json(query.snapshot(mint, SNAPSHOT_GROUPS))
  assert.deepEqual(Object.keys(snapshot).sort(), [...SNAPSHOT_GROUPS].sort())
  TokenSnapshot.parse(snapshot)
  assert.equal(snapshot.meta.name, 'token 0')
  assert.equal(snapshot.meta.deployer, keyToBase58(walletKey(0)))
  assert.equal(snapshot.holders.count, 3)
  assert.equal(snapshot.status.is_og, true)
  for (const name of ['alpha_hands', 'conviction', 'cooktimer', 'dumpers', 'jeets'])
    assert.equal(snapshot.ratings[name], 'neutral', name)
  for (const name of ['bundle', 'dirty', 'in_profit', 'pump_dump', 'score'])
    assert.notEqual(snapshot.ratings[name], 'neutral')
  assert.ok(snapshot.signals.pump_conditions_met + snapshot.signals.dump_conditions_met > 0)
})

test('fewer groups are the same groups', () => {
  const { query } = serve(buildHistory(history))
  const all = json(query.snapshot(mint, SNAPSHOT_GROUPS))
  assert.deepEqual(json(query.snapshot(mint, ['market', 'holders'])), { market: all.market, holders: all.holders })
})

test('holders: shares of total supply, three listed, nested sums', () => {
  const { query } = serve(buildHistory(history))
  const { holders } = json(query.snapshot(mint, ['holders']))
  assert.equal(holders.top.length, 3)
  assert.ok(holders.top[0].pct_of_supply >= holders.top[1].pct_of_supply)
  assert.ok(holders.top_3_pct <= holders.top_5_pct && holders.top_5_pct <= holders.top_10_pct)
  assert.ok(Math.abs(holders.top_10_pct - holders.pct_supply_owned) < 0.02)
})

test('trades: newest first, each with the state before it, at most a hundred', () => {
  const { query, feed } = serve(buildHistory(history))
  const trades = json(query.trades(mint))
  for (const trade of trades) Trade.parse(trade)
  assert.deepEqual(
    trades.map((trade: Trade) => trade.is_buy),
    [true, false, true, true],
  )
  const sell = trades[1] as Trade
  assert.equal(sell.buys_count, 1)
  assert.equal(sell.user_pnl, null)
  assert.equal(sell.user_sol_balance, 5)
  assert.match(sell.unique_id, /^[1-9A-HJ-NP-Za-km-z]+:1:0$/)
  const many = Array.from({ length: 150 }, (_, i) => step('buy', 1, 1 + (i % 7)))
  feed(
    buildHistory([...history, ...many])
      .filter((entry) => entry.kind === 'block')
      .slice(history.length),
  )
  assert.equal(json(query.trades(mint)).length, 100)
})

test('trader and deployer', () => {
  const { query } = serve(buildHistory([...history, step('create', 0, 1, 5, 1), step('buy', 1, 50, 1, 1)]))
  const trader = json(query.trader(keyToBase58(walletKey(1))))
  Trader.parse(trader)
  assert.deepEqual(trader.recent_mints, [keyToBase58(mintKey(1)), mint])
  assert.ok(trader.pnl_sol !== null && trader.win_rate === null)
  const creator = keyToBase58(walletKey(0))
  assert.equal(query.trader(creator), null, 'a wallet that only launched is no trader')
  const dev = query.deployer(creator, 50, 0)!
  const summary = JSON.parse(dev.summary.toString())
  assert.equal(dev.returned, 1)
  assert.equal(summary.total_deployed, 1)
  assert.equal(query.deployer(creator, 50, 1)!.returned, 0)
})

test('what is not tracked is null, and asking changes nothing', () => {
  const { query, store } = serve(buildHistory(history))
  const before = store.dump()
  const stranger = keyToBase58('nobody'.padEnd(32, '.') as Key)
  assert.equal(query.snapshot(stranger, SNAPSHOT_GROUPS), null)
  assert.equal(query.trades(stranger), null)
  assert.equal(query.trader(stranger), null)
  assert.equal(query.deployer(stranger, 50, 0), null)
  assert.equal(store.dump(), before)
})

test('an answer is kept until the next log entry, then rendered anew', () => {
  const { query, feed } = serve(buildHistory(history))
  const first = query.snapshot(mint, SNAPSHOT_GROUPS)!
  assert.equal(query.snapshot(mint, SNAPSHOT_GROUPS), first)
  const events: ChainEvent[] = []
  feed([{ kind: 'block', slot: 5_000, parent: -1, time: 2_000_000, events }])
  const second = query.snapshot(mint, SNAPSHOT_GROUPS)!
  assert.notEqual(second, first)
  assert.ok(second.renderedAt > first.renderedAt)
})

test('a dead token that left memory is answered from the store', () => {
  const { query, feed, engine } = serve(buildHistory(history))
  feed([{ kind: 'block', slot: 50_000, parent: -1, time: 50_000, events: [] }])
  feed([{ kind: 'block', slot: 60_000, parent: -1, time: 60_000, events: [] }])
  assert.equal(engine.tokens.peek(mintKey(0)), undefined)
  assert.equal(json(query.snapshot(mint, ['holders'])).holders.count, 3)
  assert.equal(json(query.trades(mint)).length, 4)
})

test('lists answer cards of their tokens', () => {
  const crowd = Array.from({ length: 5 }, (_, wallet) => step('buy', wallet, 20, 1))
  const { query } = serve(buildHistory([step('create', 0, 1), ...crowd]))
  const [card] = json(query.list('new'))
  assert.equal(card.mint, mint)
  assert.equal(card.kols_in_count, 0)
  for (const name of ['pumps', 'graduated', 'agents', 'survivors'] as const)
    assert.deepEqual(json(query.list(name)), [])
})
