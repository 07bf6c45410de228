import { QUOTE, VENUE } from '@ti/core/model/events.ts'
import { createMarket, SLOT_SECONDS } from '@ti/lab/simulator/market.ts'
import { rulesOf } from '@ti/lab/simulator/rules.ts'
import type { SimToken } from '@ti/lab/simulator/tokens.ts'
import type { TruthToken } from '@ti/lab/simulator/truth.ts'
import { type AfterSale, BUYERS, type FirstBuyers, POOL_SECONDS, type PoolTrade, RECORDER } from './corpora.ts'

/** A simulated market as the recorders of the real files would have seen it. */

const START = 1_000_000
const SOL = 1e9
/** Lamports and base units of a supply of 10^15 to SOL. */
const CAP_SOL = 1e6
const SOLD_OUT = 0.8
/** Purchases below it are no purchases: the real ones of this file are above it. */
const DUST_SOL = 0.001

interface Row {
  readonly slot: number
  readonly wallet: string
  readonly isBuy: boolean
  readonly sol: number
  /** market cap after it, SOL */
  readonly cap: number
  readonly tokens: number
}

/** A launch and its trades with SOL, in order; `rows` those on the curve. */
export interface Life {
  readonly token: SimToken
  readonly rows: Row[]
  readonly pool: Row[]
}

export interface Observed {
  readonly start: number
  readonly slots: number
  /** launches, in order */
  readonly lives: readonly Life[]
  readonly truth: readonly TruthToken[]
  readonly curveTrades: number
  readonly poolTrades: number
}

export function observe(number: number, seed: number, slots: number, tps = 60): Observed {
  const rules = rulesOf({ market: number, traced: null, adversary: null, kinds: null })
  const market = createMarket({ seed, tps, start: START, truth: true, rules })
  const byToken = new Map<SimToken, Life>()
  let curveTrades = 0
  let poolTrades = 0
  for (let slot = START; slot < START + slots; slot++) {
    for (const { failed, actions } of market.step(slot).transactions) {
      for (const action of failed ? [] : actions) {
        const { token } = action
        if (action.kind === 'create') byToken.set(token, { token, rows: [], pool: [] })
        if (action.kind !== 'trade') continue
        const inPool = action.venue === VENUE.pumpswap
        if (inPool) poolTrades++
        else curveTrades++
        const life = byToken.get(token)
        if (life === undefined || token.quote !== QUOTE.SOL) continue
        const row: Row = {
          slot,
          wallet: action.wallet.id,
          isBuy: action.isBuy,
          sol: action.quote / SOL,
          cap: (action.quoteAfter / action.baseAfter) * CAP_SOL,
          tokens: action.tokens,
        }
        if (inPool) life.pool.push(row)
        else life.rows.push(row)
      }
    }
  }
  return { start: START, slots, lives: [...byToken.values()], truth: market.finished(), curveTrades, poolTrades }
}

const seconds = (slots: number): number => slots * SLOT_SECONDS
const ENTRY_SLOTS = RECORDER.entry / SLOT_SECONDS
const SILENCE_SLOTS = RECORDER.silence / SLOT_SECONDS
const WINDOW_SLOTS = RECORDER.window / SLOT_SECONDS

/** Slot in which the creator had sold 80 % of what it bought, -1 never. */
export function soldOutAt({ token, rows, pool }: Life): { slot: number; tokens: number; sales: number } | null {
  let bought = 0
  let sold = 0
  let sales = 0
  for (const row of [...rows, ...pool]) {
    if (row.wallet !== token.deployer.id) continue
    if (row.isBuy) bought += row.tokens
    else {
      sold += row.tokens
      sales++
      if (sold >= SOLD_OUT * bought) return { slot: row.slot, tokens: sold, sales }
    }
  }
  return null
}

/** What follows in a token's life from two seconds after `since`, as the recorder looked at it. */
function watch({ token, rows }: Life, since: number): AfterSale {
  const entry = since + ENTRY_SLOTS
  const before = rows.filter(({ slot }) => slot <= entry)
  const cap = before.at(-1)?.cap ?? token.startPrice * CAP_SOL
  let last = entry
  let peakSlot = entry
  let [trades, peak, trough, now] = [0, cap, cap, cap]
  let alive = true
  for (const row of rows) {
    if (row.slot <= entry) continue
    if (row.slot - since > WINDOW_SLOTS) break
    if (row.slot - last > SILENCE_SLOTS) {
      alive = false
      break
    }
    trades++
    last = row.slot
    now = row.cap
    trough = Math.min(trough, now)
    if (now > peak) {
      peak = now
      peakSlot = row.slot
    }
  }
  alive &&= last + SILENCE_SLOTS >= since + WINDOW_SLOTS
  return {
    age: seconds(since - token.createdSlot),
    tradesBefore: before.length,
    tradersBefore: new Set(before.map(({ wallet }) => wallet)).size,
    entryCapSol: cap,
    trades,
    life: alive ? RECORDER.window : seconds(last - entry),
    peak: peak / cap,
    trough: trough / cap,
    last: now / cap,
    peakAt: seconds(peakSlot - entry),
    alive,
  }
}

