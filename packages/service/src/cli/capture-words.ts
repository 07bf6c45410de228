import type { CaptureInfo } from '../source/capture/capture.ts'
import type { CaptureCounts } from '../source/capture/format.ts'

/** The contents of a capture as text; programs use --json. */
export function countsInWords(file: string, { raw, decoded, facts, gap, transactions }: CaptureCounts): string {
  const parts = [
    `${raw} blocks with ${transactions} transactions`,
    ...(decoded === 0 ? [] : [`${decoded} blocks decoded elsewhere`]),
    ...(facts === 0 ? [] : [`${facts} entries of outside facts`]),
    ...(gap === 0 ? [] : [`${gap} gaps`]),
  ]
  return `${file}: ${parts.join(', ')}\n`
}

export function infoInWords(file: string, { header, counts, firstSlot, lastSlot, bytes }: CaptureInfo): string {
  return `${countsInWords(file, counts)}  ${header.holds}, from ${header.source}, made ${header.created_at}
  chain ${header.chain ?? 'not named'}
  slots ${firstSlot} to ${lastSlot}, ${Math.ceil(bytes / 1e6)} MB
`
}
