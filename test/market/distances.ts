import {
  ABSENT,
  type AfterSale,
  afterSales,
  type CurveTrade,
  creatorSales,
  firstBuyers,
  realPools,
  streamedLaunches,
  windowTrades,
} from './corpora.ts'
import { boughtFirst, type Observed, observe, openedPools, soldOutAt, watched } from './observe.ts'

/**
 * How far market 2 is from real files, which lie outside the project: quantiles of both and the largest distance of their
 * distributions (Kolmogorov–Smirnov), a row for each quantity.
 *
 *   npm run distances -- --seed 1 --slots 15000
 */
const value = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const LEVELS = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
/** Slots of the real window, and where in the simulated time such windows are cut. */
const WINDOW = { slots: 193, at: [0.3, 0.45, 0.6, 0.7, 0.8, 0.9] }

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)
const quantile = (ordered: readonly number[], p: number): number =>
  ordered[Math.min(ordered.length - 1, Math.floor(p * ordered.length))] ?? Number.NaN

function ksOf(a: readonly number[], b: readonly number[]): number {
  let [i, j, most] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const at = Math.min(a[i]!, b[j]!)
    while (a[i] === at) i++
    while (b[j] === at) j++
    most = Math.max(most, Math.abs(i / a.length - j / b.length))
  }
  return most
}

function tell(name: string, real: readonly number[], simulated: readonly number[]): void {
  const [a, b] = [sorted(real), sorted(simulated)]
  const line = (of: readonly number[]): string =>
    LEVELS.map((p) => Number(quantile(of, p).toPrecision(3)).toString()).join(', ')
  console.log(`| ${name} | ${ksOf(a, b).toFixed(2)} | ${line(a)} | ${line(b)} | ${a.length}, ${b.length} |`)
}

const part = <T>(all: readonly T[], of: (one: T) => boolean): string => (all.filter(of).length / all.length).toFixed(3)

function tellLives(observed: Observed): void {
  const real = afterSales()
  const { afterSale, fromBirth } = watched(observed)
  const quantities: readonly [string, (one: AfterSale) => number][] = [
    ['creator sold out, s of age', (one) => one.age],
    ['trades until then', (one) => one.tradesBefore],
    ['traders until then', (one) => one.tradersBefore],
    ['market cap then, SOL', (one) => one.entryCapSol],
    ['trades after', (one) => one.trades],
    ['life after, s', (one) => one.life],
    ['peak after, times', (one) => one.peak],
    ['trough after, times', (one) => one.trough],
    ['last, times', (one) => one.last],
    ['peak after, s', (one) => one.peakAt],
  ]
  for (const [name, of] of quantities) tell(name, real.map(of), afterSale.map(of))
  const said = (name: string, of: (one: AfterSale) => boolean): void =>
    console.log(
      `| ${name} | | ${part(real, of)} | ${part(afterSale, of)}; of all from birth ${part(fromBirth, of)} | |`,
    )
  for (const n of [0, 1, 2]) said(`${n} trades after`, (one) => one.trades === n)
  said('traded after 20 min', (one) => one.alive)
}

function tellWindow({ lives, start, slots }: Observed): void {
  const rows = lives.flatMap((life) => life.rows.map((row) => ({ ...row, mint: `${life.token.id}`, user: row.wallet })))
  const windows = WINDOW.at.map((at) => {
    const from = start + Math.floor(at * slots)
    return rows.filter(({ slot }) => slot >= from && slot < from + WINDOW.slots)
  })
  const real = windowTrades()
  const mints = (trades: readonly CurveTrade[]): { trades: number; busiest: number }[] => {
    const counts = new Map<string, Map<string, number>>()
    for (const { mint, user } of trades) {
      const users = counts.get(mint) ?? new Map<string, number>()
      counts.set(mint, users.set(user, (users.get(user) ?? 0) + 1))
    }
    return Array.from(counts.values(), (users) => {
      const all = [...users.values()].reduce((a, b) => a + b, 0)
      return { trades: all, busiest: Math.max(...users.values()) / all }
    })
  }
  const simulated = windows.flatMap(mints)
  const busiest = (all: ReturnType<typeof mints>): number[] =>
    all.filter(({ trades }) => trades >= 20).map((one) => one.busiest)
  const sizes = (trades: readonly CurveTrade[]): number[] => trades.map(({ sol }) => sol)
  tell('curve trade, SOL', sizes(real), sizes(windows.flat()))
  const trades = (all: ReturnType<typeof mints>): number[] => all.map((one) => one.trades)
  tell('trades a mint in 76 s', trades(mints(real)), trades(simulated))
  tell('busiest wallet, mints with 20', busiest(mints(real)), busiest(simulated))
}

function tellOthers(observed: Observed): void {
  const left = observed.lives.flatMap((life) => soldOutAt(life) ?? [])
  const [creators, buyers, bought] = [creatorSales(), firstBuyers(), boughtFirst(observed)]
  const supply = left.map(({ tokens }) => tokens / 1e15)
  const sales = left.map((one) => one.sales)
  tell('supply a creator sold', creators.map((one) => one.supply), supply) // biome-ignore format: one row, one line
  tell('sales it needed', creators.map((one) => one.sales), sales) // biome-ignore format: one row, one line
  const first = (all: typeof buyers): number[] => all.flatMap(({ sol }) => [...sol])
  tell('first 40 buyers, SOL', first(buyers), first(bought))
  const last = (all: typeof buyers): number[] => all.map(({ seconds }) => seconds.at(-1)!)
  tell('40th buyer, s', last(buyers), last(bought))
  const own = observed.lives.map(({ token, rows: [row] }) =>
    row?.wallet === token.deployer.id && row.slot === token.createdSlot ? row.sol : 0,
  )
  const streamed = streamedLaunches().map((launch) => launch.own)
  tell('creator’s own purchase, SOL', streamed, own)
  const [pools, opened] = [realPools(), openedPools(observed)]
  const trades = (all: typeof pools): number[] => all.map(({ length }) => length)
  tell('pool, trades in 300 s', trades(pools), trades(opened))
  const sizes = (all: typeof pools): number[] => all.flat().map(({ sol }) => sol)
  tell('pool trade, SOL', sizes(pools), sizes(opened))
}

if (ABSENT !== false) throw new Error(ABSENT)
const observed = observe(value('seed', 1), value('slots', 15_000))
console.log(`| quantity | KS | real: ${LEVELS.map((p) => `p${p * 100}`).join(', ')} | simulated | counts |`)
console.log('|---|---|---|---|---|')
tellLives(observed)
tellWindow(observed)
tellOthers(observed)
