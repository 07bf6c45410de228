import { existsSync } from 'node:fs'
import { countsInWords } from '@ti/service/cli/capture-words.ts'
import type { Run } from '@ti/service/cli/definition.ts'
import { type Io, SILENT, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { wrongUsage } from '@ti/service/cli/parse.ts'
import { createCaptureWriter, partialOf } from '@ti/service/source/capture/writer.ts'
import { simulatorOptions } from '../simulator/options.ts'
import { createSimulator } from '../simulator/simulator.ts'
import { truthPath } from '../simulator/truth.ts'
import { createTruthWriter } from '../simulator/truth-writer.ts'

export const simulate: Run = async (given, io) => {
  const [out = ''] = given.operands
  const market: Record<string, string> = {}
  for (const name of ['trades', 'slots', 'seed', 'tps', 'market', 'traced', 'adversary', 'kinds', 'surge'])
    if (given.has(name)) market[name] = given.text(name)!
  if (market.trades === undefined && market.slots === undefined) throw wrongUsage('--trades or --slots is missing')
  const written = await writeSimulation(out, { ...market, truth: !given.has('no-truth') }, io)
  io.result(given.has('json') ? `${JSON.stringify(written)}\n` : countsInWords(out, written))
}

export interface SimulationOptions {
  /** ends after about this many trades, or after this many slots; one of them has to be given */
  readonly trades?: number | string
  readonly slots?: number | string
  readonly seed?: string
  readonly tps?: string
  /** 2 or 3 */
  readonly market?: string
  readonly traced?: string
  readonly adversary?: string
  readonly kinds?: string
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
    chain: source.name,
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
