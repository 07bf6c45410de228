import type { ImportReport } from '@ti/lab/import/import.ts'
import type { CaptureInfo } from '../source/capture/capture.ts'
import type { CaptureCounts } from '../source/capture/format.ts'

/** Captures in words, for people; programs ask for --json. */
export function countsInWords(file: string, { raw, decoded, facts, gap, transactions }: CaptureCounts): string {
  const parts = [
    `${raw} blocks with ${transactions} transactions`,
    ...(decoded === 0 ? [] : [`${decoded} blocks decoded elsewhere`]),
    ...(facts === 0 ? [] : [`${facts} entries of outside facts`]),
    ...(gap === 0 ? [] : [`${gap} gaps`]),
  ]
  return `${file}: ${parts.join(', ')}\n`
}

export function importInWords(out: string, { files, written, notes }: ImportReport): string {
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

export function infoInWords(file: string, { header, counts, firstSlot, lastSlot, bytes }: CaptureInfo): string {
  return `${countsInWords(file, counts)}  ${header.holds}, from ${header.source}, made ${header.created_at}
  slots ${firstSlot} to ${lastSlot}, ${Math.ceil(bytes / 1e6)} MB
`
}
