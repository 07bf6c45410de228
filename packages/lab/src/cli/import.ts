import { existsSync } from 'node:fs'
import { countsInWords } from '@ti/service/cli/capture-words.ts'
import type { Run } from '@ti/service/cli/definition.ts'
import type { Io } from '@ti/service/cli/io.ts'
import { wrongUsage } from '@ti/service/cli/parse.ts'
import { partialOf } from '@ti/service/source/capture/writer.ts'
import { type ImportReport, importFiles } from '../import/import.ts'

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

/** An unfinished capture is removed, unless it was there before: then it is not ours. */
function leavesPartial(out: string, io: Io): () => void {
  const partial = partialOf(out)
  return existsSync(partial) ? () => {} : io.leaves(partial)
}

function importInWords(out: string, { files, written, notes }: ImportReport): string {
  const { decodedTrades, decodedCreates, firstSlot, lastSlot } = written
  const elsewhere =
    decodedTrades + decodedCreates === 0
      ? ''
      : `  decoded elsewhere: ${decodedTrades} trades, ${decodedCreates} launches\n`
  const each = files.map(
    ({ file, records, problem }) => `  ${file}: ${records} records${problem === null ? '' : `; ${problem}`}\n`,
  )
  const left = Object.entries(notes).map(([name, n]) => `  ${name.replaceAll('_', ' ')}: ${n}\n`)
  const head = `${countsInWords(out, written)}  slots ${firstSlot} to ${lastSlot}\n`
  return `${head}${elsewhere}from\n${each.join('')}${left.length === 0 ? '' : `left out or derived\n${left.join('')}`}`
}
