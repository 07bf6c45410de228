import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOnCurve } from '@ti/core/base/curve.ts'
import { type Key, ZERO_KEY } from '@ti/core/base/ids.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import { type ChainEvent, LAUNCHPAD, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { createMarket } from './market.ts'
import type { Action, PlannedTransaction, TradeAction } from './plan.ts'
import { createSimulator } from './simulator.ts'
import { tokenKeys } from './tokens.ts'
import { walletKey } from './traders.ts'

const SEED = 11

/** The market's actions in the decoder's format, directly from its plans. */
function ledgerOf(planned: PlannedTransaction): object[] {
  if (planned.failed) return []
  const trades = planned.actions.flatMap((action) => rowsOf(planned, action))
  return [...trades, ...transfersOf(planned.actions)]
}

function rowsOf(planned: PlannedTransaction, action: Action): object[] {
  const { mint, curve, pool } = tokenKeys(SEED, action.kind === 'transfer' ? action.token : action.token)
  const deployer = walletKey(SEED, action.token.deployer)
  const { quote } = action.token
  if (action.kind === 'create') {
    const { name, symbol, uri, mayhem } = action.token
    return [{ kind: 'create', mint, pool: curve, creator: deployer, user: deployer, name, symbol, uri, quote, mayhem }]
  }
  if (action.kind === 'migrate') {
    return [
      { kind: 'pool', mint, pool, quote },
      { kind: 'liquidity', mint, pool, quote, tokens: action.tokens, quoteAmount: action.quote },
      { kind: 'migrate', mint, pool },
    ]
  }
  if (action.kind === 'transfer') return []
  const rows: object[] = [tradeRow(planned, action)]
  if (action.completes) rows.push({ kind: 'complete', mint })
  return rows
}

function tradeRow(planned: PlannedTransaction, action: TradeAction): object {
  const { token, venue } = action
  const keys = tokenKeys(SEED, token)
  const wallet = planned.wallets.find((row) => row.wallet === action.wallet)!
  return {
    kind: 'trade',
    venue,
    mint: keys.mint,
    pool: venue === VENUE.pump ? keys.curve : keys.pool,
    user: walletKey(SEED, action.wallet),
    isBuy: action.isBuy,
    quote: token.quote,
    quoteAmount: action.quote,
    userQuote: action.userQuote,
    tokenAmount: action.tokens,
    quoteReserve: action.quoteAfter + (venue === VENUE.pump ? 0 : token.pool!.virtualQuote),
    baseReserve: action.baseAfter,
    quoteBefore: venue === VENUE.pump ? -1 : action.quoteBefore,
    realToken: action.realToken,
    creator: walletKey(SEED, token.deployer),
    mayhem: action.wallet.habit === 'mayhem',
    payer: walletKey(SEED, planned.payer),
    tipper: planned.tip > 0 ? walletKey(SEED, planned.tipper) : null,
    solBefore: wallet.before,
    solAfter: wallet.after,
    hop: false,
  }
}

/** Both sides of all transfers, with their balances at the end of the transaction. */
function transfersOf(actions: readonly Action[]): object[] {
  const rows = new Map<string, object>()
  for (const action of actions) {
    if (action.kind !== 'transfer') continue
    const { mint } = tokenKeys(SEED, action.token)
    for (const [who, before, tokens] of [
      [action.from, action.fromBefore, -action.tokens],
      [action.to, action.toBefore, action.tokens],
    ] as const) {
      const owner = walletKey(SEED, who)
      rows.set(`${mint} ${owner}`, { kind: 'balance', mint, owner, after: before + tokens })
    }
  }
  return [...rows.values()]
}

/** A decoded event reduced to the ledger's fields. */
const like = (event: ChainEvent, row: object): object =>
  Object.fromEntries(Object.keys(row).map((name) => [name, (event as unknown as Record<string, unknown>)[name]]))

