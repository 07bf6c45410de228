import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildHistory, curveKey, mintKey, poolKey, type Step, walletKey } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import type { Sig } from '../base/ids.ts'
import type { LogEntry } from '../model/entries.ts'
import { type ChainEvent, LIQUIDITY, type LiquidityChange, type LiquidityEvent, QUOTE } from '../model/events.ts'
import { ruggedBy } from './drain.ts'
import { createEngine, type Engine } from './engine.ts'
import { liquidityOf, sharesOf, withdrawnFrom } from './liquidity.ts'
import { priceOf } from './tokens.ts'

/** Wallet 0 launches token 0, which graduates into a pool with 100 SOL. */
const step = (action: Step['action'], wallet: number, size: number, gap = 1): Step => ({
  gap,
  token: 0,
  wallet,
  action,
  size,
})
const [MINT, POOL] = [mintKey(0), poolKey(0)]
const SOL = 1e9

type Change = Partial<LiquidityEvent> & Pick<LiquidityEvent, 'change'>

/** A pool whose units are its lamports, as the changes leave it. */
function pool(engine: Engine) {
  let held = 0
  let slot = 0
  let seq = 10_000
  const apply = (...events: ChainEvent[]): void => {
    slot = Math.max(slot, engine.globals.slot) + 1
    const block: LogEntry = { kind: 'block', slot, parent: slot - 1, time: slot, events }
    assert.ok(engine.apply(seq++, block))
  }
  const eventOf = (of: Change): LiquidityEvent => {
    const { quoteAmount = 0 } = of
    held += of.change === LIQUIDITY.withdraw ? -quoteAmount : quoteAmount
    const total = of.change === LIQUIDITY.lock ? -1 : held
    const amounts = { tokens: quoteAmount * 2, quoteAmount, quoteReserve: held, baseReserve: held * 2 }
    return {
      kind: 'liquidity',
      sig: `pool-${seq}`.padEnd(64, '.') as Sig,
      txIndex: 0,
      outer: 0,
      inner: 0,
      mint: MINT,
      program: false,
      quote: QUOTE.SOL,
      pool: POOL,
      owner: walletKey(9),
      ...amounts,
      units: quoteAmount,
      total,
      locked: -1,
      ...of,
    }
  }
  const change = (kind: LiquidityChange, wallet: number, sol: number, more: Partial<LiquidityEvent> = {}): void =>
    apply(eventOf({ change: kind, owner: walletKey(wallet), quoteAmount: sol * SOL, ...more }))
  return { apply, eventOf, change }
}

function scene(steps: readonly Step[] = []) {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  const history = buildHistory([step('create', 0, 1), step('buy', 5, 200), ...steps, step('migrate', 0, 1)])
  history.forEach((entry, seq) => void engine.apply(seq, entry))
  const { token } = engine.tokens.peek(MINT)!
  const market = pool(engine)
  market.change(LIQUIDITY.open, 9, 100, { program: true })
  return { engine, token, market, idOf: (n: number) => engine.tokens.peek(MINT)!.positions.size + n }
}

const near = (a: number, b: number): void => assert.ok(Math.abs(a / b - 1) < 1e-6, `${a} and ${b}`)

