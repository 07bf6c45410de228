import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReplayReport } from '@ti/service/cli/replay.ts'
import { cli, median, ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * Replay rate relative to an earlier commit of this program, which is built separately and run alternately. Each build
 * simulates the market itself, because it may not read the other's program layouts.
 */
const COMMIT = process.env.BENCH_PREVIOUS ?? 'bd02a1d'
const TRADES = Number(process.env.BENCH_TRADES ?? 1_000_000) / 2
const ROUNDS = 3
/** with outcomes in the fold, at least half the earlier rate */
const BAR = 0.5

const run = promisify(execFile)

export async function benchPrevious(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-previous-'))
  const tree = join(dir, 'tree')
  try {
    mkdirSync(tree)
    const archive = join(dir, 'tree.tar')
    await run('git', ['-C', ROOT, 'archive', '--output', archive, COMMIT])
    await run('tar', ['-xf', archive, '-C', tree])
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
      cwd: tree,
    })
    const before = async (...args: string[]): Promise<string> =>
      (await run(process.execPath, [join(tree, 'dist/main.js'), ...args], { maxBuffer: 64 << 20 })).stdout
    const sides = [before, cli].map((program, n) => ({
      program,
      file: join(dir, `${n}.capture`),
      rates: [] as number[],
    }))
    for (const { program, file } of sides) await program('capture', 'simulate', file, '--trades', String(TRADES))
    for (let round = 0; round < ROUNDS; round++) {
      for (const { program, file, rates } of sides) {
        const report: ReplayReport = JSON.parse(await program('replay', file, '--json'))
        rates.push(report.trades_per_second)
      }
    }
    const rates = sides.map((side) => side.rates)
    const [then, now] = rates.map(median) as [number, number]
    return [
      {
        name: `replay, trades/s against this program at ${COMMIT}`,
        ratio: now / then,
        bar: BAR,
        pass: now / then >= BAR,
        detail: `${TRADES} trades, ${ROUNDS} rounds in turn: ${now}/s (${rates[1]!.join(' ')}), then ${then}/s (${rates[0]!.join(' ')})`,
      },
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
