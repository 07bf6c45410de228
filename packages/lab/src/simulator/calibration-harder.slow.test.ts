import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { QUOTE, VENUE } from '@ti/core/model/events.ts'
import { createMarket, SLOT_SECONDS } from './market.ts'
import { rulesOf } from './rules.ts'
import type { SimToken } from './tokens.ts'
import type { TruthToken } from './truth.ts'

/**
 * Compares market 2 with real files outside the project. Figures that it must match have bounds; the others are
 * printed, and are in the methodology.
 */
const DATA = new URL('../../../../../shared/data/', import.meta.url)
const CORPORA = new URL('real2/corpora/', DATA)
const ABSENT = existsSync(CORPORA)
  ? false
  : 'the real files (../shared/data/real2) are not here: nothing to compare with'
const SEED = 1
const SLOTS = 45_000
const START = 1_000_000
const SOL = 1e9
/** Slots of ten and twenty minutes: the real recorder's longest wait for a trade, and its total time. */
const SILENCE = 1_500
const WATCHED = 3_000

interface Row {
  readonly slot: number
  readonly wallet: string
  readonly isBuy: boolean
  readonly sol: number
  readonly price: number
  readonly token: SimToken
}

function simulate() {
  const rules = rulesOf({ market: 2, traced: null, adversary: null })
  const market = createMarket({ seed: SEED, tps: 60, start: START, truth: true, rules })
  const rows: Row[] = []
  const launches: SimToken[] = []
  const left = new Map<SimToken, { bought: number; sold: number; slot: number }>()
  for (let slot = START; slot < START + SLOTS; slot++) {
    for (const { failed, actions } of market.step(slot).transactions) {
      for (const action of failed ? [] : actions) {
        const { token } = action
        if (action.kind === 'create') launches.push(token)
        if (action.kind !== 'trade' || token.quote !== QUOTE.SOL || action.venue === VENUE.pumpswap) continue
        const price = action.quoteAfter / action.baseAfter
        const { wallet, isBuy } = action
        rows.push({ slot, wallet: wallet.id, isBuy, sol: action.quote / SOL, price, token })
        if (wallet === token.deployer) follow(left, token, action.tokens, isBuy, slot)
      }
    }
  }
  return { rows, launches, left, truth: market.finished() }
}

/** Finds the slots at which deployers had sold 80 % of their purchases, like the alerts of the real file. */
function follow(
  left: Map<SimToken, { bought: number; sold: number; slot: number }>,
  token: SimToken,
  tokens: number,
  isBuy: boolean,
  slot: number,
): void {
  const one = left.get(token) ?? { bought: 0, sold: 0, slot: -1 }
  if (isBuy) one.bought += tokens
  else one.sold += tokens
  if (one.slot < 0 && one.sold >= 0.8 * one.bought) one.slot = slot
  left.set(token, one)
}

let made: ReturnType<typeof simulate> | undefined
const theMarket = () => {
  made ??= simulate()
  return made
}

const unzip = (name: string): string => gunzipSync(readFileSync(new URL(name, CORPORA))).toString('utf8')

function csv(name: string): Record<string, string>[] {
  const [head, ...lines] = unzip(name).trim().split('\n')
  const names = head!.split(',').map((it) => it.trim())
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value])))
}

function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN
}

const part = <T>(all: readonly T[], of: (one: T) => boolean): number => all.filter(of).length / all.length

/** The allowed deviation: a factor or a difference; null if it is only printed. */
type Room = { readonly factor: number } | { readonly apart: number } | null

function compare(t: TestContext, name: string, real: number, simulated: number, room: Room): void {
  const distance = `${real.toPrecision(3)} | ${simulated.toPrecision(3)}`
  t.diagnostic(`${name}: ${distance}${room === null ? ' (no bound)' : ''}`)
  if (room === null) return
  const ratio = simulated / real
  const fits =
    'factor' in room ? ratio <= room.factor && ratio >= 1 / room.factor : Math.abs(simulated - real) <= room.apart
  assert.ok(fits, `${name}: real | simulated ${distance}, allowed ${JSON.stringify(room)}`)
}

interface Window {
  readonly mint: string
  readonly user: string
  readonly isBuy: boolean
  readonly sol: number
}

