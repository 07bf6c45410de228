import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReplayReport } from '../src/cli/replay.ts'
import { cli, median, ROOT } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * Replay against this program's own rate at an earlier commit, built aside and run in turn with the present one. The
 * capture is made by the earlier program, so that both can read it.
 */
const COMMIT = process.env.BENCH_PREVIOUS ?? 'bd02a1d'
const TRADES = Number(process.env.BENCH_TRADES ?? 1_000_000) / 2
const ROUNDS = 3
/** with the judgement folded in, at least half as fast as without it */
const BAR = 0.5

const run = promisify(execFile)

export async function benchPrevious(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-previous-'))
  const tree = join(dir, 'tree')
  const file = join(dir, 'market.capture')
  try {
    await run('git', ['-C', ROOT, 'worktree', 'add', '--detach', tree, COMMIT])
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
    await run('npm', ['run', '--silent', 'build'], { cwd: tree })
    const before = async (...args: string[]): Promise<string> =>
      (await run(process.execPath, [join(tree, 'dist/main.js'), ...args], { maxBuffer: 64 << 20 })).stdout
    await before('capture', 'simulate', file, '--trades', String(TRADES))
    const rates: number[][] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      for (const [n, program] of [before, cli].entries()) {
        const report: ReplayReport = JSON.parse(await program('replay', file, '--json'))
        rates[n]!.push(report.trades_per_second)
      }
    }
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
    await run('git', ['-C', ROOT, 'worktree', 'remove', '--force', tree]).catch(() => {})
    rmSync(dir, { recursive: true, force: true })
  }
}
