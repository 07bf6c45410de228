import { EXIT, OperatorError } from '../base/errors.ts'
import { openCapture } from '../source/capture/capture.ts'
import { createCaptureWriter } from '../source/capture/writer.ts'
import { importFiles } from '../source/import/import.ts'
import { openSource } from '../source/open.ts'
import { type Command, parse } from './command.ts'
import { createProgressBar } from './progress.ts'

const usage = `capture import FILE… OUT [--sol-usd N]
  turns real material (raw transactions, blocks, log notifications, trade CSV, swap JSONL) into a capture;
  --sol-usd gives SOL a price in USD, without which market caps are 0
capture simulate OUT --trades N [--seed N] [--tps N]
  writes a simulated market as a capture
capture info FILE
  says what a capture holds`

export const capture: Command = {
  usage,
  async run(args) {
    const [action, ...rest] = args
    if (action === 'import') return importInto(rest)
    if (action === 'simulate') return simulate(rest)
    if (action === 'info') return info(rest)
    throw new OperatorError(`capture needs one of import, simulate, info\n\n${usage}`, { exitCode: EXIT.usage })
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
  const options = { trades: { type: 'string' }, seed: { type: 'string' }, tps: { type: 'string' } } as const
  const { values, positionals } = parse(usage, args, options, { min: 1, max: 1 })
  const { trades, seed = '1', tps = '60' } = values
  if (trades === undefined) throw new OperatorError(`--trades is missing\n\n${usage}`, { exitCode: EXIT.usage })
  const written = await writeSimulation(positionals[0]!, { trades: Number(trades), seed, tps })
  process.stdout.write(`${JSON.stringify(written)}\n`)
}

/** Writes a simulated market of about `trades` trades; returns what the capture holds. */
export async function writeSimulation(
  out: string,
  { trades, seed, tps }: { readonly trades: number; readonly seed: string; readonly tps: string },
) {
  const source = await openSource(`simulator:seed=${seed}&tps=${tps}&trades=${trades}&speed=0`)
  const writer = await createCaptureWriter(out, {
    created_at: new Date().toISOString(),
    source: source.name,
    holds: 'a simulated market',
  })
  const bar = createProgressBar('simulate')
  let transactions = 0
  try {
    for await (const item of source.items({ slot: -1, time: 0, facts: 0 }, new AbortController().signal)) {
      await writer.write(item)
      if (item.kind === 'raw') transactions += item.block.transactions.length
      bar.update(transactions / trades, `${transactions} transactions`)
    }
    bar.done()
    return await writer.finish()
  } catch (error) {
    await writer.discard()
    throw error
  }
}

async function info(args: readonly string[]): Promise<void> {
  const { positionals } = parse(usage, args, {}, { min: 1, max: 1 })
  const { info } = await openCapture(positionals[0]!)
  process.stdout.write(`${JSON.stringify(info, null, 2)}\n`)
}