function windowFigures(rows: readonly Window[]) {
  const tokens = new Map<string, Map<string, number>>()
  for (const { mint, user } of rows) {
    const users = tokens.get(mint) ?? new Map<string, number>()
    users.set(user, (users.get(user) ?? 0) + 1)
    tokens.set(mint, users)
  }
  const totals = [...tokens.values()].map((users) => {
    const trades = [...users.values()].reduce((a, b) => a + b, 0)
    return { trades, busiest: Math.max(...users.values()) / trades }
  })
  const sizes = rows.map(({ sol }) => sol)
  return {
    'size SOL p10': quantile(sizes, 0.1),
    'size SOL median': quantile(sizes, 0.5),
    'size SOL p90': quantile(sizes, 0.9),
    buys: part(rows, ({ isBuy }) => isBuy),
    'users per 100 trades': (100 * new Set(rows.map(({ user }) => user)).size) / rows.length,
    'trades a mint in the window': rows.length / tokens.size,
    'busiest wallet ≥ 35 %, of mints with 20 trades': part(
      totals.filter(({ trades }) => trades >= 20),
      ({ busiest }) => busiest >= 0.35,
    ),
  }
}

test('76 seconds of all curve trades', { skip: ABSENT }, (t) => {
  const real = windowFigures(
    csv('nullfuturist_swaps.csv.gz').map((row) => ({
      mint: row.mint!,
      user: row.user!,
      isBuy: row.is_buy === '1',
      sol: Number(row.sol_amount) / SOL,
    })),
  )
  const windows = [3, 4.5, 6, 7.5, 9, 10.5, 12].map((after) => {
    const from = START + after * 1_000
    const inside = theMarket().rows.filter(
      ({ slot, token }) => slot >= from && slot < from + 193 && token.venue === VENUE.pump,
    )
    return windowFigures(
      inside.map(({ token, wallet, isBuy, sol }) => ({ mint: `${token.id}`, user: wallet, isBuy, sol })),
    )
  })
  const rooms: Readonly<Record<keyof typeof real, Room>> = {
    'size SOL p10': { factor: 3 },
    'size SOL median': { factor: 2.5 },
    'size SOL p90': { factor: 2.5 },
    buys: { apart: 0.12 },
    'users per 100 trades': { factor: 2 },
    'trades a mint in the window': null,
    'busiest wallet ≥ 35 %, of mints with 20 trades': null,
  }
  for (const [name, room] of Object.entries(rooms))
    compare(
      t,
      name,
      real[name as keyof typeof real],
      quantile(
        windows.map((one) => one[name as keyof typeof real]),
        0.5,
      ),
      room,
    )
})

test('what becomes of launches within twenty minutes', { skip: ABSENT }, (t) => {
  const real = csv('pumpportal_mints.csv.gz').filter((row) => row.buys !== '')
  const { rows, launches } = theMarket()
  const byToken = new Map<SimToken, Row[]>()
  for (const row of rows) byToken.set(row.token, [...(byToken.get(row.token) ?? []), row])
  const lives = launches
    .filter(({ createdSlot, venue }) => venue === VENUE.pump && createdSlot < START + SLOTS - WATCHED - SILENCE)
    .map((token) => lifeOf(token, byToken.get(token) ?? []))
  const trades = real.map((row) => Number(row.buys) + Number(row.sells))
  const part0 = part(real, (row) => Number(row.peak_pct) === 0)
  compare(
    t,
    'never above the price after 2 s',
    part0,
    part(lives, ({ peak }) => peak <= 1),
    null,
  )
  for (const p of [0.5, 0.75, 0.9]) {
    const name = `trades after 2 s, p${p * 100}`
    const simulated = lives.map((life) => life.trades)
    compare(t, name, quantile(trades, p), quantile(simulated, p), null)
  }
  const peaks = real.map((row) => 1 + Number(row.peak_pct) / 100)
  compare(
    t,
    'peak, times the price after 2 s, p95',
    quantile(peaks, 0.95),
    quantile(
      lives.map(({ peak }) => peak),
      0.95,
    ),
    null,
  )
  const alive = part(real, (row) => row.end_reason === 'max_window')
  compare(
    t,
    'still traded after 20 min',
    alive,
    part(lives, (life) => life.alive),
    null,
  )
})

function lifeOf(token: SimToken, rows: readonly Row[]) {
  const entry = token.createdSlot + 5
  const before = rows.filter(({ slot }) => slot <= entry)
  const after: Row[] = []
  let last = entry
  for (const row of rows) {
    if (row.slot <= entry) continue
    if (row.slot - last > SILENCE || row.slot - token.createdSlot > WATCHED) break
    after.push(row)
    last = row.slot
  }
  const price = before.at(-1)?.price ?? token.startPrice
  const peak = Math.max(price, ...after.map((row) => row.price)) / price
  return { peak, trades: after.length, alive: last + SILENCE > token.createdSlot + WATCHED }
}

interface Exit {
  readonly n_wallets: number
  readonly delai_transfert_s_med: number | null
  readonly part_transferee: number | null
}

