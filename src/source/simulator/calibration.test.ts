import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { QUOTE, VENUE } from '../../decode/events.ts'
import { FIGURES, type Figures, figuresOf, type Observed, quantile } from './figures.ts'
import { createMarket, SLOT_SECONDS } from './market.ts'
import type { SimToken } from './tokens.ts'

/** Real trades, outside the project: see the list of sources in the methodology. */
const DATA = new URL('../../../../shared/data/', import.meta.url)
const ABSENT = existsSync(DATA) ? false : 'the real files (../shared/data) are not here: nothing to compare with'
const SEED = 1
const SLOTS = 20_000
const SOL = 1e9
/** The real curve file has the first 500 trades of each token, the real pool file the first 300 s of each pool. */
const CURVE_TRADES = 500
const POOL_SECONDS = 300
/** The smallest real pool token has 83 trades. */
const POOL_TRADES = 80

const file = (name: string) => readFileSync(new URL(name, DATA), 'utf8').trim().split('\n')

function realCurve(): Observed[] {
  const [head, ...rows] = file('trades/pumpfun_trades.csv').map((line) => line.split(','))
  const at = Object.fromEntries(head!.map((name, i) => [name.trim(), i]))
  return rows.map((row) => ({
    token: row[at['token_address']!]!,
    time: Number(row[at['block_time']!]),
    wallet: row[at['wallet_address']!]!,
    isBuy: row[at['is_buy']!] === 'true',
    sol: Number(row[at['amount_in_sol']!]) / SOL,
  }))
}

interface RealPool {
  readonly mint: string
  readonly swaps: readonly {
    readonly ts: number
    readonly trader: string
    readonly side: string
    readonly sol: number
  }[]
}

const realPools = (): Observed[] =>
  file('trades/pumpswap_swaps.jsonl')
    .map((line) => JSON.parse(line) as RealPool)
    .flatMap(({ mint, swaps }) =>
      swaps.map(({ ts, trader, side, sol }) => ({ token: mint, time: ts, wallet: trader, isBuy: side === 'buy', sol })),
    )

interface Simulated {
  readonly curve: Observed[]
  readonly pools: Observed[]
  /** SOL of the deployers' own first buys, 0 where there was none */
  readonly devBuys: number[]
  readonly deployers: string[]
  readonly trades: number
}

/** The same cuts of a simulated market: curve tokens that reached 500 trades, pools that reached 80 swaps. */
function simulate(): Simulated {
  const market = createMarket({ seed: SEED, tps: 60, start: 1 })
  const curve = new Map<SimToken, Observed[]>()
  const pools = new Map<SimToken, Observed[]>()
  const opened = new Map<SimToken, number>()
  const devBuys = new Map<SimToken, number>()
  let trades = 0
  for (let slot = 1; slot <= SLOTS; slot++) {
    const time = Math.floor(slot * SLOT_SECONDS)
    for (const { failed, actions } of market.step(slot).transactions) {
      for (const action of failed ? [] : actions) {
        const { token } = action
        if (action.kind === 'create') devBuys.set(token, 0)
        if (action.kind === 'migrate') opened.set(token, time)
        if (action.kind !== 'trade' || token.quote !== QUOTE.SOL) continue
        trades++
        const sol = action.quote / SOL
        if (slot === token.createdSlot && action.wallet === token.deployer) devBuys.set(token, sol)
        const row = { token: `${token.id}`, time, wallet: action.wallet.id, isBuy: action.isBuy, sol }
        if (action.venue === VENUE.pumpswap) {
          if (time - opened.get(token)! <= POOL_SECONDS) append(pools, token, row)
        } else if ((curve.get(token)?.length ?? 0) < CURVE_TRADES) append(curve, token, row)
      }
    }
  }
  return {
    curve: [...curve.values()].filter((rows) => rows.length >= CURVE_TRADES).flat(),
    pools: [...pools.values()].filter((rows) => rows.length >= POOL_TRADES).flat(),
    devBuys: [...devBuys.values()],
    deployers: Array.from(devBuys.keys(), (token) => token.deployer.id),
    trades,
  }
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function print(t: TestContext, title: string, real: Figures, simulated: Figures): void {
  t.diagnostic(`${title}: real | simulated (seed ${SEED})`)
  for (const name of FIGURES) t.diagnostic(`${name}: ${real[name].toPrecision(3)} | ${simulated[name].toPrecision(3)}`)
}

/** `simulated` is at most `factor` times more or less than `real`. */
function near(real: number, simulated: number, factor: number, name: string): void {
  const ratio = simulated / real
  assert.ok(ratio <= factor && ratio >= 1 / factor, `${name}: real ${real}, simulated ${simulated}`)
}

test('curve trades look like real ones', { skip: ABSENT }, (t) => {
  const real = figuresOf(realCurve())
  const simulated = figuresOf(simulate().curve)
  print(t, 'first 500 trades on the curve', real, simulated)
})

test('swaps after graduation look like real ones', { skip: ABSENT }, (t) => {
  const real = figuresOf(realPools())
  const simulated = figuresOf(simulate().pools)
  print(t, 'first 300 s of a pool', real, simulated)
})

interface PortalMessage {
  readonly txType?: string
  readonly traderPublicKey?: string
  readonly solAmount?: number
}

test('launches look like real ones: what deployers buy, and how often they come back', { skip: ABSENT }, (t) => {
  const frames = file('streams/pumpportal_session1.jsonl').map((line) => JSON.parse(line) as { readonly raw: string })
  const creates = frames.map(({ raw }) => JSON.parse(raw) as PortalMessage).filter(({ txType }) => txType === 'create')
  const { devBuys, deployers } = simulate()
  const real = creates.map((create) => create.solAmount ?? 0)
  for (const p of [0.1, 0.25, 0.5, 0.75, 0.9, 0.99])
    t.diagnostic(`deployer's buy, SOL, p${p * 100}: ${quantile(real, p)} | ${quantile(devBuys, p)}`)
  const distinct = (names: readonly (string | undefined)[]) => new Set(names).size / names.length
  const among = creates.length
  const realDistinct = distinct(creates.map((create) => create.traderPublicKey))
  const simulatedDistinct = distinct(deployers.slice(-among))
  t.diagnostic(`different deployers of ${among} launches: ${realDistinct} | ${simulatedDistinct}`)
})
