import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { ruggedBy } from '@ti/core/engine/drain.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { liquidityOf, sharesOf, withdrawnFrom } from '@ti/core/engine/liquidity.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import {
  type ChainEvent,
  LIQUIDITY,
  type LiquidityChange,
  type LiquidityEvent,
  QUOTE,
  type TradeEvent,
  VENUE,
} from '@ti/core/model/events.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, mintKey, poolKey, walletKey } from '../support/histories.ts'
import { createMemoryStore, type MemoryStore } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { poolOf, rateOf } from './liquidity-reference.ts'

const RUNS = runs(150)
const MINT = mintKey(0)
const DEPLOYER = walletKey(0)
const SOL = 1e9

function fold(entries: readonly LogEntry[], group: number): MemoryStore {
  const store = createMemoryStore()
  let engine = createEngine({ reader: store, walletsCached: 4 })
  entries.forEach((entry, seq) => {
    engine.apply(seq, entry)
    if ((seq + 1) % group !== 0 && seq + 1 < entries.length) return
    store.write(engine.changes())
    engine.committed()
    engine = createEngine({ reader: store, walletsCached: 4 })
  })
  return store
}

const blockOf = (slot: number, events: readonly ChainEvent[]): LogEntry => ({
  kind: 'block',
  slot,
  parent: slot - 1,
  time: slot,
  events,
})
const sigOf = (slot: number): Sig => `liquidity-${slot}`.padEnd(64, '.') as Sig

