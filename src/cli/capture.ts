import { rmSync } from 'node:fs'
import { EXIT, OperatorError } from '../base/errors.ts'
import { lockDataDir } from '../base/lock.ts'
import { LIMITS } from '../config/limits.ts'
import { openCapture } from '../source/capture/capture.ts'
import { recordCapture } from '../source/capture/record.ts'
import { createCaptureWriter, resumeCaptureWriter } from '../source/capture/writer.ts'
import { importFiles } from '../source/import/import.ts'
import { openSource, simulatorOptions } from '../source/open.ts'
import { createSimulator } from '../source/simulator/simulator.ts'
import { truthPath } from '../source/simulator/truth.ts'
import { createTruthWriter } from '../source/simulator/truth-writer.ts'
import { type Command, parse } from './command.ts'
import { createProgressBar } from './progress.ts'

const usage = `capture import FILE… OUT [--sol-usd N]
  turns real material (raw transactions, blocks, log notifications, trade CSV, swap JSONL, captures) into a capture, what
  comes twice once, and names what it left out with its reason;
  --sol-usd gives SOL a price in USD, without which market caps are 0
capture simulate OUT --trades N | --slots N [--seed N] [--tps N] [--no-truth]
  writes a simulated market as a capture, until it has so many trades or slots, and beside it OUT.truth.jsonl: who was
  really behind each token, for evaluate; --no-truth leaves that out
capture record OUT --for 10m [--source SPEC]
  records what a source yields (SOURCE without --source) for so long (s, m, h or d), or until Ctrl-C
capture finish OUT
  makes a capture of what an interrupted recording left in OUT.partial
capture info FILE
  says what a capture holds`

export const capture: Command = {
  usage,
  async run(args) {
    const [action, ...rest] = args
    if (action === 'import') return importInto(rest)
    if (action === 'simulate') return simulate(rest)
    if (action === 'record') return record(rest)
    if (action === 'finish') return finish(rest)
    if (action === 'info') return info(rest)
    throw new OperatorError(`capture needs one of import, simulate, record, finish, info\n\n${usage}`, {
      exitCode: EXIT.usage,
    })
  },
}

async function importInto(args: readonly string[]): Promise<void> {
  const many = { min: 2, max: 10_000 }
  const { values, positionals } = parse(usage, args, { 'sol-usd': { type: 'string' } }, many)
  const out = positionals.at(-1)!
  const bar = createProgressBar('import')
  const solUsd = values['sol-usd'] === undefined ? undefined : Number(values['sol-usd'])
  if (solUsd !== undefined && !(solUsd > 0 && solUsd < 1e6)) {
    throw new OperatorError(`--sol-usd takes a price in USD, not ${values['sol-usd']}`, { exitCode: EXIT.usage })
  }
  const report = await importFiles(positionals.slice(0, -1), out, {
    ...(solUsd === undefined ? {} : { solUsd }),
    onProgress: (share, text) => bar.update(share, text),
  })
  bar.done()
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
}

async function simulate(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const options = { trades: text, slots: text, seed: text, tps: text, 'no-truth': { type: 'boolean' } } as const
  const { values, positionals } = parse(usage, args, options, { min: 1, max: 1 })
  const { 'no-truth': noTruth = false, ...market } = values
  if (market.trades === undefined && market.slots === undefined)
    throw new OperatorError(`--trades or --slots is missing\n\n${usage}`, { exitCode: EXIT.usage })
  const written = await writeSimulation(positionals[0]!, { ...market, truth: !noTruth })
  process.stdout.write(`${JSON.stringify(written)}\n`)
}

export interface SimulationOptions {
  /** ends after about so many trades, or after so many slots; one of them has to be given */
  readonly trades?: number | string
  readonly slots?: number | string
  readonly seed?: string
  readonly tps?: string
  /** also writes who was behind each token */
  readonly truth?: boolean
}

/** Writes a simulated market; returns what the capture holds. */
export async function writeSimulation(out: string, { truth = false, ...market }: SimulationOptions) {
  const query = new URLSearchParams({ speed: '0' })
  for (const [name, value] of Object.entries(market)) if (value !== undefined) query.set(name, String(value))
  const source = createSimulator(simulatorOptions(query.toString()))
  const writer = await createCaptureWriter(out, {
    created_at: new Date().toISOString(),
    source: source.name,
    holds: 'a simulated market',
  })
  const told = truth ? createTruthWriter(truthPath(out), source.settings) : null
  const bar = createProgressBar('simulate')
  const { slots, trades, startSlot } = source.settings
  let transactions = 0
  try {
    for await (const item of source.items(START, new AbortController().signal, told?.write)) {
      await writer.write(item)
      if (item.kind !== 'raw') continue
      transactions += item.block.transactions.length
      const share = Math.max(transactions / (trades ?? Infinity), (item.block.slot - startSlot) / (slots ?? Infinity))
      bar.update(share, `${transactions} transactions`)
    }
    bar.done()
    told?.finish()
    return await writer.finish()
  } catch (error) {
    told?.discard()
    await writer.discard()
    throw error
  }
}

const START = { slot: -1, time: 0, facts: 0 }

async function record(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const
  const { values, positionals } = parse(usage, args, { for: text, source: text }, { min: 1, max: 1 })
  const out = positionals[0]!
  const forMs = durationOf(values.for)
  const source = await openSource(values.source ?? process.env.SOURCE ?? 'simulator:')
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  const bar = createProgressBar('record')
  const written = await whileLocked(out, () =>
    recordCapture(source, out, {
      forMs,
      signal: stop.signal,
      onProgress: (share, items, slot) => bar.update(share, `${items} items, slot ${slot}`),
    }),
  )
  bar.done()
  process.stdout.write(`${JSON.stringify(written)}\n`)
}

async function finish(args: readonly string[]): Promise<void> {
  const out = parse(usage, args, {}, { min: 1, max: 1 }).positionals[0]!
  const written = await whileLocked(out, async () => (await resumeCaptureWriter(out)).finish())
  process.stdout.write(`${JSON.stringify(written)}\n`)
}

/** One process at a time works on a recording; a folder beside it holds the lock. */
async function whileLocked<T>(out: string, work: () => Promise<T>): Promise<T> {
  const dir = `${out}.recording`
  const lock = await lockDataDir(dir)
  try {
    return await work()
  } finally {
    await lock.release()
    rmSync(dir, { recursive: true, force: true })
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function durationOf(text: string | undefined): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text ?? '') ?? []
  const ms = Number(number) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
  if (!(ms > 0 && ms <= LIMITS.captureRecordMs))
    throw new OperatorError(`--for takes a time like 90s, 10m, 2h, up to 7d\n\n${usage}`, { exitCode: EXIT.usage })
  return ms
}

async function info(args: readonly string[]): Promise<void> {
  const { positionals } = parse(usage, args, {}, { min: 1, max: 1 })
  const { info } = await openCapture(positionals[0]!)
  process.stdout.write(`${JSON.stringify(info, null, 2)}\n`)
}
