import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildHistory, curveKey, mintKey, poolKey, type Step, walletKey } from '../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../test/support/memory-store.ts'
import type { Key } from '../base/ids.ts'
import type { LogEntry } from '../model/entries.ts'
import { type ChainEvent, QUOTE, type Quoted, type TradeEvent, VENUE } from '../model/events.ts'
import { createEngine } from './engine.ts'
import { newGlobals } from './globals.ts'
import { newWallet } from './history.ts'
import { buy, openPosition, sell, transferOut } from './positions.ts'
import { marketCapInQuote, newToken } from './tokens.ts'
import { inUnit, quoteUnit, sameUnit, toLamports } from './units.ts'

const ASSET = { mint: 'stonk'.padEnd(32, '.') as Key, decimals: 8 }
const OTHER: Quoted = { quote: QUOTE.other, asset: ASSET }
const SOL: Quoted = { quote: QUOTE.SOL }
const MINT = mintKey(0)

describe('units', () => {
  test('dollars convert at the price of SOL, what has no price is no lamports', () => {
    for (const quote of [QUOTE.USDC, QUOTE.USD1]) {
      assert.equal(toLamports(quote, 150_000_000, 150), 1_000_000_000)
      assert.equal(toLamports(quote, 150_000_000, 0), 0)
    }
    assert.equal(toLamports(QUOTE.other, 150_000_000, 150), 0)
    const other = { ...newToken(0, MINT, 1, 1), ...OTHER, asset: ASSET }
    assert.deepEqual([inUnit(other, OTHER as TradeEvent, 7, 150), inUnit(other, SOL as TradeEvent, 7, 150)], [7, 0])
    assert.equal(inUnit(newToken(0, MINT, 1, 1), OTHER as TradeEvent, 7, 150), 0)
    const elsewhere = { ...ASSET, mint: 'other'.padEnd(32, '.') as Key }
    assert.deepEqual([sameUnit(OTHER, { ...OTHER, asset: elsewhere }), sameUnit(SOL, OTHER)], [false, false])
    assert.deepEqual([sameUnit(OTHER, { ...OTHER }), sameUnit(SOL, { quote: QUOTE.USD1 })], [true, true])
  })

  test('a market cap in the quote needs the quote’s decimals', () => {
    const token = { ...newToken(0, MINT, 1, 1), quoteReserve: 3e8, baseReserve: 1e6, supply: 1e12, quote: QUOTE.other }
    assert.equal(marketCapInQuote({ ...token, asset: ASSET }), 3e6)
    const unknownDecimals = { ...token, asset: { ...ASSET, decimals: -1 } }
    assert.deepEqual([quoteUnit(unknownDecimals), marketCapInQuote(unknownDecimals)], [null, null])
  })
})

describe('a holding partly bought in something of unknown price', () => {
  const { population } = newGlobals()
  const held = () => {
    const wallet = newWallet(1, walletKey(1), 0)
    const position = openPosition(0, wallet, 0)
    buy(position, 600, 60, 1)
    buy(position, 400, null, 2)
    return { wallet, position }
  }

  test('what it brings is profit only as far as its cost is known', () => {
    const { wallet, position } = held()
    assert.deepEqual([position.balance, position.unpriced, position.cost], [1_000, 400, 60])
    sell(position, wallet, 500, 100, 3, population)
    // 300 of the 500 tokens cost 30 and brought 60
    assert.deepEqual([position.balance, position.unpriced, position.cost, wallet.realised], [500, 200, 30, 30])
    sell(position, wallet, 500, 100, 4, population)
    assert.deepEqual([position.balance, position.unpriced, position.cost], [0, 0, 0])
    assert.deepEqual([wallet.realised, wallet.closedCost, wallet.closed, wallet.won], [60, 60, 1, 1])
  })

  test('sold for something of unknown price it is neither profit nor loss, nor a verdict', () => {
    const { wallet, position } = held()
    sell(position, wallet, 500, null, 3, population)
    assert.deepEqual([position.balance, position.unpriced, position.cost, position.episodeIn], [500, 200, 30, 30])
    sell(position, wallet, 500, null, 3, population)
    assert.deepEqual([position.balance, position.unpriced, position.cost, position.closed], [0, 0, 0, true])
    assert.deepEqual([wallet.realised, wallet.closedCost, wallet.realisations, wallet.closed], [0, 0, 0, 0])
    assert.equal(position.sold, 1_000)
  })

  test('sending tokens on takes of both kinds', () => {
    const { position } = held()
    transferOut(position, 250)
    assert.deepEqual([position.balance, position.unpriced, position.cost], [750, 300, 45])
  })
})