const moves = fc.array(
  fc.record({
    what: fc.constantFrom('deposit', 'withdraw', 'withdraw', 'lock', 'trade', 'beside'),
    // 7: a program
    wallet: fc.integer({ min: 0, max: 7 }),
    part: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 25 },
)
type Move = typeof moves extends fc.Arbitrary<(infer M)[]> ? M : never

/** A launch of wallet 0 that graduates into a pool of 100 SOL, whose units are the lamports that were in it at the opening. */
function history(list: readonly Move[]): LogEntry[] {
  const launch = [
    { gap: 1, token: 0, wallet: 0, action: 'create' as const, size: 1 },
    { gap: 1, token: 0, wallet: 3, action: 'buy' as const, size: 500 },
    { gap: 1, token: 0, wallet: 3, action: 'migrate' as const, size: 1 },
  ]
  const entries = buildHistory(launch)
  let slot = 2_000
  let [quote, base, units, locked] = [100 * SOL, 200_000_000_000_000, 100 * SOL, 0]
  const change = (kind: LiquidityChange, wallet: number, share: number, pool = poolKey(0)): LiquidityEvent => {
    const sign = kind === LIQUIDITY.withdraw ? -1 : 1
    const isOwn = pool === poolKey(0)
    const part = kind === LIQUIDITY.open ? 0 : share
    const [tokens, amount, moved] = [base, quote, units].map((of) => Math.floor(of * part)) as [number, number, number]
    if (isOwn) [base, quote, units] = [base + sign * tokens, quote + sign * amount, units + sign * moved]
    const isOpen = kind === LIQUIDITY.open
    return {
      kind: 'liquidity',
      sig: sigOf(slot),
      txIndex: 0,
      outer: 0,
      inner: 0,
      mint: MINT,
      change: kind,
      program: wallet === 7,
      quote: QUOTE.SOL,
      pool,
      owner: walletKey(wallet),
      quoteReserve: quote,
      baseReserve: base,
      tokens: isOpen ? base : tokens,
      quoteAmount: isOpen ? quote : amount,
      units: isOpen ? units : moved,
      total: units,
      locked: -1,
    }
  }
  const lock = (wallet: number, share: number): LiquidityEvent => {
    locked += Math.floor((units - locked) * share)
    const none = { tokens: 0, quoteAmount: 0, units: 0, quoteReserve: -1, baseReserve: -1, total: -1 }
    return { ...change(LIQUIDITY.lock, wallet, 0), ...none, locked }
  }
  entries.push(blockOf(slot, [change(LIQUIDITY.open, 7, 0)]))
  for (const { what, wallet, part } of list) {
    slot += 3
    // what is locked stays
    const free = units > 0 ? Math.max(0, units - locked) / units : 0
    if (what === 'deposit') entries.push(blockOf(slot, [change(LIQUIDITY.deposit, wallet, part * 3)]))
    else if (what === 'withdraw') entries.push(blockOf(slot, [change(LIQUIDITY.withdraw, wallet, part * free)]))
    else if (what === 'lock') entries.push(blockOf(slot, [lock(wallet, part)]))
    else if (what === 'beside') entries.push(blockOf(slot, [change(LIQUIDITY.deposit, wallet, part, poolKey(5))]))
    else if (quote > SOL) {
      const amount = Math.floor(quote * part * 0.01)
      const tokens = Math.floor((base * amount) / (quote + amount))
      const before = quote
      ;[quote, base] = [quote + amount, base - tokens]
      const of = { user: walletKey(wallet), quoteAmount: amount, tokenAmount: tokens, quoteBefore: before }
      entries.push(blockOf(slot, [tradeOf(slot, MINT, { ...of, quoteReserve: quote, baseReserve: base })]))
    }
  }
  return entries
}

type Amounts = Pick<TradeEvent, 'user' | 'quoteAmount' | 'tokenAmount' | 'quoteReserve' | 'baseReserve' | 'quoteBefore'>
const tradeOf = (slot: number, mint: Key, of: Amounts, coin: Key | null = null): TradeEvent => ({
  kind: 'trade',
  sig: sigOf(slot),
  txIndex: 0,
  outer: 0,
  inner: 0,
  venue: VENUE.pumpswap,
  mint,
  isBuy: true,
  pool: mint === MINT ? poolKey(0) : (`pool of ${mint}`.slice(0, 32) as Key),
  quote: QUOTE.SOL,
  ...(coin !== null && { quote: QUOTE.other, asset: { mint: coin, decimals: 6 } }),
  userQuote: of.quoteAmount,
  realToken: -1,
  supply: 1e15,
  decimals: 6,
  creator: null,
  mayhem: false,
  payer: of.user,
  tipper: null,
  solBefore: -1,
  solAfter: -1,
  hop: false,
  account: -1,
  held: 0,
  ...of,
})

test('pulls, shares, reserves and who took what equal the slow reference, whatever the commits and restarts', () => {
  let pulls = 0
  fc.assert(
    fc.property(moves, fc.integer({ min: 1, max: 5 }), (list, group) => {
      const entries = history(list)
      const [store, other] = [fold(entries, 1_000), fold(entries, group)]
      assert.equal(other.dump(), store.dump())
      const expected = poolOf(entries, MINT, DEPLOYER)
      const token = store.token(store.tokenIdByMint(MINT)!)!
      if (expected.pulledSlot >= 0) pulls++
      assert.deepEqual([token.ruggedSlot, ruggedBy(token)], [expected.pulledSlot, expected.by])
      const off = Math.abs(token.quoteReserve - expected.reserve)
      assert.ok(off <= 1e-6 * expected.reserve + 2, `${token.quoteReserve} and ${expected.reserve}`)
      const liquidity = liquidityOf(token)!
      assert.equal(sharesOf(liquidity)?.locked ?? null, expected.locked)
      const taken = [...expected.taken.values()]
      const withdrawn = withdrawnFrom(liquidity)
      assert.equal(
        withdrawn?.took ?? 0,
        taken.reduce((sum, one) => sum + one, 0),
      )
      if (withdrawn !== null) assert.equal(withdrawn.most.took, Math.max(...taken))
      assert.equal(store.wallet(token.deployer)!.deployer!.taken, expected.deployerTook)
    }),
    { numRuns: RUNS },
  )
  assert.ok(pulls > RUNS / 20, `${pulls} pulls`)
})

const deals = fc.array(
  fc.record({
    token: fc.integer({ min: 0, max: 3 }),
    wallet: fc.integer({ min: 1, max: 3 }),
    quote: fc.integer({ min: 1, max: 12 }),
    base: fc.integer({ min: 9, max: 13 }),
    part: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 30 },
)

test('values through coins equal the slow reference: each trade at its coin’s price of that moment, over two coins', () => {
  let valued = 0
  fc.assert(
    fc.property(deals, (list) => {
      // token 0 trades against SOL, each other one against the one before it
      const events = list.map(({ token, wallet, quote, base, part }, i): TradeEvent => {
        const [quoteReserve, baseReserve] = [10 ** quote, 10 ** base]
        const of = { quoteAmount: Math.ceil(quoteReserve * part), tokenAmount: Math.ceil(baseReserve * part) }
        const user = walletKey(wallet)
        const amounts = { ...of, user, quoteReserve, baseReserve, quoteBefore: -1 }
        return tradeOf(2_000 + i, mintKey(token), amounts, token === 0 ? null : mintKey(token - 1))
      })
      const price: LogEntry = { kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] }
      const store = fold([price, ...events.map((event, i) => blockOf(2_000 + i, [event]))], 7)
      const reserves = new Map<Key, number>()
      for (const [i, event] of events.entries()) {
        const { mint, asset, quoteReserve, baseReserve, quoteAmount, sig } = event
        const reserve = Math.max(quoteReserve, reserves.get(mint) ?? 0)
        reserves.set(mint, quoteReserve)
        const rate = asset === undefined ? 1 : rateOf(events, i, asset.mint, reserve)
        if (asset !== undefined && rate > 0) valued++
        const { lastTradeNo } = store.token(store.tokenIdByMint(mint)!)!
        const row = store.tradesBack(lastTradeNo, 1_000).find((one) => one.sig === sig)!
        assert.equal(row.lamports, Math.round(quoteAmount * rate))
        assert.equal(row.mcap, Math.floor(((quoteReserve / baseReserve) * 1e15 * rate * 150) / 1e9))
      }
    }),
    { numRuns: RUNS },
  )
  assert.ok(valued > RUNS / 3, `${valued} values`)
})
