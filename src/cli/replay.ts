import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import { type Node, openNode } from '../node.ts'
import { openCapture } from '../source/capture/capture.ts'
import { type Command, parse } from './command.ts'
import { createProgressBar } from './progress.ts'

const usage = `replay FILE [--data-dir DIR] [--json]
  folds a capture as fast as it can and prints counts, rate and the state hash.
  Without --data-dir the state is thrown away; with it, an interrupted replay goes on where it was.`

export interface ReplayReport {
  readonly blocks: number
  readonly events: number
  readonly trades: number
  readonly tokens: number
  readonly wallets: number
  readonly slot: number
  readonly seconds: number
  readonly trades_per_second: number
  readonly peak_memory_mb: number
  readonly skipped: Record<string, number>
  readonly state_hash: string
}

export const replay: Command = {
  usage,
  async run(args) {
    const options = { 'data-dir': { type: 'string' }, json: { type: 'boolean' } } as const
    const { values, positionals } = parse(usage, args, options, { min: 1, max: 1 })
    const report = await replayFile(positionals[0]!, values['data-dir'])
    process.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : describe(report))
  },
}

export interface ReplayObserver {
  /** after each commit, with the trades folded so far in this run */
  onTrades?(trades: number, node: Node): void
}

export async function replayFile(file: string, dataDir?: string, observer: ReplayObserver = {}): Promise<ReplayReport> {
  const dir = dataDir ?? mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const bar = createProgressBar('replay')
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    let share = 0
    const capture = await openCapture(file, { speed: 0, onProgress: ({ bytes, total }) => void (share = bytes / total) })
    const node = await openNode(dir)
    try {
      const { globals } = node.engine
      const started = performance.now()
      const before = globals.nextTrade
      const pipeline = node.feed(capture, {
        commitEvents: LIMITS.commitEvents,
        onCommit() {
          const trades = globals.nextTrade - before
          bar.update(share, `${trades} trades, ${rate(trades, started)} a second`)
          observer.onTrades?.(trades, node)
        },
      })
      await pipeline.run(stop.signal)
      bar.done()
      const seconds = (performance.now() - started) / 1000
      return reportOf(node, pipeline.progress, globals.nextTrade - before, seconds)
    } finally {
      await node.close()
    }
  } finally {
    process.off('SIGINT', interrupt)
    if (dataDir === undefined) rmSync(dir, { recursive: true, force: true })
  }
}

const rate = (trades: number, since: number): number => Math.round(trades / ((performance.now() - since) / 1000))

function reportOf(node: Node, progress: { blocks: number; events: number }, trades: number, seconds: number): ReplayReport {
  const { globals, counts } = node.engine
  return {
    blocks: progress.blocks,
    events: progress.events,
    trades,
    tokens: globals.nextToken,
    wallets: globals.nextWallet,
    slot: globals.slot,
    seconds: Math.round(seconds * 1000) / 1000,
    trades_per_second: Math.round(trades / Math.max(seconds, 1e-9)),
    peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024),
    skipped: Object.fromEntries([...node.decoder.counts, ...counts].sort()),
    state_hash: node.store.stateHash(),
  }
}

function describe(report: ReplayReport): string {
  const { skipped, ...rest } = report
  const rows = [...Object.entries(rest), ...Object.entries(skipped).map(([name, n]) => [`skipped ${name}`, n] as const)]
  const width = Math.max(...rows.map(([name]) => name.length))
  return `${rows.map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${value}`).join('\n')}\n`
}
