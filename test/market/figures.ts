import { QUOTE } from '@ti/core/model/events.ts'
import {
  afterSales,
  type CurveTrade,
  creatorSales,
  daysOfTraders,
  firstBuyers,
  marketFacts,
  realFleets,
  realPools,
  STRETCH,
  serialDeployers,
  streamedLaunches,
  windowTrades,
} from './corpora.ts'
import {
  boughtFirst,
  fleets,
  type Observed,
  openedPools,
  serial,
  snipes,
  soldOutAt,
  tradersOf,
  watched,
} from './observe.ts'

/** How far the distributions, the medians or single numbers may be apart; null: printed only. */
type Room = { readonly ks: number } | { readonly factor: number } | { readonly apart: number } | null

/** Every quantity that is compared, with what market 3 is held to. */
export const ROOMS = {
  'pairs by wallets in 1 % of 1,000 launches': { apart: 0.1 },
  'pairs by wallets in 10 % of them': { apart: 0.08 },
  'busiest wallet, part of launches': { apart: 0.1 },
  'traders a launch, 5 min': { ks: 0.3 },
  'launches with 40 traders': { factor: 2.4 },
  'sniped in the creation slot': { apart: 0.06 },
  'sniped in the next': { apart: 0.06 },
  'sniper’s purchase, SOL': { factor: 1.3 },
  'sniper’s hold, s': { factor: 1.4 },
  'sniper’s hold, s, p90': { factor: 1.6 },
  'sniper’s sales': { factor: 1.3 },
  'launches by the 59 busiest deployers': { factor: 2.5 },
  'largest deployer, part of launches': null,
  'serial deployer sold out, s': { factor: 2 },
  'traders a launch of serial deployers': { factor: 2 },
  'SOL a launch of serial deployers': { factor: 2.5 },
  'different deployers of 198 launches': { apart: 0.15 },
  'deployers that buy at once': { apart: 0.04 },
  'creator’s own purchase, SOL': { ks: 0.3 },
  'creator sold out, s of age': { ks: 0.15 },
  'trades until then': { ks: 0.3 },
  'traders until then': { ks: 0.3 },
  'market cap then, SOL': { ks: 0.35 },
  'supply a creator sold': { ks: 0.4 },
  'sales it needed': { ks: 0.2 },
  'trades after': { ks: 0.2 },
  'life after, s': { ks: 0.2 },
  'life from birth, s': { ks: 0.25 },
  'no trade after': { apart: 0.15 },
  'traded after 20 min': { apart: 0.12 },
  'peak after, times': { ks: 0.2 },
  'trough after, times': { ks: 0.3 },
  'last, times': { ks: 0.25 },
  'peak after, s': { ks: 0.2 },
  'curve trade, SOL': { ks: 0.2 },
  'trades a mint in 76 s': { ks: 0.35 },
  'busiest wallet, mints with 20': null,
  'first 40 buyers, SOL': { ks: 0.3 },
  '40th buyer, s': null,
  'graduated, %': { factor: 2 },
  'pool, trades in 300 s': null,
  'pool trade, SOL': { ks: 0.25 },
  'whole-curve wallets': { factor: 1.5 },
  'whole curve taken at once': { apart: 0.1 },
  'their bags leave by transfer': { apart: 0.4 },
  'symbols of earlier launches': { apart: 0.15 },
} as const satisfies Readonly<Record<string, Room>>

export type Name = keyof typeof ROOMS
export type Figures = Readonly<Record<Name, readonly number[]>>

const part = <T>(all: readonly T[], of: (one: T) => boolean): number => all.filter(of).length / all.length

/** Presence of wallets in stretches of launches. */
function presence(launches: readonly (readonly string[])[]) {
  const [often, very, busiest]: [number[], number[], number[]] = [[], [], []]
  for (let from = 0; from + STRETCH <= launches.length; from += STRETCH) {
    const counts = new Map<string, number>()
    for (const traders of launches.slice(from, from + STRETCH))
      for (const wallet of traders) counts.set(wallet, (counts.get(wallet) ?? 0) + 1)
    const all = [...counts.values()]
    const pairs = all.reduce((a, b) => a + b, 0)
    const by = (least: number): number => all.filter((n) => n >= least).reduce((a, b) => a + b, 0) / pairs
    often.push(by(STRETCH / 100))
    very.push(by(STRETCH / 10))
    busiest.push(Math.max(...all) / STRETCH)
  }
  return {
    'pairs by wallets in 1 % of 1,000 launches': often,
    'pairs by wallets in 10 % of them': very,
    'busiest wallet, part of launches': busiest,
    'traders a launch, 5 min': launches.map(({ length }) => length),
    'launches with 40 traders': [part(launches, ({ length }) => length >= 40)],
  }
}

