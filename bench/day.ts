import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { BLUE, ORANGE, picture, plotX, plotY, polyline, text } from '../src/evaluate/svg.ts'
import type { Sample } from './day-child.ts'
import { ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/** A day of the main network at its mean, in compressed time: does memory stay where it is? */
const TRADES = Number(process.env.BENCH_DAY_TRADES ?? 10_400_000)
const TPS = Number(process.env.BENCH_DAY_TPS ?? 120)
const SAMPLES = 96
/** mean of the last quarter against the quarter after the first: what fills up (wallets, live tokens) is full by then */
const BAR = 1.15

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
    child.on('message', (message: Sample | { stateHash: null }) => {
      if (!('trades' in message)) return
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

/** Of the last quarter against the second one. */
export function growth(samples: readonly Sample[], read: (one: Sample) => number): number {
  const quarter = Math.floor(samples.length / 4)
  return mean(samples.slice(-quarter).map(read)) / mean(samples.slice(quarter, 2 * quarter).map(read))
}

export async function benchDay(): Promise<BenchRow[]> {
  const samples = await runDay(TRADES, TPS, SAMPLES, ({ trades, hours, ownMb, seconds }) => {
    console.error(`  ${trades} trades, ${hours.toFixed(1)} h, ${Math.round(ownMb)} MB, ${Math.round(seconds)} s`)
  })
  writeReport(samples)
  const own = growth(samples, ({ ownMb }) => ownMb)
  const heap = growth(samples, ({ heapMb }) => heapMb)
  const last = samples.at(-1)!
  const peak = Math.max(...samples.map(({ ownMb }) => ownMb))
  const detail = `${last.trades} trades, ${last.tokens} launches, ${last.hours.toFixed(1)} h in ${Math.round(last.seconds)} s; at most ${Math.round(peak)} MB of its own`
  return [
    {
      name: 'memory of the last quarter of a day against the second (at most)',
      ratio: own,
      bar: BAR,
      pass: own <= BAR,
      detail,
    },
    { name: 'of it JavaScript’s heap after a collection', ratio: heap, bar: BAR, pass: heap <= BAR, detail },
  ]
}

function writeReport(samples: readonly Sample[]): void {
  const folder = join(ROOT, 'docs/capacity')
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
    title: 'Memory over a day of the market',
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
  const last = samples.at(-1)!
  const peak = (read: (one: Sample) => number): number => Math.round(Math.max(...samples.map(read)))
  const rows = samples
    .filter((_, i) => i % 8 === 7 || i === samples.length - 1)
    .map(
      (one) =>
        `| ${one.hours.toFixed(1)} | ${one.trades} | ${one.tokens} | ${one.tokensInMemory} | ${one.walletsInMemory} | ${Math.round(one.ownMb)} | ${Math.round(one.heapMb)} | ${Math.round(one.mappedMb)} | ${Math.round(one.seconds)} |`,
    )
  return `# A day in compressed time

\`npm run bench -- day\` on ${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}: a simulated market of
${TPS} trades a second, decoded, folded and committed as when serving, as fast as the machine can.

${last.trades} trades, ${last.tokens} launches, ${last.hours.toFixed(1)} hours in ${Math.round(last.seconds)} seconds (${Math.round(last.trades / last.seconds)} trades a second). At most ${peak(({ ownMb }) => ownMb)} MB of the
process's own memory and ${peak(({ mappedMb }) => mappedMb)} MB of the mapped data file, which the system takes back when it needs it. Own memory of the
last quarter against the second: ${growth(samples, ({ ownMb }) => ownMb).toFixed(2)}; JavaScript's heap: ${growth(samples, ({ heapMb }) => heapMb).toFixed(2)}.

![memory over the day](day.svg)

| hours | trades | launches | tokens in memory | wallets in memory | own MB | heap MB | mapped MB | seconds |
|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}
