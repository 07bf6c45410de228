import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildHistory, curveKey, mintKey, type Step, walletKey } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import type { Key, Sig } from '../base/ids.ts'
import { QUOTE, type TradeEvent, VENUE } from '../model/events.ts'
import { createEngine, type Engine } from './engine.ts'
import { priceOf } from './tokens.ts'

/** SOL is 150 USD. Token 0 is a coin of pump with `sol` in its curve; token 1 trades against it, token 2 against that. */
const step = (action: Step['action'], size: number): Step => ({ gap: 1, token: 0, wallet: 5, action, size })

interface Trade {
  token: number
  /** the coin it trades against */
  coin: number
  isBuy?: boolean
  user?: Key
  quoteAmount: number
  tokenAmount: number
  quoteReserve: number
  baseReserve: number
}

function scene(sol: number) {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  const history = buildHistory([step('create', 1), ...(sol > 0 ? [step('buy', sol * 100)] : [])])
  history.forEach((entry, seq) => void engine.apply(seq, entry))
  let seq = 1_000
  const trade = ({ token, coin, isBuy = true, user = walletKey(7), ...amounts }: Trade): void => {
    const event: TradeEvent = {
      kind: 'trade',
      sig: `asset-${seq}`.padEnd(64, '.') as Sig,
      txIndex: 0,
      outer: 0,
      inner: 0,
      venue: VENUE.pumpswap,
      mint: mintKey(token),
      pool: curveKey(token),
      user,
      isBuy,
      quote: QUOTE.other,
      asset: { mint: mintKey(coin), decimals: 6 },
      userQuote: amounts.quoteAmount,
      ...amounts,
      quoteBefore: -1,
      realToken: -1,
      supply: 1e15,
      decimals: 6,
      creator: null,
      mayhem: false,
      payer: user,
      tipper: null,
      solBefore: -1,
      solAfter: -1,
      hop: false,
      account: -1,
      held: 0,
    }
    const slot = engine.globals.slot + 1
    seq = Math.max(seq, engine.globals.seq + 1)
    engine.apply(seq++, { kind: 'block', slot, parent: slot - 1, time: slot, events: [event] })
  }
  return { engine, trade }
}

const tokenOf = (engine: Engine, n: number) => engine.tokens.peek(mintKey(n))!.token
const positionOf = (engine: Engine, n: number) => [...engine.tokens.peek(mintKey(n))!.positions.held()][0]!
const MARKET = { quoteReserve: 1e9, baseReserve: 1e13 }

describe('a token quoted in a followed coin', () => {
  test('is worth what its coin is worth', () => {
    const { engine, trade } = scene(50)
    trade({ token: 1, coin: 0, ...MARKET, quoteAmount: 1e6, tokenAmount: 1e10 })
    const [coin, token] = [tokenOf(engine, 0), tokenOf(engine, 1)]
    assert.equal(token.rate, priceOf(coin))
    assert.equal(token.mcap, Math.floor((1e-4 * 1e15 * priceOf(coin) * 150) / 1e9))
    assert.ok(token.mcap > 0)
    assert.deepEqual([token.ath, token.athSlot], [token.mcap, token.lastTradeSlot])
    const cost = Math.round(1e6 * priceOf(coin))
    const { cost: paid, unpriced } = positionOf(engine, 1)
    assert.deepEqual([paid, unpriced], [cost, 0])
  })

  test('the next trade takes the coin’s new price; the result of a position is in lamports', () => {
    const { engine, trade } = scene(50)
    trade({ token: 1, coin: 0, ...MARKET, quoteAmount: 1e8, tokenAmount: 1e12 })
    const [before, cost] = [tokenOf(engine, 1).rate, positionOf(engine, 1).cost]
    const wallet = engine.wallet(positionOf(engine, 1).wallet)
    const entry = buildHistory([step('create', 1), step('buy', 5_000), step('buy', 3_000)]).at(-1)!
    assert.ok(entry.kind === 'block')
    engine.apply(1_500, { ...entry, slot: engine.globals.slot + 1 })
    assert.equal(tokenOf(engine, 1).rate, before, 'as of its last trade')
    trade({ token: 1, coin: 0, ...MARKET, isBuy: false, quoteAmount: 1e8, tokenAmount: 1e12 })
    const { rate } = tokenOf(engine, 1)
    assert.ok(rate > before)
    assert.equal(wallet.realised, Math.round(1e8 * rate) - cost)
  })

  test('over two coins, not over three, nor in a circle', () => {
    const { engine, trade } = scene(50)
    for (const token of [1, 2, 3]) trade({ token, coin: token - 1, ...MARKET, quoteAmount: 1e6, tokenAmount: 1e10 })
    const [one, two, three] = [1, 2, 3].map((n) => tokenOf(engine, n))
    assert.equal(two!.rate, priceOf(one!) * one!.rate)
    assert.ok(two!.rate > 0 && two!.athSlot > 0)
    assert.deepEqual([three!.rate, three!.mcap, three!.athSlot], [0, 0, -1])
    trade({ token: 8, coin: 9, ...MARKET, quoteAmount: 1e6, tokenAmount: 1e10 })
    trade({ token: 9, coin: 8, ...MARKET, quoteAmount: 1e6, tokenAmount: 1e10 })
    trade({ token: 8, coin: 8, ...MARKET, quoteAmount: 1e6, tokenAmount: 1e10 })
    assert.deepEqual([tokenOf(engine, 8).mcap, tokenOf(engine, 9).mcap], [0, 0])
  })

  test('of a coin without money it has no value, of a thin one no more than the money in it', () => {
    const market = { quoteReserve: 1e15, baseReserve: 1e15 }
    const none = scene(0)
    none.trade({ token: 1, coin: 0, ...market, quoteAmount: 1e6, tokenAmount: 1e6 })
    assert.deepEqual([tokenOf(none.engine, 1).rate, tokenOf(none.engine, 1).mcap], [0, 0])
    assert.ok(positionOf(none.engine, 1).unpriced > 0)
    const thin = scene(1)
    thin.trade({ token: 1, coin: 0, ...market, quoteAmount: 1e6, tokenAmount: 1e6 })
    // the market has all of the supply in quote: at the coin's price it would be worth 30 SOL, and there is 1
    assert.equal(tokenOf(thin.engine, 1).rate, 1e9 / 1e15)
    assert.equal(tokenOf(thin.engine, 1).mcap, 150)
  })
})