/** The recorder's rows, from two seconds after the creator's sale. */
const lives = (all: ReturnType<typeof afterSales>) => ({
  'creator sold out, s of age': all.map((one) => one.age),
  'trades until then': all.map((one) => one.tradesBefore),
  'traders until then': all.map((one) => one.tradersBefore),
  'market cap then, SOL': all.map((one) => one.entryCapSol),
  'trades after': all.map((one) => one.trades),
  'life after, s': all.map((one) => one.life),
  'life from birth, s': all.map((one) => one.age + one.life),
  'no trade after': [part(all, (one) => one.trades === 0)],
  'traded after 20 min': [part(all, (one) => one.alive)],
  'peak after, times': all.map((one) => one.peak),
  'trough after, times': all.map((one) => one.trough),
  'last, times': all.map((one) => one.last),
  'peak after, s': all.map((one) => one.peakAt),
})

/** Trades of 76 s, by mint. */
function windowed(trades: readonly CurveTrade[]) {
  const mints = new Map<string, Map<string, number>>()
  for (const { mint, user } of trades) {
    const users = mints.get(mint) ?? new Map<string, number>()
    mints.set(mint, users.set(user, (users.get(user) ?? 0) + 1))
  }
  const counts = Array.from(mints.values(), (users) => {
    const all = [...users.values()].reduce((a, b) => a + b, 0)
    return { all, busiest: Math.max(...users.values()) / all }
  })
  return {
    'trades a mint in 76 s': counts.map(({ all }) => all),
    'busiest wallet, mints with 20': counts.filter(({ all }) => all >= 20).map(({ busiest }) => busiest),
  }
}

/** The part of symbols that repeat an earlier one. */
const repeated = (symbols: readonly string[]): number => 1 - new Set(symbols).size / symbols.length

/** What the real files say. */
export function realFigures(): Figures {
  const facts = marketFacts()
  const sniper = facts.one_big_sniper
  const deployers = serialDeployers()
  const perDay = deployers.map((one) => one.perDay / facts.deployments.per_day)
  const [creators, buyers, streamed, pools, whole] = [
    creatorSales(),
    firstBuyers(),
    streamedLaunches(),
    realPools(),
    realFleets(),
  ]
  const trades = windowTrades()
  return {
    ...presence(daysOfTraders()),
    'sniped in the creation slot': [sniper.same_slot],
    'sniped in the next': [sniper.next_slot],
    'sniper’s purchase, SOL': [sniper.entry_sol_median],
    'sniper’s hold, s': [sniper.hold_seconds.median],
    'sniper’s hold, s, p90': [sniper.hold_seconds.p90],
    'sniper’s sales': [sniper.sells_per_token_median],
    'launches by the 59 busiest deployers': [perDay.reduce((a, b) => a + b, 0)],
    'largest deployer, part of launches': [Math.max(...perDay)],
    'serial deployer sold out, s': deployers.map((one) => one.soldAfter),
    'traders a launch of serial deployers': deployers.map((one) => one.traders),
    'SOL a launch of serial deployers': deployers.map((one) => one.volume),
    'different deployers of 198 launches': [new Set(streamed.map(({ deployer }) => deployer)).size / streamed.length],
    'deployers that buy at once': [facts.sampled_creations.dev_buys_in_the_creating_transaction.unbought_by_sniper],
    'creator’s own purchase, SOL': streamed.map(({ own }) => own),
    ...lives(afterSales()),
    'supply a creator sold': creators.map(({ supply }) => supply),
    'sales it needed': creators.map(({ sales }) => sales),
    'curve trade, SOL': trades.map(({ sol }) => sol),
    ...windowed(trades),
    'first 40 buyers, SOL': buyers.flatMap(({ sol }) => [...sol]),
    '40th buyer, s': buyers.map(({ seconds }) => seconds.at(-1)!),
    'graduated, %': [0.8],
    'pool, trades in 300 s': pools.map(({ length }) => length),
    'pool trade, SOL': pools.flat().map(({ sol }) => sol),
    'whole-curve wallets': whole.wallets,
    'whole curve taken at once': [1],
    'their bags leave by transfer': [whole.moved],
    'symbols of earlier launches': [repeated(streamed.map(({ symbol }) => symbol))],
  }
}

/** Slots of the real window, and where in the simulated time such windows are cut. */
const WINDOW = { slots: 193, at: [0.3, 0.45, 0.6, 0.7, 0.8, 0.9] }
/** Launches of the real stream. */
const STREAMED = 198

