import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSimulation } from './capture.ts'
import { type Command, parse, wholeNumber } from './command.ts'
import { replayFile } from './replay.ts'

const usage = `bench [--trades N] [--seed N]
  how fast this machine is: makes a simulated capture (100,000 trades) and replays it`

export const bench: Command = {
  usage,
  async run(args) {
    const options = { trades: { type: 'string' }, seed: { type: 'string' } } as const
    const { values } = parse(usage, args, options, { min: 0, max: 0 })
    const trades = wholeNumber('trades', values.trades) ?? 100_000
    const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-bench-'))
    try {
      const file = join(dir, 'bench.capture')
      const started = performance.now()
      await writeSimulation(file, { trades, seed: values.seed ?? '1', tps: '60' })
      const simulated = (performance.now() - started) / 1000
      const report = await replayFile(file)
      const perTrade = Math.round(statSync(file).size / Math.max(1, report.trades))
      process.stdout.write(
        `simulate  ${Math.round(report.trades / simulated)} trades/s, ${perTrade} bytes a trade in the capture
replay    ${report.trades_per_second} trades/s (${report.trades} trades in ${report.seconds} s), peak memory ${report.peak_memory_mb} MB
node ${process.version}, ${process.platform} ${process.arch}
`,
      )
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
}
