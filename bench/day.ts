import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { BLUE, ORANGE, picture, plotX, plotY, polyline, text } from '@ti/lab/evaluate/svg.ts'
import type { Sample } from './day-child.ts'
import { ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * A day and a half at mainnet's mean rate, in compressed time: the duration of the first day, and whether memory stays
 * stable afterwards. It grows while the market fills, because tokens stay in memory while they trade, and wallets up to
 * a bound.
 */
const TRADES = Number(process.env.BENCH_DAY_TRADES ?? 15_600_000)
const TPS = Number(process.env.BENCH_DAY_TPS ?? 120)
const SAMPLES = 144
const DAY_HOURS = 24
/** memory after the first day: mean of the second half relative to the first */
const BAR = 1.1

export async function runDay(
  trades: number,
  tps: number,
  samples: number,
  show: (one: Sample) => void,
): Promise<Sample[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-day-'))
  const source = `simulator:seed=9&tps=${tps}&speed=0&trades=${trades}`
  const found: Sample[] = []
  try {
    const child: ChildProcess = fork(
      resolve(import.meta.dirname, 'day-child.ts'),
      [join(dir, 'data'), source, String(trades), String(samples)],
      { execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')] },
    )
    child.on('message', (message: Sample) => {
      found.push(message)
      show(message)
    })
    const code = await new Promise((done) => child.on('close', done))
    if (code !== 0) throw new Error(`the process ended with ${code}`)
    return found
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean of the second half of the samples after `hours` of the market, relative to the first half. */
export function growth(samples: readonly Sample[], hours: number, read: (one: Sample) => number): number {
  const late = samples.filter((one) => one.hours >= hours).map(read)
  const half = Math.floor(late.length / 2)
  return mean(late.slice(half)) / mean(late.slice(0, half))
}

const dayOf = (samples: readonly Sample[]): Sample => samples.findLast(({ hours }) => hours <= DAY_HOURS) ?? samples[0]!

export async function benchDay(): Promise<BenchRow[]> {
  const samples = await runDay(TRADES, TPS, SAMPLES, ({ trades, hours, ownMb, heapMb, seconds }) => {
    const memory = `${Math.round(ownMb)} MB, of it heap ${Math.round(heapMb)}`
    console.error(`  ${trades} trades, ${hours.toFixed(1)} h, ${memory}, ${Math.round(seconds)} s`)
  })
  writeReport(samples)
  const last = samples.at(-1)!
  const detail = `${last.trades} trades, ${last.tokens} launches, ${last.hours.toFixed(1)} h in ${Math.round(last.seconds)} s; at most ${peakOf(samples, ({ ownMb }) => ownMb)} MB of its own`
  const row = (name: string, read: (one: Sample) => number): BenchRow => {
    const ratio = growth(samples, DAY_HOURS, read)
    return {
      name: `${name}: the late hours after the first day against the early ones (at most)`,
      ratio,
      bar: BAR,
      pass: ratio <= BAR,
      detail,
    }
  }
  return [row('memory', ({ ownMb }) => ownMb), row('JavaScript’s heap after a collection', ({ heapMb }) => heapMb)]
}

const peakOf = (samples: readonly Sample[], read: (one: Sample) => number): number =>
  Math.round(Math.max(...samples.map(read)))

function writeReport(samples: readonly Sample[]): void {
  const folder = join(ROOT, 'reports/capacity')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'day.svg'), plot(samples))
  writeFileSync(join(folder, 'day.md'), report(samples))
}

function plot(samples: readonly Sample[]): string {
  const hours = samples.at(-1)!.hours
  const yMax = Math.ceil(Math.max(...samples.map(({ ownMb }) => ownMb)) / 500) * 500
  const curve = (read: (one: Sample) => number, colour: string): string =>
    polyline(
      samples.map((one) => [plotX(one.hours / hours), plotY(read(one), yMax)] as const),
      colour,
    )
  const frame = {
    title: 'Memory over a day and a half of the market',
    subtitle: `${samples.at(-1)!.trades} trades, ${samples.at(-1)!.tokens} launches, in compressed time`,
    xLabel: 'hours of the market',
    yLabel: 'MB',
    yMax,
    yText: (value: number) => String(Math.round(value)),
  }
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => [share, String(Math.round(share * hours))] as const)
  const words = [
    text(plotX(0.62), plotY(yMax * 0.12, yMax), 'own memory', { colour: BLUE, bold: true }),
    text(plotX(0.62), plotY(yMax * 0.05, yMax), 'JavaScript’s heap', { colour: ORANGE, bold: true }),
  ]
  const curves = [curve(({ ownMb }) => ownMb, BLUE), curve(({ heapMb }) => heapMb, ORANGE)]
  return picture(frame, ticks, [...curves, ...words].join('\n'))
}

function report(samples: readonly Sample[]): string {
  const day = dayOf(samples)
  const first = samples.slice(0, samples.indexOf(day) + 1)
  const last = samples.at(-1)!
  const flat = (read: (one: Sample) => number): string => growth(samples, DAY_HOURS, read).toFixed(2)
  const rows = samples
    .filter((_, i) => i % 8 === 7 || i === samples.length - 1)
    .map((one) => {
      const counts = [one.trades, one.tokens, one.tokensInMemory, one.walletsInMemory, one.positionsInMemory]
      const sizes = [one.graduatePositions, one.ownMb, one.heapMb, one.mappedMb, one.seconds].map(Math.round)
      return `| ${[one.hours.toFixed(1), ...counts, ...sizes].join(' | ')} |`
    })
  return `# A day in compressed time

\`npm run bench -- day\` on ${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}: a simulated market of
${TPS} trades a second, made, decoded, folded and committed as \`replay\` does, as fast as the machine can, in one process.

**The first day**: ${day.trades} trades and ${day.tokens} launches in ${Math.round(day.seconds)} seconds (${Math.round(day.trades / day.seconds)} trades a second), with at most ${peakOf(first, ({ ownMb }) => ownMb)} MB of the
process's own memory, ${peakOf(first, ({ heapMb }) => heapMb)} MB of it JavaScript's heap after a collection, and ${peakOf(first, ({ mappedMb }) => mappedMb)} MB of mapped files, which the system takes back when it
needs them. Own memory holds what the collector has not fetched yet and the market's own state too.

**After it**, until hour ${last.hours.toFixed(1)}: the late hours against the early ones, own memory × ${flat(({ ownMb }) => ownMb)}, heap × ${flat(({ heapMb }) => heapMb)}. Before that memory
rises while the market fills: a token stays in memory with everybody who held it for as long as it trades, and wallets up to a bound.

![memory over the hours](day.svg)

| hours | trades | launches | tokens in memory | wallets in memory | positions in memory | of them graduates' | own MB | heap MB | mapped MB | seconds |
|---|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}