/** The same of a simulated market. */
export function figuresOf(observed: Observed): Figures {
  const { start, slots, truth } = observed
  const sniped = snipes(observed)
  const deployers = serial(observed)
  const rows = observed.lives.flatMap((life) =>
    life.rows.map((row) => ({ ...row, mint: `${life.token.id}`, user: row.wallet })),
  )
  const windows = WINDOW.at.map((at) => {
    const from = start + Math.floor(at * slots)
    return rows.filter(({ slot }) => slot >= from && slot < from + WINDOW.slots)
  })
  const perWindow = windows.map(windowed)
  const own = observed.lives.flatMap(({ token, rows: [row] }) => {
    if (token.quote !== QUOTE.SOL) return []
    return [row?.wallet === token.deployer.id && row.slot === token.createdSlot ? row.sol : 0]
  })
  const left = observed.lives.flatMap((life) => soldOutAt(life) ?? [])
  const [bought, opened, whole] = [boughtFirst(observed), openedPools(observed), fleets(observed)]
  const launches = observed.lives.map(({ token }) => token)
  const streams = Array.from({ length: Math.floor(launches.length / STREAMED) }, (_, n) =>
    launches.slice(n * STREAMED, (n + 1) * STREAMED),
  ).slice(3)
  const settled = truth.filter(({ slot }) => slot < start + slots - 3_000)
  return {
    ...presence(tradersOf(observed)),
    'sniped in the creation slot': [part(sniped, ({ after }) => after === 0)],
    'sniped in the next': [part(sniped, ({ after }) => after === 1)],
    'sniper’s purchase, SOL': sniped.map(({ sol }) => sol),
    'sniper’s hold, s': sniped.map(({ hold }) => hold),
    'sniper’s hold, s, p90': [quantile(sorted(sniped.map(({ hold }) => hold)), 0.9)],
    'sniper’s sales': sniped.map(({ sales }) => sales),
    'launches by the 59 busiest deployers': [deployers.part],
    'largest deployer, part of launches': [deployers.largest],
    'serial deployer sold out, s': deployers.each.flatMap(({ soldAfter }) => (soldAfter < 0 ? [] : [soldAfter])),
    'traders a launch of serial deployers': deployers.each.map((one) => one.traders),
    'SOL a launch of serial deployers': deployers.each.map((one) => one.volume),
    'different deployers of 198 launches': streams.map(
      (some) => new Set(some.map(({ deployer }) => deployer)).size / some.length,
    ),
    'deployers that buy at once': [part(own, (sol) => sol > 0)],
    'creator’s own purchase, SOL': own,
    ...lives(watched(observed).afterSale),
    'supply a creator sold': left.map(({ tokens }) => tokens / 1e15),
    'sales it needed': left.map(({ sales }) => sales),
    'curve trade, SOL': windows.flat().map(({ sol }) => sol),
    'trades a mint in 76 s': perWindow.flatMap((one) => one['trades a mint in 76 s']),
    'busiest wallet, mints with 20': perWindow.flatMap((one) => one['busiest wallet, mints with 20']),
    'first 40 buyers, SOL': bought.flatMap(({ sol }) => [...sol]),
    '40th buyer, s': bought.map(({ seconds }) => seconds.at(-1)!),
    'graduated, %': [100 * part(settled, ({ completed }) => completed !== null)],
    'pool, trades in 300 s': opened.map(({ length }) => length),
    'pool trade, SOL': opened.flat().map(({ sol }) => sol),
    'whole-curve wallets': whole.map(({ wallets }) => wallets),
    'whole curve taken at once': [part(whole, ({ atOnce }) => atOnce)],
    'their bags leave by transfer': [part(whole, ({ moved }) => moved)],
    'symbols of earlier launches': streams.map((some) => repeated(some.map(({ symbol }) => symbol))),
  }
}

export const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)
export const quantile = (ordered: readonly number[], p: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(p * ordered.length))] ?? Number.NaN

/** The largest distance of two distributions (Kolmogorov–Smirnov). */
export function ksOf(real: readonly number[], simulated: readonly number[]): number {
  const [a, b] = [sorted(real), sorted(simulated)]
  let [i, j, most] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const at = Math.min(a[i]!, b[j]!)
    while (a[i] === at) i++
    while (b[j] === at) j++
    most = Math.max(most, Math.abs(i / a.length - j / b.length))
  }
  return most
}

/** How a room is missed, or null. */
export function missed(room: Room, real: readonly number[], simulated: readonly number[]): string | null {
  if (room === null) return null
  if (simulated.length === 0) return 'nothing to compare'
  if ('ks' in room) {
    const ks = ksOf(real, simulated)
    return ks <= room.ks ? null : `KS ${ks.toFixed(2)}, allowed ${room.ks}`
  }
  const [a, b] = [quantile(sorted(real), 0.5), quantile(sorted(simulated), 0.5)]
  if ('apart' in room) return Math.abs(a - b) <= room.apart ? null : `${b - a} apart, allowed ${room.apart}`
  return b / a <= room.factor && a / b <= room.factor ? null : `factor ${b / a}, allowed ${room.factor}`
}