/** Of the launches that could be watched to the end: those whose creator sold out, from then; and all, from their creation. */
export function watched({ lives, start, slots }: Observed): { afterSale: AfterSale[]; fromBirth: AfterSale[] } {
  const until = start + slots - WINDOW_SLOTS
  const pump = lives.filter(({ token }) => token.venue === VENUE.pump && token.quote === QUOTE.SOL)
  const afterSale = pump.flatMap((life) => {
    const sold = soldOutAt(life)
    return sold === null || sold.slot > until ? [] : [watch(life, sold.slot)]
  })
  const born = pump.filter(({ token }) => token.createdSlot <= until)
  return { afterSale, fromBirth: born.map((life) => watch(life, life.token.createdSlot)) }
}

/** First purchases of tokens that had as many buyers as the real file tells of. */
export const boughtFirst = ({ lives }: Observed): FirstBuyers[] =>
  lives.flatMap(({ rows }) => {
    const first = new Map<string, Row>()
    for (const row of rows) if (row.isBuy && row.sol >= DUST_SOL && !first.has(row.wallet)) first.set(row.wallet, row)
    const buyers = [...first.values()].slice(0, BUYERS)
    if (buyers.length < BUYERS) return []
    return [{ sol: buyers.map(({ sol }) => sol), seconds: buyers.map(({ slot }) => seconds(slot - rows[0]!.slot)) }]
  })

/** The first five minutes of this market's own pools that began early enough. */
export const openedPools = ({ lives, start, slots }: Observed): PoolTrade[][] =>
  lives.flatMap(({ token, pool }) => {
    const from = token.migrateSlot
    if (token.pool === null || from > start + slots - POOL_SECONDS / SLOT_SECONDS) return []
    return [
      pool
        .map(({ slot, wallet, isBuy, sol }) => ({ time: Math.floor(seconds(slot - from)), wallet, isBuy, sol }))
        .filter(({ time }) => time < POOL_SECONDS),
    ]
  })

/** Slots after a launch in which the watcher of whole days saw its traders: some minutes. */
const MINUTES = 750

/** The traders of each launch, in order. */
export const tradersOf = ({ lives, start, slots }: Observed): (readonly string[])[] =>
  lives
    .filter(({ token }) => token.createdSlot <= start + slots - MINUTES)
    .map(({ token, rows }) => [
      ...new Set(rows.filter(({ slot }) => slot <= token.createdSlot + MINUTES).map(({ wallet }) => wallet)),
    ])

interface Sniped {
  /** Slots after the creation. */
  readonly after: number
  readonly sol: number
  readonly sales: number
  /** Seconds until its last sale. */
  readonly hold: number
}

/** What snipers of the first seconds did, of launches that were seen for a minute more. */
export const snipes = ({ lives, start, slots }: Observed): Sniped[] =>
  lives.flatMap(({ token, rows }) => {
    const its = new Map<string, Row[]>()
    for (const row of rows)
      if (row.wallet.startsWith('sniper:')) its.set(row.wallet, [...(its.get(row.wallet) ?? []), row])
    return [...its.values()].flatMap(([first, ...rest]) => {
      const sold = rest.filter(({ isBuy }) => !isBuy)
      if (sold.length === 0 || first!.slot > token.createdSlot + 12 || first!.slot > start + slots - MINUTES) return []
      const hold = seconds(sold.at(-1)!.slot - first!.slot)
      return [{ after: first!.slot - token.createdSlot, sol: first!.sol, sales: sold.length, hold }]
    })
  })

const SERIAL = { deployers: 59, launches: 10 }

/** The deployers with most launches: medians of each, and their part of all launches. */
export function serial({ lives }: Observed) {
  const by = new Map<string, Life[]>()
  for (const life of lives) by.set(life.token.deployer.id, [...(by.get(life.token.deployer.id) ?? []), life])
  const most = [...by.values()].sort((a, b) => b.length - a.length).slice(0, SERIAL.deployers)
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? -1
  return {
    part: most.reduce((sum, { length }) => sum + length, 0) / lives.length,
    largest: most[0]!.length / lives.length,
    each: most
      .filter(({ length }) => length >= SERIAL.launches)
      .map((its) => ({
        soldAfter: median(
          its.flatMap((life) => {
            const sold = soldOutAt(life)
            return sold === null ? [] : [seconds(sold.slot - life.token.createdSlot)]
          }),
        ),
        traders: median(its.map(({ rows }) => new Set(rows.map(({ wallet }) => wallet)).size)),
        volume: median(its.map(({ rows }) => rows.reduce((sum, { sol }) => sum + sol, 0))),
      })),
  }
}

/** Groups that took the whole curve. */
export const fleets = ({ truth }: Observed) =>
  truth.flatMap(({ slot, completed, groups = [] }) =>
    groups
      .filter(({ type }) => type === 'whole_curve')
      .map(({ members, exits }) => ({
        wallets: members.filter(({ role }) => role !== 'collector' && role !== 'deployer').length,
        atOnce: completed === slot,
        moved: members.some(({ role }) => role === 'collector'),
        sold: exits.length === 0 ? [] : [seconds(exits[0]!.slot - slot)],
      })),
  )