test('fleets that take the whole curve: members, share of supply, how their bags leave', { skip: ABSENT }, (t) => {
  const bought = (JSON.parse(unzip('v03_onchain.json.gz')) as { lancements: { part_supply_1e9: number }[] }).lancements
  const exits = (JSON.parse(unzip('v07_exit.json.gz')) as { lancements: Exit[] }).lancements
  const fleets = theMarket().truth.flatMap((token) =>
    token.groups!.filter(({ type }) => type === 'whole_curve').map((group) => ({ token, group })),
  )
  assert.ok(fleets.length >= 5, `${fleets.length}`)
  const members = fleets.map(
    ({ group }) => group.members.filter(({ role }) => role !== 'collector' && role !== 'deployer').length,
  )
  compare(
    t,
    'wallets',
    quantile(
      exits.map(({ n_wallets }) => n_wallets),
      0.5,
    ),
    quantile(members, 0.5),
    { apart: 1 },
  )
  // a whole curve is 793.1 million of 1,000
  const supply = quantile(
    bought.map(({ part_supply_1e9 }) => part_supply_1e9),
    0.5,
  )
  const sold = part(fleets, ({ token }) => token.completed === token.slot)
  compare(t, 'share of supply, median', supply, sold * 0.7931, { apart: 0.03 })
  const moved = part(exits, (one) => (one.part_transferee ?? 0) > 0.5)
  const collected = part(fleets, ({ group }) => group.members.some(({ role }) => role === 'collector'))
  compare(t, 'bags leave by transfer', moved, collected, { apart: 0.25 })
  const delays = exits.flatMap(({ delai_transfert_s_med }) => delai_transfert_s_med ?? [])
  const first = fleets.flatMap(({ token, group }) =>
    group.exits.length === 0 ? [] : [(group.exits[0]!.slot - token.slot) * SLOT_SECONDS],
  )
  compare(t, 'seconds to the transfer | to the first sale', quantile(delays, 0.5), quantile(first, 0.5), { factor: 4 })
})

test('deployers that sell 80 %: how soon', { skip: ABSENT }, (t) => {
  const first = new Map(csv('pumpportal_mints.csv.gz').map((row) => [row.mint!, Number(row.first_s)]))
  const real = csv('creator_sells.csv.gz').flatMap((row) => {
    const since = first.get(row.mint!)
    return since === undefined || row.sold_at_s === '' ? [] : [Math.max(0, Number(row.sold_at_s) - since)]
  })
  const simulated = [...theMarket().left].flatMap(([token, { slot }]) =>
    slot < 0 || token.createdSlot < START ? [] : [(slot - token.createdSlot) * SLOT_SECONDS],
  )
  // the recorder began at the sale, so its delays mean nothing and are only printed
  for (const p of [0.5, 0.9]) compare(t, `seconds, p${p * 100}`, quantile(real, p), quantile(simulated, p), null)
})

test('symbols repeat, graduations come soon', { skip: ABSENT }, (t) => {
  const text = readFileSync(new URL('streams/pumpportal_session1.jsonl', DATA), 'utf8').trim().split('\n')
  const creates = text
    .map((line) => JSON.parse((JSON.parse(line) as { raw: string }).raw) as { txType?: string; symbol?: string })
    .filter(({ txType }) => txType === 'create')
  const { launches, truth } = theMarket()
  const symbols = launches.slice(400, 400 + creates.length).map(({ symbol }) => symbol)
  const repeated = (all: readonly (string | undefined)[]) =>
    all.filter((symbol) => all.indexOf(symbol) !== all.lastIndexOf(symbol)).length / all.length
  compare(
    t,
    `symbols shared by two of ${creates.length} launches`,
    repeated(creates.map((it) => it.symbol)),
    repeated(symbols),
    {
      apart: 0.3,
    },
  )
  compare(t, 'launches with the symbol of an earlier one', again(creates.map((it) => it.symbol)), again(symbols), {
    apart: 0.1,
  })
  const old = truth.filter(({ slot }) => slot < START + SLOTS - WATCHED)
  const graduated = old.filter(({ completed }) => completed !== null)
  compare(t, 'graduated, %', 0.8, (100 * graduated.length) / old.length, { factor: 1.6 })
  const soon = part(graduated, ({ completed, slot }: TruthToken) => completed! - slot < SILENCE)
  t.diagnostic(`of ${graduated.length} within ten minutes: ${soon.toFixed(2)}`)
  assert.ok(soon > 0.5)
})

/** The share of symbols that repeat an earlier one in the list. */
function again(symbols: readonly (string | undefined)[]): number {
  const seen = new Set<string | undefined>()
  return part(symbols, (symbol) => {
    const known = seen.has(symbol)
    seen.add(symbol)
    return known
  })
}
