import { ABSENT } from './corpora.ts'
import { figuresOf, ksOf, missed, type Name, quantile, ROOMS, realFigures, sorted } from './figures.ts'
import { observe } from './observe.ts'

/**
 * How far the simulated markets are from real files, which lie outside the project: quantiles of all, and the largest
 * distance of their distributions (Kolmogorov–Smirnov), a row for each quantity. A test holds market 3 to the last column.
 *
 *   npm run distances -- --seed 1 --slots 20000
 */
const value = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const LEVELS = [0.1, 0.5, 0.9, 0.99]

if (ABSENT !== false) throw new Error(ABSENT)
const real = realFigures()
const [two, three] = [2, 3].map((market) => figuresOf(observe(market, value('seed', 1), value('slots', 20_000))))

const told = (values: readonly number[]): string => {
  const ordered = sorted(values)
  const levels = ordered.length === 1 ? [0] : LEVELS
  return levels.map((p) => Number(quantile(ordered, p).toPrecision(3))).join(', ')
}
const apart = (name: Name, values: readonly number[]): string =>
  real[name].length === 1 ? '' : ` (${ksOf(real[name], values).toFixed(2)})`

console.log(
  `| quantity | real: ${LEVELS.map((p) => `p${p * 100}`).join(', ')} | market 2 (KS) | market 3 (KS) | held to |`,
)
console.log('|---|---|---|---|---|')
for (const name of Object.keys(ROOMS) as Name[]) {
  const [a, b] = [two![name], three![name]]
  const room = ROOMS[name] === null ? '–' : Object.entries(ROOMS[name]!).flat().join(' ')
  const wrong = missed(ROOMS[name], real[name], b)
  const cells = [name, told(real[name]), `${told(a)}${apart(name, a)}`, `${told(b)}${apart(name, b)}`]
  console.log(`| ${cells.join(' | ')} | ${room}${wrong === null ? '' : `: **${wrong}**`} |`)
}