test('what is decoded from the wire is what the market did: zero differences', async (t) => {
  const slots = 3_000
  const market = createMarket({ seed: SEED, tps: 60, start: 300_000_000 })
  const decoder = createDecoder()
  const seen = new Map<string, number>()
  let slot = 300_000_000
  const source = createSimulator({ seed: SEED, speed: 0, slots })
  for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal)) {
    if (item.kind !== 'raw') continue
    let plan = market.step(slot++)
    while (plan.slot < item.block.slot) plan = market.step(slot++)
    // rows before the trades say what an account held, and move nothing
    const events = decoder.decodeBlock(item.block).events.filter(({ kind, outer }) => kind !== 'balance' || outer >= 0)
    let index = -1
    for (const planned of plan.transactions) {
      index += 1 + planned.gap
      // the other curves have rules of their own, which their tests know
      if (planned.actions.some(({ token }) => token.venue !== VENUE.pump)) continue
      const rows = ledgerOf(planned)
      const decoded = events.filter((event) => event.txIndex === index)
      assert.equal(decoded.length, rows.length, `slot ${plan.slot} transaction ${index}`)
      const sorted = sortBalances(decoded.map((event, i) => like(event, rows[i]!)))
      assert.deepEqual(sorted, sortBalances(rows), `slot ${plan.slot} transaction ${index}`)
      for (const { kind } of decoded) seen.set(kind, (seen.get(kind) ?? 0) + 1)
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
  t.diagnostic(JSON.stringify(Object.fromEntries(decoder.counts)))
  for (const kind of ['trade', 'create', 'complete', 'migrate', 'pool', 'balance', 'liquidity'])
    assert.ok((seen.get(kind) ?? 0) > 0, kind)
  assert.ok([...decoder.counts.keys()].every((name) => name === 'failed_transaction' || name.startsWith('not_needed:')))
})

test('the log of a transaction tells the same trades as its inner instructions', async () => {
  const full = createDecoder()
  const fromLogs = createDecoder()
  const born = new Set<Key>()
  let trades = 0
  const source = createSimulator({ seed: SEED, speed: 0, slots: 1_500 })
  for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal)) {
    if (item.kind !== 'raw') continue
    const { block } = item
    const events = full.decodeBlock(block).events.filter((event) => event.kind !== 'balance')
    for (const event of events)
      if (event.kind === 'create' && event.launchpad === LAUNCHPAD.pumpfun) born.add(event.mint)
    // the other curves tell their trades in calls only, and a log does not name the mint of a pool that opened before
    const told = (event: ChainEvent) => born.has(event.mint)
    const transactions = block.transactions.map((tx) => ({
      ...{
        signature: tx.signature,
        index: tx.index,
        failed: tx.failed,
        logs: tx.logs,
        keys: [],
        signers: 0,
        instructions: [],
      },
      ...{ version: null, config: null, tables: [] },
      ...{ inner: null, preBalances: [], postBalances: [], preTokens: [], postTokens: [] },
    }))
    const bare = fromLogs.decodeBlock({ ...block, transactions }).events
    const known = (event: ChainEvent) => {
      const { outer, inner, solBefore, solAfter, pool, payer, tipper, locked, account, held, ...rest } =
        event as TradeEvent & {
          locked?: number
        }
      // without the payer of the network fee, only arithmetic tells whether a launcher can sign
      return event.kind === 'create' && !isOnCurve(event.user) ? { ...rest, user: ZERO_KEY } : rest
    }
    assert.deepEqual(bare.filter(told).map(known), events.filter(told).map(known), `slot ${block.slot}`)
    trades += events.filter(told).length
  }
  assert.ok(trades > 6_000, `${trades}`)
})

/** Sorted, because the decoder lists balances by account and the ledger by time. */
const sortBalances = (rows: readonly object[]): object[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [a, b].map((row) => row as { kind: string; owner?: string })
    if (x!.kind !== 'balance' || y!.kind !== 'balance') return 0
    return x!.owner! < y!.owner! ? -1 : 1
  })