describe('a pull', () => {
  test('is known at once, with who took what; the next trade does not count it again', () => {
    const { engine, token, market } = scene()
    market.change(LIQUIDITY.withdraw, 0, 90)
    assert.deepEqual([token.ruggedSlot, token.drainedSlot], [engine.globals.slot, engine.globals.slot])
    assert.deepEqual(ruggedBy(token), ['deployer', 'liquidity'])
    assert.deepEqual([token.quoteReserve, token.realQuote], [10 * SOL, 10 * SOL])
    near(priceOf(token), 0.5)
    const { took, tokens, most } = withdrawnFrom(token.liquidity!)!
    assert.deepEqual([took, tokens, most.wallet], [90 * SOL, 180 * SOL, token.deployer])
    const book = engine.wallet(token.deployer).deployer!
    assert.deepEqual([book.rugged, book.drained, book.taken, book.recent[0]!.taken], [1, 1, 90 * SOL, 90 * SOL])
    assert.equal(engine.changes().tokenEvents.filter(({ kind }) => kind === 'liquidity_pulled').length, 1)
    const rugged = token.ruggedSlot
    const trade = buildHistory([step('create', 0, 1), step('migrate', 0, 1), step('buy', 5, 10)]).at(-1)!
    assert.ok(trade.kind === 'block')
    market.apply(...trade.events.map((event) => ({ ...event, quoteBefore: 10 * SOL }) as ChainEvent))
    assert.deepEqual([token.ruggedSlot, book.rugged, book.taken], [rugged, 1, 90 * SOL])
    assert.equal(engine.changes().tokenEvents.filter(({ kind }) => kind === 'liquidity_pulled').length, 1)
  })

  test('that no event told is deduced from the next trade, and one that an event told is not deduced twice', () => {
    const next = (told: boolean): number => {
      const { token, market } = scene([step('buy', 5, 10)])
      const trade = buildHistory([step('create', 0, 1), step('migrate', 0, 1), step('buy', 5, 10)]).at(-1)!
      assert.ok(trade.kind === 'block')
      const bought = (before: number): ChainEvent[] =>
        trade.events.map((event) => ({ ...event, quoteBefore: before, quoteReserve: before, baseReserve: before * 2 }))
      market.apply(...bought(100 * SOL))
      // one half now and one third later: neither is most of the pool
      if (told) market.change(LIQUIDITY.withdraw, 7, 50)
      if (told) market.change(LIQUIDITY.withdraw, 7, 15)
      market.apply(...bought((told ? 35 : 15) * SOL))
      return token.ruggedSlot
    }
    assert.ok(next(false) > 0)
    assert.equal(next(true), -1)
  })

  test('in steps counts as one; strangers who take out what they put in pull nothing', () => {
    const { token, market } = scene()
    market.change(LIQUIDITY.deposit, 7, 900)
    near(token.quoteReserve, 1_000 * SOL)
    market.change(LIQUIDITY.withdraw, 7, 900)
    near(token.quoteReserve, 100 * SOL)
    assert.deepEqual([token.ruggedSlot, withdrawnFrom(token.liquidity!)], [-1, null])
    for (const sol of [30, 30]) market.change(LIQUIDITY.withdraw, 7, sol)
    assert.equal(token.ruggedSlot, -1)
    market.change(LIQUIDITY.withdraw, 8, 20)
    assert.deepEqual(ruggedBy(token), ['liquidity'])
    const { took, most } = withdrawnFrom(token.liquidity!)!
    assert.deepEqual([took, most.took], [80 * SOL, 60 * SOL])
  })

  test('of what the deployer added later is a pull too', () => {
    const { token, market, engine } = scene()
    market.change(LIQUIDITY.deposit, 0, 900)
    market.change(LIQUIDITY.withdraw, 0, 850)
    // it has lost money so far
    assert.deepEqual([token.drainedSlot, ruggedBy(token)], [engine.globals.slot, []])
    assert.equal(engine.wallet(token.deployer).deployer!.taken, -50 * SOL)
    market.change(LIQUIDITY.withdraw, 0, 130)
    assert.deepEqual(ruggedBy(token), ['deployer', 'liquidity'])
  })

  test('out of another pool is none', () => {
    const { token, market } = scene()
    const quoteReserve = token.quoteReserve
    market.change(LIQUIDITY.open, 7, 5, { pool: poolKey(3) })
    market.change(LIQUIDITY.withdraw, 7, 5, { pool: poolKey(3) })
    assert.deepEqual([token.ruggedSlot, token.quoteReserve, token.liquidity!.pool], [-1, quoteReserve, POOL])
  })
})

describe('shares of the pool', () => {
  test('locked for ever, and what can still be pulled', () => {
    const { token, market } = scene()
    assert.equal(sharesOf(liquidityOf(token)!), null)
    market.change(LIQUIDITY.lock, 9, 0, { locked: 50 * SOL })
    assert.deepEqual(sharesOf(liquidityOf(token)!), { locked: 0.5, pullable: 0.5 })
    market.change(LIQUIDITY.deposit, 7, 100)
    assert.deepEqual(sharesOf(liquidityOf(token)!), { locked: 0.25, pullable: 0.75 })
    market.change(LIQUIDITY.lock, 9, 0, { locked: 200 * SOL })
    assert.deepEqual(sharesOf(liquidityOf(token)!), { locked: 1, pullable: 0 })
  })

  test('the plan holds until the graduation; a pool that anybody opens does not replace it', () => {
    const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
    buildHistory([step('create', 0, 1)]).forEach((entry, seq) => void engine.apply(seq, entry))
    const { token } = engine.tokens.peek(MINT)!
    const market = pool(engine)
    market.change(LIQUIDITY.plan, 9, 0, { pool: curveKey(0), total: 100, locked: 20, units: 80 })
    market.change(LIQUIDITY.open, 7, 1, { pool: poolKey(3) })
    assert.deepEqual(sharesOf(liquidityOf(token)!), { locked: 0.2, pullable: 0.8 })
    const opened = market.eventOf({ change: LIQUIDITY.open, program: true, quoteAmount: 100 * SOL, locked: 0 })
    const { sig } = opened
    market.apply({ kind: 'migrate', sig, txIndex: 0, outer: 0, inner: -1, mint: MINT, pool: POOL }, opened)
    assert.deepEqual(sharesOf(liquidityOf(token)!), { locked: 0, pullable: 1 })
  })

  test('pump opens the pool before the graduation is told', () => {
    const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
    buildHistory([step('create', 0, 1)]).forEach((entry, seq) => void engine.apply(seq, entry))
    const { token } = engine.tokens.peek(MINT)!
    const market = pool(engine)
    const opened = market.eventOf({ change: LIQUIDITY.open, program: true, quoteAmount: 100 * SOL, locked: 100 * SOL })
    market.change(LIQUIDITY.open, 7, 1, { pool: poolKey(3) })
    assert.equal(liquidityOf(token), null)
    const { sig } = opened
    market.apply(opened, { kind: 'migrate', sig, txIndex: 0, outer: 0, inner: 5, mint: MINT, pool: POOL })
    assert.deepEqual(sharesOf(liquidityOf(token)!), { locked: 1, pullable: 0 })
  })
})

test('few wallets are remembered: those with the largest amounts', () => {
  const { token, market } = scene()
  market.change(LIQUIDITY.withdraw, 0, 70)
  for (let wallet = 1; wallet < 40; wallet++) market.change(LIQUIDITY.deposit, wallet, 1)
  assert.equal(token.liquidity!.providers.length, 16)
  assert.equal(withdrawnFrom(token.liquidity!)!.most.wallet, token.deployer)
})
