import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReplayReport } from '@ti/service/cli/replay.ts'
import { createFolder } from '../test/properties/prefix.ts'
import { measureDexParser } from './decode.ts'
import { capture, createMarket, crowdedToken } from './reading.ts'
import { cli, median, timeToReady } from './service.ts'
import type { BenchRow } from './types.ts'

/** Replay of a simulated market through the built program, and the following restart. */
const TRADES = Number(process.env.BENCH_TRADES ?? 1_000_000)
const STARTS = 5
/** trades of a launch that died at once */
const DEAD_TRADES = 8
const BAR = { rate: 25, growth: 1.3, readyMs: 3_000, restart: 1.15, large: 2 }
/** holders of a large token, of whom 90,000 bought within the hour, and of a quiet one; trades measured in each */
const LARGE = { holders: Number(process.env.HOLDERS ?? 300_000), quiet: 100, trades: 300 }

export async function benchReplay(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-replay-'))
  const file = join(dir, 'market.capture')
  const source = `capture:${file}?speed=0`
  try {
    await cli('capture', 'simulate', file, '--trades', String(TRADES))
    const before = await measureDexParser()
    const plain = join(dir, 'plain')
    const report: ReplayReport = JSON.parse(await cli('replay', file, '--data-dir', plain, '--json'))
    const dexParser = median([before, await measureDexParser(), await measureDexParser()])
    const rows = rateRows(report, dexParser, statSync(file).size)
    const ready = await starts(plain, source)
    rmSync(plain, { recursive: true })

    const [burdened, history] = [join(dir, 'burdened'), join(dir, 'dead.capture')]
    const dead = report.tokens * 10
    await capture(history, deadTokens(dead))
    await cli('replay', history, '--data-dir', burdened)
    await cli('replay', file, '--data-dir', burdened, '--json')
    const later = await starts(burdened, source)
    return [...rows, ...restartRows(ready, later, report.tokens, dead), await largeTokenRow()]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function rateRows(report: ReplayReport, dexParser: number, bytes: number): BenchRow[] {
  const costs = report.microseconds_per_trade
  const rate = report.trades_per_second / dexParser
  const rows = [
    {
      name: 'replay, trades/s against solana-dex-parser decoding transactions/s',
      ratio: rate,
      bar: BAR.rate,
      pass: rate >= BAR.rate,
      detail: `${report.trades} trades in ${report.seconds} s = ${report.trades_per_second}/s, baseline ${Math.round(dexParser)}/s, peak memory ${report.peak_memory_mb} MB, capture ${Math.round(bytes / report.trades)} bytes a trade`,
    },
  ]
  const early = costs[2]
  const late = costs.at(-1)
  if (early === undefined || late === undefined || costs.length < 4) return rows
  const growth = late / early
  return [
    ...rows,
    {
      name: 'cost of the last 100,000 trades against the 100,000 after a warm-up of 200,000 (at most)',
      ratio: growth,
      bar: BAR.growth,
      pass: growth <= BAR.growth,
      detail: `µs a trade by hundred thousand: ${costs.join(' ')}`,
    },
  ]
}

function restartRows(plain: number[], burdened: number[], tokens: number, dead: number): BenchRow[] {
  const ready = median(plain)
  const later = median(burdened)
  const list = (values: number[]): string => values.map((ms) => Math.round(ms)).join(' ')
  return [
    {
      name: 'restart to ready, seconds (at most)',
      ratio: ready / 1000,
      bar: BAR.readyMs / 1000,
      pass: ready <= BAR.readyMs,
      detail: `process start to first 200 of /readyz, ms: ${list(plain)}`,
    },
    {
      name: 'restart with ten times the tokens, all dead, against without (at most, noise included)',
      ratio: later / ready,
      bar: BAR.restart,
      pass: later / ready <= BAR.restart,
      detail: `${dead} dead tokens before the ${tokens} of the market, ms: ${list(burdened)}`,
    },
  ]
}

async function starts(dataDir: string, source: string): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < STARTS; i++) times.push(await timeToReady(dataDir, source))
  return times
}

/** Launches that a few wallets traded once, long before the market begins: most of the chain's history. */
function* deadTokens(count: number): Iterable<Buffer> {
  const market = createMarket()
  for (let token = 0; token < count; token++)
    yield market.block((trade) => {
      for (let i = 0; i < DEAD_TRADES; i++) trade(token, token * DEAD_TRADES + i, 1e9)
    })
}

/** What the trades of a token cost must not depend on its holders, nor on how many bought it within the hour. */
async function largeTokenRow(): Promise<BenchRow> {
  const folder = createFolder()
  try {
    const market = createMarket()
    folder.fold(crowdedToken(market, LARGE.holders, 5), 1_000)
    const [large, quiet] = [0, 1_000]
    for (let i = 0; i < LARGE.quiet; i++) folder.fold([market.block((trade) => trade(quiet, i, 1_000_000))], 1)
    global.gc?.()
    const spent = new Map<number, number[]>([
      [large, []],
      [quiet, []],
    ])
    for (let round = 0; round < LARGE.trades; round++) {
      for (const [token, each] of spent) {
        // every other trade opens a position
        const wallet = round % 2 === 0 ? LARGE.holders + round : round
        const block = market.block((trade) => trade(token, wallet, 1_000_000))
        const began = process.cpuUsage()
        folder.fold([block], 1)
        const { user, system } = process.cpuUsage(began)
        each.push((user + system) / 1_000)
      }
    }
    const [busy, still] = [median(spent.get(large)!), median(spent.get(quiet)!)]
    return {
      name: `a block with one trade in a token of ${LARGE.holders} holders against one in a quiet token (at most)`,
      ratio: busy / still,
      bar: BAR.large,
      pass: busy <= BAR.large * still,
      detail: `${busy.toFixed(2)} ms : ${still.toFixed(2)} ms of processors, median of ${LARGE.trades}, with commit; ${folder.engine.tokens.peekId(large)!.token.holders} holders`,
    }
  } finally {
    await folder.remove()
  }
}
