import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Run } from '@ti/service/cli/definition.ts'
import { replayFile } from '@ti/service/cli/replay.ts'
import { writeSimulation } from './simulate.ts'

export const bench: Run = async (given, io) => {
  const trades = given.whole('trades') ?? 100_000
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-bench-'))
  io.leaves(dir)
  try {
    const file = join(dir, 'bench.capture')
    const started = performance.now()
    await writeSimulation(file, { trades, seed: given.text('seed') ?? '1', tps: '60' }, io)
    const simulated = (performance.now() - started) / 1000
    const report = await replayFile(file, undefined, io)
    const perTrade = Math.round(statSync(file).size / Math.max(1, report.trades))
    const rate = Math.round(report.trades / simulated)
    const json = { simulated_trades_per_second: rate, bytes_per_trade: perTrade, replay: report, node: process.version }
    io.result(
      given.has('json')
        ? `${JSON.stringify(json)}\n`
        : `simulate  ${rate} trades/s, ${perTrade} bytes a trade in the capture
replay    ${report.trades_per_second} trades/s (${report.trades} trades in ${report.seconds} s), peak memory ${report.peak_memory_mb} MB
node ${process.version}, ${process.platform} ${process.arch}
`,
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