/** Wallet 1 buys and sells token 0; `change` alters the events. */
function fold(
  list: readonly (readonly [Step['action'], number])[],
  change: (event: ChainEvent, n: number) => ChainEvent,
) {
  const steps = list.map(([action, size]): Step => ({ gap: 1, token: 0, wallet: 1, action, size }))
  let n = 0
  const entries = buildHistory(steps).map(
    (entry): LogEntry =>
      entry.kind === 'block' ? { ...entry, events: entry.events.map((event) => change(event, n++)) } : entry,
  )
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 10 })
  entries.forEach((entry, seq) => void engine.apply(seq, entry))
  return { engine, ...engine.tokens.peek(MINT)! }
}

const inPool = (event: ChainEvent, pool: Key, quoted: Quoted): ChainEvent =>
  event.kind === 'trade' ? { ...event, ...quoted, venue: VENUE.pumpswap, pool } : event

describe('which market a token is followed in', () => {
  test('a pool that anybody opened in something else prices nothing of a token that has a curve', () => {
    const beside = fold(
      [
        ['create', 1],
        ['buy', 100],
        ['buy', 100],
      ],
      (event, n) => (n === 2 ? inPool(event, poolKey(9), OTHER) : event),
    )
    const alone = fold(
      [
        ['create', 1],
        ['buy', 100],
      ],
      (event) => event,
    )
    for (const name of ['mcap', 'ath', 'quoteReserve', 'baseReserve', 'quote', 'asset', 'curve'] as const)
      assert.deepEqual(beside.token[name], alone.token[name], name)
    assert.equal(beside.token.trades, 2)
    const [row] = beside.engine.takeTrades().slice(-1)
    assert.deepEqual([row?.lamports, row?.own], [0, 0])
    const [, wallet] = [0, beside.engine.wallet(row!.wallet)]
    const before = alone.engine.wallet(alone.engine.takeTrades()[0]!.wallet)
    assert.deepEqual([wallet.buyLamports, wallet.realised], [before.buyLamports, before.realised])
  })

  test('of a token whose launch was not seen, a pool with a price wins over one without, and a curve over both', () => {
    const pools = [poolKey(8), poolKey(9)] as const
    const seen = (change: (event: ChainEvent, n: number) => ChainEvent) =>
      fold(
        [
          ['buy', 100],
          ['buy', 100],
          ['buy', 100],
        ],
        change,
      ).token
    const first = seen((event) => inPool(event, pools[0], OTHER))
    assert.deepEqual([first.quote, first.asset, first.pool, first.mcap], [QUOTE.other, ASSET, pools[0], 0])
    const priced = seen((event, n) => inPool(event, pools[n === 0 ? 0 : 1], n === 0 ? OTHER : SOL))
    assert.deepEqual([priced.quote, priced.asset, priced.pool], [QUOTE.SOL, null, pools[1]])
    assert.ok(priced.mcap > 0 && priced.ath === priced.mcap)
    const kept = seen((event, n) => inPool(event, pools[n === 0 ? 0 : 1], n === 0 ? SOL : OTHER))
    assert.deepEqual([kept.quote, kept.pool, kept.mcap > 0], [QUOTE.SOL, pools[0], true])
    const curve = seen((event, n) => (n === 0 ? inPool(event, pools[0], OTHER) : event))
    assert.deepEqual([curve.quote, curve.pool, curve.curve], [QUOTE.SOL, null, curveKey(0)])
    assert.ok(curve.mcap > 0)
  })

  test('a graduation in SOL wins over a pool that was met before', () => {
    const graduate = { launchpad: 1, ...SOL, decimals: 6, quoteReserve: 0, baseReserve: 0, earlier: true } as const
    const { token } = fold(
      [
        ['buy', 100],
        ['migrate', 1],
        ['buy', 100],
      ],
      (event, n) => {
        if (event.kind === 'migrate') return { ...event, token: graduate }
        return n === 0 ? inPool(event, poolKey(9), OTHER) : event
      },
    )
    assert.deepEqual([token.quote, token.asset, token.pool, token.mcap > 0], [QUOTE.SOL, null, poolKey(0), true])
  })

  test('a pool in another unit is not kept among those that a reader looks up', () => {
    const pool = (quoted: Quoted): Key | undefined => {
      const { engine } = fold(
        [
          ['create', 1],
          ['buy', 1],
        ],
        (event) => {
          if (event.kind !== 'trade') return event
          const { sig, txIndex, outer, inner, mint } = event
          return { kind: 'pool', sig, txIndex, outer, inner, mint, pool: poolKey(9), decimals: 6, ...quoted }
        },
      )
      return engine.tokens.idByPool(poolKey(9)) === undefined ? undefined : poolKey(9)
    }
    assert.deepEqual([pool(SOL), pool(OTHER)], [poolKey(9), undefined])
  })
})
