import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counts } from '@ti/core/base/counts.ts'
import { beginAccounts } from '../access/sql/accounts-file.ts'
import { holdDataDir } from '../base/lock.ts'
import type { PipelineProgress } from '../ingest/pipeline.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { COMMIT_REPLAY, type Node, openNode } from '../service/node.ts'
import { openCapture } from '../source/capture/capture.ts'
import type { Run } from './definition.ts'
import { shareOf } from './fold-until.ts'
import { type Io, SILENT, throwIfInterrupted } from './io.ts'
import { wrongUsage } from './parse.ts'

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
  /** Microseconds per trade, for each hundred thousand trades. */
  readonly microseconds_per_trade: readonly number[]
  readonly skipped: Record<string, number>
  readonly state_hash: string
}

export const replay: Run = async (given, io) => {
  const [file = ''] = given.operands
  const asked = ASKED.filter((name) => given.has(name))
  const until = given.whole('until-slot')
  if (asked.length > 1 || (asked.length === 0 && until !== undefined)) {
    throw wrongUsage(
      '--until-slot shows one answer: add --snapshot MINT, --trades MINT or --list NAME, and only one of them',
    )
  }
  const [name] = asked
  if (name !== undefined) return (await import('./answer-at.ts')).answerAt(file, until, io, name, given.text(name)!)
  const report = await replayFile(file, given.text('data-dir'), io)
  io.result(given.has('json') ? `${JSON.stringify(report)}\n` : describe(report))
}

const ASKED = ['snapshot', 'trades', 'list'] as const

/** Without `dataDir` the state is deleted afterwards. */
export async function replayFile(file: string, dataDir?: string, io: Io = SILENT): Promise<ReplayReport> {
  const dir = dataDir ?? mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  io.leaves(dir, dataDir === undefined ? undefined : 'the same command continues')
  const bar = io.progress('replay')
  try {
    const { info } = await openCapture(file)
    const lock = await holdDataDir(dir)
    // a service starts on no directory that was used and has no accounts
    if (dataDir !== undefined) beginAccounts(dir)
    const node = await openNode(dir, { lock })
    try {
      const { globals } = node.engine
      const started = performance.now()
      const before = globals.nextTrade
      const marks: Mark[] = [{ trades: 0, ms: 0 }]
      const entries = createThreadedEntryStream(`capture:${file}?speed=0`, dir)
      const pipeline = node.feed(entries, {
        commit: COMMIT_REPLAY,
        afterEntry() {
          bar.update(shareOf(globals.slot, info.firstSlot, info.lastSlot), () => {
            const trades = globals.nextTrade - before
            return `${trades} trades, ${rate(trades, started)} a second`
          })
        },
        onCommit: () => marks.push({ trades: globals.nextTrade - before, ms: performance.now() - started }),
      })
      await pipeline.run(io.signal)
      throwIfInterrupted(io)
      bar.done()
      return reportOf(node, pipeline.progress, entries.counts, marks)
    } finally {
      await node.close()
    }
  } finally {
    if (dataDir === undefined) rmSync(dir, { recursive: true, force: true })
  }
}

const rate = (trades: number, since: number): number => Math.round(trades / ((performance.now() - since) / 1000))

interface Mark {
  readonly trades: number
  readonly ms: number
}

const STEP = 100_000

/** Microseconds per trade for each whole STEP, interpolated linearly between commits. */
function costs(marks: readonly Mark[]): number[] {
  const at = (trades: number): number => {
    const i = marks.findIndex((mark) => mark.trades >= trades)
    const to = marks[i]!
    const from = marks[i - 1] ?? to
    const part = to.trades > from.trades ? (trades - from.trades) / (to.trades - from.trades) : 0
    return from.ms + (to.ms - from.ms) * part
  }
  const steps = Math.floor(marks.at(-1)!.trades / STEP)
  return Array.from({ length: steps }, (_, i) => Math.round(((at((i + 1) * STEP) - at(i * STEP)) * 1e4) / STEP) / 10)
}

function reportOf(node: Node, progress: PipelineProgress, skipped: Counts, marks: readonly Mark[]): ReplayReport {
  const { trades, ms } = marks.at(-1)!
  const seconds = ms / 1000
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
    microseconds_per_trade: costs(marks),
    skipped: Object.fromEntries([...skipped, ...counts].sort()),
    state_hash: node.store.stateHash(),
  }
}

function describe(report: ReplayReport): string {
  const { skipped, ...rest } = report
  const measured = Object.entries(rest).filter(([, value]) => !(Array.isArray(value) && value.length === 0))
  const rows = [...measured, ...Object.entries(skipped).map(([name, n]) => [`skipped ${name}`, n] as const)]
  const width = Math.max(...rows.map(([name]) => name.length))
  return `${rows.map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${value}`).join('\n')}\n`
}
