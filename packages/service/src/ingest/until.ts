import { readHead } from '../log/codec.ts'
import type { EntryStream } from './entries.ts'

/**
 * The stream up to the first block or gap after `slot`, which gives the state served until then. Facts in between are
 * included, as in a running service.
 */
export const untilSlot = (entries: EntryStream, slot: number): EntryStream => ({
  counts: entries.counts,
  async *batches(cursor, signal) {
    for await (const batch of entries.batches(cursor, signal)) {
      const end = batch.findIndex((bytes) => isAfter(bytes, slot))
      if (end !== 0) yield end < 0 ? batch : batch.slice(0, end)
      if (end >= 0) return
    }
  },
})

function isAfter(bytes: Buffer, slot: number): boolean {
  const head = readHead(0, bytes)
  return head.slot > slot
}
