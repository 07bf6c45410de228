import { existsSync, rmSync } from 'node:fs'
import { importFiles } from '@ti/lab/import/import.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { truthPath } from '@ti/lab/simulator/truth.ts'
import { createTruthWriter } from '@ti/lab/simulator/truth-writer.ts'
import { lockDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { LIMITS } from '../config/limits.ts'
import { readOptions } from '../config/options.ts'
import { openCapture } from '../source/capture/capture.ts'
import { recordCapture } from '../source/capture/record.ts'
import { createCaptureWriter, partialOf, resumeCaptureWriter } from '../source/capture/writer.ts'
import { openSource, simulatorOptions } from '../source/open.ts'
import { countsInWords, importInWords, infoInWords } from './capture-words.ts'
import type { Run } from './definition.ts'
import { type Io, SILENT, throwIfInterrupted } from './io.ts'
import { wrongUsage } from './parse.ts'

export const importInto: Run = async (given, io) => {
  const out = given.operands.at(-1)!
  const price = given.text('sol-usd')
  const solUsd = price === undefined ? undefined : Number(price)
  if (solUsd !== undefined && !(solUsd > 0 && solUsd < 1e6)) {
    throw wrongUsage(`--sol-usd takes a price in USD, not ${price}`)
  }
  const bar = io.progress('import')
  const finished = leavesPartial(out, io)
  const report = await importFiles(given.operands.slice(0, -1), out, {
    ...(solUsd === undefined ? {} : { solUsd }),
    onProgress: (share, text) => bar.update(share, () => text),
  })
  finished()
  bar.done()
  io.result(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : importInWords(out, report))
}

export const simulate: Run = async (given, io) => {
  const [out = ''] = given.operands
  const market: Record<string, string> = {}
  for (const name of ['trades', 'slots', 'seed', 'tps', 'market', 'traced', 'adversary', 'surge'])
    if (given.has(name)) market[name] = given.text(name)!
  if (market.trades === undefined && market.slots === undefined) throw wrongUsage('--trades or --slots is missing')
  const written = await writeSimulation(out, { ...market, truth: !given.has('no-truth') }, io)
  io.result(given.has('json') ? `${JSON.stringify(written)}\n` : countsInWords(out, written))
}

/** An unfinished capture is removed, unless it was there before: then it is not ours. */
function leavesPartial(out: string, io: Io, stays?: string): () => void {
  const partial = partialOf(out)
  return existsSync(partial) ? () => {} : io.leaves(partial, stays)
}

export interface SimulationOptions {
  /** ends after about this many trades, or after this many slots; one of them has to be given */
  readonly trades?: number | string
  readonly slots?: number | string
  readonly seed?: string
  readonly tps?: string
  /** 2: the harder market */
  readonly market?: string
  readonly traced?: string
  readonly adversary?: string
  readonly surge?: string
  /** also writes who was behind each token */
  readonly truth?: boolean
}

/** Writes a simulated market; returns what the capture holds. */
export async function writeSimulation(out: string, { truth = false, ...market }: SimulationOptions, io: Io = SILENT) {
  const query = new URLSearchParams({ speed: '0' })
  for (const [name, value] of Object.entries(market)) if (value !== undefined) query.set(name, String(value))
  const source = createSimulator(simulatorOptions(query.toString()))
  const writer = await createCaptureWriter(out, {
    created_at: new Date().toISOString(),
    source: source.name,
    holds: 'a simulated market',
  })
  const whole = [io.leaves(partialOf(out))]
  const truthWriter = truth ? createTruthWriter(truthPath(out), source.settings) : null
  if (truth) whole.push(io.leaves(`${truthPath(out)}.partial`))
  if (truth && !existsSync(truthPath(out))) whole.push(io.leaves(truthPath(out)))
  const bar = io.progress('simulate')
  const { slots, trades, startSlot } = source.settings
  let transactions = 0
  try {
    for await (const item of source.items(START, io.signal, truthWriter?.write)) {
      await writer.write(item)
      if (item.kind !== 'raw') continue
      transactions += item.block.transactions.length
      const share = Math.max(transactions / (trades ?? Infinity), (item.block.slot - startSlot) / (slots ?? Infinity))
      bar.update(share, () => `${transactions} transactions`)
    }
    throwIfInterrupted(io)
    bar.done()
    truthWriter?.finish()
    const written = await writer.finish()
    for (const finished of whole) finished()
    return written
  } catch (error) {
    truthWriter?.discard()
    await writer.discard()
    throw error
  }
}

const START = { slot: -1, time: 0, facts: 0 }

export const record: Run = async (given, io) => {
  const [out = ''] = given.operands
  const forMs = durationOf(given.text('for'))
  const source = await openSource(given.text('source') ?? readOptions(environment()).source)
  const bar = io.progress('record')
  const written = await whileLocked(out, () =>
    recordCapture(source, out, {
      forMs,
      signal: io.signal,
      onProgress: (share, items, slot) => bar.update(share, () => `${items} items, slot ${slot}`),
    }),
  )
  bar.done()
  io.result(given.has('json') ? `${JSON.stringify(written)}\n` : countsInWords(out, written))
}

export const finish: Run = async (given, io) => {
  const [out = ''] = given.operands
  io.leaves(partialOf(out), 'the same command continues')
  const written = await whileLocked(out, async () => (await resumeCaptureWriter(out)).finish())
  io.result(given.has('json') ? `${JSON.stringify(written)}\n` : countsInWords(out, written))
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
  if (!(ms > 0 && ms <= LIMITS.capture.recordMs)) throw wrongUsage('--for takes a time like 90s, 10m, 2h, up to 7d')
  return ms
}

export const info: Run = async (given, io) => {
  const [file = ''] = given.operands
  const { info } = await openCapture(file)
  io.result(given.has('json') ? `${JSON.stringify(info, null, 2)}\n` : infoInWords(file, info))
}
